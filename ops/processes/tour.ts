/** The addresses and calls that `npm start` prints. */
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import type { Queryable } from '../../db/pool.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';

/** A few symbols with bars, popular ones first. */
export async function exampleSymbols(db: Queryable): Promise<string[]> {
  return (await selectShowcaseSymbols(db, 2)).map(qualifiedSymbol);
}

export function tourLines(base: string, symbols: readonly string[]): string {
  const [first = 'AAPL.US', second = first] = symbols;
  const batch = JSON.stringify({ symbols: [first, second], type: 'quote' });
  return `
Ready. Open ${base} or try:

  curl ${base}/v1/quote/${first}
  curl '${base}/v1/kline/${first}?period=week&days=4&adjust=qfq'
  curl -X POST ${base}/v1/batch -H 'content-type: application/json' -d '${batch}'

Documentation: ${base}/docs
`;
}
