/** Jobs that a worker takes: fetched, claimed, and the runs that they work for started, in one statement. */

import type { StartedRun } from '../backtests/backtest-runs.ts';
import { isKnown as isKnownResult } from '../backtests/run-results.ts';
import { DATA_VERSION } from '../market/data-versions.ts';
import { type Queryable, statementOf } from '../pool.ts';

export interface TakingWorker {
  /** Names the worker in its claims. */
  readonly workerKey: number;
  readonly engineVersion: string;
  readonly at: Date;
}

export interface TakenJob {
  readonly queue: string;
  readonly id: string;
  readonly data: unknown;
  /** From 0. */
  readonly attempt: number;
  readonly retryLimit: number;
  /** Jobs of a higher one come first. */
  readonly priority: number;
  /** Owner of the run or sweep that the job works for; null: it works for none. */
  readonly account: string | null;
  /** Null: the job works for no run, or for one that has ended or was deleted. */
  readonly run: StartedRun | null;
}

/** A taken job in one row. */
type TakenRow = Omit<TakenJob, 'run'> & { readonly [Name in keyof StartedRun]: StartedRun[Name] | null };

/** The columns of a fetched job that our statement reads. */
const FETCHED = ['j.id', 'name', 'data', '"retryCount"', 'priority', '"retryLimit"', '"createdOn"', '"groupId"'];
/** Texts differ by queue and by the number of jobs. */
const MAX_KNOWN_FETCHES = 200;
const knownFetches = new Set<string>();

/** Fails unless a statement of pg-boss locks the jobs that it fetches and returns what ours needs. */
function assertFetch(text: string): void {
  if (knownFetches.has(text)) return;
  const [update, returned] = text.split(/\bRETURNING\b/);
  const isKnown =
    /^\s*WITH\s+next AS \([^;]*\bFOR UPDATE OF j SKIP LOCKED\b[^;]*\bSET\s+state = 'active',[^;]*$/.test(update) &&
    FETCHED.every((column) => returned?.split(/,|\bas\b/).some((part) => part.trim() === column));
  if (!isKnown) throw new Error('pg-boss fetches jobs in an unknown way');
  if (knownFetches.size < MAX_KNOWN_FETCHES) knownFetches.add(text);
}

/**
 * Lets pg-boss fetch jobs as a part of our statement, and keeps what was taken in `jobs`. Everything becomes true together: no job
 * is active without a claim, and none runs whose run has ended.
 */
export function takingOn(db: Queryable, { workerKey, engineVersion, at }: TakingWorker) {
  const jobs: TakenJob[] = [];
  const executeSql = async (fetch: string, values: unknown[] = []) => {
    const [worker, version, now] = [1, 2, 3].map((i) => `$${values.length + i}`);
    const taken = await db.query<TakenRow>(
      statementOf(taking(fetch, { worker, version, now }), [...values, workerKey, engineVersion, at]),
    );
    jobs.push(...taken.rows.map(takenJob));
    return { rows: [] };
  };
  return { jobs, executeSql };
}

interface Parameters {
  readonly worker: string;
  readonly version: string;
  readonly now: string;
}

/** Runs are found as in `endingOn`. A run that has not finished is under way. */
const taking = (fetch: string, { worker, version, now }: Parameters) => `
  with taken as (${fetch}),
  claimed as (
    insert into job_claims (queue, job_id, attempt, worker_key) select name, id, "retryCount", ${worker} from taken
    on conflict (queue, job_id) do update set attempt = excluded.attempt, worker_key = excluded.worker_key, claimed_at = now()),
  data as materialized (select (${DATA_VERSION}) as version),
  started as (
    update backtest_runs r set status = 'running', started_at = coalesce(started_at, ${now})
    from taken, data where r.id = taken.id and r.id = any(array(select id from taken)) and r.finished_at is null
    returning r.id, r.spec::text as spec, r.user_id, r.is_saved, r.history_max, r.seconds_max, data.version,
      sha256(convert_to(concat_ws(E'\\n', ${version}::text, data.version, r.spec::text), 'UTF8')) as fingerprint)
  select taken.name as queue, taken.id, taken.data, taken."retryCount" as attempt, taken."retryLimit",
    taken.priority, taken."groupId" as account, started.spec, started.user_id as "userId", started.is_saved as "isSaved", started.history_max as "historyMax",
    started.seconds_max as "secondsMax", started.version as "dataVersion", started.fingerprint,
    (${isKnownResult('started')}) as "isKnown"
  from taken left join started on started.id = taken.id
  order by taken.priority desc, taken."createdOn"`;

/** Runs statements of pg-boss on `taking`, and refuses one that does not fetch as we know it. */
export function fetchesOf(taking: Pick<ReturnType<typeof takingOn>, 'executeSql'>) {
  const executeSql = async (fetch: string, values?: unknown[]) => {
    assertFetch(fetch);
    return taking.executeSql(fetch, values);
  };
  return { executeSql };
}

function takenJob({ queue, id, data, attempt, retryLimit, priority, account, ...run }: TakenRow): TakenJob {
  const { spec, userId, isSaved, historyMax, secondsMax, dataVersion, fingerprint, isKnown } = run;
  const isStarted = spec !== null && isSaved !== null && dataVersion !== null && fingerprint !== null;
  const started = isStarted
    ? {
        spec,
        userId,
        isSaved,
        historyMax,
        secondsMax,
        dataVersion,
        fingerprint: ownBytes(fingerprint),
        isKnown: isKnown === true,
      }
    : null;
  return { queue, id, data, attempt, retryLimit, priority, account, run: started };
}

/** Bytes in a buffer of their own: small ones of Node share one of 8 KB, all of which a message to a thread would copy. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
