/** Fields against the indicators' columns, and the logic of a screen. */
import { describe, expect, it } from '@jest/globals';
import { dayOf } from '../../engine/dates.ts';
import * as indicators from '../../engine/indicators.ts';
import { FIELDS, findField, PERIOD_RANGE, SNAPSHOT_BARS } from '../../engine/screener/fields.ts';
import { OPERATORS } from '../../engine/screener/operators.ts';
import { PRESETS } from '../../engine/screener/presets.ts';
import {
  type Condition,
  cheapestFirst,
  eligibleInstruments,
  FigureColumns,
  freshInstruments,
  lookbackOf,
  type MarketSnapshot,
  narrow,
  sortBy,
  venueScopeOf,
} from '../../engine/screener/screen.ts';
import { allocateSeries, type BarSeries } from '../../engine/series.ts';
import { decodeSnapshot, encodeSnapshot } from '../../jobs/snapshot/arrow-file.ts';
import { randomSeries, seriesOf } from '../support/series.ts';

const figure = (code: string, bars: BarSeries, period = 0) =>
  (findField(code) as NonNullable<ReturnType<typeof findField>>).compute({ bars, from: 0, to: bars.length }, period);

function snapshotOf(series: readonly BarSeries[]): MarketSnapshot {
  const total = series.reduce((sum, { length }) => sum + length, 0);
  const bars = allocateSeries(total);
  const offsets = [0];
  for (const one of series) {
    for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
      bars[column].set(one[column], offsets[offsets.length - 1]);
    }
    offsets.push(offsets[offsets.length - 1] + one.length);
  }
  return { bars, offsets: Int32Array.from(offsets), instrumentIds: Int32Array.from(series, (_, i) => 100 + i) };
}

describe('fields', () => {
  it('are the last values of the indicators, for any period and length', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const bars = randomSeries(30 + 7 * seed, seed);
      const period = 2 + ((seed * 13) % 60);
      const { close, high, low } = bars;
      const end = bars.length - 1;
      const columns: Record<string, number> = {
        sma: indicators.sma(close, period)[end],
        ema: indicators.ema(close, period)[end],
        rsi: indicators.rsi(close, period)[end],
        atr_pct: (100 * indicators.atr(bars, period)[end]) / close[end],
        volatility_pct: indicators.volatility(close, period)[end],
        roc_pct: indicators.roc(close, period)[end],
        price_vs_sma_pct: 100 * (close[end] / indicators.sma(close, period)[end] - 1),
        sma_slope_pct: 100 * (indicators.sma(close, period)[end] / indicators.sma(close, period)[end - 5] - 1),
        above_sma: Number(close[end] > indicators.sma(close, period)[end]),
        new_high: Number(high[end] > indicators.highestBefore(high, period)[end]),
        new_low: Number(low[end] < indicators.lowestBefore(low, period)[end]),
      };
      for (const [code, expected] of Object.entries(columns)) {
        const isDefined = bars.length >= lookbackOf([{ field: code, period }]);
        const value = figure(code, bars, period);
        if (!isDefined) expect([code, value]).toEqual([code, Number.NaN]);
        else expect([code, Math.abs(value / expected - 1) < 1e-9 || value === expected]).toEqual([code, true]);
      }
    }
  });

  it('are what a calculation by hand gives', () => {
    const bars = seriesOf([
      [10, 12, 9, 11],
      [11, 20, 10, 14],
      [14, 16, 13, 15],
      [15, 18, 12, 16],
    ]);
    bars.volume.set([100, 200, 300, 800]);
    expect(figure('close', bars)).toBe(16);
    expect(figure('change_pct', bars)).toBeCloseTo(100 / 15, 9);
    expect(figure('gap_pct', bars)).toBe(0);
    expect(figure('volume', bars)).toBe(800);
    expect(figure('dollar_volume', bars)).toBe(12_800);
    expect(figure('volume_ratio', bars, 3)).toBe(4);
    expect(figure('near_high_pct', bars, 4)).toBe(80);
    expect(figure('near_high_pct', bars, 2)).toBeCloseTo(1600 / 18, 9);
    expect(figure('pullback_from_high_pct', bars, 4)).toBeCloseTo(20, 9);
    expect(figure('range_position_pct', bars, 4)).toBeCloseTo((100 * 7) / 11, 9);
    expect(figure('days_since_high', bars, 4)).toBe(2);
    expect([figure('new_high', bars, 2), figure('new_high', bars, 3)]).toEqual([0, 0]);
    expect(figure('new_low', bars, 2)).toBe(0);
  });

  it('are undefined on histories that are too short, and where they divide by nothing', () => {
    const one = seriesOf([10]);
    for (const { code, lookback } of FIELDS) {
      if (lookback(2) > 1) expect([code, figure(code, one, 2)]).toEqual([code, Number.NaN]);
    }
    const still = seriesOf(Array(10).fill(10));
    still.volume.fill(0);
    expect(figure('volume_ratio', still, 5)).toBeNaN();
    expect(figure('range_position_pct', still, 5)).toBeNaN();
    expect(figure('rsi', still, 5)).toBe(50);
    expect(figure('days_since_high', still, 5)).toBe(0);
  });

  it('fit into the bars that a snapshot keeps, and are labelled', () => {
    for (const { lookback, label, description } of FIELDS) {
      expect(lookback(PERIOD_RANGE.max)).toBeLessThanOrEqual(SNAPSHOT_BARS);
      for (const text of [label, description]) expect(text['zh-CN']).not.toBe(text.en);
    }
    expect(FIELDS).toHaveLength(21);
  });
});

describe('a screen', () => {
  const snapshot = snapshotOf([
    seriesOf([1, 2, 3]),
    seriesOf([5, 5, 4]),
    seriesOf([9]),
    seriesOf([2, 2, 2], dayOf(2024, 6, 1)),
  ]);
  const columns = new FigureColumns(snapshot, 3);
  const all = [0, 1, 2, 3];
  const matchAll = (_: FigureColumns, conditions: readonly Condition[], candidates: readonly number[]) =>
    cheapestFirst(conditions).reduce((left, condition) => narrow(columns, condition, left), [...candidates]);
  const newest = dayOf(2025, 1, 8);
  const close = { field: 'close', period: null, value2: 0 } as const;

  it('joins its conditions, and an undefined figure meets none', () => {
    expect(matchAll(columns, [], all)).toEqual(all);
    expect(matchAll(columns, [{ ...close, op: 'gte', value: 3 }], all)).toEqual([0, 1, 2]);
    const change = { field: 'change_pct', period: null, value: -1e9, value2: 1e9 } as const;
    expect(matchAll(columns, [{ ...change, op: 'between' }], all)).toEqual([0, 1, 3]);
    expect(
      matchAll(
        columns,
        [
          { ...close, op: 'gte', value: 3 },
          { ...change, op: 'lt', value: 0 },
        ],
        all,
      ),
    ).toEqual([1]);
  });

  it('sorts either way, undefined last, and remembers a bounded number of columns', () => {
    const sort = (field: string, order: 'asc' | 'desc') => sortBy(columns, { field, period: null, order }, [...all]);
    expect(sort('close', 'desc')).toEqual([2, 1, 0, 3]);
    expect(sort('close', 'asc')).toEqual([3, 0, 1, 2]);
    expect(sort('change_pct', 'desc')).toEqual([0, 3, 1, 2]);
    expect(sort('change_pct', 'asc').at(-1)).toBe(2);
    const before = columns.get('close', null);
    expect(columns.get('close', null)).toBe(before);
    for (const field of ['volume', 'dollar_volume', 'gap_pct']) columns.get(field, null);
    expect(columns.get('close', null)).not.toBe(before);
  });

  it('leaves out what has not traded lately and what is too young, and tells the bases', () => {
    const fresh = freshInstruments(snapshot, newest, 7);
    expect(fresh).toEqual([0, 1, 2]);
    expect(freshInstruments(snapshot, dayOf(2025, 1, 14), 7)).toEqual([0, 1]);
    expect(eligibleInstruments(snapshot, fresh, 2)).toEqual([0, 1]);
    expect(venueScopeOf(snapshot, fresh, 3)).toEqual({ isMixed: false, isConsolidatedOnly: true });
    expect(venueScopeOf(snapshot, all, 3)).toEqual({ isMixed: true, isConsolidatedOnly: false });
    expect(venueScopeOf(snapshot, [3], 3)).toEqual({ isMixed: false, isConsolidatedOnly: false });
  });

  it('has four presets of known fields and operators', () => {
    expect(PRESETS.map(({ code }) => code)).toEqual([
      'trend_breakout',
      'pullback_entry',
      'volume_surge',
      'low_vol_trend',
    ]);
    for (const { conditions, sort } of PRESETS) {
      for (const { field, op } of conditions) {
        expect(OPERATORS.find(({ code }) => code === op)?.kind).toBe(findField(field)?.kind);
      }
      expect(findField(sort.field)).not.toBeNull();
    }
  });
});

describe('the file of a snapshot', () => {
  it('gives back what was written, columns where they lie', () => {
    const snapshot = snapshotOf([randomSeries(260, 3), randomSeries(7, 4), randomSeries(100, 5)]);
    const bytes = encodeSnapshot(snapshot, ['AAA.US', 'BBB.US', 'CCC.US']);
    const read = decodeSnapshot(bytes);
    expect(read.offsets).toEqual(snapshot.offsets);
    expect(read.instrumentIds).toEqual(snapshot.instrumentIds);
    for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
      expect([column, read.bars[column]]).toEqual([column, snapshot.bars[column]]);
    }
    expect(read.bars.close.buffer).toBe(bytes.buffer);
  });

  it('is refused when it is something else', () => {
    expect(() => decodeSnapshot(new TextEncoder().encode('ARROW1 but no more'))).toThrow();
  });
});
