/** Functions of the last values of any value. A window with an undefined value has no figure. */
import {
  meanOf,
  slidingMeans,
  slidingSignedMeans,
  slidingSlopes,
  slidingStdevs,
} from '../../indicators/window-sums.ts';
import { text } from '../../util/localized-text.ts';
import {
  type Column,
  type ConstantArgument,
  type Entry,
  family,
  period,
  value,
  type WindowFunction,
} from './function.ts';

const ofLast = { args: [value(), period(20)], barsBefore: (n: number) => n - 1 };

export const WINDOWS = family({ kind: 'window', result: 'value' }, {
  sma_of: {
    ...ofLast,
    description: text('Mean of the last n values', '最近n个值的均值', '最近n個值的平均'),
    column: (values, n) =>
      overDefined(values, n, (defined) => (defined.every(isPositive) ? slidingMeans : slidingSignedMeans)(defined, n)),
  },
  highest_of: {
    ...ofLast,
    description: text(
      'Highest of the last n values, this one included',
      '最近n个值（含本根）的最大值',
      '最近n個值（含本根）的最大值',
    ),
    column: (values, n) => overDefined(values, n, (defined) => slidingExtremes(defined, n, 1)),
  },
  lowest_of: {
    ...ofLast,
    description: text(
      'Lowest of the last n values, this one included',
      '最近n个值（含本根）的最小值',
      '最近n個值（含本根）的最小值',
    ),
    column: (values, n) => overDefined(values, n, (defined) => slidingExtremes(defined, n, -1)),
  },
  stdev_of: {
    ...ofLast,
    description: text(
      'Standard deviation of the last n values (÷ n)',
      '最近n个值的标准差（÷ n）',
      '最近n個值的標準差（÷ n）',
    ),
    column: (values, n) => overDefined(values, n, (defined) => slidingStdevs(defined, n)),
  },
  slope_of: {
    args: [value(), windowOf(2)],
    barsBefore: (n) => n - 1,
    description: text('Least-squares slope of the last n values', '最近n个值的最小二乘斜率', '最近n個值的最小平方斜率'),
    column: (values, n) => overDefined(values, n, (defined) => slidingSlopes(defined, n)),
  },
  skewness_of: {
    args: [value(), windowOf(3)],
    isRatio: true,
    barsBefore: (n) => n - 1,
    description: text('Skewness of the last n values (÷ n)', '最近n个值的偏度（÷ n）', '最近n個值的偏度（÷ n）'),
    column: (values, n) => ofEachWindow(values, n, (window, to) => skewnessOf(window.subarray(to - n, to))),
  },
  lag: {
    args: [value(), { name: 'n', kind: 'integer', min: 0, max: 252, default: 1 }],
    description: text('The value n bars before', 'n根之前的值', 'n根之前的值'),
    barsBefore: (n) => n,
    column: (values, n) => {
      const out = new Float64Array(values.length).fill(Number.NaN, 0, n);
      if (n < values.length) out.set(values.subarray(0, values.length - n), n);
      return out;
    },
  },
} satisfies Record<string, Entry<WindowFunction>>);

function windowOf(min: number): ConstantArgument {
  return { ...period(20), min };
}

function isPositive(figure: number): boolean {
  return figure >= 0;
}

/** A window function over each stretch of defined values. */
function overDefined(values: Column, n: number, compute: (defined: Column) => Column): Column {
  const out = new Float64Array(values.length).fill(Number.NaN);
  for (let from = 0; from < values.length; ) {
    if (Number.isNaN(values[from])) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < values.length && !Number.isNaN(values[to])) to++;
    if (to - from >= n) out.set(compute(values.subarray(from, to)), from);
    from = to;
  }
  return out;
}

/** A figure of each window of n defined values, computed from that window alone. `figureOf`: of those before `to`. */
function ofEachWindow(values: Column, n: number, figureOf: (values: Column, to: number) => number): Column {
  return overDefined(values, n, (defined) => {
    const out = new Float64Array(defined.length).fill(Number.NaN, 0, n - 1);
    for (let t = n - 1; t < out.length; t++) out[t] = figureOf(defined, t + 1);
    return out;
  });
}

/** Undefined where all values are equal but for rounding. */
function skewnessOf(window: Column): number {
  const n = window.length;
  const mean = meanOf(window, 0, n);
  let [squares, cubes] = [0, 0];
  for (let i = 0; i < n; i++) {
    const distance = window[i] - mean;
    squares += distance * distance;
    cubes += distance * distance * distance;
  }
  const variance = squares / n;
  return variance <= (Number.EPSILON * mean) ** 2 ? Number.NaN : cubes / n / (variance * Math.sqrt(variance));
}

/** Highest (sign 1) or lowest (sign -1) of the last n values, from index n-1 on. A queue of the candidates, best first. */
function slidingExtremes(values: Column, n: number, sign: 1 | -1): Column {
  const out = new Float64Array(values.length).fill(Number.NaN, 0, n - 1);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let t = 0; t < values.length; t++) {
    const candidate = sign * values[t];
    while (head < tail && sign * values[queue[tail - 1]] <= candidate) tail--;
    queue[tail++] = t;
    if (queue[head] <= t - n) head++;
    if (t >= n - 1) out[t] = values[queue[head]];
  }
  return out;
}
