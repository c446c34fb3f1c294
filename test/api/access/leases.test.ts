/** Allowance taken ahead: whom it serves without a round trip, and that nothing of it is lost or used twice. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Leases } from '../../../api/access/leases.ts';
import type { Return } from '../../../db/accounts/rate-limits.ts';

let now = 0;
let leases: Leases;
let isAway: boolean;
let isHeld: boolean;
let returned: Return[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  now = 1_000;
  isAway = false;
  isHeld = false;
  returned = [];
  leases = new Leases({
    giveBack: async (returns) => {
      if (isHeld) return false;
      returned.push(...returns);
      return true;
    },
    isAway: () => isAway,
    monotonic: () => now,
  });
});
afterEach(async () => {
  await leases.close();
  jest.useRealTimers();
});

const pass = async (ms: number) => {
  now += ms;
  await jest.advanceTimersByTimeAsync(ms);
};
const grant = (units: number, remaining: number, { limit = 300, calls = 1 } = {}) =>
  leases.keep('key', { limit, units, bucket: 7, sentAt: now, calls, remaining, resetAfter: 61 });

describe('a lease', () => {
  it('answers as many calls as it has units, and counts what is left down by one', () => {
    grant(2, 40);
    expect([leases.held('key'), leases.held('other')]).toEqual([2, 0]);
    expect(leases.take('key', 300)).toEqual({
      isAllowed: true,
      remaining: 39,
      resetAfter: 61,
      retryAfter: 0,
      bucket: 7,
    });
    expect(leases.take('key', 300)).toMatchObject({ remaining: 38 });
    expect([leases.take('key', 300), leases.take('other', 300), leases.held('key')]).toEqual([null, null, 0]);
  });

  it('is used for less than a second, and gives back the rest within it', async () => {
    grant(5, 40);
    leases.take('key', 300);
    await pass(700);
    expect(leases.take('key', 300)).not.toBeNull();
    await pass(299);
    expect(leases.take('key', 300)).toBeNull();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.held('key')).toBe(0);
  });

  it('is not used by a process that was held up, even before its units have gone back', () => {
    grant(5, 40);
    now += 3_000;
    expect([leases.take('key', 300), leases.held('key')]).toEqual([null, 5]);
  });

  it('is not used under another limit, and goes back when the next one comes', async () => {
    grant(3, 40);
    expect(leases.take('key', 3_000)).toBeNull();
    grant(4, 2_000, { limit: 3_000 });
    expect(leases.held('key')).toBe(7);
    await pass(250);
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.held('key')).toBe(4);
  });

  it('is kept until the database is back', async () => {
    grant(3, 40);
    isAway = true;
    await pass(5_000);
    expect([returned, leases.held('key')]).toEqual([[], 3]);
    isAway = false;
    await pass(250);
    expect([returned, leases.held('key')]).toEqual([[{ key: 'key', bucket: 7, units: 3 }], 0]);
  });

  it('is given back again when surely nothing came of it', async () => {
    grant(3, 40);
    isHeld = true;
    await pass(1_000);
    expect([returned, leases.held('key')]).toEqual([[], 3]);
    isHeld = false;
    await pass(250);
    expect([returned, leases.held('key')]).toEqual([[{ key: 'key', bucket: 7, units: 3 }], 0]);
  });

  it('goes back when the process ends', async () => {
    grant(3, 40);
    await leases.close();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.take('key', 300)).toBeNull();
  });
});

describe('the size of the next lease', () => {
  it('is nothing for a key that has not called lately, or whose limit is below 120', async () => {
    expect(leases.unitsAhead('key', 300)).toBe(0);
    grant(0, 100, { limit: 119, calls: 20 });
    expect(leases.unitsAhead('key', 119)).toBe(0);
    grant(0, 100, { limit: 120, calls: 20 });
    expect([leases.unitsAhead('key', 120), leases.unitsAhead('key', 300)]).toEqual([20, 0]);
    await pass(1_500);
    expect(leases.unitsAhead('key', 120)).toBe(0);
  });

  it('follows the calls since the last one, up to 32 and a quarter of what is left', async () => {
    grant(3, 2_000, { limit: 3_000, calls: 2 });
    expect(leases.unitsAhead('key', 3_000)).toBe(0);
    for (let i = 0; i < 3; i++) leases.take('key', 3_000);
    expect(leases.unitsAhead('key', 3_000)).toBe(5);
    grant(1, 2_000, { limit: 3_000, calls: 6 });
    await pass(1_000);
    expect([leases.held('key'), leases.unitsAhead('key', 3_000)]).toEqual([0, 6]);
    grant(0, 2_000, { limit: 3_000, calls: 100 });
    expect(leases.unitsAhead('key', 3_000)).toBe(32);
    grant(0, 30, { limit: 3_000, calls: 100 });
    expect(leases.unitsAhead('key', 3_000)).toBe(7);
  });

  it('is nothing where fewer than eight calls are left', () => {
    grant(0, 8, { calls: 50 });
    expect(leases.unitsAhead('key', 300)).toBe(2);
    grant(0, 7, { calls: 50 });
    expect(leases.unitsAhead('key', 300)).toBe(0);
  });
});
