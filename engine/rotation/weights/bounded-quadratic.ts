/**
 * Minimizes w'Σw ÷ 2 - g'w over weights that sum to 1 and lie within bounds: a primal active-set method. Names are free or held
 * at a bound. Each step solves the problem of the free ones exactly; the result is the minimum when every multiplier has its sign.
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Whether weights within the bounds can sum to 1. */
export function canBeMet({ min, max }: Bounds, names: number): boolean {
  return names * min <= 1 && names * max >= 1;
}

/**
 * Cuts weights to the maximum. What is cut goes to the others in proportion, until none is above it; what no name can take is
 * cash.
 */
export function cutToMaximum(weights: Float64Array, max: number): Float64Array {
  let out = weights;
  let excess = excessOf(out, max);
  while (excess > 0) {
    const room = out.reduce((sum, weight) => sum + (weight < max ? weight : 0), 0);
    const factor = room > 0 ? 1 + excess / room : 0;
    out = out.map((weight) => (weight < max ? weight * factor : max));
    excess = room > 0 ? excessOf(out, max) : 0;
  }
  return out;
}

function excessOf(weights: Float64Array, max: number): number {
  let excess = 0;
  for (const weight of weights) if (weight > max) excess += weight - max;
  return excess;
}

export interface BoundedQuadratic {
  /** The result of `normalized`. */
  readonly covariance: Matrix;
  /** One number per name. */
  readonly gain: Float64Array;
  readonly bounds: Bounds;
}

export interface BoundedMinimum {
  readonly weights: Float64Array;
  /** Names that are at no bound. */
  readonly free: readonly number[];
}

/** Differences of slopes below this share of the mean variance are rounding. */
const SLOPE_TOLERANCE = 1e-13;
/** A matrix whose pivot is below this share of the variance is singular to the last digits. */
const SMALLEST_PIVOT = 1e-11;

/** A problem of weights that has no solution to the last digits. */
export class NoSolution extends Error {
  override readonly name = 'NoSolution';
}

/** Solves a system of a symmetric matrix. Throws `NoSolution` where it is not positive definite. */
export function solvePositive(matrix: Matrix, sides: Matrix): Matrix {
  const cholesky = new CholeskyDecomposition(matrix);
  if (!cholesky.isPositiveDefinite()) throw new NoSolution('the matrix is not positive definite');
  return cholesky.solve(sides);
}

/** @throws {RangeError} when no weights are within the bounds; `NoSolution` */
export function minimizeQuadratic(problem: BoundedQuadratic): BoundedMinimum {
  const { bounds } = problem;
  const names = problem.gain.length;
  if (!canBeMet(bounds, names)) throw new RangeError(`${names} weights from ${bounds.min} to ${bounds.max}`);
  let state = startOf(problem);
  // No set of free names is visited twice, and few are visited at all.
  for (let step = 0; step < 50 * (names + 10); step++) {
    const next = improved(problem, state);
    if (next === null) return { weights: state.weights, free: freeOf(state) };
    state = next;
  }
  throw new NoSolution(`no minimum for ${names} names`);
}

/**
 * The covariance with a mean variance of 1. Where the returns of names are combinations of those of others many weights are the
 * best; a tiny variance of each name's own chooses one.
 */
export function normalized(covariance: Matrix): Matrix {
  const scaled = Matrix.div(covariance, covariance.trace() / covariance.rows);
  const { lowerTriangularMatrix } = new CholeskyDecomposition(scaled);
  const isSingular = lowerTriangularMatrix
    .diagonal()
    .some((pivot, i) => !(pivot * pivot > SMALLEST_PIVOT * scaled.get(i, i)));
  return isSingular ? scaled.add(Matrix.eye(covariance.rows).mul(SMALLEST_PIVOT)) : scaled;
}

const FREE = 0;
const AT_MIN = -1;
const AT_MAX = 1;

interface State {
  readonly weights: Float64Array;
  /** One of the three for each name. */
  readonly held: Int8Array;
}

function freeOf({ held }: Pick<State, 'held'>): number[] {
  return [...held.keys()].filter((i) => held[i] === FREE);
}

/** The minimum over the free names while the others stay at their weights. */
export function minimumOfFree(
  { covariance, gain }: Pick<BoundedQuadratic, 'covariance' | 'gain'>,
  weights: Float64Array,
  free: readonly number[],
): Float64Array {
  const isFree = new Uint8Array(weights.length);
  for (const i of free) isFree[i] = 1;
  const fixed = weights.map((weight, i) => (isFree[i] ? 0 : weight));
  const rest = 1 - fixed.reduce((sum, weight) => sum + weight, 0);
  const pull = slopesOf({ covariance, gain }, fixed);
  const sides = new Matrix(free.map((i) => [1, -pull[i]]));
  const solved = solvePositive(covariance.selection([...free], [...free]), sides);
  const [ones, pulled] = [solved.getColumn(0), solved.getColumn(1)];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const level = (rest - sum(pulled)) / sum(ones);
  const out = fixed.slice();
  for (const [k, i] of free.entries()) out[i] = level * ones[k] + pulled[k];
  return out;
}

/** Σw - g */
function slopesOf({ covariance, gain }: Pick<BoundedQuadratic, 'covariance' | 'gain'>, weights: Float64Array) {
  const slopes = gain.map((one) => -one);
  for (let j = 0; j < weights.length; j++) {
    if (weights[j] === 0) continue;
    for (let i = 0; i < slopes.length; i++) slopes[i] += covariance.get(i, j) * weights[j];
  }
  return slopes;
}

/**
 * A start near the minimum: all names that leave the bounds on the worse side are held there, until none leaves them. Equal
 * weights where that does not end within the bounds.
 */
function startOf(problem: BoundedQuadratic): State {
  const { min, max } = problem.bounds;
  const names = problem.gain.length;
  let state: State = { weights: new Float64Array(names).fill(1 / names), held: new Int8Array(names) };
  const equal = state;
  for (;;) {
    const free = freeOf(state);
    if (free.length === 0) return equal;
    const weights = minimumOfFree(problem, state.weights, free);
    const below = free.reduce((sum, i) => sum + Math.max(0, min - weights[i]), 0);
    const above = free.reduce((sum, i) => sum + Math.max(0, weights[i] - max), 0);
    if (below === 0 && above === 0) return { weights, held: state.held };
    const side = below >= above ? AT_MIN : AT_MAX;
    const leaves = (i: number) => state.held[i] === FREE && (side === AT_MIN ? weights[i] < min : weights[i] > max);
    const held = state.held.map((one, i) => (leaves(i) ? side : one));
    state = { held, weights: heldAt(weights, held, problem.bounds) };
  }
}

/** The weights with those that are held exactly at their bounds. */
function heldAt(weights: Float64Array, held: Int8Array, { min, max }: Bounds): Float64Array {
  return weights.map((weight, i) => (held[i] === FREE ? weight : held[i] === AT_MIN ? min : max));
}

/** One step towards the minimum; null: it is reached. */
function improved(problem: BoundedQuadratic, state: State): State | null {
  const free = freeOf(state);
  const wanted = free.length === 0 ? state.weights : minimumOfFree(problem, state.weights, free);
  const blocking = firstBlocking(state.weights, wanted, free, problem.bounds);
  if (blocking !== null) return blocked(state, wanted, blocking, problem.bounds);
  const released = releasedOf(problem, wanted, state.held);
  if (released.length === 0)
    return wanted.every((weight, i) => weight === state.weights[i]) ? null : { ...state, weights: wanted };
  return { weights: wanted, held: state.held.map((one, i) => (released.includes(i) ? FREE : one)) };
}

interface Blocking {
  readonly name: number;
  readonly side: typeof AT_MIN | typeof AT_MAX;
  /** Share of the way that is free. */
  readonly share: number;
}

/** The free name that reaches a bound first on the way from `from` to `to`; null: none does. */
function firstBlocking(
  from: Float64Array,
  to: Float64Array,
  free: readonly number[],
  { min, max }: Bounds,
): Blocking | null {
  let first: Blocking | null = null;
  for (const i of free) {
    if (to[i] >= min && to[i] <= max) continue;
    const side = to[i] < min ? AT_MIN : AT_MAX;
    const share = Math.max(0, ((side === AT_MIN ? min : max) - from[i]) / (to[i] - from[i]));
    if (first === null || share < first.share) first = { name: i, side, share };
  }
  return first;
}

function blocked(
  { weights, held }: State,
  wanted: Float64Array,
  { name, side, share }: Blocking,
  bounds: Bounds,
): State {
  const next = held.map((one, i) => (i === name ? side : one));
  const moved = weights.map((weight, i) => (held[i] === FREE ? weight + share * (wanted[i] - weight) : weight));
  return { held: next, weights: heldAt(moved, next, bounds) };
}

/** Held names that lower the variance when they leave their bound: the one with the wrongest slope, or a pair where none is free. */
function releasedOf(problem: BoundedQuadratic, weights: Float64Array, held: Int8Array): number[] {
  const slopes = slopesOf(problem, weights);
  const names = [...held.keys()];
  const { min, max } = problem.bounds;
  if (min === max) return [];
  const extreme = (side: number, sign: 1 | -1) =>
    names
      .filter((i) => held[i] === side)
      .reduce<number | null>((best, i) => (best === null || sign * (slopes[best] - slopes[i]) > 0 ? i : best), null);
  const [growing, shrinking] = [extreme(AT_MIN, 1), extreme(AT_MAX, -1)];
  const free = freeOf({ held });
  if (free.length === 0) {
    if (growing === null || shrinking === null) return [];
    return slopes[shrinking] - slopes[growing] > SLOPE_TOLERANCE ? [growing, shrinking] : [];
  }
  const level = free.reduce((sum, i) => sum + slopes[i], 0) / free.length;
  const gains = [
    { name: growing, gain: growing === null ? 0 : level - slopes[growing] },
    { name: shrinking, gain: shrinking === null ? 0 : slopes[shrinking] - level },
  ].sort((a, b) => b.gain - a.gain);
  const [best] = gains;
  return best.name !== null && best.gain > SLOPE_TOLERANCE ? [best.name] : [];
}
