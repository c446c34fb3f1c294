/** The loop that takes jobs, with jobs that do nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { storedResult } from '../../db/backtests/run-results.ts';
import { createPool, type Pool, transaction } from '../../db/pool.ts';
import { deleteOldAttempts, selectAttempts } from '../../db/queue/job-attempts.ts';
import { takingOn } from '../../db/queue/job-fetch.ts';
import { RunQueue } from '../../jobs/backtest/enqueue.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';
import type { JobRun } from '../../jobs/queue/thread-pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const RESULT = storedResult({}, {});
let database: TestDatabase;
let fetching: Pool;
let boss: Awaited<ReturnType<typeof openBoss>>;
let runs: RunQueue;
let consumer: Consumer;
/** Callbacks that a job calls when it begins, by job id. */
const begun = new Map<string, () => void>();
/** Jobs that do not end before their promise. */
const held = new Map<string, Promise<void>>();
/** Jobs that fail for good. */
const failing = new Set<string>();
const REFUSAL = 'the relay refused <ada@example.com>';

beforeAll(async () => {
  database = await createTestDatabase();
  const { url, pool } = database;
  const log = createLogger('worker', 'silent');
  fetching = createPool({ url, max: 1, applicationName: 'test-fetch' });
  boss = await openBoss({ url, log });
  runs = new RunQueue(pool, boss);
  const threads = {
    run: async ({ jobId }: JobRun) => {
      begun.get(jobId)?.();
      await held.get(jobId);
      if (failing.has(jobId)) return { type: 'failed', message: REFUSAL, stack: '', isPermanent: true } as const;
      const end = { fingerprint: Buffer.from(jobId), result: RESULT, selection: null, trials: null, at: new Date() };
      return { type: 'done', end } as const;
    },
    close: async () => {},
  };
  consumer = new Consumer({
    url,
    pool,
    fetching,
    boss,
    threads,
    log,
    now: Date.now,
    slots: { interactive: 2, background: 1, compute: 1, sweep: 1, outbound: 1 },
  });
  await consumer.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await fetching.end();
  await database.drop();
});

/** Queues a run of a guest of its own; resolves when it has begun. */
async function runJob(id = randomUUID()): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  begun.set(id, resolve);
  const run = { userId: null, isSaved: false, historyMax: null, spec: {}, requestId: 'test', at: new Date(), max: 1 };
  await runs.add({ ...run, id, kind: 'backtest', owner: `ip:${id}` });
  await promise;
}

/** Returns the plan with which the server will fetch the next job. */
async function planOfFetch(): Promise<string> {
  const { rows } = await fetching.query(
    `select name from pg_prepared_statements where statement like '%SKIP LOCKED%' and statement like '%''backtest''%'
     order by prepare_time desc limit 1`,
  );
  const plan = await fetching.query(`explain execute ${rows[0].name}(0, '', now())`);
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('fetches as well from a table that has filled up as from an empty one', async () => {
  for (let i = 0; i < 10; i++) await runJob();
  // Prepared while the table was small: every kept job of the queue would be compared.
  expect(await planOfFetch()).toContain('Join Filter');
  await database.pool.query(
    `insert into pgboss.job (name, data, state, policy, completed_on)
     select 'backtest', '{}', 'completed', 'standard', now() from generate_series(1, 5000)`,
  );
  await eventually(planOfFetch, (plan) => /Index Cond: .*id = next\.id/.test(plan));
  await runJob();
});

it('removes every claim while it goes on, also those of jobs that end during a removal', async () => {
  const end = performance.now() + 1_500;
  const caller = async () => {
    while (performance.now() < end) await runJob();
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  const claims = () => database.pool.query('select from job_claims');
  expect((await eventually(claims, ({ rowCount }) => rowCount === 0)).rowCount).toBe(0);
});

it('ends a run although somebody holds a lock of another one that ends in the same moment', async () => {
  const ids = [randomUUID(), randomUUID()];
  const end = Promise.withResolvers<void>();
  for (const id of ids) held.set(id, end.promise);
  await Promise.all(ids.map((id) => runJob(id)));
  const statuses = async () => {
    const { rows } = await database.pool.query<{ status: string }>(
      'select status from backtest_runs where id = any($1::uuid[]) order by array_position($1, id)',
      [ids],
    );
    return rows.map(({ status }) => status);
  };
  await transaction(database.pool, async (holder) => {
    await holder.query('select from backtest_runs where id = $1 for update', [ids[0]]);
    end.resolve();
    await eventually(statuses, ([, free]) => free === 'done');
    expect(await statuses()).toEqual(['running', 'done']);
  });
  await eventually(statuses, ([locked]) => locked === 'done');
});

it('refuses a statement of pg-boss that fetches in another way', async () => {
  const worker = { workerKey: 1, engineVersion: '', at: new Date() };
  const fetch = async (text: string) => takingOn(database.pool, worker).executeSql(text);
  let known = '';
  const executeSql = async (text: string) => {
    known = text;
    return { rows: [] };
  };
  await boss.fetch('backtest', { includeMetadata: true, db: { executeSql } });
  expect(await fetch(known)).toEqual({ rows: [] });
  const unknown = 'pg-boss fetches jobs in an unknown way';
  await expect(fetch(known.replace('SKIP LOCKED', ''))).rejects.toThrow(unknown);
  await expect(fetch(known.replace('retry_limit as "retryLimit"', 'retry_limit'))).rejects.toThrow(unknown);
  await expect(fetch(`begin; ${known}`)).rejects.toThrow(unknown);
});

it('records an attempt that failed, with its worker and without addresses, and none that ended well', async () => {
  const id = randomUUID();
  failing.add(id);
  await runJob(id);
  const attempts = () => selectAttempts(database.pool, 'backtest', id);
  const [attempt] = await eventually(attempts, ([first]) => first?.endedAt instanceof Date);
  expect(attempt).toMatchObject({ attempt: 1, worker: expect.stringMatching(`process ${process.pid}`) });
  expect(attempt.error).toBe('the relay refused <<address>>');
  const { rows } = await database.pool.query('select count(*)::int as attempts from job_attempts');
  expect(rows).toEqual([{ attempts: 1 }]);
  await database.pool.query('delete from pgboss.job where id = $1', [id]);
  await deleteOldAttempts(database.pool);
  expect(await attempts()).toEqual([]);
});

it('leaves no claims and no active jobs when it stops', async () => {
  for (let i = 0; i < 5; i++) await runJob();
  await consumer.stop(1_000);
  const { rows } = await database.pool.query(
    `select (select count(*) from job_claims)::int as claims,
       (select count(*) from pgboss.job where state = 'active')::int as active`,
  );
  expect(rows).toEqual([{ claims: 0, active: 0 }]);
});
