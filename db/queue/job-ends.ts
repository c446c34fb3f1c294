/** Jobs that have ended: completed, and the runs that they worked for ended with their results, in one statement. */
import { codeOf, textIn } from '../../engine/thrown.ts';
import type { SharedKlines, StoredResult } from '../backtests/run-results.ts';
import type { TrialsOf } from '../backtests/trials.ts';
import { paddedToPower, type Queryable, statementOf } from '../pool.ts';

/** The end of a run whose result no account keeps. */
export interface RunEnd {
  readonly fingerprint: Uint8Array;
  readonly result: StoredResult;
  /** The bars of the result, which `result` then lacks. */
  readonly klines?: SharedKlines;
  /** The part of the result that depends on the account's history. */
  readonly selection: object | null;
  /** Combinations to be recorded with it. */
  readonly trials: TrialsOf | null;
  readonly at: Date;
  /** Processor seconds of its worker. */
  readonly workerSeconds: number;
}

export interface EndedJob {
  readonly id: string;
  readonly end: RunEnd;
  /** Fingerprint of a stored result with the same bars, which are copied from it; null: they are sent. */
  readonly klinesOf: Uint8Array | null;
}

/** SQLSTATE */
const CHECK_FAILED = '23514';

const COLUMNS = [
  'id uuid',
  'fingerprint bytea',
  'summary text',
  'trades text',
  'klines text',
  'klines_sha256 bytea',
  'klines_of bytea',
  'equity text',
  'positions text',
  'contributions text',
  'selection json',
  'finished_at timestamptz',
  'worker_seconds real',
  'user_id bigint',
  'search bytea',
  'combinations bytea[]',
].map((column) => column.split(' '));
const NAMES = COLUMNS.map(([name]) => name).join(', ');
const NO_VALUES = COLUMNS.map(() => null);

function valuesOf({ id, end, klinesOf }: EndedJob): unknown[] {
  const { fingerprint, result, selection, trials, at, workerSeconds } = end;
  const { summary, trades, equity, positions, contributions } = result;
  const parts = [summary, trades, ...klinesValues(end, klinesOf), equity, positions, contributions];
  const recorded = trials ? [trials.userId, trials.search, trials.combinations] : [null, null, null];
  return [id, fingerprint, ...parts, selection, at, workerSeconds, ...recorded];
}

function klinesValues({ result, klines }: RunEnd, klinesOf: Uint8Array | null): unknown[] {
  if (!klines) return [result.klines, null, null];
  const digest = Buffer.from(klines.sha256, 'hex');
  return klinesOf ? [null, digest, klinesOf] : [klines.bytes, digest, null];
}

/** Whether results were refused because one with the same bars is not there any more. */
export function lacksKlines(error: unknown): boolean {
  return codeOf(error) === CHECK_FAILED && textIn(error, 'constraint') === 'backtest_results_have_klines';
}

/**
 * Lets pg-boss complete jobs of a queue, and removes their claims and ends the runs of `ended` in the same statement. A run is ended
 * only if pg-boss completes its job, so only by the attempt that the job is at. Its notification wakes who waits for it.
 */
export function endingOn(db: Queryable, ended: readonly EndedJob[]) {
  const executeSql = (complete: string, values: unknown[] = []) => {
    const [before, after, ...rest] = complete.split(/^\s*with\s/i);
    if (before !== '' || after === undefined || rest.length > 0 || !/\bWHERE name = \$1\s/.test(after)) {
      throw new Error('pg-boss completes jobs in an unknown way');
    }
    if (ended.length === 0) return db.query(statementOf(`${UNCLAIMING}, ${after}`, values));
    const given = paddedToPower(ended, null);
    const rows = given.map((_, row) => {
      const from = values.length + 1 + row * COLUMNS.length;
      return `(${COLUMNS.map(([, type], i) => `$${from + i}::${type}`).join(', ')})`;
    });
    const parameters = [...values, ...given.flatMap((job) => (job ? valuesOf(job) : NO_VALUES))];
    const recording = ended.some(({ end }) => end.trials) ? RECORDING : '';
    return db.query(statementOf(`${ending(rows.join(', '))}${recording}, ${after}`, parameters));
  };
  return { executeSql };
}

/**
 * `results` are the jobs that pg-boss has completed; RECURSIVE lets us refer to it before. Claims and runs are found by their keys: where few
 * rows were left at the last analysis, the server prefers the index of all claims of a queue, or of all runs under way, and reads
 * everything in it that has ended since. So their ids are also given as an array, and a status is compared with a subselect, which the
 * server does not take for the condition of that index.
 */
const UNCLAIMING = `
  with recursive unclaimed as (delete from job_claims c where c.queue = $1 and c.job_id = any(array(select id from results)))`;

/** Equal results are stored once. */
const ending = (given: string) => `${UNCLAIMING},
  given (${NAMES}) as (values ${given}),
  ended as (
    update backtest_runs r set status = 'done', progress_pct = 100, fingerprint = given.fingerprint, is_cached = false,
      finished_at = given.finished_at, selection = given.selection, worker_seconds = given.worker_seconds
    from given
    where r.id = given.id and r.id = any(array(select id from results)) and r.status = (select 'running') returning r.id),
  stored as (
    insert into backtest_results (fingerprint, summary, trades, klines, klines_sha256, equity, positions, contributions)
    select distinct on (fingerprint) fingerprint, summary, trades, coalesce(klines,
      (select r.klines from backtest_results r where r.fingerprint = klines_of and r.klines_sha256 = given.klines_sha256)),
      klines_sha256, equity, positions, contributions
    from given join ended using (id)
    on conflict (fingerprint) do update set used_at = now())`;

/** Only where there are trials: a statement opens every table that it may write to. */
const RECORDING = `,
  tried as (
    insert into trials (user_id, search, combination)
    select distinct user_id, search, unnest(combinations) from given join ended using (id) where user_id is not null
    on conflict do nothing)`;
