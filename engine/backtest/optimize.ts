/** Optimization: runs every combination of a grid, ranks them, draws a heat map, and names the neighbors of a value. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { finiteOrNull } from '../market/figures.ts';
import { sliceSeries } from '../market/series.ts';
import { effectiveParameters, type RefusedParameter, refusedParameters } from '../strategies/catalogue.ts';
import type { Parameter, ParameterValue, ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { type Metrics, metricsOf } from './metrics.ts';
import { type RunInput, runStrategy, type Simulation } from './simulate.ts';

/** Metrics that an optimization can maximize. */
export const OBJECTIVES = [
  'sharpe',
  'sortino',
  'calmar',
  'totalPnlPct',
  'annualizedPct',
  'excessReturnPct',
  'profitFactor',
  'winRate',
] as const satisfies readonly (keyof Metrics)[];
export type Objective = (typeof OBJECTIVES)[number];

export const MAX_COMBINATIONS = 5_000;
const BEST = 50;

/** Values of each parameter of the grid. */
export type Grid = Readonly<Record<string, readonly ParameterValue[]>>;

/**
 * All combinations of a grid, completed with the strategy's defaults; the last parameter varies fastest. Combinations whose
 * ordered parameters are out of order (a fast period that is not below the slow one) are left out. Values that are
 * refused are returned instead.
 */
export function expandGrid(
  strategy: Strategy,
  grid: Grid,
): { readonly combinations: readonly ParameterValues[] } | { readonly refused: readonly RefusedParameter[] } {
  for (const [name, values] of Object.entries(grid)) {
    for (const value of values) {
      const refused = refusedParameters(strategy, { [name]: value });
      if (refused.length > 0) return { refused };
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

export interface Evaluated {
  readonly params: ParameterValues;
  readonly metrics: Metrics;
}

/** Runs each combination and returns its metrics, in the same order. `onRun` takes each run with its index. */
export function evaluate(
  input: RunInput,
  strategy: Strategy,
  combinations: readonly ParameterValues[],
  indicators = new IndicatorSet(input.series),
  onRun?: (run: Simulation, index: number) => void,
): Evaluated[] {
  const bars = sliceSeries(input.series, input.from, input.to);
  return combinations.map((params, i) => {
    const run = runStrategy(strategy, params, input, indicators);
    onRun?.(run, i);
    return { params, metrics: metricsOf(bars, run, input.execution.initialCapital) };
  });
}

/** Sorts by the objective, best first. Undefined objectives and runs whose money overflows come last; equal ones keep the order of the grid. */
export function bestOf<E extends Evaluated>(evaluated: readonly E[], objective: Objective, count = BEST): E[] {
  const score = ({ metrics }: E) =>
    Number.isFinite(metrics.finalEquity) ? (metrics[objective] ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY;
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
    const value = finiteOrNull(metrics[objective]);
    if (value !== null && value > (row[column] ?? Number.NEGATIVE_INFINITY)) row[column] = value;
  }
  return { x: { param: x, values: grid[x] }, y: { param: y, values: grid[y] }, cells };
}

const SHARES = [0.25, 0.375, 0.5, 0.625, 0.75, 1, 1.25, 1.5, 2];
/** Below it, whole numbers are too close for shares. */
const SMALL = 12;
const STEPS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/** Ascending, the chosen one among them; just it where a parameter is not a number. */
export function neighboringValues(parameter: Parameter, chosen: ParameterValue): ParameterValue[] {
  if (typeof chosen !== 'number' || !('min' in parameter)) return [chosen];
  const { kind, min, max, except } = parameter;
  const isWhole = kind === 'integer';
  const around =
    isWhole && chosen < SMALL
      ? STEPS.map((step) => chosen + step)
      : SHARES.map((share) => (isWhole ? Math.round(chosen * share) : Number((chosen * share).toPrecision(4))));
  const allowed = around.filter((value) => value >= min && value <= max && value !== except);
  return [...new Set([...allowed, chosen])].sort((a, b) => a - b);
}
