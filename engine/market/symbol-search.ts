/** Ranked symbol search over the directory of instruments. */
import { spellingsOf, withoutMarket } from './symbols.ts';

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
