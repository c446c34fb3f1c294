/**
 * Symbol grammar. A symbol is `<TICKER>.<MARKET>`; the market may be left out and is then US. Class shares keep their
 * dot: in `BRK.B` the suffix is no market and belongs to the ticker.
 */
export const MARKETS = ['US', 'HK', 'CN'] as const;
export type Market = (typeof MARKETS)[number];
export const OPEN_MARKETS: readonly Market[] = ['US'];
export const PLANNED_MARKETS: readonly Market[] = MARKETS.filter((market) => !OPEN_MARKETS.includes(market));

const TICKER = /^[A-Z0-9][A-Z0-9.-]{0,14}$/;
const MARKET_SUFFIX = /\.(US|HK|CN)$/;

export type ParsedSymbol =
  | { readonly ok: true; readonly ticker: string }
  | { readonly ok: false; readonly reason: 'malformed' | 'market_not_open'; readonly market?: Market };

export function isTicker(text: string): boolean {
  return TICKER.test(text);
}

/** Parses what a caller typed, in any case. `AAPL.HK` is well-formed but its market is not open. */
export function parseSymbol(text: string): ParsedSymbol {
  const upper = text.toUpperCase();
  const suffix = MARKET_SUFFIX.exec(upper);
  const ticker = suffix ? upper.slice(0, -3) : upper;
  if (!TICKER.test(ticker)) return { ok: false, reason: 'malformed' };
  const market = (suffix?.[1] ?? 'US') as Market;
  if (!OPEN_MARKETS.includes(market)) return { ok: false, reason: 'market_not_open', market };
  return { ok: true, ticker };
}

/**
 * The ways in which a symbol may be meant, the likeliest first: `BRK-B`, `BRK/B` and `BRK B` are spellings of `BRK.B`,
 * and a share class may also be written with a hyphen.
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
