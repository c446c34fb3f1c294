/** Each call of pg-boss that we rely on. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConstructorOptions, PgBoss } from 'pg-boss';
import { type Connection, executorOn, type Pool, transaction } from '../../../db/pool.ts';
import { selectAttempts, selectJob } from '../../../db/queue/queue-jobs.ts';
import { affectedJobs, settledJobs } from '../../../jobs/queue/boss.ts';
import { failAttempt, type Retry } from '../../../jobs/queue/dead-workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

const OPTIONS: ConstructorOptions = {
  supervise: false,
  schedule: false,
  migrate: true,
  max: 2,
  monitorIntervalSeconds: 1,
};

const QUEUE = 'contract';
const SINGLE = 'contract.single';

describe('pg-boss', () => {
  let database: TestDatabase;
  let pool: Pool;
  let boss: PgBoss;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool;
    boss = new PgBoss({ ...OPTIONS, connectionString: database.url });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(QUEUE, { policy: 'standard', retryLimit: 5 });
    await boss.updateQueue(QUEUE, { retryLimit: 2, retryDelay: 60, expireInSeconds: 60, deleteAfterSeconds: 3_600 });
    await boss.createQueue(SINGLE, { policy: 'stately', retryLimit: 0 });
  });
  afterAll(async () => {
    await boss.stop({ graceful: false });
    await database.drop();
  });

  const jobOf = (id: string, queue = QUEUE) => selectJob(pool, queue, id);
  const stateOf = async (id: string) => (await jobOf(id))?.state;

  async function sendJob(options: { readonly priority?: number; readonly group?: { readonly id: string } } = {}) {
    const id = randomUUID();
    expect(await boss.send(QUEUE, { requestId: 'r' }, { ...options, id })).toBe(id);
    return id;
  }

  /** Fetches as many jobs as there may be, in a transaction of ours. */
  const fetchAll = (connection: Connection, ignoreGroups: string[] = []) =>
    boss.fetch(QUEUE, { batchSize: 20, ignoreGroups, includeMetadata: true, db: executorOn(connection) });

  /** A job that a worker has taken. */
  async function activeJob() {
    const id = await sendJob();
    const [job] = await transaction(pool, fetchAll);
    expect(job).toMatchObject({ id, retryCount: 0 });
    return { id, fence: { id, retryCount: 0 }, claim: { queue: QUEUE, jobId: id, attempt: 0 } };
  }

  const failing = (claim: { queue: string; jobId: string; attempt: number }, retry: Retry) =>
    transaction(pool, (connection) => failAttempt(connection, boss, claim, { message: 'broken', stack: 's' }, retry));

  it('sends a job in our transaction or not at all, and none twice', async () => {
    const id = randomUUID();
    const send = (connection: Connection) => boss.send(QUEUE, { requestId: null }, { id, db: executorOn(connection) });
    const undone = async (connection: Connection) => {
      expect(await send(connection)).toBe(id);
      throw new Error('undone');
    };
    await expect(transaction(pool, undone)).rejects.toThrow('undone');
    expect(await jobOf(id)).toBeNull();
    expect(await transaction(pool, send)).toBe(id);
    expect(await transaction(pool, send)).toBeNull();
    // Options of the queue are those of its last declaration.
    expect(await jobOf(id)).toMatchObject({ state: 'waiting', maxAttempts: 3, input: { requestId: null } });
    await boss.deleteJob(QUEUE, [id], { db: executorOn(pool) });
    expect(await jobOf(id)).toBeNull();
  });

  it('queues no second job in a queue that allows one waiting job', async () => {
    expect(await boss.send(SINGLE, {})).toEqual(expect.any(String));
    expect(await boss.send(SINGLE, {})).toBeNull();
  });

  it('inserts many jobs and returns their ids, and fetches them by priority without those of some accounts', async () => {
    const known = await sendJob({ priority: -9, group: { id: 'user:1' } });
    const [first, second] = [randomUUID(), randomUUID()];
    const jobs = [
      { id: first, data: { requestId: 'a' }, priority: 3, group: { id: 'user:1' }, expireInSeconds: 90 },
      { id: second, data: { requestId: 'b' }, priority: 7, group: { id: 'user:2' } },
      { id: known, data: {} },
    ];
    const db = executorOn(pool);
    expect((await boss.insert(QUEUE, jobs, { db, returnId: true }))?.toSorted()).toEqual([first, second].toSorted());
    const fetchOne = () => boss.fetch(QUEUE, { batchSize: 1, includeMetadata: true, db });
    expect((await fetchOne()).map(({ id }) => id)).toEqual([second]);
    const fetched = await transaction(pool, (connection) => fetchAll(connection, ['user:1']));
    expect(fetched).toEqual([]);
    const [job] = await fetchOne();
    const expected = { id: first, data: { requestId: 'a' }, groupId: 'user:1', retryCount: 0, retryLimit: 2 };
    expect(job).toMatchObject({ ...expected, expireInSeconds: 90 });
    await boss.deleteJob(QUEUE, [first, second, known], { db });
  });

  it('fetches nothing if our transaction is rolled back', async () => {
    const id = await sendJob();
    const undone = async (connection: Connection) => {
      expect((await fetchAll(connection)).map((job) => job.id)).toEqual([id]);
      throw new Error('undone');
    };
    await expect(transaction(pool, undone)).rejects.toThrow('undone');
    expect(await stateOf(id)).toBe('waiting');
    await boss.deleteJob(QUEUE, [id], { db: executorOn(pool) });
  });

  it('completes only the given attempt, and returns which jobs it has completed', async () => {
    const [one, other] = [await activeJob(), await activeJob()];
    const fences = [one.fence, { ...other.fence, retryCount: 1 }];
    const db = executorOn(pool);
    expect(settledJobs(await boss.complete(QUEUE, fences, undefined, { db }))).toEqual(new Set([one.id]));
    expect([await stateOf(one.id), await stateOf(other.id)]).toEqual(['completed', 'active']);
    expect(settledJobs(await boss.complete(QUEUE, [one.fence, other.fence], undefined, { db }))).toEqual(
      new Set([other.id]),
    );
  });

  it('renews the heartbeats of the given attempts, and returns which it has renewed', async () => {
    const [one, other] = [await activeJob(), await activeJob()];
    const touched = await boss.touch(QUEUE, [one.fence, { ...other.fence, retryCount: 1 }]);
    expect(settledJobs(touched)).toEqual(new Set([one.id]));
    await boss.complete(QUEUE, [one.fence, other.fence]);
  });

  it('fails an attempt, which our trigger records, and retries it later', async () => {
    const { id, fence, claim } = await activeJob();
    expect(await failing({ ...claim, attempt: 1 }, 'later')).toBe(false);
    expect(await stateOf(id)).toBe('active');
    expect(await failing(claim, 'later')).toBe(true);
    expect(await jobOf(id)).toMatchObject({ state: 'retry', attempts: 1, error: 'broken', stack: 's' });
    expect(await selectAttempts(pool, QUEUE, id)).toMatchObject([{ attempt: 1, error: 'broken' }]);
    expect(await transaction(pool, fetchAll)).toEqual([]);
    expect(affectedJobs(await boss.fail(QUEUE, fence, { message: 'again' }, { db: executorOn(pool) }))).toBe(0);
    await boss.deleteJob(QUEUE, [id], { db: executorOn(pool) });
  });

  it('retries at once after an update, until no attempt is left', async () => {
    const { id, claim } = await activeJob();
    for (const attempt of [0, 1, 2]) {
      expect(await failing({ ...claim, attempt }, 'now')).toBe(true);
      if (attempt === 2) break;
      const [job] = await transaction(pool, fetchAll);
      expect(job).toMatchObject({ id, retryCount: attempt + 1 });
    }
    expect(await jobOf(id)).toMatchObject({ state: 'failed', attempts: 3 });
    expect(await selectAttempts(pool, QUEUE, id)).toHaveLength(3);
  });

  it('fails a job permanently before its last attempt, and gives it one more when an operator retries it', async () => {
    const { id, claim } = await activeJob();
    expect(await failing(claim, 'never')).toBe(true);
    expect(await jobOf(id)).toMatchObject({
      state: 'failed',
      attempts: 1,
      maxAttempts: 1,
      error: 'broken',
      stack: 's',
    });
    expect(await selectAttempts(pool, QUEUE, id)).toMatchObject([{ attempt: 1, error: 'broken' }]);
    await boss.retry(QUEUE, id, { db: executorOn(pool) });
    const [again] = await transaction(pool, fetchAll);
    expect(again).toMatchObject({ id, retryCount: 1 });
    expect(await failing({ ...claim, attempt: 1 }, 'later')).toBe(true);
    expect(await stateOf(id)).toBe('failed');
    expect(await failing({ ...claim, attempt: 1 }, 'never')).toBe(false);
  });

  it('cancels jobs that wait, run, or will be retried', async () => {
    const [failed, running] = [await activeJob(), await activeJob()];
    await failing(failed.claim, 'later');
    const ids = [await sendJob(), running.id, failed.id];
    await boss.cancel(QUEUE, ids, { db: executorOn(pool) });
    for (const id of ids) expect(await stateOf(id)).toBe('cancelled');
    expect(settledJobs(await boss.complete(QUEUE, [running.fence])).size).toBe(0);
  });

  it('fails a job that runs too long, and leaves the next attempt to a worker', async () => {
    const id = randomUUID();
    await boss.insert(QUEUE, [{ id, data: {}, expireInSeconds: 1 }], { db: executorOn(pool) });
    expect(await transaction(pool, fetchAll)).toHaveLength(1);
    const expired = async () => {
      await boss.supervise(QUEUE);
      return stateOf(id);
    };
    await eventually(expired, (state) => state === 'retry');
    expect(await selectAttempts(pool, QUEUE, id)).toMatchObject([
      { attempt: 1, error: expect.stringMatching(/timed out/) },
    ]);
  });
});
