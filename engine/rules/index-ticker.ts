/** Tickers of the indices of a universe: `@market`, of all members alike, and `@market:name`, weighted by an own column. */

const INDEX = /^@market(?::([a-z][a-z0-9_]{0,39}))?$/;

export function isIndex(ticker: string): boolean {
  return INDEX.test(ticker);
}

/** The own column that weighs an index; null: equal weights. */
export function weightsOfIndex(ticker: string): string | null {
  return INDEX.exec(ticker)?.[1] ?? null;
}
