/**
 * Symbols: their grammar, which instrument gets which, and the search. A symbol is `<TICKER>.<MARKET>`; without a market it is
 * of the US. Class shares keep their dot: in `BRK.B` the suffix is no market and belongs to the ticker.
 */
import { type Day, FAR_PAST, formatDay } from './dates.ts';

export const MARKETS = ['US', 'HK', 'CN'] as const;
export type Market = (typeof MARKETS)[number];
export const OPEN_MARKETS: readonly Market[] = ['US'];
export const PLANNED_MARKETS: readonly Market[] = MARKETS.filter((market) => !OPEN_MARKETS.includes(market));

const TICKER = /^[A-Z0-9][A-Z0-9.-]{0,14}$/;

export type ParsedSymbol =
  | { readonly ok: true; readonly ticker: string }
  | { readonly ok: false; readonly reason: 'malformed' | 'market_not_open'; readonly market?: Market };

export function isTicker(text: string): boolean {
  return TICKER.test(text);
}

/** Parses the input of a caller, in any case. `AAPL.HK` is well-formed but its market is not open. */
export function parseSymbol(text: string): ParsedSymbol {
  const upper = text.toUpperCase();
  const suffix = MARKETS.find((market) => upper.endsWith(`.${market}`));
  const ticker = suffix ? upper.slice(0, -suffix.length - 1) : upper;
  if (!isTicker(ticker)) return { ok: false, reason: 'malformed' };
  const market = suffix ?? 'US';
  if (!OPEN_MARKETS.includes(market)) return { ok: false, reason: 'market_not_open', market };
  return { ok: true, ticker };
}

/** The symbol in upper case without `.US`. It is not checked: the result may be no ticker. */
export function withoutMarket(symbol: string): string {
  return symbol.toUpperCase().replace(/\.US$/, '');
}

/**
 * Ways to read a symbol, the likeliest first: `BRK-B`, `BRK/B` and `BRK B` are spellings of `BRK.B`, and a share class
 * may also be written with a hyphen.
 */
export function spellingsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  const [dotted, hyphened] = ['.', '-'].map((separator) => trimmed.replaceAll(/[-/ ]/g, separator));
  return /[/ ]/.test(trimmed) ? [dotted, hyphened] : dotted === trimmed ? [trimmed] : [trimmed, dotted];
}

/** The form in which symbols are served: `AAPL` → `AAPL.US`. */
export function qualifiedSymbol(ticker: string): string {
  return `${ticker}.US`;
}

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

export interface Searchable {
  readonly symbol: string;
  /** Former tickers, which find the instrument, too. */
  readonly aliases: readonly string[];
  /** `foldText` of the name. */
  readonly foldedName: string;
  readonly isDelisted: boolean;
  readonly isPopular: boolean;
}

/** Lower case without accents: `Crédit` → `credit`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

const NO_MATCH = Number.POSITIVE_INFINITY;

/** 0 exact code, 2 exact former code, 4 code prefix, 6 name prefix, 8 name fragment; one more when delisted. */
function rankOf(item: Searchable, code: string, folded: string): number {
  const delisted = item.isDelisted ? 1 : 0;
  if (item.symbol === code) return delisted;
  if (item.aliases.includes(code)) return 2 + delisted;
  if (item.symbol.startsWith(code) || item.aliases.some((alias) => alias.startsWith(code))) return 4 + delisted;
  if (item.foldedName.startsWith(folded)) return 6 + delisted;
  return item.foldedName.includes(folded) ? 8 + delisted : NO_MATCH;
}

/**
 * All instruments whose code starts with `query` or whose name contains it, best first: exact code, code prefix, name
 * prefix, name fragment; within each, active instruments come before delisted ones, then popularity and symbol decide.
 */
export function searchSymbols<T extends Searchable>(items: readonly T[], query: string): T[] {
  const codes = spellingsOf(query).map(withoutMarket);
  const folded = foldText(query.trim());
  const hits: { item: T; rank: number }[] = [];
  for (const item of items) {
    const rank = Math.min(...codes.map((code) => rankOf(item, code, folded)));
    if (rank !== NO_MATCH) hits.push({ item, rank });
  }
  return hits.sort((a, b) => a.rank - b.rank || byPopularity(a.item, b.item)).map((hit) => hit.item);
}

/** Popular instruments that still trade, by symbol: the answer to an empty query. All that trade where none is marked as popular. */
export function popularSymbols<T extends Searchable>(items: readonly T[]): T[] {
  const listed = items.filter(({ isDelisted }) => !isDelisted).sort(byPopularity);
  return listed.some(({ isPopular }) => isPopular) ? listed.filter(({ isPopular }) => isPopular) : listed;
}

function byPopularity(a: Searchable, b: Searchable): number {
  return Number(b.isPopular) - Number(a.isPopular) || (a.symbol < b.symbol ? -1 : 1);
}
