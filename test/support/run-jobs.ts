/** Runs queued jobs of API calls in this process, as a worker does. */
import type { Response } from 'supertest';
import { finishRun } from '../../db/backtests/backtest-runs.ts';
import { insertResult, klinesText } from '../../db/backtests/run-results.ts';
import { insertTrials } from '../../db/backtests/trials.ts';
import type { Pool } from '../../db/pool.ts';
import { deleteClaims } from '../../db/queue/job-claims.ts';
import { takingOn } from '../../db/queue/job-fetch.ts';
import { present } from '../../engine/present.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { HANDLERS } from '../../jobs/handlers.ts';
import type { JobContext } from '../../jobs/job-context.ts';
import { isQueueName } from '../../jobs/queue/queues.ts';
import type { TestApi } from './api.ts';
import { testJobContext } from './job-context.ts';

type Headers = Record<string, string>;

/** Takes one job in the form in which pg-boss fetches. */
const FETCH_JOB = `WITH next AS (select j.name, j.id from pgboss.job j where j.id = $1 FOR UPDATE OF j SKIP LOCKED)
  update pgboss.job j SET state = 'active', started_on = now() from next where j.name = next.name and j.id = next.id
  RETURNING j.id, j.name as name, j.data as data, j.priority as priority, j.created_on as "createdOn",
    j.retry_count as "retryCount", j.retry_limit as "retryLimit",
    j.group_id as "groupId"`;
const PUT_BACK = `update pgboss.job set state = 'created', started_on = null where id = $1`;

/** Starts a queued run and runs its job, which stays in the queue as it is. */
export async function runJobOf(given: Partial<JobContext> & { readonly pool: Pool }, runId: string): Promise<void> {
  const { pool } = given;
  const taking = takingOn(pool, { workerKey: 0, engineVersion: ENGINE_VERSION, at: new Date() });
  await taking.executeSql(FETCH_JOB, [runId]);
  await pool.query(PUT_BACK, [runId]);
  const { queue, data, run, attempt } = present(taking.jobs[0]);
  await deleteClaims(pool, [{ queue, jobId: runId, attempt }]);
  if (!isQueueName(queue)) throw new Error(`there is no queue ${queue}`);
  const endRun: JobContext['endRun'] = async ({ fingerprint, result: sent, klines, selection, trials, at }) => {
    const result = klines ? { ...sent, klines: klinesText(klines) } : sent;
    await insertResult(pool, fingerprint, result, klines?.sha256 ?? null);
    if (trials) await insertTrials(pool, trials);
    await finishRun(
      pool,
      runId,
      { fingerprint, isCached: false, backtestId: null, selection, workerSeconds: 0.25 },
      at,
    );
  };
  await HANDLERS[queue].run(testJobContext({ ...given, endRun, run }), data);
}

/** Sends a call that queues a run, runs it, and returns the state of its job. */
export async function runNow(
  api: TestApi,
  given: Partial<JobContext>,
  { path, body, headers }: { readonly path: string; readonly body?: object; readonly headers: Headers },
): Promise<Response> {
  const accepted = await api.post(path, body, { ...headers, prefer: 'respond-async' });
  if (accepted.status !== 202) throw new Error(`${path}: ${accepted.status} ${accepted.text.slice(0, 500)}`);
  const { job_id: runId, location } = accepted.body.data;
  const { pool, now } = api.services;
  await runJobOf({ pool, now, ...given }, runId);
  await pool.query(`delete from pgboss.job where id = $1`, [runId]);
  return api.get(location, headers);
}
