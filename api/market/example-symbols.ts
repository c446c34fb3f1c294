/** Symbols for examples, so that those of pages, texts, and the interface description work on the loaded market. */
import { popularSymbols, withoutMarket } from '../../engine/market/symbols.ts';
import type { NewestBars } from './bars-in-memory.ts';
import type { Directory, DirectoryItem } from './directory.ts';

/** Tickers of the sample market, which texts and request examples use. */
const SAMPLE_TICKERS: readonly string[] = ['ACRX', 'BRVA', 'LUMA', 'TMRK', 'MTMX'];
const SAMPLE_TICKER = new RegExp(`\\b(${SAMPLE_TICKERS.join('|')})\\b`, 'g');

/** A market with its symbols for examples. */
export interface MarketOfExamples {
  readonly directory: Directory;
  readonly examples: readonly string[];
}

/** Symbols with consolidated bars, popular ones first; as many as an example names at most. */
export function exampleSymbols(items: readonly DirectoryItem[], newest: NewestBars): readonly string[] {
  const withBars = items.filter(({ id, isDelisted }) => !isDelisted && newest.has(id));
  const ordered = new Set([...popularSymbols(withBars), ...withBars]);
  return [...ordered].slice(0, SAMPLE_TICKERS.length).map(({ qualified }) => qualified);
}

/** Replaces the symbols of the sample market in texts by those of the market, unless it is empty. */
export function textsOf({ directory, examples }: MarketOfExamples): (text: string) => string {
  const isSample = SAMPLE_TICKERS.every((ticker) => directory.bySymbol.has(ticker));
  if (isSample || examples.length === 0) return (text) => text;
  const tickers = examples.map(withoutMarket);
  const inPlaceOf = (ticker: string) => tickers[SAMPLE_TICKERS.indexOf(ticker) % tickers.length];
  return (text) => text.replaceAll(SAMPLE_TICKER, inPlaceOf);
}
