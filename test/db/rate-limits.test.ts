import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { LimiterClock } from '../../api/limiter-clock.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import {
  advanceLimiterClock,
  clearWindow,
  deleteIdleWindows,
  giveBackToWindow,
  peekAtWindows,
  takeFromWindows,
  type WindowTake,
} from '../../db/rate-limits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let second: Pool;
let keys = 0;
const newKey = () => `test:${keys++}`;

beforeAll(async () => {
  database = await createTestDatabase();
  second = createPool({ url: database.url, max: 10, applicationName: 'second-process' });
});
afterAll(async () => {
  await second.end();
  await database.drop();
});

/** One call, the way a limiter that knows no batches would see it. */
async function takeFromWindow(pool: Pool, key: string, rule: Pick<WindowTake, 'limit' | 'windowSeconds'>) {
  const [{ granted, available, retryAfter }] = await takeFromWindows(pool, time, [{ key, calls: 1, ...rule }]);
  const isAllowed = granted === 1;
  return { isAllowed, remaining: Math.max(0, available - 1), retryAfter: isAllowed ? 0 : retryAfter };
}

/** The limiter's time, in seconds. */
let time = 1_000_000;
/** Lets buckets of a window of an hour pass. */
const pass = (buckets: number) => {
  time += 60 * buckets;
};

describe('the sliding window', () => {
  it('lets exactly N of N + k concurrent calls pass, over two processes', async () => {
    const key = newKey();
    const limit = 37;
    const calls = Array.from({ length: limit + 25 }, (_, i) =>
      takeFromWindow(i % 2 ? second : database.pool, key, { limit, windowSeconds: 3600 }),
    );
    const taken = await Promise.all(calls);
    // Without the row lock of "on conflict do update" two calls would count as one and more than N would pass.
    expect(taken.filter((t) => t.isAllowed)).toHaveLength(limit);
    expect(
      taken
        .filter((t) => t.isAllowed)
        .map((t) => t.remaining)
        .sort((a, b) => a - b),
    ).toEqual([...Array(limit).keys()]);
  });

  it('grants a part of many calls at once, each key on its own, in any order of keys', async () => {
    const [a, b] = [newKey(), newKey()].reverse();
    const take = (calls: number) =>
      takeFromWindows(database.pool, time, [
        { key: a, limit: 10, windowSeconds: 60, calls },
        { key: b, limit: 4, windowSeconds: 3600, calls },
      ]);
    expect((await take(3)).map((t) => [t.granted, t.available])).toEqual([
      [3, 10],
      [3, 4],
    ]);
    expect((await take(3)).map((t) => [t.granted, t.available])).toEqual([
      [3, 7],
      [1, 1],
    ]);
    expect((await take(9)).map((t) => [t.granted, t.available])).toEqual([
      [4, 4],
      [0, 0],
    ]);
    expect((await take(1)).map((t) => t.granted)).toEqual([0, 0]);
    const both = await Promise.all([
      take(1),
      takeFromWindows(second, time, [{ key: b, limit: 4, windowSeconds: 3600, calls: 1 }]),
    ]);
    expect(both.flat().map((t) => t.granted)).toEqual([0, 0, 0]);
  });

  it('forgets a call only when a whole window has passed, and not before', async () => {
    const key = newKey();
    const rule = { limit: 2, windowSeconds: 3600 };
    await takeFromWindow(database.pool, key, rule);
    pass(30);
    await takeFromWindow(database.pool, key, rule);
    const refused = await takeFromWindow(database.pool, key, rule);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, retryAfter: (61 - 30) * 60 });
    pass(30);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    pass(1);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    pass(500);
    expect(await takeFromWindow(database.pool, key, rule)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it('never holds more than the limit in any window, whatever the rhythm', async () => {
    const key = newKey();
    const rule = { limit: 5, windowSeconds: 3600 };
    const passed: number[] = [];
    let clock = 0;
    for (let i = 0; i < 300; i++) {
      const step = [0, 0, 1, 3, 7, 20, 59, 0, 2][i % 9];
      clock += step;
      pass(step);
      if ((await takeFromWindow(database.pool, key, rule)).isAllowed) passed.push(clock);
    }
    for (const end of passed) expect(passed.filter((t) => t > end - 60 && t <= end).length).toBeLessThanOrEqual(5);
    expect(passed.length).toBeGreaterThan(50);
  });

  it('counts into the newest bucket when one process is a little behind another', async () => {
    const key = newKey();
    const take = (at: number) =>
      takeFromWindows(database.pool, at, [{ key, calls: 1, limit: 2, windowSeconds: 3600 }]).then(([t]) => t.granted);
    expect([await take(time), await take(time - 90), await take(time)]).toEqual([1, 1, 0]);
    expect(await take(time + 61 * 60)).toBe(1);
  });

  it('is read without counting, and gives back what was taken for nothing', async () => {
    const key = newKey();
    const rule = { limit: 3, windowSeconds: 3600 };
    expect(await peekAtWindows(database.pool, time, [key])).toEqual(new Map());
    await takeFromWindow(database.pool, key, rule);
    pass(10);
    for (let i = 0; i < 5; i++) await takeFromWindow(database.pool, key, rule);
    const peek = async () => (await peekAtWindows(database.pool, time, [key, 'nobody'])).get(key);
    expect((await peek())?.used).toBe(3);
    expect((await peek())?.used).toBe(3);
    await giveBackToWindow(database.pool, key);
    expect((await peek())?.used).toBe(2);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    pass(51);
    expect((await peek())?.used).toBe(2);
    pass(10);
    expect(await peek()).toEqual({ used: 0, resetAfter: 0 });
    await clearWindow(database.pool, key);
    expect((await takeFromWindow(database.pool, key, rule)).remaining).toBe(2);
  });

  it('keeps counters only as long as they matter', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const rule = { limit: 5, windowSeconds: 3600 };
    const start = await advanceLimiterClock(database.pool, 0);
    const take = (key: string, at: number) => takeFromWindows(database.pool, at, [{ key, calls: 1, ...rule }]);
    await take(old, start - 62 * 60);
    await take(fresh, start);
    await deleteIdleWindows(database.pool);
    const { rows } = await database.pool.query('select key from rate_limits where key = any($1)', [[old, fresh]]);
    expect(rows).toEqual([{ key: fresh }]);
  });
});

describe('the time of the limiter', () => {
  const open = (monotonic: () => number) => LimiterClock.open(database.pool, pino({ level: 'silent' }), monotonic);

  it('passes in all processes alike, whatever their clocks say and whenever they start', async () => {
    let elapsed = 0;
    const first = await open(() => 5_000 + elapsed);
    const begin = first.now();
    elapsed += 30_000;
    await first.sync();
    // A machine started long ago, and one started just now.
    const [second, third] = [await open(() => 9e9 + elapsed), await open(() => elapsed)];
    for (const clock of [first, second, third]) expect(clock.now()).toBeCloseTo(begin + 30, 3);
    elapsed += 45_000;
    for (const clock of [first, second, third]) {
      await clock.sync();
      expect(clock.now()).toBeCloseTo(begin + 75, 3);
      clock.close();
    }
  });

  it('stands still while nobody runs, and never goes back', async () => {
    const before = await open(() => 1_000);
    const last = before.now();
    before.close();
    const after = await open(() => 7_777_777);
    expect(after.now()).toBeCloseTo(last, 3);
    await advanceLimiterClock(database.pool, 0);
    await after.sync();
    expect(after.now()).toBeCloseTo(last, 3);
    after.close();
  });
});
