/** Values of an instrument among its peers: the members of a universe that have a bar at the session. */
import { meanOf, percentile } from '../../indicators/indicators.ts';
import { ranksOfSteps } from '../../indicators/ranks.ts';
import { isAbove, orderOf } from '../../indicators/ties.ts';
import { text } from '../../util/localized-text.ts';
import { type AcrossFunction, type Column, type Entry, family, type GroupArgument, value } from './function.ts';

/** Facts that instruments are grouped by, as they are today. */
export const GROUPS = ['asset_type', 'venue'] as const;
export type Group = (typeof GROUPS)[number];

const group: GroupArgument = { name: 'group', kind: 'group' };
const MAX_COUNT = 10_000;
const count = { name: 'k', kind: 'integer', min: 1, max: MAX_COUNT, default: 10 } as const;
/** Share that is cut off at either end: above 0 and below a half. */
const share = { name: 'p', kind: 'number', min: 0.0001, max: 0.4999, default: 0.01 } as const;

export const ACROSS = family({ kind: 'across' }, {
  rank: {
    result: 'value',
    args: [value(), group],
    description: text(
      'Average rank of x among the peers, 1 the smallest, ÷ their number',
      'x在同组标的中的平均名次（最小为1）÷ 标的数',
      'x在同組標的中的平均名次（最小為1）÷ 標的數',
    ),
    isOfOrder: true,
    across: (values) => {
      const ranks = ranksOfSteps(values);
      const out = new Float64Array(ranks.length);
      for (let i = 0; i < out.length; i++) out[i] = ranks[i] / 2 / out.length;
      return out;
    },
  },
  zscore: {
    result: 'value',
    args: [value(), group],
    description: text(
      'x less the mean of the peers, ÷ their sample standard deviation',
      '（x − 同组均值）÷ 样本标准差',
      '（x − 同組平均）÷ 樣本標準差',
    ),
    isOfOrder: false,
    across: zscores,
  },
  demean: {
    result: 'value',
    args: [value(), group],
    description: text('x less the mean of the peers', 'x − 同组均值', 'x − 同組平均'),
    isOfOrder: false,
    across: (values) => {
      const mean = meanOf(values, 0, values.length);
      return values.map((figure) => figure - mean);
    },
  },
  winsorize: {
    result: 'value',
    args: [value(), share],
    description: text(
      'x cut at the quantiles p and 1 − p of the peers',
      '将x截于同期标的的p与1 − p分位数',
      '將x截於同期標的的p與1 − p分位數',
    ),
    isOfOrder: false,
    across: (values, p) => {
      const sorted = values.toSorted();
      const [low, high] = [percentile(sorted, p), percentile(sorted, 1 - p)];
      return values.map((figure) => Math.min(high, Math.max(low, figure)));
    },
  },
  count: {
    result: 'value',
    args: [],
    description: text('Number of peers', '同期标的数', '同期標的數'),
    isOfOrder: false,
    across: (values) => values.map(() => values.length),
  },
  top: {
    result: 'condition',
    args: [value(), count, group],
    description: text('x is among the k largest of the peers', 'x属于同组最大的k个', 'x屬於同組最大的k個'),
    isOfOrder: true,
    across: (values, k) => amongFirst(values, k, -1),
  },
  bottom: {
    result: 'condition',
    args: [value(), count, group],
    description: text('x is among the k smallest of the peers', 'x属于同组最小的k个', 'x屬於同組最小的k個'),
    isOfOrder: true,
    across: (values, k) => amongFirst(values, k, 1),
  },
} satisfies Record<string, Entry<AcrossFunction> & Pick<AcrossFunction, 'result'>>);

/** 1 for the first k by value; of equal ones the first by ticker. */
function amongFirst(values: Column, k: number, sign: 1 | -1): Column {
  const among = new Float64Array(values.length);
  for (const index of orderOf(values, sign, k)) among[index] = 1;
  return among;
}

/** Undefined for fewer than two values, and where all are equal but for a tie. */
function zscores(values: Column): Column {
  const { length } = values;
  const sorted = values.toSorted();
  if (length < 2 || !isAbove(sorted[length - 1], sorted[0])) return values.map(() => Number.NaN);
  const mean = meanOf(values, 0, length);
  const squares = values.map((figure) => (figure - mean) ** 2);
  const deviation = Math.sqrt((meanOf(squares, 0, length) * length) / (length - 1));
  return values.map((figure) => (figure - mean) / deviation);
}
