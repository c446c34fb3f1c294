/** Units taken ahead: which calls they cover without a round trip, and that none is lost or used twice. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Leases } from '../../../api/access/leases.ts';
import type { Return } from '../../../db/accounts/rate-limits.ts';

let now = 0;
let leases: Leases;
let isUnreachable: boolean;
let isHeld: boolean;
let returned: Return[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  now = 1_000;
  isUnreachable = false;
  isHeld = false;
  returned = [];
  leases = new Leases({
    giveBack: async (returns) => {
      if (isHeld) return false;
      returned.push(...returns);
      return true;
    },
    isUnreachable: () => isUnreachable,
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
  it('covers as many calls as it has units, and counts the remaining calls down', () => {
    grant(2, 40);
    expect([leases.unused('key'), leases.unused('other')]).toEqual([2, 0]);
    expect(leases.take('key', 300)).toEqual({
      isAllowed: true,
      remaining: 39,
      resetAfter: 61,
      retryAfter: 0,
      bucket: 7,
    });
    expect(leases.take('key', 300)).toMatchObject({ remaining: 38 });
    expect([leases.take('key', 300), leases.take('other', 300), leases.unused('key')]).toEqual([null, null, 0]);
  });

  it('expires within a second, and its unused units are returned within it', async () => {
    grant(5, 40);
    leases.take('key', 300);
    await pass(700);
    expect(leases.take('key', 300)).not.toBeNull();
    await pass(299);
    expect(leases.take('key', 300)).toBeNull();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.unused('key')).toBe(0);
  });

  it('is not used by a process that stalled, even before its units are returned', () => {
    grant(5, 40);
    now += 3_000;
    expect([leases.take('key', 300), leases.unused('key')]).toEqual([null, 5]);
  });

  it('is not used under another limit, and is returned when the next one comes', async () => {
    grant(3, 40);
    expect(leases.take('key', 3_000)).toBeNull();
    grant(4, 2_000, { limit: 3_000 });
    expect(leases.unused('key')).toBe(7);
    await pass(250);
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.unused('key')).toBe(4);
  });

  it('is kept until the database is available again', async () => {
    grant(3, 40);
    isUnreachable = true;
    await pass(5_000);
    expect([returned, leases.unused('key')]).toEqual([[], 3]);
    isUnreachable = false;
    await pass(250);
    expect([returned, leases.unused('key')]).toEqual([[{ key: 'key', bucket: 7, units: 3 }], 0]);
  });

  it('is returned again if the first return certainly had no effect', async () => {
    grant(3, 40);
    isHeld = true;
    await pass(1_000);
    expect([returned, leases.unused('key')]).toEqual([[], 3]);
    isHeld = false;
    await pass(250);
    expect([returned, leases.unused('key')]).toEqual([[{ key: 'key', bucket: 7, units: 3 }], 0]);
  });

  it('is returned when the process ends', async () => {
    grant(3, 40);
    await leases.close();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.take('key', 300)).toBeNull();
  });
});

describe('the size of the next lease', () => {
  it('is 0 for a key without recent calls or with a limit below 120', async () => {
    expect(leases.unitsAhead('key', 300)).toBe(0);
    grant(0, 100, { limit: 119, calls: 20 });
    expect(leases.unitsAhead('key', 119)).toBe(0);
    grant(0, 100, { limit: 120, calls: 20 });
    expect([leases.unitsAhead('key', 120), leases.unitsAhead('key', 300)]).toEqual([20, 0]);
    await pass(1_500);
    expect(leases.unitsAhead('key', 120)).toBe(0);
  });

  it('follows the calls since the last one, up to 32 and a quarter of the remaining calls', async () => {
    grant(3, 2_000, { limit: 3_000, calls: 2 });
    expect(leases.unitsAhead('key', 3_000)).toBe(0);
    for (let i = 0; i < 3; i++) leases.take('key', 3_000);
    expect(leases.unitsAhead('key', 3_000)).toBe(5);
    grant(1, 2_000, { limit: 3_000, calls: 6 });
    await pass(1_000);
    expect([leases.unused('key'), leases.unitsAhead('key', 3_000)]).toEqual([0, 6]);
    grant(0, 2_000, { limit: 3_000, calls: 100 });
    expect(leases.unitsAhead('key', 3_000)).toBe(32);
    grant(0, 30, { limit: 3_000, calls: 100 });
    expect(leases.unitsAhead('key', 3_000)).toBe(7);
  });

  it('is 0 if fewer than eight calls are left', () => {
    grant(0, 8, { calls: 50 });
    expect(leases.unitsAhead('key', 300)).toBe(2);
    grant(0, 7, { calls: 50 });
    expect(leases.unitsAhead('key', 300)).toBe(0);
  });
});
