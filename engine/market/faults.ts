/** Faults for which a daily bar or an event is rejected. */

import type { AdjustmentKind } from './adjust.ts';
import { isSession } from './calendar.ts';
import type { Day } from './dates.ts';

/** The only reason that is not a fault of the row itself: the directory does not list its instrument. */
export const UNKNOWN_INSTRUMENT = 'unknown_instrument';

export const BAR_FAULTS = [
  'unreadable',
  'bad_price',
  'implausible_price',
  'high_too_low',
  'low_too_high',
  'bad_volume',
  'bad_date',
  'not_a_session',
  UNKNOWN_INSTRUMENT,
  'duplicate',
] as const;
export type BarFault = (typeof BAR_FAULTS)[number];

/** Prices as traded. Beyond them sums and products of prices overflow or lose their digits. */
const PRICES = { min: 1e-6, max: 1e9 } as const;
const MAX_VOLUME = Number.MAX_SAFE_INTEGER;

/** The first fault of a bar's prices and volume; null when they are consistent. NaN is a bad price or volume. */
export function figuresFault(open: number, high: number, low: number, close: number, volume: number): BarFault | null {
  // One comparison chain for the common case; NaN fails any.
  if (low >= PRICES.min && high <= PRICES.max && low <= open && low <= close && high >= open && high >= close) {
    return volume >= 0 && volume <= MAX_VOLUME && Number.isInteger(volume) ? null : 'bad_volume';
  }
  const prices = [open, high, low, close];
  if (!prices.every((price) => price > 0 && price < Infinity)) return 'bad_price';
  if (!prices.every((price) => price >= PRICES.min && price <= PRICES.max)) return 'implausible_price';
  return high < open || high < close || high < low ? 'high_too_low' : 'low_too_high';
}

/** The fault of a row's day; null: the row has no day. */
export function dayFault(day: Day | null): BarFault | null {
  if (day === null) return 'bad_date';
  return isTradingDay(day) ? null : 'not_a_session';
}

/** `isSession` from a table: loads ask once per row. */
export function isTradingDay(day: Day): boolean {
  const index = day - TABLE_START;
  if (index < 0 || index >= TABLE_DAYS) return isSession(day);
  if (sessionTable[index] === UNKNOWN) sessionTable[index] = isSession(day) ? OPEN : CLOSED;
  return sessionTable[index] === OPEN;
}

const TABLE_START = 0;
const TABLE_DAYS = 40_000;
const UNKNOWN = 0;
const OPEN = 1;
const CLOSED = 2;
const sessionTable = new Uint8Array(TABLE_DAYS);

/** Factors of one event. A handful beyond them would make adjusted prices overflow. */
const FACTORS = { min: 1e-6, max: 1e6 } as const;

/** A dividend of more than this share of the price is an amount in place of a factor. */
const MIN_DIVIDEND_FACTOR = 0.5;

/** The first fault of an event; null when it is plausible. */
export function eventFault(kind: AdjustmentKind, factor: number): string | null {
  if (!(factor > 0)) return 'bad_factor';
  if (factor < FACTORS.min || factor > FACTORS.max) return 'implausible_factor';
  if (kind === 'reverse_split') return factor < 1 ? 'factor_below_one' : null;
  if (factor > 1) return kind === 'cash_dividend' ? 'amount_as_factor' : 'factor_above_one';
  return kind === 'cash_dividend' && factor < MIN_DIVIDEND_FACTOR ? 'amount_as_factor' : null;
}
