/** The limiter: its statement against a bare round trip, and all of it against rate-limiter-flexible on the same database. */

import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { LimiterClock } from '../../api/limits/limiter-clock.ts';
import { Limiter } from '../../api/limits/rate-limit.ts';
import { takeFromWindows } from '../../db/accounts/rate-limits.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { createLogger } from '../../jobs/logger.ts';
import { type Figure, figure, inTurns, quantile, rateOfCallers, ratioOf, summarize, timed } from './harness.ts';
import type { BenchMarket } from './market.ts';

const CALLS = 3_000;
const ROUNDS = 7;
const KEYS = 20;
const CALLERS = 16;
const SECONDS = 1;
/** So high that nobody is refused. */
const LIMIT = 100_000_000;

async function openFlexible(pool: Pool): Promise<RateLimiterPostgres> {
  const { promise, resolve, reject } = Promise.withResolvers<RateLimiterPostgres>();
  const options = { storeClient: pool, tableName: 'bench_flexible', points: LIMIT, duration: 60 };
  const limiter = new RateLimiterPostgres(options, (error) => (error ? reject(error) : resolve(limiter)));
  return promise;
}

/** Calls per second that are counted for several callers, each with keys of its own kind. */
async function benchFlexible(url: string): Promise<Figure> {
  const counters = createPool({ url, max: 10, applicationName: 'bench-counters', isDurable: false });
  await counters.query('drop table if exists bench_flexible');
  const flexible = await openFlexible(counters);
  const clock = await LimiterClock.open(counters, createLogger('bench', 'warn'));
  const ours = new Limiter(counters, clock, Date.now);
  const rule = { category: 'quote', limit: LIMIT, windowSeconds: 60 } as const;
  let calls = 0;
  const rateOf = (count: (key: string) => Promise<unknown>) => () =>
    rateOfCallers(CALLERS, SECONDS, () => count(`bench:${calls++ % KEYS}`));
  const rates = await inTurns(ROUNDS, {
    ours: rateOf((counter) => ours.enforce({ counter }, rule, { headers: {}, counted: null })),
    flexible: rateOf((key) => flexible.consume(key)),
  });
  clock.close();
  await counters.query('drop table bench_flexible');
  await counters.end();
  const perSecond = `${Math.round(rates.ours.median)} against ${Math.round(rates.flexible.median)} calls/s`;
  return figure(
    'limiter.rate16_vs_flexible',
    ratioOf(rates.ours, rates.flexible),
    '',
    `${perSecond} of ${CALLERS} callers, with rate-limiter-flexible`,
  );
}

/** The median milliseconds of each call. They take turns call by call, so that both meet the same placement on the cores. */
async function alternate(first: (i: number) => Promise<unknown>, second: (i: number) => Promise<unknown>) {
  const samples = { first: new Float64Array(CALLS), second: new Float64Array(CALLS) };
  for (let i = 0; i < CALLS; i++) {
    samples.first[i] = await timed(() => first(i));
    samples.second[i] = await timed(() => second(i));
  }
  return { first: quantile(samples.first.sort(), 0.5), second: quantile(samples.second.sort(), 0.5) };
}

/** The limiter's statement for a lone call, and `select 1` on the same connection. */
async function benchStatement(url: string): Promise<Figure> {
  const counters = createPool({ url, max: 1, applicationName: 'bench-counters', isDurable: false });
  const clock = await LimiterClock.open(counters, createLogger('bench', 'warn'));
  const rule = { limit: 3000, windowSeconds: 60, calls: 1 };
  const lastBuckets = new Map<string, number>();
  const count = async (key: string) => {
    const take = { key, lastBucket: lastBuckets.get(key), ...rule };
    const [{ bucket }] = await takeFromWindows(counters, clock.now(), [take]);
    lastBuckets.set(key, bucket);
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(
      await alternate(
        (i) => count(`bench:${i % KEYS}`),
        () => counters.query({ name: 'one', text: 'select 1' }),
      ),
    );
  }
  clock.close();
  await counters.end();
  const ours = summarize(rounds.map(({ first }) => first));
  const floor = summarize(rounds.map(({ second }) => second));
  const note = `${(1000 * ours.median).toFixed(0)} µs against ${(1000 * floor.median).toFixed(0)} µs, medians`;
  return figure('limiter.time_vs_select1', ratioOf(ours, floor), '<= 2', note);
}

export async function benchLimiter({ pool, url }: BenchMarket): Promise<Figure[]> {
  await pool.query('delete from rate_limits');
  return [await benchStatement(url), await benchFlexible(url)];
}
