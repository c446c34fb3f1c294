/** The ends of runs: one statement for all of them, whether an account keeps the result or not. */
import { namedStatement, paddedToPower, type Queryable } from '../pool.ts';
import type { StoredResult } from './run-results.ts';
import type { TrialsOf } from './trials.ts';

/** The end of a run. */
export interface RunEnd {
  readonly fingerprint: Uint8Array;
  /** Null: an earlier run has stored it. */
  readonly result: StoredResult | null;
  /** The kept run; null: the account keeps none. */
  readonly backtestId: number | null;
  /** The part of the result that depends on the account's history. */
  readonly selection: object | null;
  /** Combinations to be recorded with it. */
  readonly trials: TrialsOf | null;
  readonly at: Date;
  /** Processor seconds of its worker. */
  readonly workerSeconds: number;
}

export interface EndedRun {
  readonly id: string;
  readonly end: RunEnd;
}

const COLUMNS = [
  'id uuid',
  'fingerprint bytea',
  'summary text',
  'tear_sheet text',
  'lengths json',
  'body bytea',
  'backtest_id bigint',
  'selection json',
  'finished_at timestamptz',
  'worker_seconds real',
  'user_id bigint',
  'search bytea',
  'combinations bytea[]',
  'spec bytea',
  'runs integer',
  'measured integer',
  'sum float8',
  'squares float8',
].map((column) => column.split(' '));
const NAMES = COLUMNS.map(([name]) => name).join(', ');
const NO_VALUES = COLUMNS.map(() => null);

function valuesOf({ id, end }: EndedRun): unknown[] {
  const { fingerprint, result, backtestId, selection, trials, at, workerSeconds } = end;
  const { summary, tearSheet, lengths, body } = result ?? {};
  const { userId, search, combinations, account } = trials ?? {};
  const { spec, runs, measured, sum, squares } = account ?? {};
  const stored = [fingerprint, summary, tearSheet, lengths, body && bufferOf(body)];
  const recorded = [userId, search, combinations, spec, runs, measured, sum, squares];
  return [id, ...stored, backtestId, selection, at, workerSeconds, ...recorded];
}

/** Another thread sends no Buffers, and the driver would copy other arrays. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Ends runs that are running, of any accounts; equal results are stored once. Notifications wake the processes that wait for them. */
export async function endRuns(db: Queryable, ended: readonly EndedRun[]): Promise<void> {
  const given = paddedToPower(ended, null);
  const rows = given.map((_, row) => {
    const parameters = COLUMNS.map(([, type], i) => `$${row * COLUMNS.length + i + 1}::${type}`);
    return `(${parameters.join(', ')})`;
  });
  const values = given.flatMap((run) => (run ? valuesOf(run) : NO_VALUES));
  const recording = ended.some(({ end }) => end.trials) ? RECORDING : '';
  await db.query(namedStatement(`${ending(rows.join(', '))}${recording} select from ended`, values));
}

/**
 * Runs are found by their keys: where few rows were left at the last analysis, the server prefers the index of all runs under way, and
 * reads everything in it that has ended since. So their ids are also given as an array, and a status is compared with a subselect,
 * which the server does not match with the condition of that index.
 */
const ending = (given: string) => `
  with given (${NAMES}) as (values ${given}),
  ended as (
    update runs r set status = 'done', progress_pct = 100, fingerprint = given.fingerprint, is_cached = given.summary is null,
      backtest_id = given.backtest_id, finished_at = given.finished_at, selection = given.selection,
      worker_seconds = given.worker_seconds
    from given
    where r.id = given.id and r.id = any(array(select id from given)) and r.status = (select 'running') returning r.id),
  stored as (
    insert into backtest_results (fingerprint, summary, tear_sheet, lengths, body)
    select distinct on (fingerprint) fingerprint, summary, tear_sheet, lengths, body
    from given join ended using (id) where summary is not null
    on conflict (fingerprint) do update set used_at = now())`;

/** Only where there are trials: a statement opens every table that it may write to. */
const RECORDING = `,
  tried as (
    insert into trials (user_id, search, combination)
    select distinct user_id, search, unnest(combinations) from given join ended using (id) where user_id is not null
    on conflict do nothing),
  counted as (
    insert into account_runs as a (user_id, spec, runs, measured, sum, squares)
    select distinct on (user_id, spec) user_id, spec, runs, measured, sum, squares
    from given join ended using (id) where user_id is not null and spec is not null
    on conflict (user_id, spec) do update set runs = excluded.runs, measured = excluded.measured, sum = excluded.sum,
      squares = excluded.squares, at = greatest(a.at, excluded.at))`;
