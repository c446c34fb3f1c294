/** Compares the limiter's statement for a lone call with `select 1` on the same connection. */
import { LimiterClock } from '../../../api/access/limiter-clock.ts';
import { takeFromWindows } from '../../../db/accounts/rate-limits.ts';
import { createPool } from '../../../db/pool.ts';
import { BENCH_LOG, type Bench } from './market.ts';
import { compare, median, timed } from './measure.ts';

const CALLS = 3_000;
const KEYS = 20;

const benchStatement: Bench = async ({ pool, url }) => {
  await pool.query('delete from rate_limits');
  const counters = createPool({ url, max: 1, applicationName: 'bench-counters', isDurable: false });
  const clock = await LimiterClock.open(counters, BENCH_LOG);
  const count = (key: string) => takeFromWindows(counters, [{ key, limit: 3000, windowSeconds: 60, units: 1 }]);
  const samples: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  // They alternate call by call, so that both run under the same placement on the cores.
  const ours = async () => {
    for (let i = 0; i < CALLS; i++) {
      samples.ours[i] = await timed(() => count(`bench:${i % KEYS}`));
      samples.floor[i] = await timed(() => counters.query({ name: 'one', text: 'select 1' }));
    }
    return median(samples.ours);
  };
  const what = 'a statement of the limiter and `select 1`, medians';
  const figure = await compare(what, 'ms', { ours, floor: async () => median(samples.floor) }, 7);
  clock.close();
  await counters.end();
  return figure;
};

export const LIMITER = { 'limiter.time_vs_select1': benchStatement };
