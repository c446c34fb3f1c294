/** The instruments that a list of symbols names, for portfolios and sweeps. */
import { hasBarsBetween } from '../../db/market/bars.ts';
import type { Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/errors.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { RequestFailure } from '../http/input/request-failure.ts';
import { type Directory, type DirectoryItem, readSymbol, symbolError } from '../market/directory.ts';

/**
 * Each once, by symbol. Throws for a malformed symbol; names every symbol that is not found, unless they are to be
 * skipped and another one is left.
 */
export function findUniverse(directory: Directory, symbols: readonly string[], skipUnknown: boolean): DirectoryItem[] {
  const found = new Map<number, DirectoryItem>();
  const unknown: { readonly at: number; readonly symbol: string }[] = [];
  for (const [at, text] of symbols.entries()) {
    const parsed = readSymbol(directory, text);
    if (!parsed.ok) throw symbolError(parsed, text);
    const item = directory.bySymbol.get(parsed.ticker);
    if (item) found.set(item.id, item);
    else unknown.push({ at, symbol: qualifiedSymbol(parsed.ticker) });
  }
  if (unknown.length > 0 && (!skipUnknown || found.size === 0)) throw unknownSymbols(unknown);
  return [...found.values()].sort((a, b) => (a.qualified < b.qualified ? -1 : 1));
}

/** Symbols that the message names; the details name more. */
const NAMED = 5;

function unknownSymbols(unknown: readonly { readonly at: number; readonly symbol: string }[]): RequestFailure {
  const problems = unknown.map(
    ({ at, symbol }) =>
      ({
        loc: ['body', 'symbols', at],
        type: 'symbol_not_found',
        problem: { code: 'unknown_symbol', details: { symbol } },
      }) as const,
  );
  const named = unknown.slice(0, NAMED).map(({ symbol }) => symbol);
  const symbol = unknown.length > NAMED ? `${named.join(', ')}, … (${unknown.length})` : named.join(', ');
  return new RequestFailure('symbol_not_found', problems, { symbol });
}

/** Throws where no instrument has a bar in the range. */
export async function assertBars(
  db: Queryable,
  instruments: readonly { readonly instrumentId: number; readonly symbol: string }[],
  { start, end }: { readonly start: number | null; readonly end: number | null },
): Promise<void> {
  const ids = instruments.map(({ instrumentId }) => instrumentId);
  if (ids.length > 0 && (await hasBarsBetween(db, ids, start, end))) return;
  const named = instruments.slice(0, NAMED).map(({ symbol }) => symbol);
  throw new ServiceError('no_bars_in_range', { symbol: named.join(', ') + (instruments.length > NAMED ? ', …' : '') });
}
