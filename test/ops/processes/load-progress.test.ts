/** Progress of running loads, as the command line shows it. */

import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { failSyncJob, finishSyncJob, insertSyncJob, startSyncJob } from '../../../db/queue/sync-jobs.ts';
import { required } from '../../../engine/util/values.ts';
import { watchSyncs } from '../../../ops/processes/load-progress.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('shows why a job is retried, and a job that ends just before the watch does', async () => {
  const { url, pool } = database;
  const load = { jobType: 'symbols', requestedBy: 'test', request: {}, requestId: null } as const;
  const id = required(await insertSyncJob(pool, { ...load, queueJobId: randomUUID() }));
  await startSyncJob(pool, id);
  await failSyncJob(pool, id, 'the vendor was silent', false);
  const output = new PassThrough();
  // Its notification is late; here it never arrives.
  await pool.query('alter table sync_jobs disable trigger user');
  let questions = 0;
  const isDone = async () => {
    if (++questions === 1) return false;
    // Called after the first read, which has found it running.
    await finishSyncJob(pool, id);
    return true;
  };
  const ended = await watchSyncs({ url, pool, isDone, afterId: 0, output: output as never });
  expect(ended.map((job) => [job.id, job.status])).toEqual([[id, 'ok']]);
  expect(String(output.read())).toMatch(
    /^ {2}symbols +0 %, 0 rows; retried after a failure: the vendor was silent\n {2}symbols +0 rows\n$/,
  );
});
