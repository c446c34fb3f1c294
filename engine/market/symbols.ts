/**
 * Symbol grammar. A symbol is `<TICKER>.<MARKET>`; without a market it is of the US. Class shares keep their dot: in
 * `BRK.B` the suffix is no market and belongs to the ticker.
 */
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
