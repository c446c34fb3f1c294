/** The loop that takes jobs, with jobs that do nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { listen } from '../../../db/listener.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { deleteOldAttempts, selectAttempts } from '../../../db/queue/queue-jobs.ts';
import { deletePause, insertPause } from '../../../db/queue/queues.ts';
import { JOB_WAKE_CHANNEL } from '../../../db/runs/job-claims.ts';
import { storedResult } from '../../../db/runs/run-results.ts';
import { type RunKind, selectRun } from '../../../db/runs/runs.ts';
import { required } from '../../../engine/util/values.ts';
import { createLogger } from '../../../jobs/logger.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { Consumer } from '../../../jobs/queue/consumer.ts';
import type { JobRun } from '../../../jobs/queue/thread-pool.ts';
import { RunQueue } from '../../../jobs/runs/enqueue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { FAULTS, whileConnectionsFail } from '../../support/faults.ts';

const RESULT = storedResult({}, {});
const SLOTS = 2;
let database: TestDatabase;
let fetching: Pool;
let boss: Awaited<ReturnType<typeof openBoss>>;
let runs: RunQueue;
let consumer: Consumer;
/** Jobs that have begun, or are awaited. */
const begun = new Map<string, PromiseWithResolvers<void>>();
const timesBegun = new Map<string, number>();
const logged: string[] = [];
/** Jobs that do not end before their promise. */
const held = new Map<string, Promise<void>>();
/** Jobs that fail permanently. */
const failing = new Set<string>();
/** Jobs that cost more than they may. */
const costly = new Set<string>();
const REFUSAL = 'the relay refused <ada@example.com>';

beforeAll(async () => {
  database = await createTestDatabase();
  const { url, pool } = database;
  const log = createLogger('worker', 'warn', { destination: { write: (line: string) => void logged.push(line) } });
  fetching = createPool({ url, max: 1, applicationName: 'test-fetch' });
  boss = await openBoss({ url, log });
  runs = new RunQueue(pool, boss);
  const threads = {
    run: async ({ jobId }: JobRun) => {
      beginning(jobId);
      timesBegun.set(jobId, (timesBegun.get(jobId) ?? 0) + 1);
      begun.get(jobId)?.resolve();
      await held.get(jobId);
      if (costly.has(jobId)) return { type: 'too_long', secondsMax: 30 } as const;
      if (failing.has(jobId)) return { type: 'failed', message: REFUSAL, stack: '', isPermanent: true } as const;
      const end = {
        fingerprint: Buffer.from(jobId),
        result: RESULT,
        backtestId: null,
        selection: null,
        trials: null,
        at: new Date(),
        workerSeconds: 0,
      };
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
    slots: { interactive: SLOTS, mail: 1, background: 1, compute: 1, sweep: 1, outbound: 1 },
  });
  await consumer.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await fetching.end();
  await database.drop();
});

/** Resolves when a job has begun. */
function beginning(id: string): Promise<void> {
  const known = begun.get(id) ?? Promise.withResolvers<void>();
  begun.set(id, known);
  return known.promise;
}

interface Queued {
  readonly kind?: RunKind;
  readonly owner?: string;
  readonly planRank?: number;
}

/** Queues a run, of a new guest unless an owner is given. */
async function queueRun(
  id: string,
  { kind = 'backtest', owner = `ip:${id}`, planRank = 0 }: Queued = {},
): Promise<void> {
  const run = {
    userId: null,
    isKept: false,
    historyMax: null,
    requestId: 'test',
    at: new Date(),
    spec: {},
    max: 9,
    bounds: { planRank, secondsMax: null },
  };
  await runs.add({ ...run, id, kind, owner });
}

/** Queues a run; resolves when it has begun. */
async function runJob(id: string = randomUUID()): Promise<void> {
  await queueRun(id);
  await beginning(id);
}

/** Returns the plan with which the server will fetch the next job. */
async function planOfFetch(): Promise<string> {
  await database.pool.query(`select pg_notify($1, 'backtest')`, [JOB_WAKE_CHANNEL]);
  const { rows } = await eventually(
    () =>
      fetching.query<{ name: string }>(
        `select name from pg_prepared_statements where statement like '%SKIP LOCKED%' and statement like '%''backtest''%'
         order by prepare_time desc limit 1`,
      ),
    ({ rowCount }) => rowCount === 1,
  );
  const plan = await fetching.query(`explain execute ${rows[0].name}(0, '', now())`);
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('fetches from a table that has grown as well as from an empty one', async () => {
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

it('removes every claim while it runs, also those of jobs that end during a removal', async () => {
  const end = performance.now() + 1_500;
  const caller = async () => {
    while (performance.now() < end) await runJob();
  };
  await Promise.all([caller(), caller(), caller(), caller()]);
  const claims = () => database.pool.query('select from job_claims');
  expect((await eventually(claims, ({ rowCount }) => rowCount === 0)).rowCount).toBe(0);
});

it('ends a run although another one that ends at the same time is locked', async () => {
  const ids = [randomUUID(), randomUUID()];
  const end = Promise.withResolvers<void>();
  for (const id of ids) held.set(id, end.promise);
  await Promise.all(ids.map((id) => runJob(id)));
  const statuses = async () => {
    const { rows } = await database.pool.query<{ status: string }>(
      'select status from runs where id = any($1::uuid[]) order by array_position($1, id)',
      [ids],
    );
    return rows.map(({ status }) => status);
  };
  await transaction(database.pool, async (holder) => {
    await holder.query('select from runs where id = $1 for update', [ids[0]]);
    end.resolve();
    await eventually(statuses, ([, free]) => free === 'done');
    expect(await statuses()).toEqual(['running', 'done']);
  });
  await eventually(statuses, ([locked]) => locked === 'done');
});

it('records a failed attempt, with its worker and without addresses, and no successful one', async () => {
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

it('fails a run that exceeds its processor time, but not its job', async () => {
  const id = randomUUID();
  costly.add(id);
  await runJob(id);
  const run = () => selectRun(database.pool, id);
  expect(await eventually(run, (one) => one?.status === 'failed')).toMatchObject({
    errorCode: 'job_too_long',
    errorDetails: { max: 30 },
    workerSeconds: 30,
  });
  const state = () => database.pool.query('select state from pgboss.job where id = $1', [id]);
  await eventually(state, ({ rows }) => rows[0].state === 'completed');
});

it('is notified of a job that can run', async () => {
  const { url, pool } = database;
  const received = Promise.withResolvers<string>();
  const channels = { [JOB_WAKE_CHANNEL]: received.resolve };
  const listener = await listen({ url, applicationName: 'test-wake', channels });
  await pool.query(`insert into pgboss.job (name, data, policy) values ('backtest', '{}', 'standard')`);
  expect(await received.promise).toBe('backtest');
  await listener.close();
});

it('takes a delayed job that becomes due without a notification', async () => {
  const { pool } = database;
  const id = randomUUID();
  await pool.query(
    `insert into pgboss.job (id, name, data, policy, start_after) values ($1, 'backtest', '{}', 'standard', now() + interval '200 ms')`,
    [id],
  );
  await eventually(
    () => pool.query(`select from pgboss.job where id = $1 and state = 'completed'`, [id]),
    ({ rowCount }) => rowCount === 1,
  );
});

it('takes no job of a queue that was paused while an earlier read of the pauses was under way', async () => {
  const { pool } = database;
  const [firstRead, secondRead, release] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const query = pool.query;
  let reads = 0;
  const delayed = jest.spyOn(pool, 'query').mockImplementation(async (...args: unknown[]) => {
    const answer = await Reflect.apply(query, pool, args);
    if (!`${args[0]}`.includes('paused_queues')) return answer;
    reads += 1;
    if (reads > 1) secondRead.resolve();
    else {
      firstRead.resolve();
      await release.promise;
    }
    return answer;
  });
  await firstRead.promise;
  await transaction(pool, (connection) => insertPause(connection, 'backtest', 'test', new Date()));
  await secondRead.promise;
  release.resolve();
  const [paused, other] = [randomUUID(), randomUUID()];
  await queueRun(paused);
  await queueRun(other, { kind: 'portfolio' });
  await beginning(other);
  const begunWhilePaused = timesBegun.get(paused) ?? 0;
  delayed.mockRestore();
  await deletePause(pool, 'backtest');
  await beginning(paused);
  expect(begunWhilePaused).toBe(0);
});

it('waits for no other transaction while it fetches: jobs of other queues begin', async () => {
  const { pool } = database;
  const [other, later] = [randomUUID(), randomUUID()];
  await transaction(pool, async (holder) => {
    // As of a worker that fetches from the queue.
    await holder.query(`select pg_advisory_xact_lock(7302, hashtext('sync.symbols'))`);
    await pool.query(`insert into pgboss.job (id, name, data, policy) values ($1, 'sync.symbols', '{}', 'singleton')`, [
      later,
    ]);
    await queueRun(other, { kind: 'portfolio' });
    await beginning(other);
    expect(timesBegun.get(later)).toBeUndefined();
  });
  await beginning(later);
});

it('leaves a run that another transaction has locked, and takes those of other queues', async () => {
  const { pool } = database;
  const [locked, other] = [randomUUID(), randomUUID()];
  await transaction(pool, async (connection) => insertPause(connection, 'backtest', 'test', new Date()));
  await queueRun(locked);
  await transaction(pool, async (holder) => {
    await holder.query('select from runs where id = $1 for update', [locked]);
    await deletePause(pool, 'backtest');
    await eventually(
      async () => logged.some((line) => line.includes('fetching jobs failed')),
      (isLogged) => isLogged,
    );
    await queueRun(other, { kind: 'portfolio' });
    await beginning(other);
    expect(timesBegun.get(locked)).toBeUndefined();
  });
  await beginning(locked);
});

it('ignores a notification of an unknown queue', async () => {
  await database.pool.query('select pg_notify($1, $2)', [JOB_WAKE_CHANNEL, '{"queue":']);
  await runJob();
});

it.each(['EHOSTUNREACH', '57P01'])(
  'settles a job that ends during an outage when the outage is over: %s',
  async (fault) => {
    const id = randomUUID();
    const hold = Promise.withResolvers<void>();
    held.set(id, hold.promise);
    await queueRun(id);
    await beginning(id);
    const before = timesBegun.get(id);
    await whileConnectionsFail(required(FAULTS.get(fault)), async () => {
      hold.resolve();
      await eventually(
        async () => logged.some((line) => line.includes('settling a job failed') && line.includes(id)),
        (isLogged) => isLogged,
      );
    });
    const state = async () =>
      (
        await database.pool.query(
          `select j.state, j.retry_count, count(c)::int as claims from pgboss.job j left join job_claims c on c.job_id = j.id
         where j.id = $1 group by 1, 2`,
          [id],
        )
      ).rows[0];
    expect(await eventually(state, (job) => job.state === 'completed' && job.claims === 0)).toMatchObject({
      retry_count: 0,
    });
    expect([before, timesBegun.get(id)]).toEqual([1, 1]);
  },
);

describe('accounts that share a lane', () => {
  const endings: PromiseWithResolvers<void>[] = [];
  const hold = (id: string) => {
    const end = Promise.withResolvers<void>();
    endings.push(end);
    held.set(id, end.promise);
  };
  const endAll = () => {
    for (const { resolve } of endings.splice(0)) resolve();
  };
  afterEach(endAll);
  const newIds = (count: number) => Array.from({ length: count }, () => randomUUID());
  const statusOf = async (id: string) =>
    (await database.pool.query('select status from runs where id = $1', [id])).rows[0].status;

  it.each(['backtest', 'look_ahead'] as const)('do not wait for long jobs of each other (%s)', async (kind) => {
    const slots = kind === 'backtest' ? SLOTS : 1;
    const [long, first, second] = [newIds(5), randomUUID(), randomUUID()];
    for (const id of [...long, first]) hold(id);
    for (const id of long) await queueRun(id, { kind, owner: 'user:1' });
    await Promise.all(long.slice(0, slots).map((id) => beginning(id)));
    // Whatever kind of job of the lane it asks for.
    await queueRun(first, { kind: kind === 'backtest' ? 'portfolio' : 'sql', owner: 'user:2' });
    await beginning(first);
    await queueRun(second, { kind, owner: 'user:3' });
    await beginning(second);
    // No further one of the account that fills the slots.
    expect(long.filter((id) => timesBegun.has(id))).toHaveLength(slots);
    endAll();
    await eventually(
      () => Promise.all(long.map(statusOf)),
      (statuses) => statuses.every((status) => status === 'done'),
    );
  });
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
