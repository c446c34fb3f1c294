/** Comparisons of a screen: how a figure is compared with the values of a condition. */
import type { LocalizedText } from '../util/localized-text.ts';
import { text } from '../util/localized-text.ts';

export interface Comparison {
  readonly code: string;
  /** Number of values that it takes. */
  readonly arity: 0 | 1 | 2;
  /** Kind of fields that it applies to. */
  readonly kind: 'number' | 'boolean';
  readonly label: LocalizedText;
  /** `value` is never undefined (NaN). */
  readonly holds: (value: number, first: number, second: number) => boolean;
}

export const COMPARISONS: readonly Comparison[] = [
  {
    code: 'gt',
    arity: 1,
    kind: 'number',
    holds: (value, first) => value > first,
    label: text('greater than', '大于', '大於'),
  },
  {
    code: 'gte',
    arity: 1,
    kind: 'number',
    holds: (value, first) => value >= first,
    label: text('at least', '不小于', '不小於'),
  },
  {
    code: 'lt',
    arity: 1,
    kind: 'number',
    holds: (value, first) => value < first,
    label: text('less than', '小于', '小於'),
  },
  {
    code: 'lte',
    arity: 1,
    kind: 'number',
    holds: (value, first) => value <= first,
    label: text('at most', '不大于', '不大於'),
  },
  {
    code: 'between',
    arity: 2,
    kind: 'number',
    holds: (value, first, second) => value >= first && value <= second,
    label: text('between, both included', '介于（含端点）', '介於（含端點）'),
  },
  {
    code: 'is_true',
    arity: 0,
    kind: 'boolean',
    holds: (value) => value === 1,
    label: text('is true', '为真', '為真'),
  },
  {
    code: 'is_false',
    arity: 0,
    kind: 'boolean',
    holds: (value) => value === 0,
    label: text('is false', '为假', '為假'),
  },
];

const byCode = new Map(COMPARISONS.map((comparison) => [comparison.code, comparison]));

/** Throws a RangeError for an unknown code. */
export function requireComparison(code: string): Comparison {
  const comparison = byCode.get(code);
  if (!comparison) throw new RangeError(`unknown comparison ${code}`);
  return comparison;
}
