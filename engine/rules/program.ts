/**
 * A rule ready to run. Values become columns of numbers (NaN: undefined). A condition becomes a mask of the bars at which it
 * is certainly true: `not` is pushed down to the comparisons, so that Kleene's third value needs no third state. Neither an
 * undefined comparison nor its `not` is then true, and an undefined result counts as false.
 */
import type { Dimension, ValueDimension } from '../market/basis.ts';
import type { WholePeriod } from '../market/period-bars.ts';
import type { Group } from './functions/across.ts';
import type {
  AcrossFunction,
  BarFunction,
  Comparison,
  IndicatorFunction,
  PairFunction,
  Pointwise,
  PositionFunction,
  WindowFunction,
} from './functions/function.ts';

export type ValueProgram =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'bar'; readonly fn: BarFunction }
  | { readonly kind: 'position'; readonly fn: PositionFunction }
  | { readonly kind: 'indicator'; readonly fn: IndicatorFunction; readonly args: readonly number[] }
  | { readonly kind: 'pointwise'; readonly fn: Pointwise; readonly parts: readonly Value[] }
  | { readonly kind: 'window'; readonly fn: WindowFunction; readonly a: Value; readonly n: number }
  | ChoiceProgram
  /** How many of the last n bars meet a condition. */
  | { readonly kind: 'count'; readonly part: Condition; readonly n: number }
  /** A value of the newest whole month or week. */
  | { readonly kind: 'period'; readonly period: WholePeriod; readonly part: Value }
  | AcrossProgram
  | PairProgram
  | OwnProgram
  /** A value of another instrument. */
  | { readonly kind: 'other'; readonly ticker: string; readonly part: Value };

/** x where a condition is certainly true, y where it is certainly false. */
export interface ChoiceProgram {
  readonly kind: 'choice';
  readonly isTrue: Condition;
  readonly isFalse: Condition;
  readonly x: Value;
  readonly y: Value;
}

/** A value of `n` returns over `k` bars each, of the instrument and of another one. */
export interface PairProgram {
  readonly kind: 'pair';
  readonly fn: PairFunction;
  readonly ticker: string;
  readonly n: number;
  readonly k: number;
}

/** A value, or a condition as 1 and 0, among the peers of the session. */
export interface AcrossProgram {
  readonly kind: 'across';
  readonly fn: AcrossFunction;
  /** Null: it counts the peers. */
  readonly part: Value | null;
  readonly constant: number;
  /** A fact of the instruments, or the labels of an own column; null: all peers are one group. */
  readonly group: Group | Value | null;
}

/** A value of an own column, which for labels is their number; with `label`, 1 where it is that one, else 0. */
export interface OwnProgram {
  readonly kind: 'own';
  readonly column: string;
  /** Sessions that it may be old; null: as many as its column allows. */
  readonly within: number | null;
  readonly label: string | null;
  readonly dimension: Dimension;
}

export type ConditionProgram =
  /** `price`: set for differences of averages, whose ties are shares of the price. */
  | {
      readonly kind: 'compare';
      readonly name: Comparison;
      readonly a: Value;
      readonly b: Value;
      readonly price: Value | null;
    }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Condition[] }
  /** The condition at the bar before. */
  | { readonly kind: 'before'; readonly part: Condition }
  | { readonly kind: 'forBars' | 'withinBars'; readonly part: Condition; readonly n: number }
  /** True where a value is `is`, which is 1 or 0. */
  | { readonly kind: 'flag'; readonly part: Value; readonly is: number }
  /** A condition of another instrument. */
  | { readonly kind: 'other'; readonly ticker: string; readonly part: Condition };

export interface Node {
  /** Nodes of equal keys are equal. */
  readonly key: string;
  /** Whether it depends on the position, so that it has a value only while one is held. */
  readonly isOfPosition: boolean;
  /** How deep values across the market are nested in it; 0: there are none. */
  readonly across: number;
  /** How many of an instrument's own bars back these are read; 0: those of the session itself. */
  readonly acrossReach: number;
  /** Whether it reads a universe: its members, or an index of them. */
  readonly readsUniverse: boolean;
  /** Whether it reads other instruments. */
  readonly readsOthers: boolean;
  /** Whether it reads own columns. */
  readonly readsColumns: boolean;
  /** Whether it mixes dimensions that change differently with the basis, as `close + 1` and `close > 5` do. */
  readonly mixes: boolean;
  /** How many bars back it reads the parts that it mixes; 0 where it mixes nothing. */
  readonly reach: number;
}

/** A value that is not made of others. */
export type Leaf = Extract<
  ValueProgram,
  { readonly kind: 'bar' | 'position' | 'indicator' | 'across' | 'pair' | 'own' }
>;

export type Value = Node & { readonly program: ValueProgram; readonly dimension: ValueDimension };
export type Condition = Node & { readonly program: ConditionProgram };
