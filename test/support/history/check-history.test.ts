/** The checker of histories finds each fault that is planted, and none in a history without. */
import { describe, expect, it } from '@jest/globals';
import { type CallKind, type Effect, type FinalState, longestGap, type PastCall, violations } from './check-history.ts';

const PROMISES = { keysMax: 2, limit: 60, windowMs: 60_000, processes: 2, outages: [], olderMs: 5_000 };

const call = (kind: CallKind, key: string, begunAt: number, status: number, value: string | null): PastCall => ({
  kind,
  key,
  begunAt,
  endedAt: begunAt + 10,
  status,
  value,
});
const effect = (kind: Effect['kind'], key: string, id: string): Effect => ({
  kind,
  key,
  id,
  isDone: true,
  missing: [],
});

/** Kept run 1 got its answer at the second attempt, run 2 was removed, run 3 was queued, run 4 got no answer. */
const CALLS: readonly PastCall[] = [
  call('keep', 'one', 0, 0, null),
  call('keep', 'one', 100, 200, '1'),
  call('keep', 'two', 0, 200, '2'),
  call('remove', '2', 200, 0, null),
  call('remove', '2', 300, 404, null),
  call('queue', 'three', 0, 202, 'run-3'),
  call('queue', 'three', 50, 202, 'run-3'),
  call('keep', 'four', 0, 503, null),
  call('search', 'five', 0, 202, 'run-5'),
  call('export', 'six', 0, 202, '6'),
  call('add_key', 'a', 0, 201, 'key-a'),
  call('add_key', 'b', 20, 201, 'key-b'),
  call('add_key', 'c', 40, 403, null),
  call('remove_key', 'key-a', 60, 200, null),
  call('add_key', 'd', 80, 201, 'key-d'),
  ...Array.from({ length: 60 }, (_, i) => call('limited', 'ada', i * 100, 200, null)),
  call('limited', 'ada', 6_100, 429, null),
  call('limited', 'ada', 60_000, 200, null),
  call('screen', 'first', 0, 200, 'AAA'),
  call('screen', 'first', 9_000, 200, 'AAA'),
  call('quote', 'AAA', 0, 200, '2024-09-03'),
  call('quote', 'AAA', 100, 200, '2024-09-04'),
  call('quote', 'AAA', 5_000, 200, '2024-09-03'),
  call('quote', 'AAA', 5_200, 200, '2024-09-04'),
];
const STATE: FinalState = {
  effects: [
    effect('keep', 'one', '1'),
    effect('keep', 'three', '3'),
    effect('keep', 'four', '4'),
    effect('queue', 'three', 'run-3'),
    effect('search', 'five', 'run-5'),
    effect('export', 'six', '6'),
  ],
  deliveries: [
    { id: 'told-3', runId: 'run-3' },
    { id: 'told-3', runId: 'run-3' },
    { id: 'told-5', runId: 'run-5' },
  ],
  apiKeys: ['key-b', 'key-d'],
};

const without = (id: string) => ({ effects: STATE.effects.filter((one) => one.id !== id) });
const and = (more: Effect) => ({ effects: [...STATE.effects, more] });
const changed = (id: string, change: Partial<Effect>) => ({
  effects: STATE.effects.map((one) => (one.id === id ? { ...one, ...change } : one)),
});

describe('a history', () => {
  it('that keeps every promise has no violations', () => {
    expect(violations(CALLS, STATE, PROMISES)).toEqual([]);
  });

  it.each<[string, Partial<FinalState>, string[]]>([
    ['a kept run that is lost', without('1'), ['keep one: lost (1)']],
    ['one that is kept twice', and(effect('keep', 'one', '9')), ['keep one: 2 times (1, 9)']],
    ['one without an answer that is kept twice', and(effect('keep', 'four', '9')), ['keep four: 2 times (4, 9)']],
    ['an object that is gone', changed('1', { missing: ['trades'] }), ['keep: 1 lacks trades']],
    ['a row of another call', changed('1', { key: 'two' }), ['keep one: answered with that of two']],
    ['a queued run that is lost', without('run-3'), ['queue three: lost (run-3)']],
    ['a queued run that does not end', changed('run-3', { isDone: false }), ['queue three: not done']],
    ['a queued run without its result', without('3'), ['queue three: its result is not kept']],
    ['a queued run with two effects', and(effect('keep', 'three', '9')), ['keep three: 2 times (3, 9)']],
    ['a search that is lost', without('run-5'), ['search five: lost (run-5)']],
    ['an export that is made twice', and(effect('export', 'six', '7')), ['export six: 2 times (6, 7)']],
    ['a run that nobody was told of', { deliveries: STATE.deliveries.slice(2) }, ['run-3 was not told']],
    [
      'a run that was told under two ids',
      { deliveries: ['x', 'y'].map((id) => ({ id, runId: 'run-3' })) },
      ['run-3 was told as x and y', 'run-5 was not told'],
    ],
    ['an API key that is lost', { apiKeys: ['key-d'] }, ['add_key: key-b is lost']],
    [
      'an API key that is back',
      { apiKeys: ['key-a', 'key-b', 'key-d'] },
      ['add_key: 3 keys at the end, of 2', 'remove_key: key-a is back'],
    ],
  ])('shows %s', (_, change, expected) => {
    expect(violations(CALLS, { ...STATE, ...change }, PROMISES)).toEqual(expected);
  });

  it('shows a run that was removed and is back, unless its removal was never acknowledged', () => {
    const state = { ...STATE, ...and(effect('keep', 'two', '2')) };
    expect(violations(CALLS, state, PROMISES)).toEqual([]);
    const calls = [...CALLS, call('remove', '2', 400, 200, null)];
    expect(violations(calls, state, PROMISES)).toEqual(['keep: 2 was removed and is back']);
  });

  it.each<[string, PastCall, string]>([
    [
      'two answers under one key',
      call('search', 'five', 90, 202, 'run-6'),
      'search five: answered with run-5 and run-6',
    ],
    ['one key too many at a moment', call('add_key', 'c', 45, 201, 'key-d'), 'add_key: 3 keys at once, of 2'],
    ['a screen that differs', call('screen', 'first', 500, 200, 'BBB'), 'screen first: 2 different answers'],
    [
      'a quote of an older session after five seconds',
      call('quote', 'AAA', 5_111, 200, '2024-09-03'),
      'quote AAA: 2024-09-03 at 5111, after 2024-09-04',
    ],
  ])('shows %s', (_, more, expected) => {
    expect(violations([...CALLS, more], STATE, PROMISES)).toContain(expected);
  });

  it('shows the call that is one too many, and lets each process count on its own during an outage', () => {
    const more = (count: number) =>
      Array.from({ length: count }, (_, i) => call('limited', 'ada', 6_000 + i, 200, null));
    const excess = 'limited ada: 61 calls within 60000 ms, of 60';
    expect(violations([...CALLS, ...more(1)], STATE, PROMISES)).toEqual([excess]);
    const outage = { ...PROMISES, outages: [[30_000, 31_000]] as const };
    expect(violations([...CALLS, ...more(60)], STATE, outage)).toEqual([]);
    expect(violations([...CALLS, ...more(61)], STATE, outage)).toEqual([
      'limited ada: 121 calls within 60000 ms, of 120',
    ]);
  });

  it('has the longest time without a success', () => {
    expect(longestGap(CALLS, 'quote', 0, 6_000)).toBe(4_900);
    expect(longestGap(CALLS, 'keep', 0, 1_000)).toBe(890);
  });
});
