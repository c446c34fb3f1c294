/** Walk forward: parameters chosen on training bars, trades on the bars after them, and test windows joined into one run. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Execution } from '../../../engine/backtest/execution.ts';
import { type Metrics, metricsOf } from '../../../engine/backtest/metrics.ts';
import { expandGrid, type Grid, OBJECTIVES, type Objective } from '../../../engine/backtest/optimize.ts';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import {
  countWindows,
  holdsWindow,
  stitch,
  type WalkForwardRule,
  walkForward,
} from '../../../engine/backtest/walk-forward.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { required } from '../../../engine/util/values.ts';
import { randomSeries, seriesOf } from '../../support/series.ts';

const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
};
const strategy = requireStrategy('sma_cross');

function combinationsOf(grid: Grid, of = strategy): readonly ParameterValues[] {
  const expanded = expandGrid(of, grid);
  if ('refused' in expanded) throw new Error(JSON.stringify(expanded.refused));
  return expanded.combinations;
}

const SMALL_GRID = combinationsOf({ fast_period: [3, 5, 8], slow_period: [8, 13] });

function walk(
  series: BarSeries,
  from: number,
  rule: WalkForwardRule,
  execution: Execution = FREE,
  combinations = SMALL_GRID,
  objective: Objective = 'sharpe',
  of = strategy,
) {
  const input = { series, from, to: series.length, execution, finalReason: 'end_of_data' } as const;
  const steps = [...walkForward(input, of, combinations, objective, rule)];
  return { steps, ...stitch(input, rule, steps) };
}

/** Runs one window separately. */
function single(
  series: BarSeries,
  values: ParameterValues,
  execution: Execution,
  from: number,
  to: number,
  of = strategy,
) {
  const run = runStrategy(of, values, { series, from, to, execution, finalReason: 'end_of_data' });
  return { run, metrics: metricsOf(sliceSeries(series, from, to), run, execution.initialCapital) };
}

const closeTo = (actual: number, expected: number) =>
  Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));

describe('a grid', () => {
  it('lists its combinations in order, without those whose parameters are out of order', () => {
    expect(SMALL_GRID.map(({ fast_period, slow_period }) => [fast_period, slow_period])).toEqual([
      [3, 8],
      [3, 13],
      [5, 8],
      [5, 13],
      [8, 13],
    ]);
  });
});

describe('a walk forward', () => {
  it('chooses on the training bars and trades the next bars with the final capital of the previous test', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer({ min: 1, max: 1e6 }),
          from: fc.integer({ min: 0, max: 40 }),
          length: fc.integer({ min: 140, max: 260 }),
          trainBars: fc.integer({ min: 2, max: 60 }),
          testBars: fc.integer({ min: 1, max: 40 }),
          objective: fc.constantFrom(...OBJECTIVES),
          executeOn: fc.constantFrom('close' as const, 'next_open' as const),
          minCommission: fc.constantFrom(0, 20, 9_000),
        }),
        ({ seed, from, length, trainBars, testBars, objective, executeOn, minCommission }) => {
          const series = randomSeries(length, seed);
          const execution = { ...FREE, executeOn, minCommission };
          const rule = { trainBars, testBars };
          const { steps, bars, run, metrics, efficiency } = walk(series, from, rule, execution, SMALL_GRID, objective);
          expect(steps).toHaveLength(countWindows(length - from, rule));
          const equity: number[] = [];
          const trained: (number | null)[] = [];
          const tested: (number | null)[] = [];
          let [capital, trades, exposed] = [execution.initialCapital, 0, 0];
          for (const [i, { window }] of steps.entries()) {
            const start = from + i * testBars;
            const split = start + trainBars;
            const end = Math.min(split + testBars, length);
            const scores = SMALL_GRID.map((values) => single(series, values, execution, start, split).metrics);
            const best = scores.reduce(
              (first, figures, at) =>
                (figures[objective] ?? -Infinity) > (scores[first][objective] ?? -Infinity) ? at : first,
              0,
            );
            const test = single(series, SMALL_GRID[best], { ...execution, initialCapital: capital }, split, end);
            const gain = capital === 0 ? 0 : 100 * (test.run.equity[end - split - 1] / capital - 1);
            expect(window).toEqual({
              trainStart: series.day[start],
              trainEnd: series.day[split - 1],
              testStart: series.day[split],
              testEnd: series.day[end - 1],
              params: SMALL_GRID[best],
              trainObjective: scores[best][objective],
              testPnlPct: gain,
              trainAnnualizedPct: scores[best].annualizedPct,
              testAnnualizedPct: test.metrics.annualizedPct,
            });
            equity.push(...test.run.equity);
            trained.push(scores[best].annualizedPct);
            tested.push(test.metrics.annualizedPct);
            trades += test.run.trades.length;
            exposed += test.run.barsExposed;
            capital = test.run.equity[end - split - 1];
          }
          expect([...run.equity]).toEqual(equity);
          expect([bars.day[0], bars.length]).toEqual([series.day[from + trainBars], length - from - trainBars]);
          expect([metrics.numTrades, metrics.finalEquity]).toEqual([trades, capital]);
          expect(closeTo(metrics.exposurePct, (100 * exposed) / bars.length)).toBe(true);
          expect(closeTo(metrics.totalPnlPct, 100 * (capital / 100_000 - 1))).toBe(true);
          const mean = (figures: (number | null)[]) => {
            const defined = figures.filter((figure) => figure !== null);
            return defined.reduce((sum, figure) => sum + figure, 0) / defined.length;
          };
          const [before, after] = [mean(trained), mean(tested)];
          if (!(before > 0) || Number.isNaN(after)) expect(efficiency).toBeNull();
          else expect(closeTo(required(efficiency), after / before)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has the metrics of one run over its whole equity curve', () => {
    const series = randomSeries(400, 77);
    const { bars, run, metrics } = walk(series, 50, { trainBars: 120, testBars: 60 });
    expect(bars.length).toBe(230);
    const returns = [...run.equity].map((value, i) => value / (i === 0 ? 100_000 : run.equity[i - 1]) - 1);
    const mean = returns.reduce((sum, r) => sum + r, 0) / 230;
    const stdev = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 229);
    expect(metrics.sharpe).toBeCloseTo((mean / stdev) * Math.sqrt(252), 9);
    const peaks = [...run.equity].map((_, i) => Math.max(100_000, ...run.equity.subarray(0, i + 1)));
    const falls = peaks.map((peak, i) => 100 * (1 - run.equity[i] / peak));
    expect(metrics.maxDrawdownPct).toBeCloseTo(Math.max(...falls), 9);
    expect(metrics.buyHoldPnlPct).toBeCloseTo(100 * (series.close[399] / series.close[170] - 1), 9);
    const days = series.day[399] - series.day[170];
    const growth = run.equity[229] / 100_000;
    expect(metrics.annualizedPct).toBeCloseTo(100 * (growth ** (365.25 / days) - 1), 9);
    const wins = run.trades.filter(({ pnlPct }) => Math.round(1e4 * pnlPct) > 0).length;
    expect(metrics.winRate).toBeCloseTo((100 * wins) / run.trades.length, 9);
  });

  it('trades a last window of a single bar, which has no annualized return and does not count for the efficiency', () => {
    const rule = { trainBars: 50, testBars: 20 };
    const { steps, efficiency } = walk(randomSeries(91, 5), 0, rule, FREE, SMALL_GRID, 'totalPnlPct');
    expect(steps.map(({ run }) => run.equity.length)).toEqual([20, 20, 1]);
    expect(steps[2].window.testAnnualizedPct).toBeNull();
    const annualized = (name: 'trainAnnualizedPct' | 'testAnnualizedPct', count: number) =>
      steps.slice(0, count).reduce((sum, { window }) => sum + required(window[name]), 0) / count;
    expect(efficiency).toBeCloseTo(annualized('testAnnualizedPct', 2) / annualized('trainAnnualizedPct', 3), 9);
  });

  it('takes the first combination where no objective is defined, and continues without money', () => {
    // Nothing ever trades: no win rate.
    const flat = walk(seriesOf(Array(60).fill(10)), 0, { trainBars: 20, testBars: 10 }, FREE, SMALL_GRID, 'winRate');
    expect(flat.steps.map(({ window }) => [window.params, window.trainObjective])).toEqual(
      Array(4).fill([SMALL_GRID[0], null]),
    );
    expect(flat.efficiency).toBeNull();
    // The first test loses everything to its commission.
    const buyHold = requireStrategy('buy_hold');
    const ruin = { ...FREE, minCommission: 60_000 };
    const values = combinationsOf({ max_bars: [3] }, buyHold);
    const prices = seriesOf(Array.from({ length: 60 }, (_, i) => 100 + (i % 7)));
    const lost = walk(prices, 0, { trainBars: 20, testBars: 10 }, ruin, values, 'sharpe', buyHold);
    expect([...lost.run.equity.subarray(9)]).toEqual(Array(31).fill(0));
    expect(lost.steps.map(({ window }) => window.testPnlPct)).toEqual([-100, 0, 0, 0]);
    const figures: (keyof Metrics)[] = ['totalPnlPct', 'annualizedPct', 'maxDrawdownPct', 'finalEquity'];
    expect(figures.map((name) => lost.metrics[name])).toEqual([-100, -100, 100, 0]);
    expect(Object.values(lost.metrics).some((figure) => Number.isNaN(figure))).toBe(false);
  });

  it('needs the bars of one complete window', () => {
    const rule = { trainBars: 20, testBars: 10 };
    expect([29, 30, 31, 40, 41].map((bars) => [holdsWindow(bars, rule), countWindows(bars, rule)])).toEqual([
      [false, 1],
      [true, 1],
      [true, 2],
      [true, 2],
      [true, 3],
    ]);
  });
});
