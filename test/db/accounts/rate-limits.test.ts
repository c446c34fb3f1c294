import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { addUnits, decide, newestUsedBucket, type Rule, takeUnits, windowState } from '../../../api/access/decide.ts';
import { LimiterClock } from '../../../api/access/limiter-clock.ts';
import {
  advanceLimiterClock,
  clearWindow,
  deleteIdleWindows,
  returnToWindows,
  type StoredWindow,
  selectWindows,
  type Taken,
  takeFromWindows,
  USE_WITHIN_SECONDS,
} from '../../../db/accounts/rate-limits.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { COUNTER_TIMEOUTS } from '../../../db/session-limits.ts';
import { required } from '../../../engine/util/values.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';

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

/** Sets the limiter's time and holds it there, by an anchor ahead of the database's clock. */
async function setTime(seconds: number): Promise<void> {
  await database.pool.query(`update limiter_clock set seconds = $1, anchor = $1, anchor_at = 'infinity'`, [seconds]);
}

/** Counts one call alone, without batches. */
async function takeFromWindow(pool: Pool, key: string, rule: Rule) {
  const [row] = await takeFromWindows(pool, [{ key, units: 1, ...rule }]);
  return decide({ now: time, rule, window: row, isAllowed: row.granted === 1 });
}

const granted = (rows: readonly Taken[]) => Object.fromEntries(rows.map((row) => [row.key, row.granted]));

/** The limiter's time, in seconds. */
let time = 960_000;
/** Advances the time by buckets of a one-hour window. */
const pass = (buckets: number) => {
  time += 60 * buckets;
  return setTime(time);
};

describe('the sliding window', () => {
  beforeAll(() => setTime(time));

  it('lets exactly N of N + k concurrent calls pass, across two processes', async () => {
    const key = newKey();
    const limit = 37;
    const calls = Array.from({ length: limit + 25 }, (_, i) =>
      takeFromWindow(i % 2 ? second : database.pool, key, { limit, windowSeconds: 3600 }),
    );
    const taken = await Promise.all(calls);
    // Without the row lock of "on conflict do update", two calls would count as one, and more than N would pass.
    expect(taken.filter((t) => t.isAllowed)).toHaveLength(limit);
    expect(
      taken
        .filter((t) => t.isAllowed)
        .map((t) => t.remaining)
        .sort((a, b) => a - b),
    ).toEqual([...Array(limit).keys()]);
  });

  it('grants some of many calls at once, separately for each key, in any order of keys', async () => {
    const [a, b] = [newKey(), newKey()].reverse();
    const ofB = { key: b, limit: 4, windowSeconds: 3600 };
    const take = async (units: number) =>
      granted(
        await takeFromWindows(database.pool, [
          { key: a, limit: 10, windowSeconds: 60, units },
          { ...ofB, units },
        ]),
      );
    expect(await take(3)).toEqual({ [a]: 3, [b]: 3 });
    expect(await take(3)).toEqual({ [a]: 3, [b]: 1 });
    expect(await take(9)).toEqual({ [a]: 4, [b]: 0 });
    expect(await take(1)).toEqual({ [a]: 0, [b]: 0 });
    const both = await Promise.all([take(1), takeFromWindows(second, [{ ...ofB, units: 1 }]).then(granted)]);
    expect(both).toEqual([{ [a]: 0, [b]: 0 }, { [b]: 0 }]);
  });

  it('counts a call until a whole window has passed', async () => {
    const key = newKey();
    const rule = { limit: 2, windowSeconds: 3600 };
    await takeFromWindow(database.pool, key, rule);
    await pass(30);
    await takeFromWindow(database.pool, key, rule);
    const refused = await takeFromWindow(database.pool, key, rule);
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0, retryAfter: (62 - 30) * 60 });
    await pass(31);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(1);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(500);
    expect(await takeFromWindow(database.pool, key, rule)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it('never has more calls than the limit in any window', async () => {
    const key = newKey();
    const rule = { limit: 5, windowSeconds: 3600 };
    const passed: number[] = [];
    let clock = 0;
    for (let i = 0; i < 300; i++) {
      const step = [0, 0, 1, 3, 7, 20, 59, 0, 2][i % 9];
      clock += step;
      await pass(step);
      if ((await takeFromWindow(database.pool, key, rule)).isAllowed) passed.push(clock);
    }
    for (const end of passed) expect(passed.filter((t) => t > end - 60 && t <= end).length).toBeLessThanOrEqual(5);
    expect(passed.length).toBeGreaterThan(50);
  });

  it('counts exactly through changes of the limit, refusals, returned calls, and pauses of any length, as a process does alone', async () => {
    const key = newKey();
    let seed = 7;
    const oneOf = <T>(choices: readonly T[]) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return choices[seed % choices.length];
    };
    // The calls of the 62 newest buckets, newest first.
    let counts: number[] = [];
    let alone: StoredWindow | undefined;
    const sum = () => counts.reduce((total, calls) => total + calls, 0);
    for (let step = 0; step < 400; step++) {
      const passed = oneOf([0, 1, 1, 1, 2, 3, 30, 59, 61, 62, 70]);
      await pass(passed);
      counts = [...Array<number>(passed).fill(0), ...counts].slice(0, 62);
      const bucket = Math.floor(time / 60);
      const take = { limit: oneOf([5, 8, 13]), units: oneOf([0, 1, 2, 3, 4, 20]) };
      const [taken] = await takeFromWindows(database.pool, [{ key, windowSeconds: 3600, ...take }]);
      expect([step, taken.granted]).toEqual([step, Math.max(0, Math.min(take.units, take.limit - sum()))]);
      counts[0] = (counts[0] ?? 0) + taken.granted;
      const own = takeUnits(alone ?? { bucket, totals: [0] }, bucket, take);
      alone = own.window;
      expect([own.granted, alone.bucket]).toEqual([taken.granted, taken.bucket]);
      // More than a bucket has is not returned, and a negative number adds.
      const index = oneOf([0, 1, 5, 40, 61, 62, 80]);
      const units = oneOf([1, 2, -1, -2]);
      if (oneOf([true, false, false])) {
        const returned = index < 62 ? Math.min(units, counts[index] ?? 0) : 0;
        const row = (await returnToWindows(database.pool, [{ key, bucket: bucket - index, units }])).get(key);
        for (let i = counts.length; i <= index; i++) counts[i] = 0;
        counts[index] -= returned;
        counts = counts.slice(0, 62);
        alone = addUnits(alone, bucket - index, -returned);
        expect([step, row && newestUsedBucket(row)]).toEqual([step, row && newestUsedBucket(alone)]);
      }
      const shared = required((await selectWindows(database.pool, [key])).get(key));
      const rule = { limit: 20, windowSeconds: 3600 };
      const state = windowState({ now: time, rule, window: shared });
      expect([step, state]).toEqual([step, windowState({ now: time, rule, window: alone })]);
      expect([step, state.remaining]).toEqual([step, Math.max(0, 20 - sum())]);
    }
  });

  it('counts into the newest bucket when the time is behind it, and returns when that bucket ends', async () => {
    const key = newKey();
    const take = async (at: number) => {
      await setTime(at);
      const rule = { limit: 2, windowSeconds: 3600 };
      const [row] = await takeFromWindows(database.pool, [{ key, units: 1, ...rule }]);
      const { isAllowed, retryAfter, resetAfter } = decide({
        now: at,
        rule,
        window: row,
        isAllowed: row.granted === 1,
      });
      return { isAllowed, retryAfter, resetAfter };
    };
    expect([await take(time), await take(time - 90)]).toMatchObject([{ isAllowed: true }, { isAllowed: true }]);
    // A bucket that moved back would lose two calls at the next call.
    for (let i = 0; i < 3; i++) {
      expect(await take(time - 90)).toEqual({ isAllowed: false, retryAfter: 62 * 60, resetAfter: 62 * 60 });
      expect(await take(time + 15)).toEqual({ isAllowed: false, retryAfter: 62 * 60 - 15, resetAfter: 62 * 60 - 15 });
    }
    expect((await take(time + 62 * 60 - 1)).isAllowed).toBe(false);
    expect((await take(time + 62 * 60)).isAllowed).toBe(true);
    await setTime(time);
  });

  it('can be read without counting, and takes back calls that were not used', async () => {
    const key = newKey();
    const rule = { limit: 3, windowSeconds: 3600 };
    const peek = async () => (await selectWindows(database.pool, [key, 'nobody'])).get(key);
    const state = async () => windowState({ now: time, rule, window: await peek() });
    expect([await peek(), await state()]).toEqual([undefined, { remaining: 3, resetAfter: 0 }]);
    await takeFromWindow(database.pool, key, rule);
    await pass(10);
    let newest = 0;
    for (let i = 0; i < 5; i++) newest = (await takeFromWindow(database.pool, key, rule)).bucket;
    expect([(await state()).remaining, (await state()).remaining]).toEqual([0, 0]);
    await returnToWindows(database.pool, [{ key, bucket: newest, units: 1 }]);
    expect(await state()).toEqual({ remaining: 1, resetAfter: 62 * 60 });
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(52);
    expect((await state()).remaining).toBe(1);
    await pass(10);
    expect(await state()).toEqual({ remaining: 3, resetAfter: 0 });
    await clearWindow(database.pool, key);
    expect((await takeFromWindow(database.pool, key, rule)).remaining).toBe(2);
  });

  it('returns the units of ten thousand keys before a call has waited too long for one of their rows', async () => {
    const rule = { limit: 3_000, windowSeconds: 60 };
    const takes = Array.from({ length: 10_000 }, () => ({ key: newKey(), units: 2, ...rule }));
    const taken = await takeFromWindows(database.pool, takes);
    const returns = taken.map(({ key, bucket }) => ({ key, bucket, units: 1 }));
    const windows = await transaction(database.pool, async (connection) => {
      await connection.query(`set local statement_timeout = ${deadline(COUNTER_TIMEOUTS.lockMs)}`);
      return returnToWindows(connection, returns);
    });
    expect([...windows.values()].filter(({ totals }) => totals[0] !== 1)).toEqual([]);
    expect(windows.size).toBe(takes.length);
  });

  it('remembers a unit for a window after its last possible use', async () => {
    const key = newKey();
    const takeAt = async (at: number) => {
      await setTime(at);
      return (await takeFromWindows(database.pool, [{ key, units: 1, limit: 1, windowSeconds: 60 }]))[0].granted;
    };
    // Taken at the end of a bucket and used a second later.
    const taken = time + 0.99;
    expect(await takeAt(taken)).toBe(1);
    for (const after of [60.02, USE_WITHIN_SECONDS + 59.99])
      expect([after, await takeAt(taken + after)]).toEqual([after, 0]);
    expect(await takeAt(taken + USE_WITHIN_SECONDS + 61)).toBe(1);
    await setTime(time);
  });

  it('takes unused units back into the bucket that they came from', async () => {
    const [key, other] = [newKey(), newKey()];
    const rule = { limit: 10, windowSeconds: 3600 };
    const take = async (units: number) => (await takeFromWindows(database.pool, [{ key, units, ...rule }]))[0];
    const remaining = async (of: string) => {
      const window = (await selectWindows(database.pool, [of])).get(of);
      return windowState({ now: time, rule, window }).remaining;
    };
    const { bucket } = await take(6);
    await takeFromWindow(database.pool, other, rule);
    await pass(30);
    expect((await take(9)).granted).toBe(4);
    await returnToWindows(database.pool, [
      { key, bucket, units: 2 },
      { key, bucket, units: 3 },
      { key: other, bucket: bucket - 1, units: 1 },
      { key: 'nobody', bucket, units: 1 },
    ]);
    expect([await remaining(key), await remaining(other)]).toEqual([5, 9]);
    await pass(32);
    // Only the first bucket has left the window.
    expect(await remaining(key)).toBe(6);
    await returnToWindows(database.pool, [{ key, bucket, units: 1 }]);
    expect(await remaining(key)).toBe(6);
  });

  it('keeps counters only while their calls are in the window', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const rule = { limit: 5, windowSeconds: 3600 };
    const take = (key: string) => takeFromWindows(database.pool, [{ key, units: 1, ...rule }]);
    await take(old);
    await pass(63);
    await take(fresh);
    await deleteIdleWindows(database.pool);
    const { rows } = await database.pool.query('select key from rate_limits where key = any($1)', [[old, fresh]]);
    expect(rows).toEqual([{ key: fresh }]);
  });
});

describe('the time of the limiter', () => {
  const open = (monotonic: () => number) => LimiterClock.open(database.pool, pino({ level: 'silent' }), monotonic);
  /** Moves the database's wall clock. */
  const stepWallClock = (seconds: number) =>
    database.pool.query('update limiter_clock set anchor_at = anchor_at - $1::float8', [seconds]);
  /** The start of the bucket in which a call is counted. */
  const countedAt = async () => {
    const key = newKey();
    await takeFromWindows(database.pool, [{ key, units: 1, limit: 1, windowSeconds: 0.6 }]);
    const { rows } = await database.pool.query('select bucket / 100.0 as at from rate_limits where key = $1', [key]);
    return Number(rows[0].at);
  };

  it('is the same in all processes, with any clocks and start times', async () => {
    let elapsed = 0;
    const now = () => performance.now() + elapsed;
    const first = await open(() => 5_000 + now());
    const begin = first.now() - now() / 1000;
    elapsed += 30_000;
    await first.sync();
    // A machine that started long ago, and one that has just started.
    const clocks = [first, await open(() => 9e9 + now()), await open(now)];
    for (const clock of clocks) expect(clock.now() - now() / 1000).toBeCloseTo(begin, 1);
    elapsed += 45_000;
    for (const clock of clocks) await clock.sync();
    for (const clock of clocks) {
      expect(clock.now() - now() / 1000).toBeCloseTo(begin, 1);
      clock.close();
    }
  });

  it('stands still while no process runs, and never goes back', async () => {
    const before = await open(() => 1_000);
    const last = before.now();
    before.close();
    const after = await open(() => 7_777_777);
    expect(after.now()).toBeCloseTo(last, 0);
    await advanceLimiterClock(database.pool, 0);
    await after.sync();
    expect(after.now()).toBeCloseTo(last, 0);
    after.close();
  });

  it('moves by at most two seconds when the wall clock is set', async () => {
    const clock = await open(() => performance.now());
    const before = await countedAt();
    await stepWallClock(3_600);
    expect((await countedAt()) - before).toBeLessThan(2.5);
    await clock.sync();
    await stepWallClock(-3_600);
    const held = await countedAt();
    await clock.sync();
    expect((await countedAt()) - held).toBeGreaterThanOrEqual(0);
    expect((await countedAt()) - before).toBeLessThan(3);
    clock.close();
  });

  it('is set by a process that was suspended, before it counts', async () => {
    let elapsed = 0;
    const clock = await open(() => performance.now() + elapsed);
    const before = await countedAt();
    elapsed += 20_000;
    await clock.ready();
    // Buckets of 10 ms.
    expect((await countedAt()) - before).toBeGreaterThan(19.9);
    clock.close();
  });

  it('agrees with processes of the previous version', async () => {
    const clock = await open(() => performance.now());
    const { rows } = await database.pool.query(
      'update limiter_clock set seconds = greatest(seconds, $1) returning seconds',
      [clock.now() + 5],
    );
    await clock.sync();
    expect(clock.now()).toBeGreaterThanOrEqual(rows[0].seconds);
    clock.close();
  });
});
