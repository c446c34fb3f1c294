/** Runs of backtests: what was ordered, how far it is, and the results that may be used again. */
import { DATA_VERSION } from '../market/data-versions.ts';
import type { Connection, Queryable } from '../pool.ts';
import { TABLES } from '../tables.ts';

export const BACKTEST_ENDED_CHANNEL = 'backtest_ended';
export const RUN_STATUSES = TABLES.backtest_runs.status.values;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Whether a run has not ended yet. */
export function isUnderWay({ status }: { readonly status: RunStatus }): boolean {
  return status === 'queued' || status === 'running';
}

export type RunKind = 'backtest' | 'optimize';

export interface NewRun {
  readonly id: string;
  readonly kind: RunKind;
  /** Whose concurrency it counts in: `user:…` or `ip:…`. */
  readonly owner: string;
  readonly userId: number | null;
  /** Whether the result is kept in the account. */
  readonly isSaved: boolean;
  /** How many backtests the account may keep; null: any number. */
  readonly historyMax: number | null;
  readonly order: object;
  readonly requestId: string;
  readonly at: Date;
}

const OWNER_LOCK = 7_304;

/**
 * The turn of a run among those of its kind: one after the owner's last, and not before whoever is served now. Whoever
 * has twenty waiting and whoever has one are served in turn.
 */
const NEXT_TURN = `1 + greatest(
  (select max(turn) from backtest_runs where owner = $3 and kind = $2 and status in ('queued', 'running')),
  (select min(turn) from backtest_runs where kind = $2 and status = 'running'), 0)`;

/**
 * Records a run unless its owner has `max` of them under way already; the lock makes the count true. Returns its turn,
 * lower ones first, which is 0 for a backtest: those are over before it matters. Null when it was refused.
 */
export async function insertRun(connection: Connection, run: NewRun, max: number): Promise<number | null> {
  await connection.query({
    name: 'lock_backtest_owner',
    text: 'select pg_advisory_xact_lock($1, hashtext($2))',
    values: [OWNER_LOCK, run.owner],
  });
  const { rows } = await connection.query<{ turn: number }>(
    `insert into backtest_runs (id, kind, owner, user_id, is_saved, history_max, "order", request_id, created_at, turn)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, case when $2 = 'optimize' then ${NEXT_TURN} else 0 end
     where (select count(*) from backtest_runs where owner = $3 and status in ('queued', 'running')) < $10
     returning turn`,
    [run.id, run.kind, run.owner, run.userId, run.isSaved, run.historyMax, run.order, run.requestId, run.at, max],
  );
  return rows[0]?.turn ?? null;
}

export async function countActiveRuns(db: Queryable, owner: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from backtest_runs where owner = $1 and status in ('queued', 'running')`,
    [owner],
  );
  return rows[0].count;
}

export interface StartedRun {
  readonly order: unknown;
  readonly userId: number | null;
  readonly isSaved: boolean;
  readonly historyMax: number | null;
  /** Of the data that the run begins on. */
  readonly dataVersion: string;
}

/** A worker has taken the run; null when it was cancelled or has ended already. */
export async function startRun(db: Queryable, id: string, at: Date): Promise<StartedRun | null> {
  const { rows } = await db.query<StartedRun>({
    name: 'start_backtest_run',
    text: `update backtest_runs set status = 'running', started_at = coalesce(started_at, $2)
           where id = $1 and status in ('queued', 'running')
           returning "order", user_id as "userId", is_saved as "isSaved", history_max as "historyMax",
             (${DATA_VERSION}) as "dataVersion"`,
    values: [id, at],
  });
  return rows[0] ?? null;
}

export interface RunResult {
  readonly fingerprint: Buffer;
  readonly isCached: boolean;
  readonly backtestId: number | null;
}

export async function finishRun(db: Queryable, id: string, result: RunResult, at: Date): Promise<void> {
  await db.query({
    name: 'finish_backtest_run',
    text: `update backtest_runs set status = 'done', progress_pct = 100, fingerprint = $2, is_cached = $3, backtest_id = $4, finished_at = $5
           where id = $1 and status = 'running'`,
    values: [id, result.fingerprint, result.isCached, result.backtestId, at],
  });
}

/**
 * The same for a run whose result is new and kept by nobody, result included, in one statement. Nothing stays of a run that
 * has ended or gone meanwhile.
 */
export async function finishRunWithResult(
  db: Queryable,
  id: string,
  { fingerprint, result, at }: { readonly fingerprint: Buffer; readonly result: StoredResult; readonly at: Date },
): Promise<void> {
  await db.query({
    name: 'finish_backtest_run_with_result',
    text: `with ended as (
             update backtest_runs set status = 'done', progress_pct = 100, fingerprint = $2, is_cached = false, finished_at = $7
             where id = $1 and status = 'running' returning fingerprint)
           insert into backtest_results (fingerprint, summary, trades, klines, equity)
           select fingerprint, $3, $4, $5, $6 from ended on conflict (fingerprint) do update set used_at = now()`,
    values: [id, fingerprint, result.summary, result.trades, result.klines, result.equity, at],
  });
}

/** Whether no attempt has ended the run yet. */
export async function isRunning(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is_backtest_run_running',
    text: `select from backtest_runs where id = $1 and status = 'running'`,
    values: [id],
  });
  return rowCount === 1;
}

export interface RunFailure {
  readonly code: string;
  readonly details: object;
}

export async function failRun(db: Queryable, id: string, failure: RunFailure, at: Date): Promise<void> {
  await db.query(
    `update backtest_runs set status = 'failed', error_code = $2, error_details = $3, finished_at = $4
     where id = $1 and status in ('queued', 'running')`,
    [id, failure.code, failure.details, at],
  );
}

/** False when the run has ended or gone meanwhile: cancelled, or deleted with its account. */
export async function updateRunProgress(db: Queryable, id: string, progressPct: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update backtest_runs set progress_pct = $2 where id = $1 and status = 'running'`,
    [id, progressPct],
  );
  return rowCount === 1;
}

/** Ids of the runs of an account that wait or run, by kind; the id of a run is that of its job too. */
export async function selectActiveRuns(
  db: Queryable,
  userId: number,
): Promise<{ readonly id: string; readonly kind: RunKind }[]> {
  const { rows } = await db.query<{ id: string; kind: RunKind }>(
    `select id, kind from backtest_runs where user_id = $1 and status in ('queued', 'running') order by id`,
    [userId],
  );
  return rows;
}

/** Cancels a run that no worker has taken yet; false when one has. */
export async function cancelQueuedRun(db: Queryable, id: string, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update backtest_runs set status = 'cancelled', finished_at = $2 where id = $1 and status = 'queued'`,
    [id, at],
  );
  return rowCount === 1;
}

export interface Run {
  readonly id: string;
  readonly kind: RunKind;
  readonly owner: string;
  readonly status: RunStatus;
  readonly progressPct: number;
  readonly order: unknown;
  readonly backtestId: number | null;
  readonly isCached: boolean | null;
  readonly errorCode: string | null;
  readonly errorDetails: object | null;
  readonly createdAt: Date;
  /** Of a run that is done, unless it was lost or is long ago. */
  readonly result: StoredResult | null;
}

/** A result as texts of JSON, the last three of arrays. */
export interface StoredResult {
  readonly summary: string;
  readonly trades: string;
  readonly klines: string;
  readonly equity: string;
}

export async function selectRun(db: Queryable, id: string): Promise<Run | null> {
  const { rows } = await db.query({
    name: 'select_backtest_run',
    text: `select r.id, r.kind, r.owner, r.status, r.progress_pct as "progressPct", r."order", r.backtest_id as "backtestId", r.is_cached as "isCached",
             r.error_code as "errorCode", r.error_details as "errorDetails", r.created_at as "createdAt",
             s.summary, s.trades, s.klines, s.equity
           from backtest_runs r left join backtest_results s on s.fingerprint = r.fingerprint where r.id = $1`,
    values: [id],
  });
  if (rows.length === 0) return null;
  const { summary, trades, klines, equity, ...run } = rows[0];
  return { ...run, result: summary === null ? null : { summary, trades, klines, equity } };
}

/** Which of the given runs have ended, or are gone with their account. */
export async function selectEndedRuns(db: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($1::uuid[]) asked (id)
     where not exists (select from backtest_runs r where r.id = asked.id and r.finished_at is null)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

export interface RunState {
  readonly id: string;
  readonly status: RunStatus;
  readonly progressPct: number;
}

/** How far the given runs are; one that is gone is left out. */
export async function selectRunStates(db: Queryable, ids: readonly string[]): Promise<RunState[]> {
  const { rows } = await db.query<RunState>({
    name: 'select_backtest_run_states',
    text: 'select id, status, progress_pct as "progressPct" from backtest_runs where id = any($1::uuid[])',
    values: [ids],
  });
  return rows;
}

export async function insertResult(db: Queryable, fingerprint: Buffer, result: StoredResult): Promise<void> {
  await db.query({
    name: 'insert_backtest_result',
    text: `insert into backtest_results (fingerprint, summary, trades, klines, equity) values ($1, $2, $3, $4, $5)
           on conflict (fingerprint) do update set used_at = now()`,
    values: [fingerprint, result.summary, result.trades, result.klines, result.equity],
  });
}

/** The result of the same order over the same data by the same engine, if there is one. Keeps it from being forgotten. */
export async function useResult(db: Queryable, fingerprint: Buffer): Promise<StoredResult | null> {
  const { rows } = await db.query<StoredResult>({
    name: 'use_backtest_result',
    text: `update backtest_results set used_at = now() where fingerprint = $1
           returning summary, trades, klines, equity`,
    values: [fingerprint],
  });
  return rows[0] ?? null;
}

/** Forgets runs that ended, and results that nobody has used, for an hour. */
export async function deleteOldRuns(db: Queryable, at: Date): Promise<void> {
  const limit = new Date(at.getTime() - 3_600_000);
  await db.query('delete from backtest_runs where finished_at < $1', [limit]);
  await db.query(`delete from backtest_results where used_at < now() - interval '1 hour'`);
}
