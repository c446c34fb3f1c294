/** The definition of a screener field. */
import type { LocalizedText } from '../text.ts';
import type { Window } from './figures.ts';

export interface Field {
  readonly code: string;
  readonly kind: 'number' | 'boolean';
  /** Default period; null: the field has none. */
  readonly defaultPeriod: number | null;
  readonly unit: 'price' | 'percent' | 'shares' | 'money' | 'ratio' | 'index' | 'bars' | 'flag';
  readonly label: LocalizedText;
  readonly description: LocalizedText;
  /** Bars that it needs, the last included. */
  readonly lookback: (period: number) => number;
  /** The figure at the last bar: a number, or 1 and 0 for true and false; NaN where it is not defined. */
  readonly compute: (window: Window, period: number) => number;
}
