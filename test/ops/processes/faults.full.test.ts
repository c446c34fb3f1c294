/**
 * Real processes under load with injected faults of every kind. Everything that was confirmed to a caller exists exactly once,
 * and the service recovers by itself. `FAULT_TABLE=1` prints the recovery times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import { PLANS } from '../../../api/access/plans.ts';
import { presenceConnection } from '../../../db/connection-counts.ts';
import { removeBacktestOrphans } from '../../../jobs/worker/remove-orphans.ts';
import { backtestKey, backtestOfKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { backtestNumber, Cluster, Load, numberOf } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';
import { cases, everyNth } from '../../support/extent.ts';

let cluster: Cluster;
let load: Load;
const table: [string, number, string][] = [];

beforeAll(async () => {
  cluster = await Cluster.start();
  load = new Load(cluster, 6);
  await load.recovered(performance.now());
});
afterAll(async () => {
  await load.stop();
  await cluster.stop();
  if (process.env.FAULT_TABLE) {
    for (const [name, times, recovery] of table) process.stdout.write(`| ${name} | ${times} | ${recovery} |\n`);
  }
});

/** A moment that is never the same. */
const someTime = () => sleep(50 + Math.random() * 250);

/** Breaks something once, at night several times, and notes how long it takes until everything is answered again. */
async function breaking(name: string, whole: number, fault: () => Promise<void>): Promise<void> {
  const times = cases(1, whole);
  const recoveries: number[] = [];
  for (let i = 0; i < times; i++) {
    await someTime();
    const since = performance.now();
    await fault();
    recoveries.push(await load.recovered(since));
  }
  const seconds = recoveries.map((ms) => ms / 1000).sort((a, b) => a - b);
  table.push([name, times, seconds.map((s) => s.toFixed(1)).join(', ')]);
}

describe('the service', () => {
  it.each(['worker', 'api', 'scheduler'] as const)('recovers from kill -9 of a process: %s', async (part) => {
    await breaking(`kill -9 of the ${part}, started again`, 3, async () => {
      await cluster.end(part, 0, 'SIGKILL');
      await cluster.run(part, 0);
    });
  });

  it('continues without one of two workers', async () => {
    await breaking('kill -9 of one worker of two', 2, async () => {
      await cluster.end('worker', 1, 'SIGKILL');
    });
    await cluster.run('worker', 1);
  });

  it.each([
    ['kill -9', 'SIGKILL'],
    ['restart', 'SIGINT'],
  ] as const)('recovers from a %s of PostgreSQL', async (name, signal) => {
    await breaking(`${name} of PostgreSQL`, 2, () => cluster.restartPostgres(signal));
  });

  it('waits for a database that is slow', async () => {
    await breaking('a table locked for a second', 2, async () => {
      const connection = await cluster.pool.connect();
      await connection.query('begin; lock table runs in access exclusive mode');
      await sleep(1_000);
      await connection.query('rollback');
      connection.release();
    });
  });

  it('recovers after all connections are closed', async () => {
    await breaking('all connections broken', 3, async () => {
      await cluster.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
    });
  });

  it('survives a database without free connections', async () => {
    await breaking('no connection left for a second', 2, async () => {
      const others: pg.Client[] = [];
      for (let full = false; !full; ) {
        const client = new pg.Client(cluster.postgres.url);
        client.on('error', () => {});
        await client.connect().then(
          () => others.push(client),
          () => {
            full = true;
          },
        );
      }
      // A process that needs a new connection now gets none.
      await cluster.end('worker', 0, 'SIGKILL');
      const started = cluster.run('worker', 0).catch(() => {});
      await sleep(1_000);
      await Promise.all(others.map((client) => client.end()));
      await started;
      if (cluster.processes.worker[0].exitCode !== null) await cluster.run('worker', 0);
    });
  });

  it('survives a failing object storage', async () => {
    await breaking('object store answering 503 for a second', 2, async () => {
      cluster.s3.intercept = () => ({ status: 503, code: 'SlowDown' });
      await sleep(1_000);
      cluster.s3.intercept = () => undefined;
    });
  });

  it.each(['worker', 'scheduler'] as const)('ends a process on SIGTERM under load with code 0: %s', async (part) => {
    await breaking(`SIGTERM of the ${part} under load`, 2, async () => {
      expect(await cluster.end(part, 0, 'SIGTERM')).toBe(0);
      await cluster.run(part, 0);
    });
  });

  it('drops no request when an API process is ended by SIGTERM', async () => {
    const from = load.recorded.length;
    await breaking('SIGTERM of the api under load', 2, async () => {
      expect(await cluster.end('api', 0, 'SIGTERM')).toBe(0);
      await cluster.run('api', 0);
    });
    // A connection that is refused was never taken; a proxy sends it elsewhere. One that was taken is answered.
    const dropped = load.recorded
      .slice(from)
      .filter(({ answer: { status, error } }) => status === 0 && error !== 'ECONNREFUSED');
    expect(dropped.map(({ kind, answer }) => `${kind} ${answer.error}`)).toEqual([]);
    expect(load.recorded.slice(from).filter(({ answer }) => answer.status >= 500)).toEqual([]);
  });
});

describe('after all faults', () => {
  beforeAll(async () => {
    await load.stop();
    const { pool } = cluster;
    await eventually(
      () => pool.query(`select from pgboss.job where state < 'completed' and name in ('backtest', 'storage.remove')`),
      ({ rowCount }) => rowCount === 0,
    );
  });

  it('every confirmed backtest is kept once, with all its objects', async () => {
    const { rows } = await cluster.pool.query<{ id: number; summary: { cost: { commission_rate: number } } }>(
      'select id, summary from backtests',
    );
    const kept = new Map(rows.map(({ id, summary }) => [id, numberOf(summary)]));
    const confirmed = load.recorded.filter(({ kind, answer }) => kind === 'backtest' && answer.status === 200);
    expect(confirmed.length).toBeGreaterThan(50);
    const lost = confirmed.filter(({ number, answer }) => kept.get(Number(answer.body.data?.id)) !== number);
    expect(lost).toEqual([]);
    const numbers = [...kept.values()];
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
    const objects = new Set(cluster.s3.objects.keys());
    const missing = [...kept.keys()].flatMap((id) =>
      ['klines', 'trades', 'equity'].filter(
        (part) => !objects.has(`users/${cluster.userId}/backtests/${id}/${part}.json`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('the market is loaded once, by one load of each kind, despite two schedulers', async () => {
    const { rows } = await cluster.pool.query(
      `select job_type, request ->> 'venue_mode' as basis, count(*) from sync_jobs where status = 'ok' group by 1, 2 having count(*) > 1`,
    );
    expect(rows).toEqual([]);
    const { rows: doubled } = await cluster.pool.query(
      'select instrument_id, basis, day from daily_bars group by 1, 2, 3 having count(*) > 1 limit 1',
    );
    expect(doubled).toEqual([]);
  });

  it('callers got no errors other than temporary ones', () => {
    // No answer, done, queued, over the number of backtests at once, cancelled or away: never a defect.
    const expected = [0, 200, 202, 429, 503];
    const others = load.recorded.filter(({ answer }) => !expected.includes(answer.status));
    const defects = cluster.logged.filter((line) => line.includes('"msg":"answered 500"'));
    expect([...others.map(({ kind, answer }) => `${kind} ${answer.status}`), ...defects]).toEqual([]);
  });
});

/**
 * Faults at each step of the way of a run. Triggers hold the statement of a step until the test lets it go, so every fault comes
 * at the same place each time.
 */
describe('a run that is held at a step', () => {
  const HOLD = 4_242;
  const NUMBER_OF_RUN = `round((r.spec -> 'execution' ->> 'commissionRate')::float8 * 1e7)::int - 1`;
  /** Larger than every number of the load. */
  let nextNumber = 50_000;

  beforeAll(async () => {
    await load.stop();
    const statements = [
      'create table held_steps (step text primary key)',
      `create function hold_step() returns trigger language plpgsql as $$
       begin
         if exists (select from held_steps where step = tg_argv[0]) then perform pg_advisory_xact_lock(${HOLD}); end if;
         return new;
       end $$`,
      ...heldAt('recorded', 'insert on runs'),
      ...heldAt('taken', 'insert on job_claims'),
      ...heldAt('kept', 'insert on backtests'),
      ...heldAt('ended', 'update on runs', `when (new.status = 'done')`),
      ...heldAt('completed', 'update on pgboss.job', `when (new.state = 'completed')`),
    ];
    // Each in its own transaction, so that none waits while it holds the lock of a table.
    for (const statement of statements) await cluster.pool.query(statement);
  });

  /** Before a change is made, or while the transaction that made it commits. */
  type Moment = 'change' | 'commit';
  type Step = 'recorded' | 'taken' | 'kept' | 'ended' | 'completed';

  function heldAt(step: Step, event: string, condition = ''): string[] {
    const what = (moment: Moment) => `for each row ${condition} execute function hold_step('${step} ${moment}')`;
    return [
      `create trigger hold_${step}_change before ${event} ${what('change')}`,
      `create constraint trigger hold_${step}_commit after ${event} deferrable initially deferred ${what('commit')}`,
    ];
  }

  /** Calls `work` with a function that holds the next run at a step, until `work` has ended or calls `release`. */
  async function holding(
    work: (
      holdNext: (step: Step, moment?: Moment, save?: boolean) => Promise<Held>,
      release: () => Promise<void>,
    ) => Promise<void>,
  ): Promise<void> {
    const holder = new pg.Client(cluster.postgres.url);
    holder.on('error', () => {});
    await holder.connect();
    await holder.query('select pg_advisory_lock($1)', [HOLD]);
    const release = async () => {
      await cluster.pool.query('delete from held_steps');
      await holder.end();
    };
    let count = 0;
    const holdNext = async (step: Step, moment: Moment = 'commit', save = false) => {
      const name = `${step} ${moment}`;
      await cluster.pool.query('insert into held_steps values ($1)', [name]);
      const held = call(count % 2, save);
      count++;
      await eventually(heldStatements, (held) => held.length === count);
      await cluster.pool.query('delete from held_steps where step = $1', [name]);
      return held;
    };
    await work(holdNext, release).finally(release);
  }

  /** Processes of the server that are held. */
  async function heldStatements(): Promise<number[]> {
    const { rows } = await cluster.pool.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Resolves when the server has ended what these of its processes were doing. */
  const endedStatements = (pids: readonly number[]) =>
    eventually(
      () => cluster.pool.query('select from pg_stat_activity where pid = any($1) and xact_start is not null', [pids]),
      ({ rowCount }) => rowCount === 0,
    );

  /** How many workers have taken a run. */
  async function claimsOf({ number }: Held): Promise<number | null> {
    const { rowCount } = await cluster.pool.query(
      `select from job_claims c join runs r on r.id = c.job_id where ${NUMBER_OF_RUN} = $1`,
      [number],
    );
    return rowCount;
  }

  interface Held {
    readonly number: number;
    readonly answer: ReturnType<Cluster['call']>;
  }

  /** A backtest. One that is not kept ends together with others. */
  function call(process: number, save = false): Held {
    const number = nextNumber++;
    const request = { ...backtestNumber(number), save };
    return { number, answer: cluster.call(cluster.ports[process], 'POST', '/v1/backtest', request) };
  }

  /** Resolves with the runs of calls when nothing is under way any more, by number. */
  async function endedRuns(calls: readonly Held[]) {
    const { pool } = cluster;
    await eventually(
      () => pool.query(`select from runs where status in ('queued', 'running') union all select from job_claims`),
      ({ rowCount }) => rowCount === 0,
    );
    const { rows } = await pool.query<{
      number: number;
      status: string;
      job: string;
      attempts: number;
      results: number;
    }>(
      `select ${NUMBER_OF_RUN} as number, r.status, j.state as job,
         j.retry_count as attempts, (select count(*)::int from backtest_results s where s.fingerprint = r.fingerprint) as results
       from runs r left join pgboss.job j on j.id = r.id and j.name = 'backtest'
       where ${NUMBER_OF_RUN} = any($1::int[]) order by number`,
      [calls.map(({ number }) => number)],
    );
    return rows;
  }

  const statusesOf = async (calls: readonly Held[]) =>
    (await Promise.all(calls.map(({ answer }) => answer))).map(({ status }) => status);

  const done = ({ number }: Held, attempts: number) => ({
    number,
    status: 'done',
    job: 'completed',
    attempts,
    results: 1,
  });

  const everyWorker = (deed: (i: number) => Promise<unknown>) => Promise.all([0, 1].map(deed));

  it.each([
    ['before it changes anything', 'change', { ended: 1, taken: 0 }],
    ['while it is committed, which ends without them', 'commit', { ended: 0, taken: 1 }],
  ] as const)('ends once when every process is killed at every step, %s', async (_, moment, attempts) => {
    const calls: Held[] = [];
    let claimed: number | null = 0;
    await holding(async (holdNext, release) => {
      for (const step of ['ended', 'taken', 'recorded'] as const) calls.push(await holdNext(step, moment));
      await everyWorker((i) => Promise.all([cluster.end('worker', i, 'SIGKILL'), cluster.end('api', i, 'SIGKILL')]));
      const pids = await heldStatements();
      await release();
      await endedStatements(pids);
      claimed = await claimsOf(calls[1]);
    });
    await everyWorker((i) => Promise.all([cluster.run('worker', i), cluster.run('api', i)]));
    expect(await statusesOf(calls)).toEqual([0, 0, 0]);
    const [ended, taken, recorded] = calls;
    const [first, second, third] = await endedRuns(calls);
    // A commit ends as well as its change, unless the server gave it up because the lock was held too long.
    expect(claimed).toBeLessThanOrEqual(attempts.taken);
    expect([first, second]).toEqual([done(ended, attempts.ended), done(taken, claimed)]);
    if (third) expect([moment, third]).toEqual(['commit', done(recorded, 0)]);
  });

  it('runs again when its worker dies before its end is stored, or before the worker knows that it has taken the run', async () => {
    const calls: Held[] = [];
    let claimed: number | null = 0;
    await holding(async (holdNext, release) => {
      calls.push(await holdNext('ended'));
      const [pid] = await heldStatements();
      calls.push(await holdNext('taken'));
      const pids = await heldStatements();
      await everyWorker((i) => cluster.end('worker', i, 'SIGKILL'));
      await cluster.pool.query('select pg_terminate_backend($1)', [pid]);
      await release();
      await endedStatements(pids);
      claimed = await claimsOf(calls[1]);
    });
    await everyWorker((i) => cluster.run('worker', i));
    const [ended, taken] = calls;
    const [statusOfEnded, statusOfTaken] = await statusesOf(calls);
    expect(statusOfEnded).toBe(200);
    const [first, second] = await endedRuns(calls);
    expect(first).toEqual(done(ended, 1));
    // The API waits 2 seconds for the lock, and then answers with an error; the server gives up a claim that is held as long.
    expect([statusOfTaken, second]).toEqual(second ? [200, done(taken, claimed)] : [503, undefined]);
  });

  /** The steps of the end of a run that an account keeps, in their order. */
  const STEPS = [
    ['before it is kept', 'kept', 'change'],
    ['when its objects are stored', 'ended', 'change'],
    ['while its end is committed', 'ended', 'commit'],
    ['when it has ended, and its job has not', 'completed', 'change'],
    ['while the end of its job is committed', 'completed', 'commit'],
  ] as const;
  it.each(everyNth(2, STEPS))(
    'is kept once, with all its objects and no others, when its worker is killed %s',
    async (_, step, moment) => {
      const calls: Held[] = [];
      await holding(async (holdNext, release) => {
        calls.push(await holdNext(step, moment, true));
        await everyWorker((i) => cluster.end('worker', i, 'SIGKILL'));
        await release();
      });
      await everyWorker((i) => cluster.run('worker', i));
      const [{ number }] = calls;
      expect(await statusesOf(calls)).toEqual([200]);
      // A run that has ended is answered before its job, which the next worker takes again, is completed.
      const ended = await eventually(
        () => endedRuns(calls),
        (runs) => runs.every(({ job }) => job === 'completed'),
      );
      expect(ended).toMatchObject([{ number, status: 'done', job: 'completed', results: 1 }]);
      const { rows } = await cluster.pool.query<{ id: number; summary: { cost: { commission_rate: number } } }>(
        'select id, summary from backtests',
      );
      const kept = rows.filter(({ summary }) => numberOf(summary) === number);
      expect(kept).toHaveLength(1);
      const storage = openStorage({ s3: cluster.s3.settings });
      const { signal } = new AbortController();
      await removeBacktestOrphans({
        pool: cluster.pool,
        storage,
        signal,
        now: Date.now,
        log: pino({ level: 'silent' }),
      });
      const objects = Map.groupBy(cluster.s3.objects.keys(), backtestOfKey);
      expect(objects.get(kept[0].id)?.toSorted()).toEqual(
        ['equity', 'klines', 'trades'].map((part) => backtestKey(cluster.userId, kept[0].id, part)),
      );
      const known = new Set<number | null>(rows.map(({ id }) => id));
      expect([...objects.keys()].filter((id) => id !== null && !known.has(id))).toEqual([]);
    },
  );

  it('is not lost or doubled when PostgreSQL is killed at every step', async () => {
    const calls: Held[] = [];
    await holding(async (holdNext) => {
      calls.push(await holdNext('ended'));
      calls.push(await holdNext('taken'), await holdNext('recorded'));
      await cluster.restartPostgres('SIGKILL');
    });
    // The first two were recorded, so they are answered after the restart; the caller of the third got an error.
    expect(await statusesOf(calls)).toEqual([200, 200, 503]);
    const runs = await endedRuns(calls);
    expect(runs.map(({ number, status, job, results }) => ({ number, status, job, results }))).toEqual(
      calls.slice(0, 2).map(({ number }) => ({ number, status: 'done', job: 'completed', results: 1 })),
    );
  });

  it('is answered when the notification of its end is lost', async () => {
    await holding(async (holdNext, release) => {
      const held = await holdNext('ended');
      await cluster.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${presenceConnection('api')}'`,
      );
      await release();
      expect((await held.answer).status).toBe(200);
      expect(await endedRuns([held])).toEqual([done(held, 0)]);
    });
  });

  it('counts exactly in the limit of its owner, with processes whose clocks differ by an hour', async () => {
    const { concurrent_backtests: cap } = PLANS.enterprise.quotas;
    await Promise.all([cluster.end('api', 1, 'SIGTERM'), cluster.end('worker', 1, 'SIGTERM')]);
    await Promise.all([
      cluster.run('api', 1, '2024-09-04T17:00:00Z'),
      cluster.run('worker', 1, '2024-09-04T17:00:00Z'),
    ]);
    const statuses: number[] = [];
    await holding(async (holdNext, release) => {
      const first = await holdNext('ended');
      await cluster.pool.query(`insert into held_steps values ('ended commit')`);
      const calls = [first, ...Array.from({ length: cap + 9 }, (_, i) => call(i % 2))];
      const answered = calls.map(async ({ answer }) => statuses.push((await answer).status));
      await eventually(
        async () => statuses.length,
        (count) => count === 10,
      );
      expect(statuses).toEqual(new Array(10).fill(429));
      const { rowCount } = await cluster.pool.query(`select from runs where status in ('queued', 'running')`);
      expect(rowCount).toBe(cap);
      await release();
      await Promise.all(answered);
      const runs = await endedRuns(calls);
      expect(runs.map(({ status, results }) => [status, results])).toEqual(new Array(cap).fill(['done', 1]));
    });
    expect(statuses.slice(10)).toEqual(new Array(cap).fill(200));
  });
});
