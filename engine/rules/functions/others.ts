/** Values that read another instrument, named by its ticker in quotes. */

import { TRADING_DAYS_PER_YEAR } from '../../indicators/indicators.ts';
import { solvedSymmetric } from '../../indicators/matrix.ts';
import { isAbove } from '../../indicators/ties.ts';
import { slidingSignedMeans } from '../../indicators/window-sums.ts';
import type { BarSeries } from '../../market/series.ts';
import { text } from '../../util/localized-text.ts';
import {
  type Column,
  type Entry,
  family,
  type OtherFunction,
  type PairFunction,
  type TickerArgument,
} from './function.ts';

const ticker: TickerArgument = { name: 'ticker', kind: 'ticker' };
const returns = { name: 'n', kind: 'integer', min: 2, max: 1_260, default: 252 } as const;
/** Bars that each return covers. */
const span = { name: 'k', kind: 'integer', min: 1, max: 252, default: 1, isLater: true } as const;
/** Returns before that of the same bar. */
const lags = { name: 'k', kind: 'integer', min: 1, max: 20, default: 4 } as const;

export const OTHER = family({ kind: 'other', result: 'either' }, {
  of: {
    args: [ticker, { name: 'x', kind: 'either' }],
    description: text(
      'The value or condition x of another instrument at the same session',
      '另一标的在同一交易日的数值或条件x',
      '另一標的在同一交易日的數值或條件x',
    ),
  },
} satisfies Record<string, Entry<OtherFunction>>);

export const PAIRS = family({ kind: 'pair', result: 'value' }, {
  beta: {
    args: [ticker, returns, span],
    description: text(
      'Slope of the last n log returns on those of another instrument',
      '最近n个对数收益率对另一标的的回归斜率',
      '最近n個對數報酬率對另一標的的迴歸斜率',
    ),
    column: (series, other, n, k) =>
      overPairs(series, other, { n, k }, (pairs) => {
        const { covariance, others } = secondMoments(pairs);
        return (i) => covariance(i) / others(i);
      }),
  },
  correlation: {
    args: [ticker, returns, span],
    description: text(
      'Correlation of the last n log returns with those of another instrument',
      '最近n个对数收益率与另一标的的相关系数',
      '最近n個對數報酬率與另一標的的相關係數',
    ),
    column: (series, other, n, k) =>
      overPairs(series, other, { n, k }, (pairs) => {
        const { covariance, own, others } = secondMoments(pairs);
        return (i) => Math.max(-1, Math.min(1, covariance(i) / Math.sqrt(own(i) * others(i))));
      }),
  },
  idio_volatility: {
    args: [ticker, returns],
    description: text(
      'Annualized deviation of n log returns that another instrument does not explain, %',
      'n个对数收益率中另一标的未能解释部分的年化标准差（%）',
      'n個對數報酬率中另一標的未能解釋部分的年化標準差（%）',
    ),
    column: (series, other, n) =>
      overPairs(series, other, { n, k: 1 }, (pairs) => {
        const { covariance, own, others } = secondMoments(pairs);
        return (i) => {
          const rest = Math.max(0, own(i) - covariance(i) ** 2 / others(i));
          return 100 * Math.sqrt(TRADING_DAYS_PER_YEAR * rest);
        };
      }),
  },
  coskewness: {
    args: [ticker, returns],
    description: text(
      'Coskewness of n log returns with those of another instrument',
      'n个对数收益率与另一标的的协偏度',
      'n個對數報酬率與另一標的的共偏度',
    ),
    source: 'Harvey and Siddique, 2000',
    column: (series, other, n) => overPairs(series, other, { n, k: 1 }, coskewnessOf),
  },
  delay: {
    args: [ticker, returns, lags],
    ordered: ['k', 'n'],
    description: text(
      '1 − R² ÷ R² with k earlier returns of the other instrument',
      '1 − R² ÷ 含另一标的此前k个收益率的R²',
      '1 − R² ÷ 含另一標的先前k個報酬率的R²',
    ),
    source: 'Hou and Moskowitz, 2005',
    column: (series, other, n, k) =>
      overPairs(series, other, { n, k: 1 }, (pairs) => {
        const regress = laggedRegression(pairs, k);
        return (i) => {
          const found = regress(i);
          if (found === null) return Number.NaN;
          const { slopes, covariances, variance } = found;
          let explained = 0;
          for (let j = 0; j <= k; j++) explained += slopes[j] * covariances[j];
          return 1 - covariances[0] ** 2 / variance / explained;
        };
      }),
  },
  delay_slope: {
    args: [ticker, returns, lags],
    ordered: ['k', 'n'],
    description: text(
      'Mean lag of the slopes on these returns',
      '对这些收益率的斜率的平均滞后',
      '對這些報酬率的斜率的平均落後期',
    ),
    source: 'Hou and Moskowitz, 2005',
    column: (series, other, n, k) =>
      overPairs(series, other, { n, k: 1 }, (pairs) => {
        const regress = laggedRegression(pairs, k);
        return (i) => {
          const { slopes } = regress(i) ?? {};
          if (slopes === undefined) return Number.NaN;
          return slopes.reduce((sum, slope, j) => sum + j * slope, 0) / slopes.reduce((sum, slope) => sum + slope, 0);
        };
      }),
  },
} satisfies Record<string, Entry<PairFunction>>);

/** For each bar of `series` the index of the bar of `other` on that day; -1: it has none. */
export function alignedTo(days: Int32Array, other: Int32Array): Int32Array {
  const out = new Int32Array(days.length).fill(-1);
  let next = 0;
  for (let t = 0; t < days.length; t++) {
    while (next < other.length && other[next] < days[t]) next++;
    if (next < other.length && other[next] === days[t]) out[t] = next;
  }
  return out;
}

/** Log returns of two instruments, each from one session at which both have a bar to the next such one, or to the k-th. */
interface Pairs {
  readonly own: Column;
  readonly others: Column;
  /** How many of them make a figure. */
  readonly n: number;
}

/** The figure of the n pairs that end with each. */
type FigureAt = (i: number) => number;

/** A figure of the last n pairs. Undefined where either has no bar, with fewer returns, and where those of one of them are all equal. */
function overPairs(
  series: BarSeries,
  other: BarSeries,
  { n, k }: { readonly n: number; readonly k: number },
  figureOf: (pairs: Pairs) => FigureAt,
): Column {
  const out = new Float64Array(series.length).fill(Number.NaN);
  const shared = alignedTo(series.day, other.day);
  const at = shared.map((_, t) => t).filter((t) => shared[t] >= 0);
  if (at.length < n + k) return out;
  const own = logReturns(series.close, at, k);
  const others = logReturns(
    other.close,
    at.map((t) => shared[t]),
    k,
  );
  const figureAt = figureOf({ own, others, n });
  const [sameOwn, sameOthers] = [equalBefore(own), equalBefore(others)];
  for (let i = n - 1; i < own.length; i++) {
    if (sameOwn[i] < n && sameOthers[i] < n) out[at[i + k]] = figureAt(i);
  }
  return out;
}

/** `at`: the bars that count. */
function logReturns(closes: Column, at: Int32Array, k: number): Column {
  const out = new Float64Array(at.length - k);
  for (let i = 0; i < out.length; i++) out[i] = Math.log(closes[at[i + k]] / closes[at[i]]);
  return out;
}

const multiplied = (a: Column, b: Column): Column => a.map((figure, i) => figure * b[i]);

/** Sample moments of the n pairs that end with each. */
function secondMoments({ own, others, n }: Pairs) {
  const meanOver = (values: Column) => slidingSignedMeans(values, n);
  const [x, y] = [meanOver(own), meanOver(others)];
  const [xx, yy, xy] = [multiplied(own, own), multiplied(others, others), multiplied(own, others)].map(meanOver);
  const toSample = n / (n - 1);
  return {
    covariance: (i: number) => toSample * (xy[i] - x[i] * y[i]),
    own: (i: number) => toSample * (xx[i] - x[i] * x[i]),
    others: (i: number) => toSample * (yy[i] - y[i] * y[i]),
  };
}

/** mean[(r - r̄)(m - m̄)²] ÷ (s_r·s_m²), all of them ÷ n. */
function coskewnessOf({ own, others, n }: Pairs): FigureAt {
  const squares = multiplied(others, others);
  const [x, y, xx, yy, xy, xyy] = [
    ...[own, others, multiplied(own, own), squares, multiplied(own, others), multiplied(own, squares)],
  ].map((values) => slidingSignedMeans(values, n));
  return (i) => {
    const third = xyy[i] - 2 * y[i] * xy[i] - x[i] * yy[i] + 2 * x[i] * y[i] * y[i];
    return third / (Math.sqrt(xx[i] - x[i] * x[i]) * (yy[i] - y[i] * y[i]));
  };
}

/** The regression, with a constant, of own returns on those of the other instrument: of the same bar, and of k bars before. */
interface LaggedRegression {
  readonly slopes: Column;
  /** Covariances of own returns with those of each lag. */
  readonly covariances: Column;
  /** The variance of the other's returns of the same bars. */
  readonly variance: number;
}

/** For the n pairs that end with each; null where there are fewer before them, or returns explain each other. */
function laggedRegression({ own, others, n }: Pairs, k: number): (i: number) => LaggedRegression | null {
  const size = k + 1;
  const lagged = (values: Column, j: number) => values.map((_, i) => (i < j ? 0 : values[i - j]));
  const meanOver = (values: Column) => slidingSignedMeans(values, n);
  const [x, y] = [meanOver(own), meanOver(others)];
  const offsets = Array.from({ length: size }, (_, j) => lagged(others, j));
  const [xy, yy] = [own, others].map((values) => offsets.map((column) => meanOver(multiplied(values, column))));
  const covariances = new Float64Array(size);
  const rows = Array.from({ length: size }, () => new Float64Array(size + 1));
  return (i) => {
    if (i < n - 1 + k) return null;
    for (let a = 0; a < size; a++) {
      covariances[a] = xy[a][i] - x[i] * y[i - a];
      rows[a][size] = covariances[a];
      for (let b = a; b < size; b++) {
        rows[a][b] = yy[b - a][i - a] - y[i - a] * y[i - b];
        rows[b][a] = rows[a][b];
      }
    }
    const variance = rows[0][0];
    const slopes = solvedSymmetric(rows);
    return slopes && { slopes, covariances, variance };
  };
}

/** How many values through each are equal to it, but for a tie. */
function equalBefore(values: Column): Int32Array {
  const out = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const isSame = i > 0 && !isAbove(values[i], values[i - 1]) && !isAbove(values[i - 1], values[i]);
    out[i] = isSame ? out[i - 1] + 1 : 1;
  }
  return out;
}
