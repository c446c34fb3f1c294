/** What a strategy is: its parameters, and the signals it gives on a series. */
import type { IndicatorSet } from '../indicators/indicator-set.ts';
import type { Scan } from '../indicators/scans.ts';
import type { LocalizedText } from '../text.ts';
import type { ParameterSet, ValuesOf } from './parameters.ts';

/** A stop that follows the position's peak. */
export interface Trail {
  /** The stop hangs `multiple` × `range[t]` below the peak. */
  readonly range: Float64Array;
  readonly multiple: number;
  /** The column whose highest value since the fill is the peak. */
  readonly source: Float64Array;
  /** Whether the stop never falls while a position is held. */
  readonly isRatchet: boolean;
}

/** When to buy while flat, and when to sell while long. */
export interface Signals {
  readonly entry: Scan;
  readonly exit: Scan | null;
  readonly trail: Trail | null;
}

export interface Strategy<S extends ParameterSet = ParameterSet> {
  readonly code: string;
  readonly label: LocalizedText;
  readonly description: LocalizedText;
  readonly parameters: S;
  /** Of two parameters the first must be smaller than the second. */
  readonly ordered?: readonly [smaller: keyof S & string, larger: keyof S & string];
  readonly signals: (indicators: IndicatorSet, values: ValuesOf<S>) => Signals;
}

export function defineStrategy<const S extends ParameterSet>(strategy: Strategy<S>): Strategy {
  return strategy as unknown as Strategy;
}
