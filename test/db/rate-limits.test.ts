import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { RequestContext } from '../../api/http/request-context.ts';
import { LimiterClock } from '../../api/limits/limiter-clock.ts';
import { Limiter, type LimitRule } from '../../api/limits/rate-limit.ts';
import {
  advanceLimiterClock,
  clearWindow,
  deleteIdleWindows,
  giveBackReservations,
  giveBackToWindow,
  LEASE_SECONDS,
  peekAtWindows,
  takeFromWindows,
  type WindowTake,
} from '../../db/accounts/rate-limits.ts';
import { createPool, type Pool } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { deadline } from '../support/deadlines.ts';

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
async function takeFromWindow(pool: Pool, key: string, rule: Pick<WindowTake, 'limit' | 'windowSeconds'>) {
  const [{ granted, available, retryAfter }] = await takeFromWindows(pool, time, [{ key, calls: 1, ...rule }]);
  const isAllowed = granted === 1;
  return { isAllowed, remaining: Math.max(0, available - 1), retryAfter: isAllowed ? 0 : retryAfter };
}

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

  it('never has more calls than the limit in any window, whatever the rhythm', async () => {
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

  it('counts exactly through changes of the limit, refusals, returned calls, and pauses of any length', async () => {
    const key = newKey();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    // The calls of the 62 newest buckets, newest first.
    let counts: number[] = [];
    const sum = () => counts.reduce((total, calls) => total + calls, 0);
    for (let step = 0; step < 300; step++) {
      const passed = [0, 1, 1, 1, 2, 3, 30, 59, 61, 62, 70][random(11)];
      await pass(passed);
      counts = [...Array<number>(passed).fill(0), ...counts].slice(0, 62);
      const limit = [5, 8, 13][random(3)];
      const calls = 1 + random(4);
      const bucket = Math.floor(time / 60);
      const [taken] = await takeFromWindows(database.pool, time, [{ key, calls, limit, windowSeconds: 3600 }]);
      const exact = Math.min(calls, Math.max(0, limit - sum()));
      // Within a bucket, calls that were refused under a lower limit may still count.
      if (passed > 0) expect([step, taken.granted]).toEqual([step, exact]);
      expect(taken.granted).toBeLessThanOrEqual(exact);
      counts[0] = (counts[0] ?? 0) + taken.granted;
      if (taken.granted > 1 && random(2) === 0) {
        await giveBackReservations(database.pool, [{ key, bucket, units: 1 }]);
        counts[0]--;
      }
      if (random(5) === 0 && sum() > 0) {
        const left = await giveBackToWindow(database.pool, time, key);
        counts[counts.findIndex((calls) => calls > 0)]--;
        expect(left?.used).toBe(sum());
      }
    }
  });

  it('counts alike whatever bucket a process believes to have counted in last', async () => {
    const [plain, told] = [newKey(), newKey()];
    const lone = createPool({ url: database.url, max: 1, applicationName: 'lone' });
    let seed = 11;
    const oneOf = <T>(choices: readonly T[]) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return choices[seed % choices.length];
    };
    let bucket: number | undefined;
    for (let step = 0; step < 200; step++) {
      await pass(oneOf([0, 0, 0, 0, 1, 2, 30, 62]));
      // Now and then, the time of the process or of the database is behind the newest bucket.
      await setTime(time - oneOf([0, 0, 0, 0, 90]));
      const at = time - oneOf([0, 0, 0, 0, 90]);
      const take = { limit: oneOf([5, 8, 13]), calls: oneOf([0, 1, 2, 3]), windowSeconds: 3600 };
      const lastBucket = bucket && oneOf([bucket, bucket, bucket, bucket + 1, bucket - 1, undefined]);
      const [expected] = await takeFromWindows(database.pool, at, [{ key: plain, ...take }]);
      const [taken] = await takeFromWindows(lone, at, [{ key: told, lastBucket, ...take }]);
      const isRefused = expected.granted < take.calls;
      expect([step, { ...taken, retryAfter: isRefused && taken.retryAfter }]).toEqual([
        step,
        { ...expected, retryAfter: isRefused && expected.retryAfter },
      ]);
      ({ bucket } = taken);
      if (expected.granted > 0 && oneOf([true, false, false])) {
        await giveBackReservations(database.pool, [
          { key: plain, bucket, units: 1 },
          { key: told, bucket, units: 1 },
        ]);
      }
    }
    // The short statement alone where it suffices, and followed by the full one where it does not.
    const { rows } = await lone.query<{ name: string; runs: number }>(
      `select name, (generic_plans + custom_plans)::int as runs from pg_prepared_statements order by name`,
    );
    await lone.end();
    const [added, decided] = rows.map(({ runs }) => runs);
    expect(rows.map(({ name }) => name)).toEqual(['rate_limit_add', 'rate_limit_take_one']);
    expect(200 - decided).toBeGreaterThan(30);
    expect(added).toBeGreaterThan(200 - decided);
    await setTime(time);
    const many = { key: newKey(), limit: 37, windowSeconds: 3600, calls: 1 };
    const [first] = await takeFromWindows(database.pool, time, [many]);
    const others = Array.from({ length: 60 }, async (_, i) => {
      const take = { lastBucket: first.bucket, ...many };
      return (await takeFromWindows(i % 2 ? second : database.pool, time, [take]))[0].granted;
    });
    expect((await Promise.all(others)).filter((granted) => granted === 1)).toHaveLength(36);
  });

  it('counts into the newest bucket when the time is behind it, and returns when that bucket ends', async () => {
    const key = newKey();
    const take = async (at: number) => {
      await setTime(at);
      const [{ granted, retryAfter, resetAfter }] = await takeFromWindows(database.pool, at, [
        { key, calls: 1, limit: 2, windowSeconds: 3600 },
      ]);
      return { granted, retryAfter, resetAfter };
    };
    expect([await take(time), await take(time - 90)]).toMatchObject([{ granted: 1 }, { granted: 1 }]);
    // A bucket that moved back would lose two calls at the next call.
    for (let i = 0; i < 3; i++) {
      expect(await take(time - 90)).toEqual({ granted: 0, retryAfter: 62 * 60, resetAfter: 62 * 60 });
      expect(await take(time + 15)).toEqual({ granted: 0, retryAfter: 62 * 60 - 15, resetAfter: 62 * 60 - 15 });
    }
    expect((await take(time + 62 * 60 - 1)).granted).toBe(0);
    expect((await take(time + 62 * 60)).granted).toBe(1);
    await setTime(time);
  });

  it('can be read without counting, and returns calls that were taken in vain', async () => {
    const key = newKey();
    const rule = { limit: 3, windowSeconds: 3600 };
    expect(await peekAtWindows(database.pool, time, [key])).toEqual(new Map());
    await takeFromWindow(database.pool, key, rule);
    await pass(10);
    for (let i = 0; i < 5; i++) await takeFromWindow(database.pool, key, rule);
    const peek = async () => (await peekAtWindows(database.pool, time, [key, 'nobody'])).get(key);
    expect((await peek())?.used).toBe(3);
    expect((await peek())?.used).toBe(3);
    expect(await giveBackToWindow(database.pool, time, key)).toEqual({ used: 2, resetAfter: 62 * 60 });
    expect((await peek())?.used).toBe(2);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(true);
    expect((await takeFromWindow(database.pool, key, rule)).isAllowed).toBe(false);
    await pass(52);
    expect((await peek())?.used).toBe(2);
    await pass(10);
    expect(await peek()).toEqual({ used: 0, resetAfter: 0 });
    await clearWindow(database.pool, key);
    expect((await takeFromWindow(database.pool, key, rule)).remaining).toBe(2);
  });

  it('remembers a unit for a window after its last possible use', async () => {
    const key = newKey();
    const takeAt = async (at: number) => {
      await setTime(at);
      return (await takeFromWindows(database.pool, at, [{ key, calls: 1, limit: 1, windowSeconds: 60 }]))[0].granted;
    };
    // Taken at the end of a bucket and used a second later.
    const taken = time + 0.99;
    expect(await takeAt(taken)).toBe(1);
    for (const after of [60.02, LEASE_SECONDS + 59.99])
      expect([after, await takeAt(taken + after)]).toEqual([after, 0]);
    expect(await takeAt(taken + LEASE_SECONDS + 61)).toBe(1);
    await setTime(time);
  });

  it('takes unused units back into the bucket that they came from', async () => {
    const [key, other] = [newKey(), newKey()];
    const rule = { limit: 10, windowSeconds: 3600 };
    const take = async (calls: number) => (await takeFromWindows(database.pool, time, [{ key, calls, ...rule }]))[0];
    const { bucket } = await take(6);
    await takeFromWindow(database.pool, other, rule);
    await pass(30);
    expect(await take(9)).toMatchObject({ granted: 4, available: 4 });
    await giveBackReservations(database.pool, [
      { key, bucket, units: 5 },
      { key: other, bucket: bucket - 1, units: 1 },
      { key: 'nobody', bucket, units: 1 },
    ]);
    expect(await take(0)).toMatchObject({ available: 5 });
    expect((await peekAtWindows(database.pool, time, [other])).get(other)?.used).toBe(1);
    await pass(32);
    // Only the first bucket has left the window.
    expect(await take(0)).toMatchObject({ available: 6 });
    await giveBackReservations(database.pool, [{ key, bucket, units: 1 }]);
    expect(await take(0)).toMatchObject({ available: 6 });
  });

  it('keeps counters only while their calls are in the window', async () => {
    const [old, fresh] = [newKey(), newKey()];
    const rule = { limit: 5, windowSeconds: 3600 };
    const take = (key: string) => takeFromWindows(database.pool, time, [{ key, calls: 1, ...rule }]);
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
    await takeFromWindows(database.pool, 0, [{ key, calls: 1, limit: 1, windowSeconds: 0.6 }]);
    const { rows } = await database.pool.query('select bucket / 100.0 as at from rate_limits where key = $1', [key]);
    return Number(rows[0].at);
  };

  it('is the same in all processes, whatever their clocks say and whenever they start', async () => {
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
    expect(after.now()).toBeCloseTo(last, 1);
    await advanceLimiterClock(database.pool, 0);
    await after.sync();
    expect(after.now()).toBeCloseTo(last, 1);
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
    expect((await countedAt()) - before).toBeGreaterThanOrEqual(20);
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

describe('two processes on one limit', () => {
  const WINDOW = 60;
  const LIMIT = 60;
  const MINUTES = 5;
  const RULE: LimitRule = { category: 'quote', limit: LIMIT, windowSeconds: WINDOW };

  /**
   * Five minutes of calls of two processes, in any order. They set the time `apart` seconds after each other, like processes
   * that did not start together. The time of the database passes with theirs.
   */
  async function run(apart: number, stepOf: (call: number) => number): Promise<{ from: number; to: number }[]> {
    let elapsed = 0;
    const now = () => performance.now() / 1000 + elapsed;
    const wait = async (seconds: number) => {
      elapsed += seconds;
      await database.pool.query('update limiter_clock set anchor_at = anchor_at - $1::float8', [seconds]);
    };
    const start = async (pool: Pool, zero: number) => {
      const clock = await LimiterClock.open(pool, pino({ level: 'silent' }), () => 1000 * (now() - zero));
      // The time is set below, when it is due in the time of the test.
      clock.close();
      return { clock, limiter: new Limiter(pool, clock, () => 0), nextSync: now() + 1 };
    };
    const first = await start(database.pool, 0);
    await wait(apart);
    const processes = [first, await start(second, now())];
    const key = newKey();
    const passed: { from: number; to: number }[] = [];
    const end = now() + MINUTES * WINDOW;
    for (let call = 0; now() < end; call++) {
      const due = now() + stepOf(call);
      // A process sets the time on the second, between the calls.
      for (;;) {
        const next = processes.reduce((a, b) => (a.nextSync <= b.nextSync ? a : b));
        if (next.nextSync > due) break;
        await wait(Math.max(0, next.nextSync - now()));
        await next.clock.sync();
        next.nextSync += 1;
      }
      await wait(Math.max(0, due - now()));
      const { limiter } = processes[(call * 7 + (call >> 2)) % 2];
      const from = now();
      const context = { headers: {} } as RequestContext;
      const isAllowed = await limiter.enforce({ counter: key }, RULE, context).then(
        () => true,
        () => false,
      );
      if (isAllowed) passed.push({ from, to: now() });
    }
    for (const { limiter } of processes) await limiter.close();
    return passed;
  }

  it.each([
    [0.2, 'steadily', () => 0.45],
    [0.5, 'alternating', (call: number) => (call % 2 ? 0.05 : 0.9)],
    [0.7, 'in bursts', (call: number) => (call % 70 === 0 ? 23.3 : 0.02)],
    [0.95, 'irregularly', (call: number) => [0, 0, 0.31, 1.7, 0.01, 0.6, 0.98, 0.2][call % 8]],
  ] as const)(
    'told the time %s s apart and calling %s never hold more than it in any minute, and get all of it',
    async (apart, _rhythm, stepOf) => {
      const passed = await run(apart, stepOf);
      const tooMany = passed.filter(({ from }, i) => (passed[i + LIMIT]?.to ?? Infinity) - from < WINDOW);
      expect(tooMany).toEqual([]);
      // A call may leave the window two buckets late.
      expect(passed.length).toBeGreaterThanOrEqual(LIMIT * Math.floor((MINUTES * WINDOW) / (WINDOW + 3)));
    },
    deadline(30_000),
  );
});
