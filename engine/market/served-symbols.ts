/** Symbols of instruments that have had the same ticker. */
import { type Day, FAR_PAST, formatDay } from './dates.ts';

export interface Listing {
  /** Identity of the instrument, unchanged by renames. */
  readonly key: string;
  readonly ticker: string;
  readonly listedOn: Day | null;
  readonly delistedOn: Day | null;
}

/**
 * Key → symbol, without its market. The newest listing of a ticker gets the plain ticker. An older instrument gets
 * `TICKER-YYYYMM` with the month of its delisting, or of its successor's listing where no delisting is known.
 */
export function servedSymbols(listings: readonly Listing[]): Map<string, string> {
  const byTicker = Map.groupBy(listings, (listing) => listing.ticker);
  const symbols = new Map<string, string>();
  const taken = new Set(byTicker.keys());
  for (const [ticker, holders] of byTicker) {
    holders.sort(newestFirst);
    symbols.set(holders[0].key, ticker);
    for (const [i, holder] of holders.entries()) {
      if (i === 0) continue;
      const month = holder.delistedOn ?? holders[i - 1].listedOn ?? 0;
      const symbol = unused(`${ticker}-${formatDay(month).slice(0, 7).replace('-', '')}`, taken);
      taken.add(symbol);
      symbols.set(holder.key, symbol);
    }
  }
  return symbols;
}

/** An instrument that still trades before one that does not, then the latest listing, then the latest delisting. */
function newestFirst(a: Listing, b: Listing): number {
  const active = Number(b.delistedOn === null) - Number(a.delistedOn === null);
  const listed = (b.listedOn ?? FAR_PAST) - (a.listedOn ?? FAR_PAST);
  return active || listed || (b.delistedOn ?? FAR_PAST) - (a.delistedOn ?? FAR_PAST) || (a.key < b.key ? -1 : 1);
}

function unused(symbol: string, taken: ReadonlySet<string>): string {
  let candidate = symbol;
  for (let n = 2; taken.has(candidate); n++) candidate = `${symbol}-${n}`;
  return candidate;
}
