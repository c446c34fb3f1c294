/**
 * Combinatorial purged cross-validation of a search (López de Prado 2018): the time is cut into folds, every choice of test folds is
 * held out once, the best combination of the rest is taken there, and the tests are joined to paths through the whole time.
 */
import { sharpeOfSums } from './moments.ts';

export const FOLDS = 10;
export const TEST_FOLDS = 2;
/** Bars after a test that are not trained on. */
export const EMBARGO = 5;
/** Sharpe ratios are compared in these steps. */
const STEPS = 1e12;

/** Bars `from` (included) to `to` (excluded). */
interface Bars {
  readonly from: number;
  readonly to: number;
}

export interface Split {
  /** Numbers of the folds that are held out, ascending. */
  readonly tests: readonly number[];
  /** The bars that are trained on, as stretches without a gap. */
  readonly train: readonly Bars[];
}

export function foldsOf(bars: number): Bars[] {
  const size = Math.floor(bars / FOLDS);
  return Array.from({ length: FOLDS }, (_, fold) => ({
    from: fold * size,
    to: fold === FOLDS - 1 ? bars : (fold + 1) * size,
  }));
}

/** Every choice of test folds, in order. */
function choices(): number[][] {
  const chosen: number[][] = [];
  for (let first = 0; first < FOLDS; first++) {
    for (let second = first + 1; second < FOLDS; second++) chosen.push([first, second]);
  }
  return chosen;
}

/** The stretches of ones. */
function stretchesOf(flags: Uint8Array): Bars[] {
  const stretches: Bars[] = [];
  let from = flags.indexOf(1);
  while (from >= 0) {
    const end = flags.indexOf(0, from);
    const to = end < 0 ? flags.length : end;
    stretches.push({ from, to });
    from = flags.indexOf(1, to);
  }
  return stretches;
}

/** `purge` bars before and after each test are not trained on, nor is the embargo after it. */
export function splitsOf(bars: number, purge: number): Split[] {
  const folds = foldsOf(bars);
  return choices().map((tests) => {
    const isTrained = new Uint8Array(bars).fill(1);
    for (const test of tests) {
      const { from, to } = folds[test];
      isTrained.fill(0, from > 0 ? Math.max(0, from - purge) : 0, Math.min(bars, to + purge + EMBARGO));
    }
    return { tests, train: stretchesOf(isTrained) };
  });
}

/** The most bars that can be purged: a fold must be longer than what is taken from it. */
export function largestPurge(bars: number): number {
  return Math.floor(bars / FOLDS) - EMBARGO - 2;
}

export interface CrossValidation {
  readonly purge: number;
  /** The Sharpe ratio of each path, per bar; 0 without deviation. */
  readonly sharpes: readonly number[];
}

/** Sums and sums of squares of the returns before each bar. */
function runningSums(returns: Float64Array) {
  const sums = new Float64Array(returns.length + 1);
  const squares = new Float64Array(returns.length + 1);
  for (let t = 0; t < returns.length; t++) {
    sums[t + 1] = sums[t] + returns[t];
    squares[t + 1] = squares[t] + returns[t] * returns[t];
  }
  return { sums, squares };
}

type RunningSums = ReturnType<typeof runningSums>;

function sharpeOver({ sums, squares }: RunningSums, stretches: readonly Bars[]): number {
  let [count, sum, square] = [0, 0, 0];
  for (const { from, to } of stretches) {
    count += to - from;
    sum += sums[to] - sums[from];
    square += squares[to] - squares[from];
  }
  return Math.round(sharpeOfSums(count, sum, square) * STEPS);
}

/** The first column with the largest Sharpe ratio. */
function bestOver(columns: readonly RunningSums[], train: readonly Bars[]): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  columns.forEach((column, k) => {
    const sharpe = sharpeOver(column, train);
    if (sharpe <= most) return;
    most = sharpe;
    best = k;
  });
  return best;
}

function sharpeOf(returns: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (let t = 0; t < returns.length; t++) {
    sum += returns[t];
    squares += returns[t] * returns[t];
  }
  return sharpeOfSums(returns.length, sum, squares);
}

/**
 * `columns`: returns per bar of each combination; `longestHolding`: bars of the longest trade of any of them, which is purged as far as
 * the folds allow. Null where the folds are too short.
 */
export function crossValidationOf(columns: readonly Float64Array[], longestHolding: number): CrossValidation | null {
  const bars = columns[0].length;
  const purge = Math.min(longestHolding, largestPurge(bars));
  if (purge < 0) return null;
  const folds = foldsOf(bars);
  const sums = columns.map(runningSums);
  // By fold: the best combination of each split that holds it out.
  const chosen = folds.map((): number[] => []);
  for (const { tests, train } of splitsOf(bars, purge)) {
    const best = bestOver(sums, train);
    for (const test of tests) chosen[test].push(best);
  }
  const path = new Float64Array(bars);
  const sharpes = chosen[0].map((_, p) => {
    for (const [fold, { from, to }] of folds.entries()) path.set(columns[chosen[fold][p]].subarray(from, to), from);
    return sharpeOf(path);
  });
  return { purge, sharpes };
}
