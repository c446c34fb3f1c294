/** The limiter's statement against a bare round trip. */

import { takeFromWindows } from '../../db/accounts/rate-limits.ts';
import { createPool } from '../../db/pool.ts';
import { type Figure, figure, inTurns, ratioOf, timed } from './harness.ts';
import type { BenchMarket } from './market.ts';

const CALLS = 3_000;
const ROUNDS = 7;

export async function benchLimiter({ pool, url }: BenchMarket): Promise<Figure[]> {
  await pool.query('delete from rate_limits');
  const counters = createPool({ url, max: 1, applicationName: 'bench-counters', isDurable: false });
  const repeat = (call: (i: number) => Promise<unknown>) => async () =>
    (await timed(async () => {
      for (let i = 0; i < CALLS; i++) await call(i);
    })) / CALLS;
  const rule = { limit: 3000, windowSeconds: 60, calls: 1 };
  const { ours, floor } = await inTurns(ROUNDS, {
    ours: repeat((i) => takeFromWindows(counters, i / 1000, [{ key: `bench:${i % 20}`, ...rule }])),
    floor: repeat(() => pool.query({ name: 'one', text: 'select 1' })),
  });
  await counters.end();
  const note = `${(1000 * ours.median).toFixed(0)} µs against ${(1000 * floor.median).toFixed(0)} µs`;
  return [figure('limiter.time_vs_select1', ratioOf(ours, floor), '<= 2', note)];
}
