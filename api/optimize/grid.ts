/** Grids of parameters in requests, checked against the strategy. */
import { expandGrid, MAX_COMBINATIONS } from '../../engine/backtest/optimize.ts';
import { refusedParameters } from '../../engine/strategies/catalogue.ts';
import type { ParameterValue, ParameterValues } from '../../engine/strategies/parameters.ts';
import { type Strategy, withDefaults } from '../../engine/strategies/strategy.ts';
import { located, parametersFailure } from '../backtests/request.ts';
import { z } from '../http/input/fields.ts';
import { parameterProblem, unknownName } from '../http/input/problems.ts';
import { refuse, type ValidationProblem } from '../http/input/request-failure.ts';

const value = z.union([z.number(), z.string().max(64), z.boolean()]);
const axis = z.union([
  z.array(value).min(1).max(MAX_COMBINATIONS),
  z.strictObject({ from: z.number(), to: z.number(), step: z.number().positive() }),
]);
export const gridField = z.record(z.string().max(64), axis);
type GivenGrid = z.output<typeof gridField>;
type Place = ValidationProblem['loc'];

function valuesOf(given: z.output<typeof axis>, at: Place): ParameterValue[] {
  if (Array.isArray(given)) return [...new Set(given)];
  const { from, to, step } = given;
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (count < 1) refuse(at, { code: 'grid_from_above_to' });
  if (count > MAX_COMBINATIONS) refuse(at, { code: 'grid_too_many_values', details: { max: MAX_COMBINATIONS } });
  // Multiplied, not added up, to avoid float drift.
  return Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12)));
}

/** The values of each parameter. Throws if they make too many combinations. */
export function axesOf(given: GivenGrid, at: Place): Record<string, ParameterValue[]> {
  const grid = Object.fromEntries(Object.entries(given).map(([name, axis]) => [name, valuesOf(axis, [...at, name])]));
  const size = Object.values(grid).reduce((product, values) => product * values.length, 1);
  if (size > MAX_COMBINATIONS) {
    refuse(at, { code: 'grid_too_many_combinations', details: { count: size, max: MAX_COMBINATIONS } });
  }
  return grid;
}

export interface CheckedGrid {
  readonly grid: Record<string, ParameterValue[]>;
  /** Combinations that the strategy allows, at least one. */
  readonly count: number;
}

/** Checks the grid against the strategy and the limits. An empty grid has one combination. */
export function gridOf(strategy: Strategy, given: GivenGrid, at: Place): CheckedGrid {
  const known = Object.keys(strategy.parameters);
  // Checked first, so that ranges of unknown parameters are not expanded.
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse([...at, unknown], unknownName(unknown, known));
  const grid = axesOf(given, at);
  const expanded = expandGrid(strategy, grid);
  if ('refused' in expanded) {
    const [{ name, problem }] = expanded.refused;
    refuse([...at, name], parameterProblem(name, problem, known));
  }
  if (expanded.combinations.length === 0) refuse(at, { code: 'grid_has_no_combination' });
  return { grid, count: expanded.combinations.length };
}

/** One value of each parameter of a grid: rules are checked with it before the grid is. */
export function firstOf(grid: GivenGrid): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(grid).map(([name, axis]) => [name, Array.isArray(axis) ? axis[0] : axis.from]),
  );
}

/** The value of every parameter outside the grid. Relations between parameters are checked for each combination. */
export function fixedParameters(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>>,
  at: Place,
): ParameterValues {
  const params = located(given, at);
  const values = Object.fromEntries(Object.entries(params).map(([name, { value }]) => [name, value]));
  const refused = refusedParameters(strategy, values);
  if (refused.length > 0) throw parametersFailure(strategy, params, refused);
  const { parameters } = withDefaults(strategy, values);
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.default]));
}
