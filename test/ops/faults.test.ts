/**
 * Real processes under load with injected faults of every kind. Everything that was confirmed to a caller exists exactly once,
 * and the service recovers by itself. `FAULT_TABLE=1` prints the recovery times.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Cluster, Load, numberOf } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

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

/** Breaks something several times, and notes how long it takes until everything is answered again. */
async function breaking(name: string, times: number, fault: () => Promise<void>): Promise<void> {
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
  it.each(['worker', 'api', 'scheduler'] as const)('heals after kill -9 of a process: %s', async (part) => {
    await breaking(`kill -9 of the ${part}, started again`, 3, async () => {
      await cluster.end(part, 0, 'SIGKILL');
      await cluster.run(part, 0);
    });
  });

  it('goes on without one of two workers', async () => {
    await breaking('kill -9 of one worker of two', 2, async () => {
      await cluster.end('worker', 1, 'SIGKILL');
    });
    await cluster.run('worker', 1);
  });

  it.each([
    ['kill -9', 'SIGKILL'],
    ['restart', 'SIGINT'],
  ] as const)('heals after a %s of PostgreSQL', async (name, signal) => {
    await breaking(`${name} of PostgreSQL`, 2, () => cluster.restartPostgres(signal));
  });

  it('waits for a database that is slow', async () => {
    await breaking('a table locked for a second', 2, async () => {
      const connection = await cluster.pool.connect();
      await connection.query('begin; lock table backtest_runs in access exclusive mode');
      await sleep(1_000);
      await connection.query('rollback');
      connection.release();
    });
  });

  it('heals after every connection was broken', async () => {
    await breaking('all connections broken', 3, async () => {
      await cluster.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
    });
  });

  it('outlives a database that has no connections left', async () => {
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

  it('outlives an object store that fails', async () => {
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
    const from = load.deeds.length;
    await breaking('SIGTERM of the api under load', 2, async () => {
      expect(await cluster.end('api', 0, 'SIGTERM')).toBe(0);
      await cluster.run('api', 0);
    });
    // A connection that is refused was never taken; a proxy sends it elsewhere. One that was taken is answered.
    const dropped = load.deeds
      .slice(from)
      .filter(({ answer: { status, error } }) => status === 0 && error !== 'ECONNREFUSED');
    expect(dropped.map(({ kind, answer }) => `${kind} ${answer.error}`)).toEqual([]);
    expect(load.deeds.slice(from).filter(({ answer }) => answer.status >= 500)).toEqual([]);
  });
});

describe('afterwards', () => {
  beforeAll(async () => {
    await load.stop();
    const { pool } = cluster;
    await eventually(
      () => pool.query(`select from pgboss.job where state < 'completed' and name in ('backtest', 'storage.remove')`),
      ({ rowCount }) => rowCount === 0,
    );
  });

  it('every backtest that was confirmed is kept, once, with all its objects', async () => {
    const { rows } = await cluster.pool.query<{ id: number; summary: { cost: { commission_rate: number } } }>(
      'select id, summary from backtests',
    );
    const kept = new Map(rows.map(({ id, summary }) => [id, numberOf(summary)]));
    const confirmed = load.deeds.filter(({ kind, answer }) => kind === 'backtest' && answer.status === 200);
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

  it('the market is loaded once, by one load of each kind, whatever the two schedulers did', async () => {
    const { rows } = await cluster.pool.query(
      `select job_type, request ->> 'venue_mode' as basis, count(*) from sync_jobs where status = 'ok' group by 1, 2 having count(*) > 1`,
    );
    expect(rows).toEqual([]);
    const { rows: doubled } = await cluster.pool.query(
      'select instrument_id, basis, day from daily_bars group by 1, 2, 3 having count(*) > 1 limit 1',
    );
    expect(doubled).toEqual([]);
  });

  it('nobody was told anything but that it did not work for a moment', () => {
    // No answer, done, queued, over the number of backtests at once, cancelled or away: never a defect.
    const expected = [0, 200, 202, 429, 503];
    const others = load.deeds.filter(({ answer }) => !expected.includes(answer.status));
    const defects = cluster.logged.filter((line) => line.includes('"msg":"answered 500"'));
    expect([...others.map(({ kind, answer }) => `${kind} ${answer.status}`), ...defects]).toEqual([]);
  });
});
