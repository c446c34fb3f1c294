/** Compares backtests with a second implementation, public libraries, general properties, and golden runs. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type BacktestSettings, runBacktest } from '../../../engine/backtest/backtest.ts';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { metricsOf } from '../../../engine/backtest/metrics.ts';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import * as indicators from '../../../engine/indicators/indicators.ts';
import { dayOf, formatDay, requireDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { rangeStart, selectRange, TIME_RANGES } from '../../../engine/market/time-range.ts';
import { CONSOLIDATED_FROM, spliceSeries } from '../../../engine/market/venue-basis.ts';
import {
  effectiveParameters,
  paramsSchema,
  requireStrategy,
  STRATEGIES,
} from '../../../engine/strategies/catalogue.ts';
import type { Parameter, ParameterValues } from '../../../engine/strategies/parameters.ts';
import { required } from '../../../engine/util/values.ts';
import { referenceIndicators, referenceRun } from '../../support/reference-engine.ts';
import { mapSeries, randomSeries, seriesOf } from '../../support/series.ts';

const KNOWN_ANSWERS = fileURLToPath(new URL('../../../../shared/data/known-answers/', import.meta.url));
const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
};

function valuesOf(code: string, given: ParameterValues = {}): ParameterValues {
  const effective = effectiveParameters(requireStrategy(code), given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return effective.values;
}

function run(
  series: BarSeries,
  code: string,
  given: ParameterValues = {},
  execution: Partial<Execution> = {},
  [from, to] = [0, series.length],
) {
  return runStrategy(requireStrategy(code), valuesOf(code, given), {
    series,
    from,
    to,
    execution: { ...FREE, ...execution },
    finalReason: 'end_of_data',
  });
}

const closeTo = (actual: number, expected: number, tolerance = 1e-9) =>
  Object.is(actual, expected) || Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected));

/** Returns allowed values of a parameter that are small enough for short series. */
function arbitraryOf(parameter: Parameter): fc.Arbitrary<number | string | boolean> {
  if (parameter.kind === 'flag') return fc.boolean();
  if (parameter.kind === 'choice') return fc.constantFrom(...parameter.values);
  const [min, max] = [parameter.min, Math.min(parameter.max, parameter.min + 40)];
  if (parameter.kind === 'number')
    return fc.double({ min, max, noNaN: true }).map((value) => Math.round(value * 100) / 100);
  return fc.integer({ min, max }).filter((value) => value !== parameter.except);
}

const arbitraryRun = fc.constantFrom(...STRATEGIES).chain((strategy) =>
  fc.record({
    strategy: fc.constant(strategy),
    given: fc
      .record(Object.fromEntries(Object.entries(strategy.parameters).map(([name, p]) => [name, arbitraryOf(p)])))
      .filter((given) => 'values' in effectiveParameters(strategy, given)),
    execution: fc.record({
      executeOn: fc.constantFrom('close' as const, 'next_open' as const),
      commissionRate: fc.constantFrom(0, 0.001, 0.05),
      minCommission: fc.constantFrom(0, 1, 5_000, 200_000),
      slippageBps: fc.constantFrom(0, 5, 100),
      initialCapital: fc.constantFrom(100_000, 1_000),
    }),
    seed: fc.integer({ min: 1, max: 1e6 }),
    length: fc.integer({ min: 1, max: 160 }),
    cut: fc.nat(60),
  }),
);

describe('indicators', () => {
  it('equal their definitions, from the first defined bar on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 2, max: 40 }),
        (seed, length, n) => {
          const series = randomSeries(length, seed);
          const { close, high, low } = series;
          const is = referenceIndicators(series);
          const macd = indicators.macd(close, n, n + 7, 5);
          const macdIs = is.macd(n, n + 7, 5);
          const pairs: [Float64Array, (t: number) => number][] = [
            [indicators.sma(close, n), is.sma(n)],
            [indicators.ema(close, n), is.ema(n)],
            [indicators.trueRange(series), is.trueRange],
            [indicators.atr(series, n), is.atr(n)],
            [indicators.rsi(close, n), is.rsi(n)],
            [macd.line, macdIs.line],
            [macd.signal, macdIs.signal],
            [indicators.stdev(close, n), is.stdev(n)],
            [indicators.highestBefore(high, n), is.highestBefore(n)],
            [indicators.lowestBefore(low, n), is.lowestBefore(n)],
            [indicators.roc(close, n), is.roc(n)],
            [indicators.volatility(close, n), is.volatility(n)],
          ];
          for (const [column, definition] of pairs) {
            for (let t = 0; t < length; t++) if (!closeTo(column[t], definition(t))) return false;
          }
          return true;
        },
      ),
    );
  });

  it('are exact on flat, short, and wildly scaled series', () => {
    const flat = new Float64Array(50).fill(0.1);
    expect(new Set(indicators.sma(flat, 7).subarray(6)).size).toBe(1);
    expect(indicators.stdev(flat, 5)[20]).toBe(0);
    expect(indicators.rsi(flat, 5)[20]).toBe(50);
    expect(
      indicators.rsi(
        Float64Array.from({ length: 20 }, (_, i) => 1 + i),
        5,
      )[19],
    ).toBe(100);
    expect([...indicators.sma(Float64Array.of(1), 2)]).toEqual([Number.NaN]);
    expect([...indicators.ema(Float64Array.of(1), 2)]).toEqual([Number.NaN]);
    // A chain of reverse splits: prices of 10^9 long before prices of 1.
    const fallen = Float64Array.from({ length: 400 }, (_, i) =>
      i < 200 ? 1e9 * (1 + 0.1 * Math.sin(i)) : 1 + 0.1 * Math.sin(i),
    );
    const is = referenceIndicators({ ...seriesOf([]), close: fallen, length: 400 }).sma(20);
    const mean = indicators.sma(fallen, 20);
    for (let t = 230; t < 400; t++) expect(closeTo(mean[t], is(t), 1e-9)).toBe(true);
  });
});

describe('a run', () => {
  it('equals the run of a second implementation', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ strategy, given, execution, seed, length, cut }) => {
        const series = randomSeries(length, seed);
        const range: [number, number] = [Math.min(cut, length - 1), length];
        const ours = run(series, strategy.code, given, execution, range);
        const theirs = referenceRun(series, range, strategy.code, valuesOf(strategy.code, given), execution);
        expect(ours.trades.map((t) => [t.entryIndex, t.exitIndex, t.exitReason])).toEqual(
          theirs.trades.map((t) => [t.entry, t.exit, t.reason]),
        );
        ours.trades.forEach((trade, i) => {
          const other = theirs.trades[i];
          for (const [a, b] of [
            [trade.entryPrice, other.entryPrice],
            [trade.exitPrice, other.exitPrice],
            [trade.shares, other.shares],
            [trade.pnl, other.pnl],
            [trade.maePct, other.mae],
            [trade.mfePct, other.mfe],
          ]) {
            if (!closeTo(a, b, 1e-8)) throw new Error(`trade ${i}: ${a} is not ${b}`);
          }
        });
        expect(ours.barsExposed).toBe(theirs.exposed);
        return ours.equity.every((value, i) => closeTo(value, theirs.equity[i], 1e-8));
      }),
      { numRuns: 600 },
    );
  });

  const trades = (series: BarSeries, code: string, given: ParameterValues, execution: Partial<Execution> = {}) =>
    run(series, code, given, execution).trades.map((t) => [t.entryIndex, t.exitIndex, t.exitReason]);

  it('scales with its prices', () => {
    fc.assert(
      fc.property(
        arbitraryRun,
        fc.constantFrom(0.125, 4, 1024),
        ({ strategy, given, execution, seed, length }, scale) => {
          const series = randomSeries(length, seed);
          const scaled = mapSeries(series, (value, column) =>
            column === 'day' || column === 'volume' ? value : value * scale,
          );
          const [before, after] = [series, scaled].map((s) => run(s, strategy.code, given, execution));
          expect(after.trades.map((t) => t.pnlPct)).toEqual(before.trades.map((t) => t.pnlPct));
          expect([...after.equity]).toEqual([...before.equity]);
        },
      ),
    );
  });

  it('does not depend on the future: cutting the series changes no closed trade', () => {
    fc.assert(
      fc.property(arbitraryRun, fc.nat(159), ({ strategy, given, execution, seed, length }, at) => {
        const series = randomSeries(length, seed);
        const known = sliceSeries(series, 0, Math.max(1, Math.min(at, length)));
        const whole = run(series, strategy.code, given, execution).trades;
        const past = run(known, strategy.code, given, execution).trades.filter(
          (trade) => trade.exitReason !== 'end_of_data',
        );
        expect(whole.slice(0, past.length)).toEqual(past);
      }),
    );
  });

  it('fills at the next open by the closes before it, whatever that bar does after its open', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ strategy, given, seed, length }) => {
        const series = randomSeries(length, seed);
        const execution = { executeOn: 'next_open' } as const;
        const before = run(series, strategy.code, given, execution).trades;
        for (const { entryIndex } of before.slice(0, 2)) {
          const changed = mapSeries(series, (value, column, i) =>
            i < entryIndex || column === 'day' || column === 'open' ? value : value * 1.5,
          );
          const again = run(changed, strategy.code, given, execution).trades;
          if (entryIndex === length - 1) continue;
          expect(again.some((trade) => trade.entryIndex === entryIndex)).toBe(true);
        }
      }),
    );
  });

  it('ends with the capital and the profits of its trades, and costs never help', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ strategy, given, execution, seed, length }) => {
        const series = randomSeries(length, seed);
        const result = run(series, strategy.code, given, execution);
        const sum = result.trades.reduce((total, trade) => total + trade.pnl, Number(execution.initialCapital));
        expect(closeTo(sum, result.equity[length - 1], 1e-9)).toBe(true);
        const { executeOn, initialCapital } = execution;
        const free = run(series, strategy.code, given, { ...FREE, executeOn, initialCapital });
        // A cost that cannot be paid keeps out of the market, which may help.
        if (free.trades.length !== result.trades.length) return;
        expect(free.equity[length - 1]).toBeGreaterThanOrEqual(result.equity[length - 1] - 1e-6);
      }),
    );
  });

  it('exits for the first reason in order, and counts the same bars held in both modes', () => {
    const falling = seriesOf([10, 10, 8, 8, 8]);
    expect(trades(falling, 'buy_hold', { stop_loss_pct: 10, max_bars: 2 })).toEqual([
      [0, 2, 'stop_loss'],
      [3, 4, 'end_of_data'],
    ]);
    const rising = seriesOf([10, 10, 12, 12, 12, 12]);
    expect(trades(rising, 'buy_hold', { take_profit_pct: 20, max_bars: 2 })[0]).toEqual([0, 2, 'take_profit']);
    const flat = seriesOf(Array(8).fill(10));
    expect(trades(flat, 'buy_hold', { max_bars: 2 })).toEqual([
      [0, 2, 'time_stop'],
      [3, 5, 'time_stop'],
      [6, 7, 'end_of_data'],
    ]);
    expect(trades(flat, 'buy_hold', { max_bars: 2 }, { executeOn: 'next_open' })).toEqual([
      [1, 3, 'time_stop'],
      [4, 6, 'time_stop'],
    ]);
  });

  it('makes no entry on the last bar and closes an open position there', () => {
    expect(trades(seriesOf([10]), 'buy_hold', {})).toEqual([]);
    expect(trades(seriesOf([10, 11]), 'buy_hold', {})).toEqual([[0, 1, 'end_of_data']]);
    expect(trades(seriesOf([10, 11]), 'buy_hold', {}, { executeOn: 'next_open' })).toEqual([]);
    expect(trades(seriesOf([10, 11, 12]), 'buy_hold', {}, { executeOn: 'next_open' })).toEqual([[1, 2, 'end_of_data']]);
  });

  it('pays the larger of rate and minimum, and does not buy without the cash for the commission', () => {
    const series = seriesOf([100, 100, 200]);
    const [trade] = run(series, 'buy_hold', {}, { commissionRate: 0.01, slippageBps: 100 }).trades;
    const notional = 100_000 / 1.01;
    expect(trade.entryPrice).toBe(101);
    expect(trade.exitPrice).toBe(198);
    expect(trade.shares).toBeCloseTo(notional / 101, 9);
    expect(trade.commission).toBeCloseTo(0.01 * notional + (0.01 * notional * 198) / 101, 6);
    expect(run(series, 'buy_hold', {}, { minCommission: 100_000 }).trades).toEqual([]);
    expect([...run(series, 'buy_hold', {}, { minCommission: 100_000 }).equity]).toEqual([100_000, 100_000, 100_000]);
  });

  it('counts the last bar in full for a position that is closed at the end, in either mode', () => {
    const series = seriesOf([100, 100, [100, 101, 99, 100], [100, 150, 40, 110]]);
    for (const executeOn of EXECUTE_ON) {
      const [trade] = run(series, 'buy_hold', {}, { executeOn }).trades;
      expect([trade.exitReason, trade.maePct, trade.mfePct]).toEqual(['end_of_data', -60, 50]);
    }
    // After a sale at an open, the rest of that bar is not held.
    const [sold] = run(
      seriesOf([100, 100, [100, 101, 99, 100], [100, 150, 40, 110], 110]),
      'buy_hold',
      { max_bars: 2 },
      { executeOn: 'next_open' },
    ).trades;
    expect([sold.exitIndex, sold.maePct, sold.mfePct]).toEqual([3, expect.closeTo(-1, 9), expect.closeTo(1, 9)]);
  });

  it('caps the commission of a sale at its proceeds, so that equity never falls below 0', () => {
    const series = seriesOf([100, 100, 1, 1, 1, 1]);
    const costs = { minCommission: 60_000, slippageBps: 1 };
    const { trades, equity } = run(series, 'buy_hold', { max_bars: 2 }, costs);
    expect(trades).toHaveLength(1);
    const [{ shares, exitPrice, commission, pnl, pnlPct }] = trades;
    expect(commission).toBe(60_000 + shares * exitPrice);
    expect([pnl, pnlPct]).toEqual([-100_000, -100]);
    expect([...equity.subarray(2)]).toEqual([0, 0, 0, 0]);
    const figures = metricsOf(series, { trades, equity, barsExposed: 2 }, FREE.initialCapital);
    expect(figures).toMatchObject({
      totalPnlPct: -100,
      annualizedPct: -100,
      maxDrawdownPct: 100,
      maxDrawdownDays: 5,
      calmar: -1,
      finalEquity: 0,
    });
    // One return of each: to the first bar, to the second, of everything lost, and three of nothing.
    const returns = [equity[0] / 100_000 - 1, equity[1] / equity[0] - 1, -1, 0, 0, 0];
    const mean = returns.reduce((sum, r) => sum + r, 0) / 6;
    const stdev = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 5);
    expect(figures.sharpe).toBeCloseTo((mean / stdev) * Math.sqrt(252), 9);
    expect(Object.values(figures).filter((value) => value !== null && !Number.isFinite(value))).toEqual([]);
  });
});

describe('metrics', () => {
  const of = (closes: number[], given: ParameterValues = {}) => {
    const series = seriesOf(closes);
    return metricsOf(series, run(series, 'buy_hold', given), FREE.initialCapital);
  };

  it('are null where they are undefined', () => {
    expect(of([10])).toMatchObject({
      numTrades: 0,
      winRate: null,
      annualizedPct: null,
      sharpe: null,
      sortino: null,
      calmar: null,
      profitFactor: null,
      avgTradePct: null,
      bestTradePct: null,
      worstTradePct: null,
      avgBarsHeld: null,
      maxDrawdownPct: 0,
      maxDrawdownDays: 0,
      exposurePct: 0,
      totalPnlPct: 0,
    });
    expect(of([10, 10, 10])).toMatchObject({
      numTrades: 1,
      winRate: 0,
      sharpe: null,
      sortino: null,
      profitFactor: null,
    });
    expect(of([10, 11, 12])).toMatchObject({ winRate: 100, profitFactor: null, sortino: null, calmar: null });
    expect(of([10, 9, 8])).toMatchObject({ winRate: 0, profitFactor: 0 });
  });

  it('equal a calculation by hand', () => {
    const figures = of([100, 110, 99, 120]);
    expect(figures.totalPnlPct).toBeCloseTo(20, 9);
    expect(figures.annualizedPct).toBeCloseTo(100 * (1.2 ** (365.25 / 3) - 1), 0);
    expect(figures.maxDrawdownPct).toBeCloseTo(10, 9);
    expect(figures.maxDrawdownDays).toBe(2);
    const returns = [0, 0.1, -0.1, 120 / 99 - 1];
    const mean = returns.reduce((a, b) => a + b) / 4;
    const stdev = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 3);
    expect(figures.sharpe).toBeCloseTo((mean / stdev) * Math.sqrt(252), 9);
    expect(figures.sortino).toBeCloseTo((mean / Math.sqrt(0.01 / 4)) * Math.sqrt(252), 9);
    expect(figures.exposurePct).toBe(75);
    expect(figures.buyHoldPnlPct).toBeCloseTo(20, 9);
    expect(figures.excessReturnPct).toBeCloseTo(0, 9);
  });

  it('count as wins the trades whose percentage is above 0 as it is reported', () => {
    const series = seriesOf([10, 11]);
    const held = run(series, 'buy_hold');
    const trades = [0.00004, 0.00006, -0.00004].map((pnlPct) => ({ ...held.trades[0], pnlPct, pnl: 1_000 * pnlPct }));
    const { winRate, profitFactor } = metricsOf(series, { ...held, trades }, FREE.initialCapital);
    expect(winRate).toBeCloseTo(100 / 3, 9);
    expect(profitFactor).toBeCloseTo(2.5, 9);
  });

  it('count a drawdown without a recovery until the end', () => {
    expect(of([100, 90, 95, 92])).toMatchObject({ maxDrawdownDays: 3 });
    expect(of([100, 90, 100, 92])).toMatchObject({ maxDrawdownDays: 2 });
  });
});

describe('a backtest', () => {
  const plan = (change: Partial<BacktestSettings> = {}): BacktestSettings => ({
    strategy: 'sma_cross',
    params: valuesOf('sma_cross', { fast_period: 3, slow_period: 8 }),
    timeRange: 'MAX',
    start: null,
    end: null,
    adjust: 'split',
    execution: FREE,
    ...change,
  });
  const lifetime = { listedOn: null, delistedOn: null };
  const asOf = dayOf(2030, 1, 1);
  const outcomeOf = (
    series: BarSeries,
    events: Parameters<typeof runBacktest>[1]['events'] = [],
    change: Partial<BacktestSettings> = {},
  ) => {
    const outcome = runBacktest(plan(change), { series, events, lifetime, asOf });
    if (!outcome) throw new Error('no bars in the range');
    return outcome;
  };

  it('does not change when a split comes with its factor', () => {
    const series = randomSeries(200, 5);
    const at = 120;
    const split = mapSeries(series, (value, column, i) =>
      i >= at && column !== 'day' ? (column === 'volume' ? value * 4 : value / 4) : value,
    );
    const events = [{ exDay: series.day[at], kind: 'split' as const, factor: 0.25 }];
    const [before, after] = [outcomeOf(series), outcomeOf(split, events)];
    expect(after.metrics).toEqual(before.metrics);
    expect(after.run.equity).toEqual(before.run.equity);
    const gains = ({ run }: typeof before) => run.trades.map((t) => [t.entryIndex, t.exitIndex, t.pnl, t.pnlPct]);
    expect(gains(after)).toEqual(gains(before));
    expect(outcomeOf(split, events, { adjust: 'none' }).metrics).not.toEqual(before.metrics);
  });

  it('does not depend on bars and events after its end', () => {
    const series = randomSeries(200, 6);
    const end = series.day[150];
    const events = [{ exDay: series.day[170], kind: 'split' as const, factor: 0.5 }];
    expect(outcomeOf(series, events, { end })).toEqual(outcomeOf(sliceSeries(series, 0, 151)));
  });

  it('counts a time range back from the last bar, or from the last bar up to its end', () => {
    const series = randomSeries(400, 8);
    const of = (end: number | null) =>
      runBacktest(plan({ timeRange: '6M', end }), { series, events: [], lifetime, asOf: series.day[399] + 1 });
    const startBefore = (day: number) => series.day.findIndex((one) => one >= required(rangeStart('6M', day)));
    expect(of(null)?.offset).toBe(startBefore(series.day[399]));
    expect(of(series.day[300])).toMatchObject({
      offset: startBefore(series.day[300]),
      bars: { length: expect.any(Number) },
    });
    // A Sunday counts back from the Friday before it.
    const friday = series.day.findIndex((day, i) => i > 200 && series.day[i + 1] - day === 3);
    expect(of(series.day[friday] + 2)).toMatchObject({ ...of(series.day[friday]), rangeReasons: [] });
    expect(of(series.day[0] - 1)).toBeNull();
    // An end after the newest bar only adds a reason.
    expect(of(series.day[399] + 100)).toMatchObject({
      offset: startBefore(series.day[399]),
      rangeReasons: ['after_data_end'],
    });
  });

  it('warms its indicators up before the range', () => {
    const series = randomSeries(200, 7);
    const late = runBacktest(
      plan({ start: series.day[100], strategy: 'roc_momentum', params: valuesOf('roc_momentum') }),
      { series, events: [], lifetime, asOf },
    );
    expect(late?.offset).toBe(100);
    expect(late?.run.trades[0]?.entryIndex).toBeGreaterThanOrEqual(100);
  });

  it('closes a delisted instrument at its last bar as delisted', () => {
    const series = randomSeries(60, 8);
    const buyHold = plan({ strategy: 'buy_hold', params: valuesOf('buy_hold') });
    const reasonOf = (delistedOn: number | null, end: number | null = null) =>
      runBacktest({ ...buyHold, end }, { series, events: [], lifetime: { listedOn: null, delistedOn }, asOf })?.run
        .trades[0].exitReason;
    const last = series.day[59];
    expect(reasonOf(last)).toBe('delisted');
    expect(reasonOf(last + 3)).toBe('delisted');
    expect(reasonOf(null)).toBe('end_of_data');
    expect(reasonOf(last, last - 10)).toBe('end_of_data');
    expect(reasonOf(asOf + 1)).toBe('end_of_data');
  });

  it('gives identical bytes in another process', () => {
    const code = `
      import { randomSeries } from './test/support/series.ts';
      import { effectiveParameters, requireStrategy } from './engine/strategies/catalogue.ts';
      import { runBacktest } from './engine/backtest/backtest.ts';
      const { values } = effectiveParameters(requireStrategy('chandelier'), {});
      const execution = { executeOn: 'next_open', commissionRate: 0.001, minCommission: 1, slippageBps: 5, initialCapital: 100000 };
      const outcome = runBacktest({ strategy: 'chandelier', params: values, timeRange: '1Y', start: null, end: null, adjust: 'split', execution },
        { series: randomSeries(600, 99), events: [], lifetime: { listedOn: null, delistedOn: null }, asOf: 99999 });
      process.stdout.write(JSON.stringify(outcome));`;
    const cwd = fileURLToPath(new URL('../../..', import.meta.url));
    const [first, second] = [1, 2].map(() =>
      execFileSync(process.execPath, ['--input-type=module-typescript', '-e', code], { cwd, encoding: 'utf8' }),
    );
    expect(first).toBe(second);
    expect(first.length).toBeGreaterThan(10_000);
  });

  it.each(STRATEGIES.flatMap(({ code }) => (['close', 'next_open'] as const).map((mode) => [code, mode] as const)))(
    'keeps the golden figures of %s at %s',
    (code, executeOn) => {
      const execution = { ...FREE, executeOn, commissionRate: 0.0005, minCommission: 1, slippageBps: 2 };
      const outcome = runBacktest(plan({ strategy: code, params: valuesOf(code), execution }), {
        series: randomSeries(700, 2024),
        events: [],
        lifetime,
        asOf,
      });
      const nine = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);
      const figures = Object.fromEntries(
        Object.entries(outcome?.metrics ?? {}).map(([name, value]) => [name, nine(value)]),
      );
      const firstTrades = outcome?.run.trades
        .slice(0, 3)
        .map((trade) => Object.fromEntries(Object.entries(trade).map(([k, v]) => [k, nine(v)])));
      expect({ figures, firstTrades }).toMatchSnapshot();
    },
  );
});

describe('a time range', () => {
  it.each([
    ['1M', '2024-03-31', '2024-02-29'],
    ['3M', '2024-05-31', '2024-02-29'],
    ['6M', '2024-01-15', '2023-07-15'],
    ['1Y', '2024-02-29', '2023-02-28'],
    ['4Y', '2024-02-29', '2020-02-29'],
    ['YTD', '2024-07-04', '2024-01-01'],
    ['10Y', '2024-12-31', '2014-12-31'],
  ] as const)('%s before %s begins on %s', (range, newest, start) => {
    expect(formatDay(required(rangeStart(range, requireDay(newest))))).toBe(start);
  });

  it('is the whole history for MAX', () => {
    expect(rangeStart('MAX', 20_000)).toBeNull();
    expect(TIME_RANGES).toHaveLength(14);
  });

  it('gives the reasons why bars do not fill it', () => {
    const series = seriesOf([1, 2, 3], 1000);
    const reasons = (start: number | null, end: number | null, listedOn: number | null, delistedOn: number | null) =>
      selectRange(series, start, end, { listedOn, delistedOn }).reasons;
    expect(reasons(1000, 1002, null, null)).toEqual([]);
    expect(reasons(null, null, 900, null)).toEqual([]);
    expect(reasons(999, null, 999, null)).toEqual(['before_listing']);
    expect(reasons(999, null, 998, null)).toEqual(['before_data_start']);
    expect(reasons(999, 1003, null, 1002)).toEqual(['before_data_start', 'after_delisting']);
    expect(reasons(1001, 1003, null, null)).toEqual(['after_data_end']);
    expect(selectRange(series, 2000, null, { listedOn: null, delistedOn: null })).toMatchObject({ from: 3, to: 3 });
  });
});

describe('a spliced history', () => {
  it('has the primary session before 2024-07-01 and all venues from then on', () => {
    const primary = seriesOf([1, 2, 3, 4], CONSOLIDATED_FROM - 2);
    const consolidated = seriesOf([10, 20, 30, 40], CONSOLIDATED_FROM - 1);
    const spliced = spliceSeries(primary, consolidated, CONSOLIDATED_FROM + 1);
    expect([...spliced.day].map((day) => day - CONSOLIDATED_FROM)).toEqual([-2, -1, 0, 1]);
    expect([...spliced.close]).toEqual([1, 2, 20, 30]);
    expect(spliceSeries(primary, consolidated, CONSOLIDATED_FROM - 2).length).toBe(1);
    expect(spliceSeries(allocateSeries(0), consolidated, CONSOLIDATED_FROM).length).toBe(1);
  });
});

describe('the catalogue', () => {
  it('has the eight strategies with labels in three languages and valid defaults', () => {
    expect(STRATEGIES.map(({ code }) => code)).toEqual([
      ...[
        'chandelier',
        'sma_cross',
        'donchian',
        'rsi_reversion',
        'bollinger_reversion',
        'macd',
        'roc_momentum',
        'buy_hold',
      ],
    ]);
    for (const strategy of STRATEGIES) {
      expect(effectiveParameters(strategy, {})).toHaveProperty('values');
      for (const { label } of [strategy, ...Object.values(strategy.parameters)]) {
        expect(new Set([label.en, label['zh-CN'], label['zh-TW']]).has('')).toBe(false);
        expect(label.en).not.toBe(label['zh-CN']);
      }
      expect(paramsSchema(strategy)).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it.each([
    ['sma_cross', { fast_period: 50, slow_period: 50 }, 'fast_period'],
    ['sma_cross', { fast_period: 1 }, 'fast_period'],
    ['sma_cross', { fast_period: 2.5 }, 'fast_period'],
    ['sma_cross', { fast_period: '20' }, 'fast_period'],
    ['sma_cross', { sma_period: 20 }, 'sma_period'],
    ['sma_cross', { __proto__x: 1 }, '__proto__x'],
    ['chandelier', { entry_mode: 'never' }, 'entry_mode'],
    ['chandelier', { ratchet: 1 }, 'ratchet'],
    ['chandelier', { exit_mult: Number.NaN }, 'exit_mult'],
    ['rsi_reversion', { trend_period: 1 }, 'trend_period'],
    ['buy_hold', { stop_loss_pct: 101 }, 'stop_loss_pct'],
    ['buy_hold', { max_bars: null }, 'max_bars'],
  ])('%s refuses %j', (code, given, name) => {
    const effective = effectiveParameters(requireStrategy(code), given);
    expect('refused' in effective && effective.refused.map((parameter) => parameter.name)).toEqual([name]);
  });
});

const hasKnownAnswers = existsSync(KNOWN_ANSWERS);
if (!hasKnownAnswers) process.stderr.write('SKIPPED: known answers over real bars, which are not available\n');
const describeWithData = hasKnownAnswers ? describe : describe.skip;

describeWithData('known answers of public libraries over real bars', () => {
  const rows = (file: string) => {
    const [head, ...lines] = readFileSync(`${KNOWN_ANSWERS}${file}`, 'utf8').trim().split('\n');
    const names = head.split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i].toLowerCase(), cell])));
  };
  const load = (file: string) => {
    const bars = rows(file);
    const series = allocateSeries(bars.length);
    bars.forEach((bar, i) => {
      series.day[i] = requireDay((bar.date ?? bar['']).slice(0, 10));
      for (const column of ['open', 'high', 'low', 'close', 'volume'] as const) series[column][i] = Number(bar[column]);
    });
    return series;
  };

  it('equal the indicators', () => {
    const spy = load('quotes_spy_2017_2018.csv');
    const mean = indicators.sma(spy.close, 20);
    const stdev = indicators.stdev(spy.close, 20);
    const columns: Record<string, (t: number) => number> = {
      'sma.sma': (t) => mean[t],
      'ema.ema': (t) => indicators.ema(spy.close, 20)[t],
      'tr.tr': (t) => indicators.trueRange(spy)[t],
      'atr.atr': (t) => indicators.atr(spy, 14)[t],
      'bb.upperband': (t) => mean[t] + 2 * stdev[t],
      'bb.lowerband': (t) => mean[t] - 2 * stdev[t],
      'donchian.upperband': (t) => indicators.highestBefore(spy.high, 20)[t],
      'donchian.lowerband': (t) => indicators.lowestBefore(spy.low, 20)[t],
    };
    rows('indicators_spy_2017_2018.csv').forEach((row, t) => {
      for (const [name, figure] of Object.entries(columns)) {
        if (row[name]) expect([name, t, closeTo(figure(t), Number(row[name]))]).toEqual([name, t, true]);
      }
    });
  });

  it.each([
    ['close', 'long_close'],
    ['next_open', 'long_next_open'],
  ] as const)('equal the trades of a crossover that fills at the %s', (executeOn, file) => {
    const goog = load('goog_2004_2013.csv');
    const { trades } = run(goog, 'sma_cross', { fast_period: 10, slow_period: 30 }, { executeOn });
    const expected = rows(`trades_GOOG_2004_2013_smacross_${file}.csv`);
    const dateOf = (index: number) => formatDay(goog.day[index]);
    expect(trades.length).toBe(expected.length);
    // The last one is open at the end, where that library sells a bar earlier.
    const isClosed = (_: unknown, i: number) => i < trades.length - 1;
    expect(
      trades.filter(isClosed).map((t) => [dateOf(t.entryIndex), t.entryPrice, dateOf(t.exitIndex), t.exitPrice]),
    ).toEqual(
      expected.filter(isClosed).map((t) => [t.entrytime, Number(t.entryprice), t.exittime, Number(t.exitprice)]),
    );
    for (const [i, trade] of trades.filter(isClosed).entries()) {
      expect(trade.pnlPct / 100).toBeCloseTo(Number(expected[i].returnpct), 7);
    }
  });
});
