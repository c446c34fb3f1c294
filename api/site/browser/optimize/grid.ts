/** The grid of a search: the values to try of each varied parameter. */
import {
  firstValue,
  type ParameterSchema,
  type ParameterValues,
  parametersOf,
  type Strategy,
} from '../elements/strategy-fields.ts';

/** Equal steps from one number to another. */
export interface Steps {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}
export type Axis = Steps | readonly (string | number | boolean)[];

/** As the API allows. */
export const MAX_COMBINATIONS = 5_000;
const DEFAULT_STEPS = 8;
const DEFAULT_AXES = 2;

export const isSteps = (axis: Axis): axis is Steps => !Array.isArray(axis);

/** The number of values of an axis; 0 if its bounds or its step are invalid. */
function lengthOf(axis: Axis): number {
  if (!isSteps(axis)) return axis.length;
  const { from, to, step } = axis;
  if (!(step > 0) || !Number.isFinite(from) || !(to >= from)) return 0;
  return Math.floor((to - from) / step + 1e-9) + 1;
}

/** Combinations of a grid, including those that the strategy does not allow. */
export function combinationsOf(grid: Readonly<Record<string, Axis>>): number {
  return Object.values(grid).reduce((product, axis) => product * lengthOf(axis), 1);
}

/** All values of an enum or a boolean; null: a number, which needs steps. */
export function everyValue({ type, enum: words }: ParameterSchema): readonly (string | boolean)[] | null {
  if (words) return words;
  return type === 'boolean' ? [false, true] : null;
}

/** Steps from half the initial value to twice that value. */
export function defaultSteps(schema: ParameterSchema): Steps {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY, type } = schema;
  const value = Number(firstValue(schema)) || Math.max(1, minimum);
  const [from, to] = [Math.max(minimum, value / 2), Math.min(maximum, value * 2)];
  const step = (to - from) / DEFAULT_STEPS;
  if (type === 'integer') return { from: Math.round(from), to: Math.round(to), step: Math.max(1, Math.round(step)) };
  return { from, to, step: Number(step.toPrecision(2)) };
}

/** The first numbers of a strategy, which are varied by default. */
export function defaultGrid(strategy: Strategy): Record<string, Axis> {
  const numbers = parametersOf(strategy).filter(([, schema]) => everyValue(schema) === null);
  return Object.fromEntries(numbers.slice(0, DEFAULT_AXES).map(([name, schema]) => [name, defaultSteps(schema)]));
}

/** The first two of the varied parameters, for the heat map; null: there is one at most. */
export function heatNames(names: readonly string[]): readonly [string, string] | null {
  const [x, y] = names;
  return y === undefined ? null : [x, y];
}

/** `5:50:5`, as in addresses; `all` for every value of an enum or a boolean. */
export const axisText = (axis: Axis) => (isSteps(axis) ? `${axis.from}:${axis.to}:${axis.step}` : 'all');

/** The axis of a text; null if it is none. */
function axisOf(text: string, schema: ParameterSchema): Axis | null {
  const all = everyValue(schema);
  if (all !== null) return text === 'all' ? all : null;
  const parts = text.split(':').map(Number);
  if (parts.length !== 3 || parts.some((part) => !Number.isFinite(part))) return null;
  const [from, to, step] = parts;
  return { from, to, step };
}

/** The ranges of the parameters in an address: `g.fast_period=5:50:5`. */
export function axesIn(settings: ParameterValues, strategy: Strategy): Record<string, Axis> {
  const found: Record<string, Axis> = {};
  for (const [name, schema] of parametersOf(strategy)) {
    const axis = axisOf(settings[`g.${name}`] ?? '', schema);
    if (axis !== null) found[name] = axis;
  }
  return found;
}
