/** Conditions on values, and on how long another condition holds. */
import { text } from '../../util/localized-text.ts';
import {
  type Compared,
  type ComparisonFunction,
  type DurationFunction,
  type ExpressionArgument,
  period,
  type SpellingFunction,
  value,
} from './function.ts';

const above = <V>(a: V, b: V): Compared<V> => ({ name: 'above', a, b, isBefore: false });
const atMost = <V>(a: V, b: V): Compared<V> => ({ name: 'atMost', a, b, isBefore: false });

const condition: ExpressionArgument = { name: 'c', kind: 'condition' };
const SHARED = { result: 'condition', source: 'definition' } as const;

/** The signs of comparisons; `<`, `<=`, and `!=` are written with them. */
export const COMPARISON_SIGNS: readonly Pick<ComparisonFunction, 'kind' | 'name' | 'holds'>[] = [
  { kind: 'comparison', name: '>', holds: ([x, y]) => [above(x, y)] },
  { kind: 'comparison', name: '>=', holds: ([x, y]) => [atMost(y, x)] },
  { kind: 'comparison', name: '=', holds: ([x, y]) => [atMost(x, y), atMost(y, x)] },
];

export const CONDITIONS: readonly (ComparisonFunction | DurationFunction | SpellingFunction)[] = [
  {
    ...SHARED,
    kind: 'comparison',
    name: 'between',
    args: [value(), value('a'), value('b')],
    description: text('a ≤ x ≤ b', 'a ≤ x ≤ b', 'a ≤ x ≤ b'),
    holds: ([x, a, b]) => [atMost(a, x), atMost(x, b)],
  },
  {
    ...SHARED,
    kind: 'comparison',
    name: 'crosses_above',
    args: [value(), value('y')],
    description: text('x > y now, and x ≤ y a bar before', '本根x > y，前一根x ≤ y', '本根x > y，前一根x ≤ y'),
    holds: ([x, y]) => [above(x, y), { ...atMost(x, y), isBefore: true }],
  },
  {
    ...SHARED,
    kind: 'spelling',
    name: 'crosses_below',
    args: [value(), value('y')],
    description: text('x < y now, and x ≥ y a bar before', '本根x < y，前一根x ≥ y', '本根x < y，前一根x ≥ y'),
    means: ([x, y]) => ['crosses_above', y, x],
  },
  {
    ...SHARED,
    kind: 'duration',
    name: 'for_bars',
    args: [condition, period(2)],
    description: text('True at each of the last n bars', '最近n根全部成立', '最近n根全部成立'),
    over: 'forBars',
  },
  {
    ...SHARED,
    kind: 'duration',
    name: 'within_bars',
    args: [condition, period(5)],
    description: text('True at one of the last n bars', '最近n根中至少一根成立', '最近n根中至少一根成立'),
    over: 'withinBars',
  },
];
