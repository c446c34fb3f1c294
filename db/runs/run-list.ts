/** Lists of the backtests that an account has kept. */
import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, selectPage } from '../query-builder.ts';
import { KEPT_BACKTEST, type KeptKind, type SavedBacktest } from './kept-runs.ts';

export interface BacktestFilter {
  readonly kind?: KeptKind;
  /** Any of these, as `<TICKER>.US`. */
  readonly symbols?: readonly string[];
  readonly strategy?: string;
  /** First and last moment of the creation, both included. */
  readonly start?: Date;
  readonly end?: Date;
}

/** Newest first. */
export function selectBacktests(
  db: Queryable,
  userId: number,
  { kind, symbols, strategy, start, end }: BacktestFilter,
  page: PageRequest,
): Promise<Page<SavedBacktest>> {
  const matching = rowsOf('backtests', { user_id: userId });
  if (kind !== undefined) matching.where('kind', kind);
  if (symbols !== undefined) matching.whereRaw(`summary ->> 'symbol' = any(?)`, [[...symbols]]);
  if (strategy !== undefined) matching.whereRaw(`summary ->> 'strategy' = ?`, [strategy]);
  if (start !== undefined) matching.where('created_at', '>=', start);
  if (end !== undefined) matching.where('created_at', '<=', end);
  return selectPage(db, matching, page, (backtests) => backtests.select(KEPT_BACKTEST.columns).orderBy('id', 'desc'));
}
