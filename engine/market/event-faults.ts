/** Faults for which an event is rejected. */
import type { AdjustmentKind } from './adjust.ts';

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
