/** Brings split-adjusted prices back to as traded. */
import type { Day } from '../../../engine/market/dates.ts';
import { roundTo } from '../../../engine/market/series.ts';

export interface Split {
  readonly exDay: Day;
  /** Old ÷ new shares. */
  readonly factor: number;
}

const MAX_DECIMALS = 4;

/** The product of the factors of splits after a day and up to another one. */
export function splitFactorOn(splits: readonly Split[], day: Day, lastDay: Day): number {
  let factor = 1;
  for (const split of splits) if (split.exDay > day && split.exDay <= lastDay) factor *= split.factor;
  return factor;
}

/**
 * The price as traded, as the shortest number of at most four decimals that, adjusted again and rounded to the decimals of its column,
 * gives the price of the file; else four decimals.
 */
export function bringBack(price: number, factor: number, columnDecimals: number): number {
  const traded = price / factor;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    const candidate = roundTo(traded, decimals);
    if (roundTo(candidate * factor, columnDecimals) === roundTo(price, columnDecimals)) return candidate;
  }
  return roundTo(traded, MAX_DECIMALS);
}
