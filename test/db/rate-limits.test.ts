import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type Pool } from '../../db/pool.ts';
import { deleteIdleWindows, takeFromWindows, type WindowTake } from '../../db/rate-limits.ts';
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
  const [{ granted, available, retryAfter }] = await takeFromWindows(pool, [{ key, calls: 1, ...rule }]);
  const isAllowed = granted === 1;
  return { isAllowed, remaining: Math.max(0, available - 1), retryAfter: isAllowed ? 0 : retryAfter };
}

/** As if `seconds` had passed on the database's clock since the last call. */
const pass = (key: string, buckets: number) =>
  database.pool.query('update rate_limits set bucket = bucket - $2 where key = $1', [key, buckets]);

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
      takeFromWindows(database.pool, [
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
      takeFromWindows(second, [{ key: b, limit: 4, windowSeconds: 3600, calls: 1 }]),
    ]);
    expect(both.flat().map((t) => t.granted)).toEqual([0, 0, 0]);
  });

  it('forgets a call only when a whole window has passed, and not before', async () => {
    const key = newKey();
    const rule = { limit: 2, windowSeconds: 3600 };
    await takeFromWindow(database.pool, key, rule);
    await pass(key, 30);
    await takeFromWindow(database.pool, key, rule);
    const refused = await takeFromWindow(database.pool, key, rule);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, retryAfter: (61 - 30) * 60 });
    await pass(key, 30);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(key, 1);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(key, 500);
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
      if (step > 0) await pass(key, step);
      if ((await takeFromWindow(database.pool, key, rule)).isAllowed) passed.push(clock);
    }
    for (const end of passed) expect(passed.filter((t) => t > end - 60 && t <= end).length).toBeLessThanOrEqual(5);
    expect(passed.length).toBeGreaterThan(50);
  });

  it('neither opens nor locks for longer than a window when the clock is set back', async () => {
    const key = newKey();
    const rule = { limit: 1, windowSeconds: 3600 };
    await takeFromWindow(database.pool, key, rule);
    await pass(key, -5000);
    const refused = await takeFromWindow(database.pool, key, rule);
    expect(refused.isAllowed).toBe(false);
    expect(refused.retryAfter).toBeLessThanOrEqual(61 * 60);
    await pass(key, 61);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
  });

  it('keeps counters only as long as they matter', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const rule = { limit: 5, windowSeconds: 60 };
    await takeFromWindow(database.pool, old, rule);
    await takeFromWindow(database.pool, fresh, rule);
    await pass(old, 62);
    await deleteIdleWindows(database.pool);
    const { rows } = await database.pool.query('select key from rate_limits where key = any($1)', [[old, fresh]]);
    expect(rows).toEqual([{ key: fresh }]);
  });
});
