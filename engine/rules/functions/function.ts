/**
 * Records of the functions of rules. A record holds everything about its function, the calculation included: nothing else in the
 * engine names one, except the comparisons whose ties are those of prices (`compile.ts`).
 */

import type { IndicatorSet } from '../../indicators/indicator-set.ts';
import type { Dimension, ValueDimension } from '../../market/basis.ts';
import type { WholePeriod } from '../../market/period-bars.ts';
import type { BarSeries } from '../../market/series.ts';
import type { LocalizedText } from '../../util/localized-text.ts';
import { fromKeys, keysOf } from '../../util/values.ts';
import type { Expression, Operation } from '../syntax.ts';

/** A value is a number per bar; a condition is true, false, or undefined at a bar. */
export type Kind = 'value' | 'condition';

/** An argument that must be written as a number or a `$parameter`. */
export interface ConstantArgument {
  readonly name: string;
  readonly kind: 'integer' | 'number';
  readonly min: number;
  readonly max: number;
  /** Used when the argument is omitted. */
  readonly default: number;
  /** Whether canonical forms omit its default, because they are older than the argument. */
  readonly isLater?: true;
}

export interface ExpressionArgument {
  readonly name: string;
  /** `either`: a condition where the whole call has to be one, else a value. */
  readonly kind: Kind | 'either';
  readonly isOptional?: true;
}

/** The ticker of an instrument, in quotes. */
export interface TickerArgument {
  readonly name: string;
  readonly kind: 'ticker';
}

/** The name of an own column, in quotes. */
export interface ColumnArgument {
  readonly name: string;
  readonly kind: 'column';
}

/** A number of sessions, last and optional. */
export interface AgeArgument {
  readonly name: string;
  readonly kind: 'age';
  readonly min: number;
  readonly max: number;
}

/** The word of a group, or an own column of labels; last and optional. */
export interface GroupArgument {
  readonly name: string;
  readonly kind: 'group';
}

export type Argument =
  | ConstantArgument
  | ExpressionArgument
  | TickerArgument
  | ColumnArgument
  | AgeArgument
  | GroupArgument;

interface Described {
  readonly name: string;
  /** `either`: what is needed at its place. */
  readonly result: Kind | 'either';
  /** Null: written without brackets. */
  readonly args: readonly Argument[] | null;
  /** Two constant arguments, of which the first must be smaller than the second. */
  readonly ordered?: readonly [smaller: string, larger: string];
  readonly description: LocalizedText;
  /** Who defined it, and when; `definition`: its description does. */
  readonly source: string;
}

/** A column has one figure per bar, NaN where it is undefined. */
export type Column = Float64Array;

/** Whether it reads nothing of the bars but their days and closes, so that those of a whole market fit in memory. */
type IsOfCloses = boolean;

/** A value that depends on one bar only. */
export interface BarFunction extends Described {
  readonly kind: 'bar';
  readonly isOfCloses: IsOfCloses;
  /** Whether it reads facts of the instrument besides its newest bars. */
  readonly isOfHistory?: true;
  readonly dimension: Dimension;
  readonly column: (series: BarSeries) => Column;
}

/** A value of bars with constant arguments. */
export interface IndicatorFunction extends Described {
  readonly kind: 'indicator';
  readonly isOfCloses: IsOfCloses;
  readonly args: readonly ConstantArgument[];
  readonly dimension: Dimension;
  /** Look-back: bars through the first one that has a figure. */
  readonly bars: (args: readonly number[]) => number;
  readonly window: WindowForm;
  readonly column: (indicators: IndicatorSet, args: readonly number[]) => Column;
}

/** How the figure at the last bar is computed from the newest bars alone, as the screener does. */
export type WindowForm =
  /** From the bars of its look-back. */
  | 'look-back'
  /** From exponential means that continue those of earlier bars (`WindowIndicators`). */
  | {
      /** Periods of these means. */
      readonly carried: (args: readonly number[]) => readonly number[];
      /** Bars of the window that it then needs. */
      readonly bars: (args: readonly number[]) => number;
    }
  /** Not at all, for this reason: the whole history is read. */
  | { readonly none: string };

/** A value of the last values of another one, `n` of them or the one `n` bars before. */
export interface WindowFunction extends Described {
  readonly kind: 'window';
  /** Whether its values are the same on every basis if those that it reads change with one. */
  readonly isRatio?: true;
  /** How many bars back it reads. */
  readonly barsBefore: (n: number) => number;
  readonly column: (values: Column, n: number) => Column;
}

/** An operation on the values of one bar. */
export interface Pointwise {
  readonly kind: 'pointwise';
  readonly name: string;
  readonly dimension: (parts: readonly ValueDimension[]) => ValueDimension;
  readonly column: (parts: readonly Column[]) => Column;
}

export interface PointwiseFunction extends Described, Pointwise {
  readonly kind: 'pointwise';
  /** Whether its arguments are interchangeable. */
  readonly isCommutative: boolean;
}

/** a > b, or a ≤ b. */
export type Comparison = 'above' | 'atMost';

export interface Compared<V> {
  readonly name: Comparison;
  readonly a: V;
  readonly b: V;
  /** Whether the values of the bar before are compared. */
  readonly isBefore: boolean;
}

/** A condition that is true where all of its comparisons are. */
export interface ComparisonFunction extends Described {
  readonly kind: 'comparison';
  readonly holds: <V>(values: readonly V[]) => readonly Compared<V>[];
}

/** A condition on another one at the last bars: at all of them, or at one of them. */
export interface DurationFunction extends Described {
  readonly kind: 'duration';
  readonly over: 'forBars' | 'withinBars';
}

/** One of two values, as a condition is true or false. */
export interface ChoiceFunction extends Described {
  readonly kind: 'choice';
}

/** How many of the last bars meet a condition. */
export interface CountFunction extends Described {
  readonly kind: 'count';
}

/** A value over bars of whole months or weeks, at the newest of them that is over. */
export interface PeriodFunction extends Described {
  readonly kind: 'period';
  readonly period: WholePeriod;
}

/** The bars `from` (included) to `to` (excluded) of a position, and the price of its fill before slippage. */
export interface HeldBars {
  readonly series: BarSeries;
  readonly from: number;
  readonly to: number;
  readonly entryPrice: number;
}

/** A value of the position. A screen has none, so it has no window form. */
export interface PositionFunction extends Described {
  readonly kind: 'position';
  readonly dimension: Dimension;
  readonly column: (held: HeldBars) => Column;
}

/** A value, or with 1 and 0 a condition, of an instrument among the peers of its session. */
export interface AcrossFunction extends Described {
  readonly kind: 'across';
  readonly result: Kind;
  /** Whether it puts values in order, which are then rounded first (`roundedForOrder`). */
  readonly isOfOrder: boolean;
  /** The figures of the peers whose argument is defined, by ticker. `constant`: its number, if it has one. */
  readonly across: (values: Column, constant: number) => Column;
}

/** A value of the log returns of the instrument and of another one. */
export interface PairFunction extends Described {
  readonly kind: 'pair';
  /** `n`: the returns that make a figure. `k`: the bars of each, or the returns before that explain it too. */
  readonly column: (series: BarSeries, other: BarSeries, n: number, k: number) => Column;
}

/** A value or a condition of another instrument at the same session. */
export interface OtherFunction extends Described {
  readonly kind: 'other';
}

/** A value of an own column. */
export interface OwnFunction extends Described {
  readonly kind: 'own';
}

/** Another spelling of an operation. */
export interface SpellingFunction extends Described {
  readonly kind: 'spelling';
  readonly means: (args: readonly Expression[]) => Operation;
}

export type RuleFunction =
  | BarFunction
  | IndicatorFunction
  | WindowFunction
  | PointwiseFunction
  | ComparisonFunction
  | DurationFunction
  | ChoiceFunction
  | CountFunction
  | PeriodFunction
  | PositionFunction
  | AcrossFunction
  | PairFunction
  | OtherFunction
  | OwnFunction
  | SpellingFunction;

/** A record as its family writes it, without what the family shares. */
export type Entry<F extends RuleFunction, Shared extends keyof F = never> = Omit<
  F,
  'kind' | 'name' | 'result' | 'source' | Shared
> &
  Partial<Pick<F, 'source'>>;

/** The records of a family by their names. */
export function family<const S, E, K extends string>(shared: S, entries: Readonly<Record<K, E>>) {
  return fromKeys(keysOf(entries), (name) => ({ source: 'definition', ...shared, name, ...entries[name] }));
}

export function period(value: number, name = 'n'): ConstantArgument {
  return { name, kind: 'integer', min: 1, max: 504, default: value };
}

export const value = (name = 'x'): ExpressionArgument => ({ name, kind: 'value' });
