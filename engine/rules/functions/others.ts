/** Values that read another instrument, named by its ticker in quotes. */

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
const returns = { name: 'n', kind: 'integer', min: 2, max: 504, default: 252 } as const;

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
    args: [ticker, returns],
    description: text(
      'Slope of the last n log returns on those of another instrument',
      '最近n个对数收益率对另一标的的回归斜率',
      '最近n個對數報酬率對另一標的的迴歸斜率',
    ),
    column: (series, other, n) => overPairs(series, other, n, ({ covariance, others }) => covariance / others),
  },
  correlation: {
    args: [ticker, returns],
    description: text(
      'Correlation of the last n log returns with those of another instrument',
      '最近n个对数收益率与另一标的的相关系数',
      '最近n個對數報酬率與另一標的的相關係數',
    ),
    column: (series, other, n) =>
      overPairs(series, other, n, ({ covariance, own, others }) =>
        Math.max(-1, Math.min(1, covariance / Math.sqrt(own * others))),
      ),
  },
} satisfies Record<string, Entry<PairFunction>>);

/** Sample moments of pairs of returns. */
interface Moments {
  readonly covariance: number;
  /** Variances. */
  readonly own: number;
  readonly others: number;
}

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

/**
 * A figure of the last n pairs of log returns, each from one session at which both have a bar to the next such one. Undefined
 * where either has no bar, with fewer returns, and where those of one of them are all equal.
 */
function overPairs(series: BarSeries, other: BarSeries, n: number, figure: (moments: Moments) => number): Column {
  const out = new Float64Array(series.length).fill(Number.NaN);
  const shared = alignedTo(series.day, other.day);
  const at = Int32Array.from(series.day.keys()).filter((t) => shared[t] >= 0);
  if (at.length <= n) return out;
  const own = logReturns(Float64Array.from(at, (t) => series.close[t]));
  const others = logReturns(Float64Array.from(at, (t) => other.close[shared[t]]));
  const meanOver = (values: Column) => slidingSignedMeans(values, n);
  const [x, y] = [meanOver(own), meanOver(others)];
  const [xx, yy] = [meanOver(own.map((value) => value * value)), meanOver(others.map((value) => value * value))];
  const xy = meanOver(own.map((value, i) => value * others[i]));
  const [sameOwn, sameOthers] = [equalBefore(own), equalBefore(others)];
  const toSample = n / (n - 1);
  for (let i = n - 1; i < own.length; i++) {
    if (sameOwn[i] >= n || sameOthers[i] >= n) continue;
    out[at[i + 1]] = figure({
      covariance: toSample * (xy[i] - x[i] * y[i]),
      own: toSample * (xx[i] - x[i] * x[i]),
      others: toSample * (yy[i] - y[i] * y[i]),
    });
  }
  return out;
}

function logReturns(closes: Column): Column {
  return Float64Array.from({ length: closes.length - 1 }, (_, i) => Math.log(closes[i + 1] / closes[i]));
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
