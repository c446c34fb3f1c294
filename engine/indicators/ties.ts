/**
 * When two figures count as equal. Prices that were equal before they were multiplied by a split factor are equal after
 * it, and the rounding of an indicator decides nothing: every comparison that a trade depends on is made here.
 * A comparison with an undefined figure (NaN) is false.
 */

// Not exported: the compiler treats a constant of the module's own as a literal, which halves the time of a scan.
/** Share of the larger figure that a difference must exceed to count. */
const TIE = 1e-9;
/** The same as a share of the price, for differences of averages, which may themselves be near 0. */
const DIFFERENCE_TIE = 1e-12;

/** a > b, by more than a tie. */
export function isAbove(a: number, b: number): boolean {
  const difference = a - b;
  return difference > TIE * Math.abs(a) && difference > TIE * Math.abs(b);
}

/** a ≤ b: less, or a tie. */
export function isAtMost(a: number, b: number): boolean {
  const difference = a - b;
  return difference <= TIE * Math.abs(a) || difference <= TIE * Math.abs(b);
}

/** a < b, by more than a tie. */
export function isBelow(a: number, b: number): boolean {
  return isAbove(b, a);
}

/** a ≥ b: more, or a tie. */
export function isAtLeast(a: number, b: number): boolean {
  return isAtMost(b, a);
}

/** a > b for differences of averages of a price, as MACD line and signal are. */
export function isDifferenceAbove(a: number, b: number, price: number): boolean {
  return a - b > DIFFERENCE_TIE * price;
}

/** a ≤ b for differences of averages of a price. */
export function isDifferenceAtMost(a: number, b: number, price: number): boolean {
  return a - b <= DIFFERENCE_TIE * price;
}

/** The change from one price to the next; 0 where the two are a tie. */
export function changeOf(before: number, price: number): number {
  const change = price - before;
  return Math.abs(change) <= TIE * price ? 0 : change;
}
