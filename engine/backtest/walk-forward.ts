/** Walk forward: chooses parameters on a training window and trades the next window with them, over and over. */

import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, sliceSeries } from '../market/series.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { bestOf, type Evaluated, evaluate, type Objective } from './optimize.ts';
import { nightsWithin } from './rates.ts';
import { type RunInput, runStrategy, type Simulation, type Trade } from './simulate.ts';

/** Bars of each window. */
export interface WalkForwardRule {
  readonly trainBars: number;
  readonly testBars: number;
}

export interface WalkForwardWindow {
  readonly trainStart: Day;
  readonly trainEnd: Day;
  readonly testStart: Day;
  readonly testEnd: Day;
  /** Parameters with the best objective over the training bars. */
  readonly params: ParameterValues;
  readonly trainObjective: number | null;
  readonly testPnlPct: number;
  /** Annualized return of the chosen parameters over each window, in percent; null where no time passed. */
  readonly trainAnnualizedPct: number | null;
  readonly testAnnualizedPct: number | null;
}

export interface WalkForwardStep {
  readonly window: WalkForwardWindow;
  readonly run: Simulation;
}

/** Whether a range of `bars` holds at least one complete training and test window. */
export function holdsWindow(bars: number, { trainBars, testBars }: WalkForwardRule): boolean {
  return bars >= trainBars + testBars;
}

/** Number of windows in a range of `bars`; the test of the last one may be shorter. */
export function countWindows(bars: number, { trainBars, testBars }: WalkForwardRule): number {
  return Math.max(0, Math.ceil((bars - trainBars) / testBars));
}

/**
 * Chooses parameters on `trainBars`, trades the next `testBars` with them, and moves on by `testBars` until the range ends.
 * A test starts flat with the final capital of the previous test, which was cash in the night between, and closes its position at its
 * end.
 */
export function* walkForward(
  input: RunInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  objective: Objective,
  { trainBars, testBars }: WalkForwardRule,
): Generator<WalkForwardStep> {
  const { series, execution } = input;
  const indicators = new IndicatorSet(series);
  const nights = (start: number, end: number, isFirst: boolean) =>
    nightsWithin(input.interest, start - input.from, end - input.from, isFirst);
  let capital = execution.initialCapital;
  for (let from = input.from; from + trainBars < input.to; from += testBars) {
    const split = from + trainBars;
    const to = Math.min(split + testBars, input.to);
    const interest = nights(from, split, true);
    const train = { ...input, from, to: split, interest, finalReason: 'end_of_data' } as const;
    const [best] = bestOf(evaluate(train, strategy, combinations, indicators), objective, 1);
    const testInput: RunInput = {
      series,
      from: split,
      to,
      execution: { ...execution, initialCapital: capital },
      interest: nights(split, to, from === input.from),
      finalReason: to === input.to ? input.finalReason : 'end_of_data',
    };
    const run = runStrategy(strategy, best.params, testInput, indicators);
    const test = metricsOf(sliceSeries(series, split, to), run, capital);
    yield { window: windowOf(sliceSeries(series, from, to), trainBars, best, objective, test), run };
    capital = test.finalEquity;
  }
}

function windowOf(
  { day, length }: BarSeries,
  trainBars: number,
  best: Evaluated,
  objective: Objective,
  test: Metrics,
): WalkForwardWindow {
  return {
    trainStart: day[0],
    trainEnd: day[trainBars - 1],
    testStart: day[trainBars],
    testEnd: day[length - 1],
    params: best.params,
    trainObjective: best.metrics[objective],
    testPnlPct: test.totalPnlPct,
    trainAnnualizedPct: best.metrics.annualizedPct,
    testAnnualizedPct: test.annualizedPct,
  };
}

/** All tests of a walk forward, joined into one run. */
export interface StitchedRun {
  /** Bars of the tests. */
  readonly bars: BarSeries;
  readonly run: Simulation;
  readonly metrics: Metrics;
  /** Mean annualized return of the tests ÷ mean annualized return of the training; null unless the latter is positive. */
  readonly efficiency: number | null;
}

export function stitch(input: RunInput, rule: WalkForwardRule, steps: readonly WalkForwardStep[]): StitchedRun {
  const bars = sliceSeries(input.series, input.from + rule.trainBars, input.to);
  const equity = new Float64Array(bars.length);
  const trades: Trade[] = [];
  let [barsExposed, interest] = [0, 0];
  let at = 0;
  for (const { run } of steps) {
    equity.set(run.equity, at);
    at += run.equity.length;
    trades.push(...run.trades);
    barsExposed += run.barsExposed;
    interest += run.interest;
  }
  const run = { trades, equity, barsExposed, interest };
  return {
    bars,
    run,
    metrics: metricsOf(bars, run, input.execution.initialCapital),
    efficiency: efficiencyOf(steps.map(({ window }) => window)),
  };
}

function efficiencyOf(windows: readonly WalkForwardWindow[]): number | null {
  const trained = meanOfDefined(windows.map((window) => window.trainAnnualizedPct));
  const tested = meanOfDefined(windows.map((window) => window.testAnnualizedPct));
  return trained === null || tested === null || trained <= 0 ? null : tested / trained;
}

function meanOfDefined(figures: readonly (number | null)[]): number | null {
  const defined = figures.filter((figure) => figure !== null);
  return defined.length === 0 ? null : defined.reduce((sum, figure) => sum + figure, 0) / defined.length;
}
