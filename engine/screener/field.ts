/** The definition of a screener field. */
import type { LocalizedText } from '../text.ts';
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
