/** Request examples for a market other than the sample market, which they were written for. */
import { popularSymbols } from '../../../engine/market/symbol-search.ts';
import type { Directory } from '../../market/directory.ts';

/** Tickers of the sample market that stand in request examples. */
const SAMPLE_TICKERS = ['ACRX', 'MTMX'] as const;
const SAMPLE_QUERY = SAMPLE_TICKERS[0].slice(0, 3).toLowerCase();

/** The document with symbols of a market in its request examples; as it is while the market is empty. */
export function withSymbolsOf({ items, bySymbol }: Directory, document: object): object {
  if (SAMPLE_TICKERS.every((ticker) => bySymbol.has(ticker))) return document;
  const popular = popularSymbols(items);
  const listed = popular.length > 0 ? popular : items.filter(({ isDelisted }) => !isDelisted);
  if (listed.length === 0) return document;
  const words = new Map<string, string>();
  for (const [i, ticker] of SAMPLE_TICKERS.entries()) {
    const { symbol, qualified } = listed[i % listed.length];
    words.set(ticker, symbol).set(`${ticker}.US`, qualified);
  }
  words.set(SAMPLE_QUERY, listed[0].symbol.slice(0, 3).toLowerCase());
  return replaceInRequests(document, words);
}

/** Walks parameters and request bodies; schemas and answers keep their examples. */
function replaceInRequests(document: object, words: ReadonlyMap<string, string>): object {
  return mapMembers(document, (path, value) => {
    const isExample = path.includes('example') && (path.includes('parameters') || path.includes('requestBody'));
    return isExample && typeof value === 'string' ? (words.get(value) ?? value) : value;
  });
}

type Change = (path: readonly string[], value: unknown) => unknown;

function mapMembers(value: object, change: Change, path: readonly string[] = []): object {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [name, mapValue(one, change, [...path, name])]));
}

function mapValue(value: unknown, change: Change, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => mapValue(one, change, path));
  return typeof value === 'object' && value !== null ? mapMembers(value, change, path) : change(path, value);
}
