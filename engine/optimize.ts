/** Optimisation: every combination of a grid, the best of them, a heat map, and a walk forward over unseen bars. */
import type { Day } from './dates.ts';
import { IndicatorSet } from './indicator-set.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { sliceSeries } from './series.ts';
import { type SimulationInput, simulate } from './simulate.ts';
import { effectiveParameters, type OverlayValues, type ParameterFault } from './strategies/catalogue.ts';
import type { ParameterValue, ParameterValues } from './strategies/parameters.ts';
import type { Strategy } from './strategies/strategy.ts';
import { sweep } from './sweep.ts';

/** Figures that may be maximized. */
export const OBJECTIVES = [
  'sharpe',
  'sortino',
  'calmar',
  'total_pnl_pct',
  'annualized_pct',
  'excess_return_pct',
  'profit_factor',
  'win_rate',
] as const satisfies readonly (keyof Metrics)[];
export type Objective = (typeof OBJECTIVES)[number];

export const MAX_COMBINATIONS = 5_000;
const BEST = 50;

/** Values of each parameter of the grid. */
export type Grid = Readonly<Record<string, readonly ParameterValue[]>>;

/**
 * Every combination of a grid over the strategy's defaults, the last parameter running fastest. Those whose parameters
 * stand in the wrong order (a fast period that is no smaller than the slow one) are left out; any other fault is told.
 */
export function expandGrid(
  strategy: Strategy,
  grid: Grid,
): { readonly combinations: readonly ParameterValues[] } | { readonly faults: readonly ParameterFault[] } {
  for (const [name, values] of Object.entries(grid)) {
    for (const value of values) {
      const effective = effectiveParameters({ ...strategy, ordered: undefined }, { [name]: value });
      if ('faults' in effective) return effective;
    }
  }
  let partial: Record<string, ParameterValue>[] = [{}];
  for (const [name, values] of Object.entries(grid)) {
    partial = partial.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value })));
  }
  const combinations: ParameterValues[] = [];
  for (const chosen of partial) {
    const effective = effectiveParameters(strategy, chosen);
    if ('values' in effective) combinations.push(effective.values);
  }
  return { combinations };
}

/** Bars and execution of a run, without what differs between combinations. */
export type OptimizeInput = Omit<SimulationInput, 'signals' | 'overlays'>;

export interface Evaluated {
  readonly params: ParameterValues;
  readonly metrics: Metrics;
}

/** The figures of each combination. */
export function evaluate(
  input: OptimizeInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  indicators = new IndicatorSet(input.series),
): Evaluated[] {
  const bars = sliceSeries(input.series, input.from, input.to);
  const metrics = sweep(input, strategy, combinations, indicators, (run) =>
    metricsOf(bars, run, input.execution.initialCapital),
  );
  return metrics.map((figures, i) => ({ params: combinations[i], metrics: figures }));
}

/** Best first; an undefined objective comes last, equal ones stay in the order of the grid. */
export function bestOf(evaluated: readonly Evaluated[], objective: Objective, count = BEST): Evaluated[] {
  const score = ({ metrics }: Evaluated) => metrics[objective] ?? Number.NEGATIVE_INFINITY;
  return evaluated
    .map((one, i) => ({ one, i, score: score(one) }))
    .sort((a, b) => (a.score === b.score ? a.i - b.i : b.score - a.score))
    .slice(0, count)
    .map(({ one }) => one);
}

export interface HeatMap {
  readonly x: { readonly param: string; readonly values: readonly ParameterValue[] };
  readonly y: { readonly param: string; readonly values: readonly ParameterValue[] };
  /** `cells[row of y][column of x]`: the best objective over all other parameters; null: none is defined. */
  readonly cells: readonly (readonly (number | null)[])[];
}

export function heatMapOf(
  evaluated: readonly Evaluated[],
  grid: Grid,
  [x, y]: readonly [string, string],
  objective: Objective,
): HeatMap {
  const cells: (number | null)[][] = grid[y].map(() => grid[x].map(() => null));
  for (const { params, metrics } of evaluated) {
    const [row, column] = [cells[grid[y].indexOf(params[y])], grid[x].indexOf(params[x])];
    const value = metrics[objective];
    if (value !== null && value > (row[column] ?? Number.NEGATIVE_INFINITY)) row[column] = value;
  }
  return { x: { param: x, values: grid[x] }, y: { param: y, values: grid[y] }, cells };
}

export interface WalkForwardRule {
  readonly trainBars: number;
  readonly testBars: number;
}

export interface WalkForwardWindow {
  readonly trainStart: Day;
  readonly trainEnd: Day;
  readonly testStart: Day;
  readonly testEnd: Day;
  /** Best of the training bars. */
  readonly params: ParameterValues;
  readonly trainObjective: number | null;
  readonly testPnlPct: number;
}

export interface WalkForwardStep {
  readonly window: WalkForwardWindow;
  readonly days: Int32Array;
  /** Money at each bar of the test, going on from the step before. */
  readonly equity: Float64Array;
}

/** How many windows fit into a range. */
export function countWindows(bars: number, { trainBars, testBars }: WalkForwardRule): number {
  return Math.max(0, Math.ceil((bars - trainBars) / testBars));
}

/**
 * Chooses on `trainBars`, trades the `testBars` after them with what was chosen, moves on by `testBars`, and so on: an
 * equity curve of bars that no choice has seen. Positions are closed at the end of each test; the last may be shorter.
 */
export function* walkForward(
  input: OptimizeInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  objective: Objective,
  { trainBars, testBars }: WalkForwardRule,
): Generator<WalkForwardStep> {
  const { series, execution } = input;
  const indicators = new IndicatorSet(series);
  let capital = execution.initialCapital;
  for (let from = input.from; from + trainBars < input.to; from += testBars) {
    const split = from + trainBars;
    const end = Math.min(split + testBars, input.to);
    const train = { ...input, from, to: split, finalReason: 'end_of_data' } as const;
    const [best] = bestOf(evaluate(train, strategy, combinations, indicators), objective, 1);
    const run = simulate({
      ...{ series, from: split, to: end, execution: { ...execution, initialCapital: capital } },
      signals: strategy.signals(indicators, best.params as never),
      overlays: best.params as unknown as OverlayValues,
      finalReason: end === input.to ? input.finalReason : 'end_of_data',
    });
    const final = run.equity[run.equity.length - 1];
    yield {
      window: {
        ...{ trainStart: series.day[from], trainEnd: series.day[split - 1] },
        ...{ testStart: series.day[split], testEnd: series.day[end - 1] },
        params: best.params,
        trainObjective: best.metrics[objective],
        testPnlPct: 100 * (final / capital - 1),
      },
      days: series.day.subarray(split, end),
      equity: run.equity,
    };
    capital = final;
  }
}
