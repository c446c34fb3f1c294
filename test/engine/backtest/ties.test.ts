/** Ties: figures that differ only by rounding neither cause nor prevent a trade. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EXECUTE_ON, type ExecuteOn } from '../../../engine/backtest/execution.ts';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import * as indicators from '../../../engine/indicators/indicators.ts';
import { changeOf, isAbove, isAtLeast, isAtMost, isBelow } from '../../../engine/indicators/ties.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { effectiveParameters, requireStrategy, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import type { Strategy } from '../../../engine/strategies/strategy.ts';
import { referenceRun } from '../../support/reference-engine.ts';
import { type Bar, mapSeries, randomSeries, seriesOf, tickSeries } from '../../support/series.ts';

function valuesOf(strategy: Strategy, given: ParameterValues): ParameterValues {
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return effective.values;
}

const executionAt = (executeOn: ExecuteOn) => ({
  executeOn,
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
});

/** Returns entry day, exit day, and reason of each trade. */
function tradesOf(
  series: BarSeries,
  code: string,
  given: ParameterValues,
  executeOn: ExecuteOn = 'close',
  from = 0,
): readonly (readonly [entry: number, exit: number, reason: string])[] {
  const strategy = requireStrategy(code);
  const { trades } = runStrategy(strategy, valuesOf(strategy, given), {
    series,
    from,
    to: series.length,
    execution: executionAt(executeOn),
    finalReason: 'end_of_data',
  });
  return trades.map((trade) => [series.day[trade.entryIndex], series.day[trade.exitIndex], trade.exitReason] as const);
}

const scaled = (series: BarSeries, factor: number) =>
  mapSeries(series, (value, column) => (column === 'day' || column === 'volume' ? value : value * factor));

/** Returns the sum of the closes of the `count` bars that end with bar t. */
const sumBefore = ({ close }: BarSeries, t: number, count: number) =>
  close.subarray(t - count + 1, t + 1).reduce((sum, value) => sum + value, 0);

/** Parameters with frequent ties: short windows, levels that whole ticks reach exactly, and round stop distances. */
const PARAMETERS: Record<string, Record<string, fc.Arbitrary<number | string | boolean>>> = {
  chandelier: {
    sma_period: fc.integer({ min: 2, max: 12 }),
    atr_period: fc.integer({ min: 2, max: 8 }),
    entry_mult: fc.constantFrom(0, 0.5, 1),
    exit_mult: fc.constantFrom(0.5, 1, 2),
    entry_mode: fc.constantFrom('band', 'cross', 'breakout'),
    trail_mode: fc.constantFrom('high', 'close'),
    ratchet: fc.boolean(),
  },
  sma_cross: { fast_period: fc.integer({ min: 2, max: 5 }), slow_period: fc.integer({ min: 6, max: 12 }) },
  donchian: { entry_period: fc.integer({ min: 2, max: 12 }), exit_period: fc.integer({ min: 2, max: 12 }) },
  rsi_reversion: {
    rsi_period: fc.integer({ min: 2, max: 6 }),
    entry_below: fc.constantFrom(20, 25, 50),
    exit_above: fc.constantFrom(40, 50, 75),
    trend_period: fc.constantFrom(0, 4, 9),
  },
  bollinger_reversion: { period: fc.integer({ min: 5, max: 12 }), mult: fc.constantFrom(0.5, 1, 2) },
  macd: {
    fast_period: fc.integer({ min: 2, max: 5 }),
    slow_period: fc.integer({ min: 6, max: 12 }),
    signal_period: fc.integer({ min: 2, max: 6 }),
  },
  roc_momentum: {
    period: fc.integer({ min: 2, max: 12 }),
    entry_above: fc.constantFrom(-4, 0, 4),
    exit_below: fc.constantFrom(-4, 0, 4),
  },
  buy_hold: {},
};
const OVERLAYS = {
  stop_loss_pct: fc.constantFrom(0, 4, 8),
  take_profit_pct: fc.constantFrom(0, 4, 8),
  max_bars: fc.constantFrom(0, 3, 7),
};

const codes = STRATEGIES.map(({ code }) => code);
const arbitraryRun = (among: readonly string[]) =>
  fc.constantFrom(...among).chain((code) =>
    fc.record({
      code: fc.constant(code),
      given: fc.record({ ...PARAMETERS[code], ...OVERLAYS }),
      executeOn: fc.constantFrom(...EXECUTE_ON),
      seed: fc.integer({ min: 1, max: 1e6 }),
      length: fc.integer({ min: 20, max: 160 }),
      isTicks: fc.boolean(),
    }),
  );
const factors = fc.oneof(
  fc.constantFrom(1 / 3, 1 / 7, 0.1, 1 / 28, 4, 1024),
  fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
);

describe('a tie', () => {
  it('is a difference of at most a billionth of the larger figure', () => {
    expect([isAbove(1 + 2e-9, 1), isAbove(1 + 0.5e-9, 1), isAbove(1, 1 + 2e-9)]).toEqual([true, false, false]);
    expect([isBelow(1, 1 + 2e-9), isBelow(1, 1 + 0.5e-9), isBelow(-1, 1)]).toEqual([true, false, true]);
    expect([isAtMost(1 + 0.5e-9, 1), isAtMost(1 + 2e-9, 1), isAtMost(0, 1)]).toEqual([true, false, true]);
    expect([isAtLeast(1, 1 + 0.5e-9), isAtLeast(1, 1 + 2e-9), isAtLeast(0, 0)]).toEqual([true, false, true]);
    expect([isAbove(1e-300, 0), isAbove(0, 0), isAbove(-1, -1 - 0.5e-9)]).toEqual([true, false, false]);
    expect([changeOf(1, 1 + 0.5e-9), changeOf(1, 1.5), changeOf(1.5, 1)]).toEqual([0, 0.5, -0.5]);
  });

  it('is not decided by an undefined figure', () => {
    for (const compare of [isAbove, isBelow, isAtMost, isAtLeast]) {
      expect([compare(Number.NaN, 1), compare(1, Number.NaN)]).toEqual([false, false]);
    }
  });

  it('between two averages is no cross: trades equal those from sums of whole ticks', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const ticks = tickSeries(600, seed, 1);
      const lead = (t: number) => (t < 49 ? Number.NaN : 5 * sumBefore(ticks, t, 20) - 2 * sumBefore(ticks, t, 50));
      const expected: [number, number][] = [];
      let entry = -1;
      for (let t = 0; t < 600; t++) {
        const isLast = t === 599;
        if (entry >= 0 && (lead(t) < 0 || isLast)) {
          expected.push([ticks.day[entry], ticks.day[t]]);
          entry = -1;
        } else if (entry < 0 && !isLast && lead(t) > 0 && lead(t - 1) <= 0) entry = t;
      }
      const trades = tradesOf(scaled(ticks, 1 / (1 + seed)), 'sma_cross', {});
      expect(trades.map(([from, to]) => [from, to])).toEqual(expected);
    }
  });
});

describe('trades', () => {
  it('equal those of the second implementation on prices of whole ticks', () => {
    fc.assert(
      fc.property(arbitraryRun(codes), factors, ({ code, given, executeOn, seed, length }, tick) => {
        const series = tickSeries(length, seed, tick);
        const values = valuesOf(requireStrategy(code), given);
        const theirs = referenceRun(series, [0, length], code, values, executionAt(executeOn));
        expect(tradesOf(series, code, given, executeOn)).toEqual(
          theirs.trades.map(({ entry, exit, reason }) => [series.day[entry], series.day[exit], reason]),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are the same at any scale of the prices', () => {
    fc.assert(
      fc.property(arbitraryRun(codes), factors, ({ code, given, executeOn, seed, length, isTicks }, factor) => {
        const series = isTicks ? tickSeries(length, seed, 1) : randomSeries(length, seed);
        expect(tradesOf(scaled(series, factor), code, given, executeOn)).toEqual(
          tradesOf(series, code, given, executeOn),
        );
      }),
      { numRuns: 800 },
    );
  });

  it('do not depend on bars before the longest window', () => {
    const windowed = ['sma_cross', 'donchian', 'bollinger_reversion', 'roc_momentum', 'buy_hold'];
    fc.assert(
      fc.property(
        arbitraryRun(windowed),
        factors,
        fc.integer({ min: 0, max: 80 }),
        fc.constantFrom(1e-6, 1, 1e9),
        ({ code, given, executeOn, seed, length, isTicks }, factor, more, sizeBefore) => {
          const longest = Math.max(
            2,
            ...Object.entries(given).map(([name, v]) => (/period/.test(name) ? Number(v) : 0)),
          );
          const made = isTicks ? tickSeries(length + more, seed, factor) : randomSeries(length + more, seed);
          const whole = mapSeries(made, (value, column, i) =>
            column === 'day' || i >= more ? value : value * sizeBefore,
          );
          const cut = sliceSeries(whole, more, whole.length);
          expect(tradesOf(cut, code, given, executeOn, longest)).toEqual(
            tradesOf(whole, code, given, executeOn, more + longest),
          );
        },
      ),
      { numRuns: 800 },
    );
  });
});

describe('single comparisons', () => {
  it('hold a position whose close is at the chandelier stop', () => {
    // True range 2 throughout; peak 26, so that a stop half a range below it is at 25.
    const bars = Array.from({ length: 30 }, (_, i) => (i < 10 ? [24, 25, 23, 24] : [25, 26, 24, 25]) as Bar);
    const given = { sma_period: 5, atr_period: 3, entry_mult: 0, exit_mult: 0.5 };
    for (let part = 1; part <= 60; part++) {
      const series = scaled(seriesOf(bars), 1 / part);
      expect(tradesOf(series, 'chandelier', given)).toEqual([[series.day[10], series.day[29], 'end_of_data']]);
    }
  });

  it('compare closes where the ROC is compared with a level', () => {
    const alternating = seriesOf(Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? 0.3 : 0.1 * 3)));
    expect(tradesOf(alternating, 'roc_momentum', { period: 2 })).toEqual([]);
    for (let price = 1; price < 200; price++) {
      const series = seriesOf([price, price, price * 1.04, price * 1.04, price * 1.04]);
      expect(tradesOf(series, 'roc_momentum', { period: 2, entry_above: 4, exit_below: 4 })).toEqual([]);
    }
  });

  it('ignore the rounding errors of a MACD', () => {
    const equal = seriesOf(Array.from({ length: 200 }, (_, i) => (i % 9 === 4 ? 41.37 : 41.37 * (1 + 4e-16))));
    expect(tradesOf(equal, 'macd', { fast_period: 3, slow_period: 7, signal_period: 3 })).toEqual([]);
  });

  it('find a close that rises above the band from a tie with it', () => {
    const series = seriesOf(Array.from({ length: 30 }, (_, i) => (i < 19 ? 0.3 : i === 19 ? 0.1 * 3 : 0.33)));
    const given = { sma_period: 5, atr_period: 3, entry_mult: 0, exit_mult: 20, entry_mode: 'cross' };
    expect(tradesOf(series, 'chandelier', given)).toEqual([[series.day[20], series.day[29], 'end_of_data']]);
  });

  it('count a tie between two closes as no change in the RSI', () => {
    const adjusted = Float64Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 0.3 : 0.1 * 3));
    expect(adjusted[0]).not.toBe(adjusted[1]);
    expect([...indicators.rsi(adjusted, 5).subarray(5)]).toEqual(Array(25).fill(50));
  });
});

const MARKET = fileURLToPath(new URL('../../../../shared/data/market/daily/consolidated/2025.csv.gz', import.meta.url));
const hasMarket = existsSync(MARKET);
if (!hasMarket) process.stderr.write('SKIPPED: trades on real bars, which are not available\n');
const describeWithData = hasMarket ? describe : describe.skip;

/** Reads the bars of each symbol from a file of daily bars. */
function readMarket(): BarSeries[] {
  const [head, ...lines] = gunzipSync(readFileSync(MARKET)).toString().trim().split(/\r?\n/);
  const names = head.split(',');
  const rows = lines.map((line) => line.split(','));
  const column = (name: string) => names.indexOf(name);
  return [...Map.groupBy(rows, (row) => row[column('symbol')]).values()].map((bars) =>
    seriesOf(
      bars.map((row) => ['open', 'high', 'low', 'close'].map((name) => Number(row[column(name)])) as unknown as Bar),
    ),
  );
}

describeWithData('trades on real bars', () => {
  it('do not depend on the scale of the prices, nor on the start of the history', () => {
    const market = readMarket();
    expect(market.length).toBeGreaterThan(100);
    const given = { fast_period: 2, slow_period: 3 };
    for (const series of market.filter(({ length }) => length > 100)) {
      const trades = tradesOf(series, 'sma_cross', given, 'close', 60);
      expect(tradesOf(scaled(series, 1 / 7), 'sma_cross', given, 'close', 60)).toEqual(trades);
      expect(tradesOf(sliceSeries(series, 57, series.length), 'sma_cross', given, 'close', 3)).toEqual(trades);
    }
  });
});
