/** Allowance taken ahead: whom it serves without a round trip, and that nothing of it is lost or used twice. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLeases, type Leases } from '../../api/limits/leases.ts';
import type { Reservation } from '../../db/accounts/rate-limits.ts';

let now = 0;
let leases: Leases;
let returned: Reservation[];

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask'] });
  now = 1_000;
  returned = [];
  leases = createLeases({
    giveBack: async (reservations) => {
      // A statement changes the row of a key once.
      expect(new Set(reservations.map(({ key }) => key)).size).toBe(reservations.length);
      returned.push(...reservations);
    },
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
const grant = (units: number, remaining: number, limit = 60) =>
  leases.keep('key', { limit, units, bucket: 7, sentAt: now, remaining, resetAfter: 61 });

describe('a lease', () => {
  it('answers as many calls as it has units, and counts what is left down by one', () => {
    grant(2, 40);
    expect([leases.held('key'), leases.held('other')]).toEqual([2, 0]);
    expect(leases.take('key', 60)).toEqual({ isAllowed: true, remaining: 39, resetAfter: 61, retryAfter: 0 });
    expect(leases.take('key', 60)).toMatchObject({ remaining: 38 });
    expect([leases.take('key', 60), leases.take('other', 60), leases.held('key')]).toEqual([null, null, 0]);
  });

  it('is used for less than a second, and gives back the rest within it', async () => {
    grant(5, 40);
    leases.take('key', 60);
    await pass(700);
    expect(leases.take('key', 60)).not.toBeNull();
    await pass(299);
    expect(leases.take('key', 60)).toBeNull();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.held('key')).toBe(0);
  });

  it('is not used under another limit, and goes back whole when the next one comes', async () => {
    grant(3, 40);
    expect(leases.take('key', 3_000)).toBeNull();
    grant(4, 2_000, 3_000);
    expect(leases.held('key')).toBe(7);
    await pass(250);
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.held('key')).toBe(4);
  });

  it('goes back whole when its key has another to give back', async () => {
    grant(3, 40);
    grant(4, 40);
    grant(0, 40);
    await pass(500);
    expect(returned.map(({ units }) => units).sort()).toEqual([3, 4]);
    expect(leases.held('key')).toBe(0);
  });

  it('goes back when the process ends', async () => {
    grant(3, 40);
    await leases.close();
    expect(returned).toEqual([{ key: 'key', bucket: 7, units: 3 }]);
    expect(leases.take('key', 60)).toBeNull();
  });
});

describe('the size of the next lease', () => {
  /** Calls in the time of one lease. */
  const call = (times: number) => {
    for (let i = 0; i < times; i++) if (!leases.take('key', 3_000)) leases.missed('key');
  };

  it('is nothing for a key that calls once, or whose allowance is not known', () => {
    call(20);
    expect(leases.unitsAhead('key')).toBe(0);
    leases.keep('once', { limit: 60, units: 0, bucket: 7, sentAt: now, remaining: 59, resetAfter: 61 });
    leases.missed('once');
    expect(leases.unitsAhead('once')).toBe(0);
  });

  it('follows the pace of the calls, up to 32 and a quarter of what is left', () => {
    call(5);
    grant(0, 2_000, 3_000);
    expect(leases.unitsAhead('key')).toBe(4);
    call(100);
    expect(leases.unitsAhead('key')).toBe(32);
    grant(0, 30, 3_000);
    expect(leases.unitsAhead('key')).toBe(7);
  });

  it('is known for a busy caller whose lease has ended', async () => {
    call(20);
    grant(5, 2_000, 3_000);
    await pass(1_000);
    expect(leases.held('key')).toBe(0);
    call(1);
    expect(leases.unitsAhead('key')).toBe(19);
  });

  it('is nothing where fewer than eight calls are left', () => {
    call(50);
    grant(0, 8);
    expect(leases.unitsAhead('key')).toBe(2);
    grant(0, 7);
    expect(leases.unitsAhead('key')).toBe(0);
  });

  it('forgets the pace of a caller who has stopped', async () => {
    call(50);
    await pass(2_000);
    call(1);
    grant(0, 2_000, 3_000);
    expect(leases.unitsAhead('key')).toBe(0);
  });
});
