/** The limiter over several processes with faults: nobody gets more than the limit, or less without need. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LimitRule } from '../../../api/access/rate-limit.ts';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { COUNTER_TIMEOUTS } from '../../../db/session-limits.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { LimiterProcess, TestTime } from '../../support/limiter-process.ts';

const KEY: LimitRule = { category: 'quote', limit: 60, windowSeconds: 60 };
const GUEST: LimitRule = { ...KEY, limit: 30 };

let database: TestDatabase;
let pool: Pool;
let time: TestTime;
let keys = 0;
const newKey = () => `faults:${keys++}`;

beforeAll(async () => {
  database = await createTestDatabase();
  // Waits for locks are short, to keep the test short.
  pool = createPool({
    url: database.url,
    max: 3,
    applicationName: 'counters',
    timeouts: { ...COUNTER_TIMEOUTS, lockMs: 100 },
  });
  time = new TestTime(database.pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const isTake = (text: string) => text.includes('insert into rate_limits');
const many = <T>(times: number, call: () => Promise<T>) => Promise.all(Array.from({ length: times }, call));
const passed = (outcomes: readonly unknown[]) => outcomes.filter((outcome) => outcome === 'passed').length;

it('a process that stalls while it counts does not use units that have become outdated', async () => {
  const key = newKey();
  let stall = 3;
  const process = await LimiterProcess.start(pool, time, async (text, run) => {
    const result = await run();
    if (!isTake(text) || stall === 0) return result;
    await time.pass(stall);
    stall = 0;
    return result;
  });
  const passedAt: number[] = [];
  const burst = async (calls: number) => {
    const outcomes = await many(calls, () => process.call(key, KEY));
    passedAt.push(...Array<number>(passed(outcomes)).fill(time.now()));
  };
  await burst(20);
  expect(passedAt).toHaveLength(20);
  for (let second = 0; second < 75; second++) {
    await time.pass(1);
    await process.clock.sync();
    await burst(15);
  }
  expect(passedAt.filter((at, i) => passedAt[i + KEY.limit] - at < KEY.windowSeconds)).toEqual([]);
  expect(passedAt.length).toBeGreaterThan(KEY.limit);
});

describe('a statement that takes too long while the database answers others', () => {
  it('is an error, not an outage, if another transaction has locked the row', async () => {
    const [key, other] = [newKey(), newKey()];
    const process = await LimiterProcess.start(pool, time);
    expect(passed(await many(70, () => process.call(key, KEY)))).toBe(60);
    await transaction(database.pool, async (connection) => {
      await connection.query('select from rate_limits where key like $1 for update', [`${key}:%`]);
      const [[held], [next]] = await Promise.all([
        many(1, () => process.call(key, KEY)),
        many(1, () => process.call(other, KEY)),
      ]);
      expect([held, next]).toEqual([expect.objectContaining({ code: '55P03' }), 'passed']);
      expect(process.limiter.isLocal).toBe(false);
      expect(passed(await many(10, () => process.call(key, KEY)))).toBe(0);
    });
    expect(await process.call(key, KEY)).toBeGreaterThan(50);
  });

  it('is an error, not an outage, if there is no answer', async () => {
    const key = newKey();
    let isSilent = false;
    const process = await LimiterProcess.start(pool, time, async (text, run) => {
      if (!isSilent || !isTake(text)) return run();
      await time.pass(1);
      await process.clock.sync();
      await time.pass(0.7);
      throw new Error('Query read timeout');
    });
    expect(passed(await many(60, () => process.call(key, KEY)))).toBe(60);
    isSilent = true;
    expect(await process.call(key, KEY)).toMatchObject({ message: 'Query read timeout' });
    expect(process.limiter.isLocal).toBe(false);
  });
});

describe('two processes', () => {
  it('allow a guest all calls of the limit in a burst', async () => {
    const key = newKey();
    const [first, second] = [await LimiterProcess.start(pool, time), await LimiterProcess.start(pool, time)];
    let count = 0;
    for (let i = 0; i < 20; i++) count += passed([await first.call(key, GUEST)]);
    for (let i = 0; i < 20; i++) count += passed([await second.call(key, GUEST)]);
    expect(count).toBe(30);
  });
});

describe('a database that cannot be reached', () => {
  it('leaves each process the calls that it knows to be left, and counts them afterwards', async () => {
    const [key, unknown] = [newKey(), newKey()];
    let isUnreachable = false;
    const process = await LimiterProcess.start(pool, time, (_, run) => {
      if (isUnreachable)
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
      return run();
    });
    const other = await LimiterProcess.start(pool, time);
    for (let i = 0; i < 25; i++) await other.call(key, KEY);
    expect(await process.call(key, KEY)).toBe('passed');
    isUnreachable = true;
    expect(passed(await many(70, () => process.call(key, KEY)))).toBe(34);
    expect(passed(await many(70, () => process.call(unknown, KEY)))).toBe(60);
    expect(process.limiter.isLocal).toBe(true);
    await time.pass(30);
    expect(await process.call(key, KEY)).toBeLessThan(33);
    isUnreachable = false;
    await process.clock.sync();
    expect(process.limiter.isLocal).toBe(false);
    expect(await process.call(newKey(), KEY)).toBe('passed');
    expect(await other.call(key, KEY)).toBeLessThan(33);
    expect(await other.call(unknown, KEY)).toBeLessThan(33);
    await time.pass(33);
    await other.clock.sync();
    expect(passed(await many(70, () => other.call(key, KEY)))).toBe(60);
  });
});
