/** Runs queued jobs of API calls in this process, as a worker does. */
import type { Response } from 'supertest';
import type { Pool } from '../../db/pool.ts';
import { claimJobs, deleteClaims } from '../../db/runs/job-claims.ts';
import { endRuns } from '../../db/runs/run-ends.ts';
import { required } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { JobContext } from '../../jobs/contracts/job-context.ts';
import { isQueueName } from '../../jobs/contracts/queues.ts';
import { runHandler } from '../../jobs/worker/handlers.ts';
import type { TestApi } from './api.ts';
import { testJobContext } from './job-context.ts';

type Headers = Record<string, string>;

/** Starts a queued run and runs its job, which stays in the queue as it is. */
export async function runJobOf(given: Partial<JobContext> & { readonly pool: Pool }, runId: string): Promise<void> {
  const { pool } = given;
  const { rows } = await pool.query<{ queue: string; data: unknown }>(
    'select name as queue, data from pgboss.job where id = $1',
    [runId],
  );
  const { queue, data } = required(rows[0]);
  const claim = { queue, jobId: runId, attempt: 0 };
  const worker = { workerKey: 0, engineVersion: ENGINE_VERSION, at: new Date() };
  const run = (await claimJobs(pool, queue, [claim], worker)).get(runId) ?? null;
  await deleteClaims(pool, [claim]);
  if (!isQueueName(queue)) throw new Error(`there is no queue ${queue}`);
  const endRun: JobContext['endRun'] = (end) => endRuns(pool, [{ id: runId, end: { ...end, workerSeconds: 0.25 } }]);
  await runHandler(queue, testJobContext({ ...given, endRun, run }), data);
}

interface JobCall {
  readonly path: string;
  readonly body?: object;
  /** A file of CSV that is put, instead of a body that is posted. */
  readonly file?: string;
  readonly headers: Headers;
}

/** Sends a call that queues a run, runs it, and returns the state of its job. */
export async function runNow(
  api: TestApi,
  given: Partial<JobContext>,
  { path, body, file, headers }: JobCall,
): Promise<Response> {
  const asked = { ...headers, prefer: 'respond-async' };
  const accepted = await (file === undefined
    ? api.post(path, body, asked)
    : api.put(path, file, { ...asked, 'content-type': 'text/csv' }));
  if (accepted.status !== 202) throw new Error(`${path}: ${accepted.status} ${accepted.text.slice(0, 500)}`);
  const { job_id: runId, location } = accepted.body.data;
  const { pool, now } = api.services;
  await runJobOf({ pool, now, ...given }, runId);
  await pool.query(`delete from pgboss.job where id = $1`, [runId]);
  return api.get(location, headers);
}
