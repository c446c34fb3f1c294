/** Decides whether a line is drawn over candles or in a pane of its own. */

interface Range {
  readonly high: number;
  readonly low: number;
}

/** Whether figures lie between half of the lowest price and twice the highest. Differences of prices, as of `macd()` and `atr()`, do not. */
export function liesAmongPrices(figures: readonly (number | null)[], bars: readonly Range[]): boolean {
  const low = bars.reduce((least, bar) => Math.min(least, bar.low), Number.POSITIVE_INFINITY) / 2;
  const high = 2 * bars.reduce((most, bar) => Math.max(most, bar.high), 0);
  return figures.every((figure) => figure === null || (figure >= low && figure <= high));
}
