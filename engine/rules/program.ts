/**
 * A rule ready to run. Values become columns of numbers (NaN: undefined). A condition becomes a mask of the bars at which it
 * is certainly true: `not` is pushed down to the comparisons, so that Kleene's third value needs no third state. `not` of an
 * undefined comparison is then as little true as the comparison itself, and undefined at the end is false.
 */
import type { Dimension } from '../market/basis.ts';

export type ValueProgram =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'bar'; readonly name: BarValue }
  | { readonly kind: 'position'; readonly name: PositionValue }
  | { readonly kind: 'indicator'; readonly name: Indicator; readonly args: readonly number[] }
  | { readonly kind: 'unary'; readonly name: Unary; readonly a: Value }
  | { readonly kind: 'binary'; readonly name: Binary; readonly a: Value; readonly b: Value }
  | { readonly kind: 'window'; readonly name: WindowFunction; readonly a: Value; readonly n: number };

export type ConditionProgram =
  /** `price`: given for differences of averages, whose ties are shares of the price. */
  | {
      readonly kind: 'compare';
      readonly name: Comparison;
      readonly a: Value;
      readonly b: Value;
      readonly price: Value | null;
    }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Condition[] }
  /** A bar before. */
  | { readonly kind: 'before'; readonly part: Condition }
  | { readonly kind: 'forBars' | 'withinBars'; readonly part: Condition; readonly n: number };

export const BAR_VALUE_NAMES = ['open', 'high', 'low', 'close', 'volume', 'day_of_week', 'month'] as const;
export const POSITION_VALUE_NAMES = [
  'entry_price',
  'bars_held',
  'pnl_pct',
  'peak',
  'trough',
  'peak_close',
  'trough_close',
] as const;
export const INDICATOR_NAMES = [
  'sma',
  'ema',
  'rsi',
  'atr',
  'roc',
  'volatility',
  'highest',
  'lowest',
  'macd',
  'macd_signal',
  'bollinger_upper',
  'bollinger_lower',
] as const;
export const UNARY_NAMES = ['neg', 'abs'] as const;
export const BINARY_NAMES = ['+', '-', '*', '/', 'min', 'max'] as const;
export const WINDOW_NAMES = ['lag', 'sma_of', 'highest_of', 'lowest_of', 'stdev_of'] as const;

export type BarValue = (typeof BAR_VALUE_NAMES)[number];
export type PositionValue = (typeof POSITION_VALUE_NAMES)[number];
export type Indicator = (typeof INDICATOR_NAMES)[number];
export type Unary = (typeof UNARY_NAMES)[number];
export type Binary = (typeof BINARY_NAMES)[number];
export type WindowFunction = (typeof WINDOW_NAMES)[number];
/** a > b, or a ≤ b. */
export type Comparison = 'above' | 'atMost';

export interface Node {
  /** Nodes of equal keys are equal. */
  readonly key: string;
  /** Whether it depends on the position, so that it has a value only while one is held. */
  readonly isOfPosition: boolean;
  /** Whether it mixes what changes differently with the basis of the prices, as `close + 1` and `close > 5` do. */
  readonly mixes: boolean;
  /** Bars before that it reads of what it mixes; 0 where it mixes nothing. */
  readonly reach: number;
}

/** `any`: 0 or undefined on every basis. Null: the value mixes dimensions. */
export type ValueDimension = Dimension | 'any' | null;

/** A value that is not made of others. */
export type Leaf = Extract<ValueProgram, { readonly kind: 'bar' | 'position' | 'indicator' }>;

export type Value = Node & { readonly program: ValueProgram; readonly dimension: ValueDimension };
export type Condition = Node & { readonly program: ConditionProgram };
