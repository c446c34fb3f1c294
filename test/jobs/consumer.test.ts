/** The loop that takes jobs, with jobs that do nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool, type Pool } from '../../db/pool.ts';
import { RunQueue } from '../../jobs/backtest/enqueue.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { Consumer } from '../../jobs/queue/consumer.ts';
import type { JobRun } from '../../jobs/queue/thread-pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let database: TestDatabase;
let fetching: Pool;
let boss: Awaited<ReturnType<typeof openBoss>>;
let runs: RunQueue;
let consumer: Consumer;
/** Callbacks that a running job calls, by job id. */
const waiting = new Map<string, () => void>();

beforeAll(async () => {
  database = await createTestDatabase();
  const { url, pool } = database;
  const log = createLogger('worker', 'silent');
  fetching = createPool({ url, max: 1, applicationName: 'test-fetch' });
  boss = await openBoss({ url, log });
  runs = new RunQueue(pool, boss);
  const threads = {
    run: async ({ jobId }: JobRun) => {
      waiting.get(jobId)?.();
      return { type: 'done', end: null } as const;
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

/** A run of a guest of its own. */
async function runJob(): Promise<void> {
  const id = randomUUID();
  const done = new Promise<void>((resolve) => {
    waiting.set(id, resolve);
  });
  const run = { userId: null, isSaved: false, historyMax: null, spec: {}, requestId: 'test', at: new Date(), max: 1 };
  await runs.add({ ...run, id, kind: 'backtest', owner: `ip:${id}` });
  await done;
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

it('leaves no claims and no active jobs when it stops', async () => {
  for (let i = 0; i < 5; i++) await runJob();
  await consumer.stop(1_000);
  const { rows } = await database.pool.query(
    `select (select count(*) from job_claims)::int as claims,
       (select count(*) from pgboss.job where state = 'active')::int as active`,
  );
  expect(rows).toEqual([{ claims: 0, active: 0 }]);
});
