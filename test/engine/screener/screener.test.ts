/** The screener: fields compared with the columns of indicators, and the logic of a screen. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as indicators from '../../../engine/indicators/indicators.ts';
import { meanByBlocks } from '../../../engine/indicators/window-sums.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { blocksOf, extremeBetween, highestIn, lowestIn } from '../../../engine/screener/blocks.ts';
import { requireComparison } from '../../../engine/screener/comparisons.ts';
import { FIELDS, requireField } from '../../../engine/screener/fields.ts';
import { roundFigure } from '../../../engine/screener/figures.ts';
import { PRESETS } from '../../../engine/screener/presets.ts';
import { PERIOD_RANGE, SNAPSHOT_BARS } from '../../../engine/screener/running-means.ts';
import {
  type Condition,
  eligibleInstruments,
  FigureColumns,
  freshInstruments,
  lookbackOf,
  sortBy,
  testOf,
  venueScopeOf,
} from '../../../engine/screener/screen.ts';
import { type MarketSnapshot, newestView, viewBefore, windowOf } from '../../../engine/screener/snapshot.ts';
import { required } from '../../../engine/util/values.ts';
import { decodeBars, decodeMeans, encodeBars, encodeMeans } from '../../../jobs/snapshot/files.ts';
import { exactMean, ulpOf } from '../../support/exact.ts';
import { referenceIndicators } from '../../support/reference-engine.ts';
import { mapSeries, randomSeries, seriesOf } from '../../support/series.ts';
import { snapshotOf } from '../../support/snapshots.ts';

const computeOf = (code: string) => requireField(code).compute;

/** Computes a field over a window that is the whole history. */
const figure = (code: string, bars: BarSeries, period = 0) =>
  computeOf(code)(
    { bars, from: 0, to: bars.length, barsBefore: 0, carried: null, instrument: 0, blocks: null },
    period,
  );

describe('fields', () => {
  it('equal the last values of the indicators, for any period and length', () => {
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

  it('with recursive means equal those over the whole history, however many bars come before the window', () => {
    const history = fc.record({
      length: fc.integer({ min: 2, max: 1_400 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      period: fc.integer(PERIOD_RANGE),
      // Prices may have been far away from where they are: a chain of splits, a collapse, after which short periods remember.
      drift: fc.constantFrom(1, 1.01, 0.985, 1.05),
      ago: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(history, ({ length, seed, period, drift, ago }) => {
        const whole = mapSeries(randomSeries(length, seed), (value, column, i) =>
          column === 'day' || column === 'volume' ? value : value * drift ** (length - i),
        );
        const view = newestView(snapshotOf([randomSeries(400, 7), whole]), whole.day[length - 1]);
        const window = { ...windowOf(view, 1), to: view.ends[1] - ago };
        const known = sliceSeries(whole, 0, length - ago);
        const is = referenceIndicators(known);
        const t = known.length - 1;
        const expected = {
          ema: is.ema(period)(t),
          rsi: is.rsi(period)(t),
          atr_pct: (100 * is.atr(period)(t)) / known.close[t],
        };
        for (const [code, wanted] of Object.entries(expected)) {
          const value = computeOf(code)(window, period);
          if (Number.isNaN(wanted)) expect([code, value]).toEqual([code, Number.NaN]);
          else
            expect([code, Math.abs(value - wanted) <= 2e-7 * Math.abs(wanted), value, wanted]).toEqual([
              code,
              true,
              value,
              wanted,
            ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('read the blocks inside a range and the bars at its ends, wherever these are', () => {
    for (const seed of [1, 2, 3]) {
      const bars = randomSeries(53, seed);
      const { highest, lowest, closes } = blocksOf(bars);
      for (let from = 0; from < 53; from++) {
        for (let to = from + 1; to <= 53; to++) {
          const range = sliceSeries(bars, from, to);
          expect(extremeBetween(highestIn, bars.high, highest, from, to)).toBe(Math.max(...range.high));
          expect(extremeBetween(lowestIn, bars.low, lowest, from, to)).toBe(Math.min(...range.low));
          const mean = exactMean([...range.close]);
          expect(Math.abs(meanByBlocks(bars.close, closes, from, to - from) - mean)).toBeLessThanOrEqual(ulpOf(mean));
        }
      }
    }
  });

  it('are the same with and without blocks, wherever a window begins and ends', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lengths, fc.integer(PERIOD_RANGE), fc.constantFrom(0, 1), (all, period, ago) => {
        const view = newestView(snapshotOf(all.map((length, seed) => randomSeries(length, seed + 1))), 0);
        for (const [i, end] of view.ends.entries()) {
          const window = { ...windowOf(view, i), to: end - ago };
          for (const { code, compute } of FIELDS) {
            const known = roundFigure(compute({ ...window, blocks: null }, period));
            expect([code, roundFigure(compute(window, period))]).toEqual([code, known]);
          }
        }
      }),
    );
  });

  it('are rounded to 6 decimals, and large ones to 15 digits', () => {
    expect(roundFigure(34_200_075_955.999996)).toBe(34_200_075_956);
    expect(roundFigure(1 / 3)).toBe(0.333333);
    expect(roundFigure(-2 / 3)).toBe(-0.666667);
    expect(roundFigure(123_456_789 + 1 / 8.1)).toBe(123_456_789.123457);
    expect(roundFigure(1e18)).toBe(1e18);
    expect(roundFigure(Number.NaN)).toBeNaN();
    const thirds = new FigureColumns(newestView(snapshotOf([seriesOf([3, 1])]), 0), 3);
    const change: Condition = { field: 'change_pct', period: null, op: 'gte', value: -66.666667, value2: 0 };
    expect(testOf(thirds, change)(0)).toBe(true);
    expect(testOf(thirds, { ...change, op: 'gt' })(0)).toBe(false);
  });

  it('count prices as equal that differ by the rounding of a split factor', () => {
    // 0.1 × 3 and 0.3 are not the same number.
    const [rounded, exact] = [0.1 * 3, 0.3];
    expect(rounded).toBeGreaterThan(exact);
    const falling = seriesOf([rounded, rounded, rounded, exact]);
    const rising = seriesOf([exact, exact, exact, rounded]);
    expect(figure('new_low', falling, 3)).toBe(0);
    expect(figure('days_since_high', falling, 4)).toBe(0);
    expect(figure('new_high', rising, 3)).toBe(0);
    expect(figure('above_sma', rising, 4)).toBe(0);
  });

  it('equal a calculation by hand', () => {
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

  it('are undefined on histories that are too short, and where they would divide by 0', () => {
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

  it('fit into the bars of a snapshot, and have labels in three languages', () => {
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
  const newest = dayOf(2025, 1, 8);
  const view = newestView(snapshot, newest);
  const columns = new FigureColumns(view, 3);
  const all = [0, 1, 2, 3];
  const matching = (conditions: readonly Condition[], of = columns) =>
    conditions.reduce((left, condition) => left.filter(testOf(of, condition)), all);
  const close = { field: 'close', period: null, value2: 0 } as const;

  it('requires all conditions, and undefined figures meet none', () => {
    expect(matching([{ ...close, op: 'gte', value: 3 }])).toEqual([0, 1, 2]);
    const change = { field: 'change_pct', period: null, value: -1e9, value2: 1e9 } as const;
    expect(matching([{ ...change, op: 'between' }])).toEqual([0, 1, 3]);
    expect(
      matching([
        { ...close, op: 'gte', value: 3 },
        { ...change, op: 'lt', value: 0 },
      ]),
    ).toEqual([1]);
  });

  it('sorts both ways, equal figures by rank, undefined ones last, and keeps a bounded number of columns', () => {
    const sort = (field: string, order: 'asc' | 'desc', ranks = [0, 1, 2, 3]) =>
      sortBy(columns, { field, period: null, order }, Int32Array.from(ranks), [...all]);
    expect(sort('close', 'desc')).toEqual([2, 1, 0, 3]);
    expect(sort('close', 'asc')).toEqual([3, 0, 1, 2]);
    expect(sort('change_pct', 'desc')).toEqual([0, 3, 1, 2]);
    expect(sort('change_pct', 'asc').at(-1)).toBe(2);
    expect(sort('volume', 'asc', [2, 3, 0, 1])).toEqual([2, 3, 0, 1]);
    expect(sort('volume', 'desc', [2, 3, 0, 1])).toEqual([2, 3, 0, 1]);
    const before = columns.get('close', null);
    expect(columns.get('close', null)).toBe(before);
    for (const field of ['volume', 'dollar_volume', 'gap_pct']) columns.get(field, null);
    expect(columns.get('close', null)).not.toBe(before);
  });

  it('leaves out stale and too young instruments, and names the venue bases', () => {
    const fresh = freshInstruments(view);
    expect(fresh).toEqual([0, 1, 2]);
    expect(freshInstruments(newestView(snapshot, dayOf(2025, 1, 14)))).toEqual([0, 1]);
    expect(eligibleInstruments(view, fresh, 2)).toEqual([0, 1]);
    expect(venueScopeOf(view, fresh, 3)).toEqual({ isMixed: false, isConsolidatedOnly: true });
    expect(venueScopeOf(view, all, 3)).toEqual({ isMixed: true, isConsolidatedOnly: false });
    expect(venueScopeOf(view, [3], 3)).toEqual({ isMixed: false, isConsolidatedOnly: false });
  });

  it('can run at the session before, on the share count of that session', () => {
    const split: MarketSnapshot = { ...snapshot, lastSplits: Float64Array.from([0.5, 1, 1, 1]) };
    const before = required(viewBefore(newestView(split, newest)));
    expect(before.session).toBe(dayOf(2025, 1, 7));
    expect([...before.ends].map((end, i) => end - snapshot.offsets[i])).toEqual([2, 2, 1, 3]);
    const of = new FigureColumns(before, 30);
    const figures = (field: string) => all.map((i) => of.get(field, null).at(i));
    expect(figures('close')).toEqual([4, 5, 9, 2]);
    expect(figures('volume')).toEqual([500, 1000, 1000, 1000]);
    expect(figures('dollar_volume')).toEqual([2000, 5000, 9000, 2000]);
    expect(figures('change_pct')).toEqual([100, 0, Number.NaN, 0]);
    expect(viewBefore(newestView(split, dayOf(2025, 1, 17)))).toBeNull();
  });

  it('has four presets of known fields and comparisons', () => {
    expect(PRESETS.map(({ code }) => code)).toEqual([
      'trend_breakout',
      'pullback_entry',
      'volume_surge',
      'low_vol_trend',
    ]);
    for (const { conditions, sort } of PRESETS) {
      for (const { field, op } of conditions) {
        expect(requireComparison(op).kind).toBe(requireField(field).kind);
      }
      expect(() => requireField(sort.field)).not.toThrow();
    }
  });
});

describe('the files of a snapshot', () => {
  it('return the written columns without copying them', () => {
    const snapshot = snapshotOf([randomSeries(300, 3), randomSeries(7, 4), randomSeries(1_000, 5)]);
    const bytes = encodeBars(snapshot, ['AAA.US', 'BBB.US', 'CCC.US']);
    const read = decodeBars(bytes);
    expect(read.offsets).toEqual(snapshot.offsets);
    expect(read.instrumentIds).toEqual(snapshot.instrumentIds);
    for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
      expect([column, read.bars[column]]).toEqual([column, snapshot.bars[column]]);
    }
    expect(read.bars.close.buffer).toBe(bytes.buffer);
    const { instrumentIds, running, lastSplits } = snapshot;
    expect(decodeMeans(encodeMeans(snapshot))).toEqual({ instrumentIds, running, lastSplits });
    expect([...running.barsBefore]).toEqual([40, 0, 740]);
  });

  it('are refused unless they are the files of a snapshot', () => {
    const other = new TextEncoder().encode('ARROW1 but no more');
    expect(() => decodeBars(other)).toThrow();
    expect(() => decodeMeans(other)).toThrow();
    const snapshot = snapshotOf([randomSeries(300, 3)]);
    expect(() => decodeBars(encodeMeans(snapshot))).toThrow();
    expect(() => decodeMeans(encodeBars(snapshot, ['AAA.US']))).toThrow();
  });
});
