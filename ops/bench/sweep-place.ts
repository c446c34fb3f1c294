/** Shared setup of the sweep measurements: a database with an account, and sweeps queued in it. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { PgBoss } from 'pg-boss';
import { readMarketData } from '../../api/market/market-data.ts';
import { type RequestedSweep, sweepBody, sweepOf } from '../../api/sweeps/request.ts';
import { createPool, type Pool, transaction } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { createLogger } from '../../jobs/logger.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { enqueueSweep, removeSweep } from '../../jobs/sweep/enqueue.ts';
import { replaceCallers } from './callers.ts';
import { BENCH_NOW } from './market.ts';

/** Opens a database with accounts that may run sweeps. */
export interface SweepPlace {
  readonly pool: Pool;
  readonly boss: PgBoss;
  readonly userId: number;
}

export async function openSweepPlace(url: string): Promise<SweepPlace> {
  const pool = createPool({ url, max: 4, applicationName: 'bench-sweep' });
  const boss = await openBoss({ url, log: createLogger('bench', 'warn') });
  await pool.query('delete from sweeps');
  await replaceCallers(pool, 1);
  const { rows } = await pool.query<{ id: number }>(`select id from users where email like 'bench-%' limit 1`);
  return { pool, boss, userId: rows[0].id };
}

export async function closeSweepPlace({ pool, boss }: SweepPlace): Promise<void> {
  await boss.stop({ graceful: false });
  await pool.end();
}

/** Returns the specification that `POST /v1/sweeps` queues for a body. */
export async function requestedSweep(pool: Pool, body: unknown): Promise<RequestedSweep> {
  const { directory, sessions } = await readMarketData(pool);
  const distributableDay = newestDistributableDay(BENCH_NOW);
  const maxDay = sessions.findLast((day) => day <= distributableDay) ?? null;
  const parsed = sweepBody.parse(body);
  const market = { directory, distributableDay, maxDay, mode: 'eod_only' } as const;
  return sweepOf(
    parsed,
    market,
    parsed.runs.map(() => null),
  );
}

export async function queueSweep({ pool, boss, userId }: SweepPlace, requested: RequestedSweep): Promise<string> {
  const id = randomUUID();
  const wanted = { id, userId, requestId: `bench:${id}`, at: new Date(), ...requested };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  return id;
}

export async function dropSweep({ pool, boss, userId }: SweepPlace, id: string): Promise<void> {
  const removed = { userId, id, requestId: `bench:${id}`, at: new Date() };
  await transaction(pool, (connection) => removeSweep(connection, boss, removed));
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
