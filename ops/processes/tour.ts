/** The addresses and calls that `npm start` prints. */
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';

/** A few symbols with bars, popular ones first. */
export async function exampleSymbols(db: Queryable): Promise<string[]> {
  return (await selectShowcaseSymbols(db, 2)).map(qualifiedSymbol);
}

export function tourLines(base: string, symbols: readonly string[]): string {
  const [first] = symbols;
  const calls = first === undefined ? '' : ` or try:\n\n${exampleCalls(base, first, symbols)}`;
  return `
Ready. Open ${base}${calls}

Documentation: ${base}/docs
`;
}

function exampleCalls(base: string, first: string, symbols: readonly string[]): string {
  return `\
  curl ${base}/v1/quote/${first}
  curl '${base}/v1/kline/${first}?period=week&days=4&adjust=qfq'
  curl -X POST ${base}/v1/batch -H 'content-type: application/json' -d '${JSON.stringify({ symbols, type: 'quote' })}'`;
}
