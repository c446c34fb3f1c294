/** The definition of a screener field, and the parts that many definitions share. */
import { type Dimension, MONEY, NO_DIMENSION, PRICE, SHARES } from '../market/basis.ts';
import type { LocalizedText } from '../util/localized-text.ts';
import type { Window } from './figures.ts';

export interface Field {
  readonly code: string;
  readonly kind: 'number' | 'boolean';
  /** Default period in bars; null: the field has no period. */
  readonly defaultPeriod: number | null;
  readonly unit: 'price' | 'percent' | 'shares' | 'money' | 'ratio' | 'index' | 'bars' | 'flag';
  readonly label: LocalizedText;
  readonly description: LocalizedText;
  /** Number of bars that the field needs, the last one included. */
  readonly lookback: (period: number) => number;
  /** The figure at the last bar of the window: a number, or 1 and 0 for true and false; NaN where undefined. */
  readonly compute: (window: Window, period: number) => number;
}

const DIMENSIONS: Partial<Record<Field['unit'], Dimension>> = { price: PRICE, shares: SHARES, money: MONEY };

export function dimensionOfUnit(unit: Field['unit']): Dimension {
  return DIMENSIONS[unit] ?? NO_DIMENSION;
}

/** A boolean as the figure of a field. */
export const flag = (isTrue: boolean) => (isTrue ? 1 : 0);

/** Index of the last bar of a window. */
export const last = ({ to }: Window) => to - 1;
export const closeOf = (window: Window) => window.bars.close[last(window)];

/** Look-back of a field that reads `period` bars. */
export const inPeriod = (period: number) => period;
/** Look-back of a field that also reads the bar before. */
export const beforePeriod = (period: number) => period + 1;
