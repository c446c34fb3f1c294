/** The instruments of a list of symbols. */
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { SkippedSymbols } from '../../jobs/contracts/portfolio.ts';
import { RequestFailure } from '../http/input/request-failure.ts';
import { type Directory, type DirectoryItem, readSymbol, symbolError } from './directory.ts';

interface FoundSymbols {
  /** Without duplicates, ordered by symbol. */
  readonly items: DirectoryItem[];
  /** Null if there are none. */
  readonly skipped: SkippedSymbols | null;
}

/** Symbols in the message of an error; its details have all. */
export const NAMED_SYMBOLS = 5;
/** Skipped symbols that a result names. */
const SKIPPED = 100;

/** Throws for malformed symbols, and for unknown ones unless `skipUnknown` is set and a known one is left. */
export function findSymbols(
  directory: Directory,
  symbols: readonly string[],
  skipUnknown: boolean,
  at: readonly (string | number)[] = ['body', 'symbols'],
): FoundSymbols {
  const found = new Map<number, DirectoryItem>();
  const unknown: UnknownSymbol[] = [];
  for (const [index, text] of symbols.entries()) {
    const parsed = readSymbol(directory, text);
    if (!parsed.ok) throw symbolError(parsed, text);
    const item = directory.bySymbol.get(parsed.ticker);
    if (item) found.set(item.id, item);
    else unknown.push({ loc: [...at, index], symbol: qualifiedSymbol(parsed.ticker) });
  }
  if (unknown.length > 0 && (!skipUnknown || found.size === 0)) throw unknownSymbols(unknown);
  const items = [...found.values()].sort((a, b) => (a.qualified < b.qualified ? -1 : 1));
  const names = [...new Set(unknown.map(({ symbol }) => symbol))];
  return { items, skipped: names.length === 0 ? null : { count: names.length, symbols: names.slice(0, SKIPPED) } };
}

interface UnknownSymbol {
  readonly loc: readonly (string | number)[];
  readonly symbol: string;
}

function unknownSymbols(unknown: readonly UnknownSymbol[]): RequestFailure {
  const problems = unknown.map(
    ({ loc, symbol }) =>
      ({
        loc,
        type: 'symbol_not_found',
        problem: { code: 'unknown_symbol', details: { symbol } },
      }) as const,
  );
  const named = unknown.slice(0, NAMED_SYMBOLS).map(({ symbol }) => symbol);
  const symbol = unknown.length > NAMED_SYMBOLS ? `${named.join(', ')}, … (${unknown.length})` : named.join(', ');
  return new RequestFailure('symbol_not_found', problems, { symbol });
}
