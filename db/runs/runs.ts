/** Runs: requested backtests and optimizations, their progress, and results that can be reused. */

import { namedStatement, paddedToPower, type Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection, TABLES } from '../schema/tables.ts';
import { type ServedResult, served } from './run-results.ts';

export const BACKTEST_ENDED_CHANNEL = 'backtest_ended';
export const RUN_STATUSES = TABLES.runs.status.values;
export type RunStatus = (typeof RUN_STATUSES)[number];

const UNDER_WAY: readonly RunStatus[] = ['queued', 'running'];

/** Whether a run has not ended. */
export function isUnderWay({ status }: { readonly status: RunStatus }): boolean {
  return UNDER_WAY.includes(status);
}

/** SQL: whether the run of a row has not ended. */
export const IS_UNDER_WAY = `status in (${UNDER_WAY.map((status) => `'${status}'`).join(', ')})`;

export type RunKind = Rows['runs']['kind'];

export async function countActiveRuns(db: Queryable, owner: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from runs where owner = $1 and ${IS_UNDER_WAY}`,
    [owner],
  );
  return rows[0].count;
}

/** A run that a worker has taken. */
export interface StartedRun {
  /** The specification, as the JSON text that was recorded. */
  readonly spec: string;
  readonly userId: number | null;
  readonly isKept: boolean;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  /** Processor seconds of a worker that it may cost; null: any number. */
  readonly secondsMax: number | null;
  /** Version of the data when the run begins. */
  readonly dataVersion: string;
  /** Digest of specification, data, and engine: equal ones have the same result. */
  readonly fingerprint: Uint8Array;
  /** Whether there is a result with this fingerprint. */
  readonly isKnown: boolean;
}

/** When the run was requested; null once it has ended. */
export async function selectRunningSince(db: Queryable, id: string): Promise<Date | null> {
  const { rows } = await db.query<{ createdAt: Date }>({
    name: 'select_running_run',
    text: `select created_at as "createdAt" from runs where id = $1 and status = 'running'`,
    values: [id],
  });
  return rows[0]?.createdAt ?? null;
}

export interface RunFailure {
  readonly code: string;
  readonly details: object;
}

/** `workerSeconds`: what the run has cost; null: not known. */
export async function failRun(
  db: Queryable,
  id: string,
  failure: RunFailure,
  at: Date,
  workerSeconds: number | null,
): Promise<void> {
  await db.query(
    `update runs set status = 'failed', error_code = $2, error_details = $3, finished_at = $4, worker_seconds = $5
     where id = $1 and ${IS_UNDER_WAY}`,
    [id, failure.code, failure.details, at, workerSeconds],
  );
}

/** False when the run has ended meanwhile, or was deleted with its account. */
export async function updateRunProgress(db: Queryable, id: string, progressPct: number): Promise<boolean> {
  const { rowCount } = await db.query(`update runs set progress_pct = $2 where id = $1 and status = 'running'`, [
    id,
    progressPct,
  ]);
  return rowCount === 1;
}

/** Active runs of an account. A run and its job have the same id. */
export async function selectActiveRuns(db: Queryable, userId: number): Promise<Pick<Rows['runs'], 'id' | 'kind'>[]> {
  const { rows } = await db.query<Pick<Rows['runs'], 'id' | 'kind'>>(
    `select id, kind from runs where user_id = $1 and ${IS_UNDER_WAY} order by id`,
    [userId],
  );
  return rows;
}

/** Cancels a run that no worker has taken. False when one has. */
export async function cancelQueuedRun(db: Queryable, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update runs set status = 'cancelled', finished_at = $2 where id = $1 and status = 'queued'`,
    [id, at],
  );
  return rowCount === 1;
}

const RUN = selection(
  'runs',
  {
    id: 'id',
    kind: 'kind',
    owner: 'owner',
    status: 'status',
    progressPct: 'progress_pct',
    spec: 'spec',
    backtestId: 'backtest_id',
    isCached: 'is_cached',
    errorCode: 'error_code',
    errorDetails: 'error_details',
    workerSeconds: 'worker_seconds',
    createdAt: 'created_at',
    selection: 'selection',
  },
  'r',
);

export interface Run extends Selected<typeof RUN> {
  /** The result of a finished run; null when it was lost or has expired. */
  readonly result: ServedResult | null;
}

type MaybeResult = Omit<ServedResult, 'summary'> & { readonly summary: string | null };

const WITH_RESULT = 'from runs r left join backtest_results s on s.fingerprint = r.fingerprint';

/** Runs with their results, in the order of their ids; null for one that was deleted with its account. */
export async function selectRuns(db: Queryable, ids: readonly string[], hasParts: boolean): Promise<(Run | null)[]> {
  const values = paddedToPower(ids, null);
  // Each id is a parameter: for an array of any length the server would plan the statement each time.
  const parameters = values.map((_, i) => `$${i + 1}`).join(', ');
  const { rows } = await db.query<Selected<typeof RUN> & MaybeResult>(
    namedStatement(`select ${RUN.sql}, ${served(hasParts)} ${WITH_RESULT} where r.id in (${parameters})`, values),
  );
  const runs = new Map(rows.map((row) => [row.id, runOf(row)]));
  return ids.map((id) => runs.get(id) ?? null);
}

function runOf({ fingerprint, summary, tearSheet, lengths, body, ...run }: Selected<typeof RUN> & MaybeResult): Run {
  return { ...run, result: summary === null ? null : { fingerprint, summary, tearSheet, lengths, body } };
}

export async function selectRun(db: Queryable, id: string): Promise<Run | null> {
  const { rows } = await db.query<Selected<typeof RUN> & MaybeResult>({
    name: 'select_run',
    text: `select ${RUN.sql}, ${served(true)} ${WITH_RESULT} where r.id = $1`,
    values: [id],
  });
  return rows[0] ? runOf(rows[0]) : null;
}

/** Which of the ids are ids of runs. */
export async function selectKnownRuns(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>('select id from runs where id = any($1::uuid[])', [ids]);
  return new Set(rows.map(({ id }) => id));
}

/** Ids of the given runs that have ended or were deleted with their account. */
export async function selectEndedRuns(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($1::uuid[]) asked (id)
     where not exists (select from runs r where r.id = asked.id and r.finished_at is null)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const RUN_STATE = selection('runs', {
  id: 'id',
  status: 'status',
  progressPct: 'progress_pct',
});

export type RunState = Selected<typeof RUN_STATE>;

/** Status and progress of the given runs and sweeps, without deleted ones. */
export async function selectRunStates(db: Queryable, ids: readonly string[]): Promise<RunState[]> {
  const { rows } = await db.query<RunState>({
    name: 'select_run_states',
    text: `select ${RUN_STATE.sql} from runs where id = any($1::uuid[])
           union all
           select id, status, case status when 'done' then 100 else 99.0 * cells_done / cells end::real
           from sweeps where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows;
}

/** Deletes runs that ended, and results that were last used, more than an hour ago. */
export async function deleteOldRuns(db: Queryable, at: Date): Promise<void> {
  const limit = new Date(at.getTime() - 3_600_000);
  await db.query('delete from runs where finished_at < $1', [limit]);
  await db.query(`delete from backtest_results where used_at < now() - interval '1 hour'`);
}

/** A run that asks to be admitted. */
export type RequestedRun = Pick<
  Rows['runs'],
  | 'id'
  | 'kind'
  | 'owner'
  | 'user_id'
  | 'is_saved'
  | 'history_max'
  | 'spec'
  | 'request_id'
  | 'created_at'
  | 'seconds_max'
> & {
  /** Runs that the owner may have under way at once, this one included. */
  readonly max: number;
};

/**
 * Records runs, and returns the turns of those that were admitted by their ids. Until the transaction ends, no other run of their owners
 * is admitted. `lane`: the kinds of runs with which these take turns.
 */
export async function admitRuns(
  db: Queryable,
  requested: readonly RequestedRun[],
  lane: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; turn: number }>(
    namedStatement('select id, turn from admit($1, $2)', [JSON.stringify(requested), lane]),
  );
  return new Map(rows.map(({ id, turn }) => [id, turn]));
}
