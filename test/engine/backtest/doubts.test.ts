/** Doubts about the prices and orders of a run, by hand. */
import { describe, expect, it } from '@jest/globals';
import { type Dealings, heldSpinOffs, largestOrder, splitDays, tradedOf } from '../../../engine/backtest/doubts.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';

const DAYS = Array.from({ length: 30 }, (_, i) => 100 + i);

/** Closes of 10 and volumes of 1,000, but for the given ones. */
function seriesOf(volumes: Readonly<Record<number, number>> = {}) {
  const series = allocateSeries(DAYS.length);
  series.day.set(DAYS);
  series.close.fill(10);
  series.volume.fill(1_000);
  for (const [t, volume] of Object.entries(volumes)) series.volume[Number(t)] = volume;
  return series;
}

const traded = (series: BarSeries) => tradedOf('AAA.US', series, []);
const dealings = (changes: Partial<Dealings>): Dealings => ({
  ...traded(seriesOf()),
  stays: [],
  orders: [],
  ...changes,
});
const RANGE = { adjust: 'none', executeOn: 'close', first: 100, last: 129 } as const;

describe('prices as traded', () => {
  const events = [
    { kind: 'split', exDay: 100, factor: 0.5 },
    { kind: 'reverse_split', exDay: 120, factor: 10 },
    { kind: 'cash_dividend', exDay: 110, factor: 0.99 },
    { kind: 'split', exDay: 130, factor: 0.5 },
  ] as const;

  it('jump at the splits after the first day of the range, up to the last', () => {
    expect(splitDays([dealings({ events }), dealings({ events })], RANGE)).toEqual([120]);
  });

  it('do not if they are adjusted', () => {
    expect(splitDays([dealings({ events })], { ...RANGE, adjust: 'split' })).toEqual([]);
  });
});

describe('a spin-off', () => {
  const events = [
    { kind: 'spin_off', exDay: 105, factor: 0.9 },
    { kind: 'spin_off', exDay: 110, factor: 0.75 },
  ] as const;
  const held = (entryDay: number, exitDay: number) =>
    heldSpinOffs([dealings({ events, stays: [{ entryDay, exitDay }] })], { adjust: 'split' });

  it('counts as a loss of those who held it before its day and through its open, the largest first', () => {
    expect(held(104, 110)).toEqual([
      { symbol: 'AAA.US', day: 110, percent: 25 },
      { symbol: 'AAA.US', day: 105, percent: expect.closeTo(10, 12) },
    ]);
    expect(held(105, 109)).toEqual([]);
  });

  it('is reinvested by total return', () => {
    const stays = [{ entryDay: 100, exitDay: 120 }];
    expect(heldSpinOffs([dealings({ events, stays })], { adjust: 'total' })).toEqual([]);
  });
});

describe('an order', () => {
  // The median of 20 bars: half of them trade 20,000 a day, the others 10,000.
  const half = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, 2_000]));
  const ordered = (index: number, amount: number, executeOn: 'close' | 'next_open' = 'close') =>
    largestOrder([dealings({ ...traded(seriesOf(half)), orders: [{ index, amount }] })], { executeOn });

  it('is large above 5 % of the median dollar volume of 20 bars before its decision', () => {
    expect(ordered(20, 750)).toBeNull();
    expect(ordered(20, 751)).toMatchObject({ symbol: 'AAA.US', day: 120, amount: 751 });
    expect(ordered(20, 1_500)?.share).toBeCloseTo(0.1, 12);
  });

  it('at the next open is decided a bar before', () => {
    expect(ordered(21, 1_500, 'next_open')?.share).toBeCloseTo(0.1, 12);
    expect(ordered(21, 1_500)?.share).toBeCloseTo(0.15, 12);
    expect(ordered(20, 1e9, 'next_open')).toBeNull();
  });

  it('in an instrument without trades is as large as can be', () => {
    const series = seriesOf(Object.fromEntries(DAYS.map((_, t) => [t, 0])));
    const one = largestOrder([dealings({ ...traded(series), orders: [{ index: 25, amount: 1 }] })], RANGE);
    expect(one?.share).toBe(Number.POSITIVE_INFINITY);
  });
});
