/** Compares the limiter's statement for a lone call with `select 1` on the same connection. */
import { LimiterClock } from '../../api/access/limiter-clock.ts';
import { takeFromWindows } from '../../db/accounts/rate-limits.ts';
import { createPool } from '../../db/pool.ts';
import { createLogger } from '../../jobs/logger.ts';
import type { Bench } from './market.ts';
import { inTurns, quantile, ratioOf, timed } from './measure.ts';
import { figure } from './report.ts';

const CALLS = 3_000;
const ROUNDS = 7;
const KEYS = 20;

const benchStatement: Bench = async ({ pool, url }) => {
  await pool.query('delete from rate_limits');
  const counters = createPool({ url, max: 1, applicationName: 'bench-counters', isDurable: false });
  const clock = await LimiterClock.open(counters, createLogger('bench', 'warn'));
  const count = (key: string) => takeFromWindows(counters, [{ key, limit: 3000, windowSeconds: 60, units: 1 }]);
  const samples = { ours: new Float64Array(CALLS), floor: new Float64Array(CALLS) };
  const { ours, floor } = await inTurns(ROUNDS, {
    // They take turns call by call, so that both meet the same placement on the cores.
    ours: async () => {
      for (let i = 0; i < CALLS; i++) {
        samples.ours[i] = await timed(() => count(`bench:${i % KEYS}`));
        samples.floor[i] = await timed(() => counters.query({ name: 'one', text: 'select 1' }));
      }
      return quantile(samples.ours.sort(), 0.5);
    },
    floor: async () => quantile(samples.floor.sort(), 0.5),
  });
  clock.close();
  await counters.end();
  const note = `${(1000 * ours.median).toFixed(0)} µs against ${(1000 * floor.median).toFixed(0)} µs, medians`;
  return [figure('limiter.time_vs_select1', ratioOf(ours, floor), note)];
};

export const LIMITER = { 'limiter.time_vs_select1': benchStatement };
