/** Lists of instruments for administrators. */

import type { Page, PageRequest } from '../page.ts';
import type { Queryable } from '../pool.ts';
import { selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { selection } from '../schema/tables.ts';

const SYMBOL = selection('instruments', {
  id: 'id',
  symbol: 'symbol',
  name: 'name',
  assetType: 'asset_type',
  primaryVenue: 'primary_venue',
  listedOn: 'listed_on',
  delistedOn: 'delisted_on',
  delistingReturnPct: 'delisting_return_pct',
});

export type LoadedSymbol = Selected<typeof SYMBOL>;

export interface SymbolFilter {
  /** Part of the symbol or name, or a previous ticker. */
  readonly text?: string;
  readonly hasBars?: boolean;
  readonly isDelisted?: boolean;
}

const HAS_BARS = 'exists (select from daily_bars d where d.instrument_id = instruments.id)';
const NAMES_CONTAIN = `position(lower(?) in lower(concat_ws(E'\\n', symbol, ticker, name))) > 0`;
const PREVIOUS_TICKER =
  'exists (select from previous_tickers p where p.instrument_id = instruments.id and p.ticker = upper(?))';

/** Instruments by symbol. */
export async function selectLoadedSymbols(
  db: Queryable,
  { text, hasBars, isDelisted }: SymbolFilter,
  page: PageRequest,
): Promise<Page<LoadedSymbol>> {
  const { rowsOf } = await statements();
  const matching = rowsOf('instruments');
  if (text !== undefined) matching.whereRaw(`(${NAMES_CONTAIN} or ${PREVIOUS_TICKER})`, [text, text]);
  if (hasBars !== undefined) matching.whereRaw(hasBars ? HAS_BARS : `not ${HAS_BARS}`);
  if (isDelisted === true) matching.whereNotNull('delisted_on');
  if (isDelisted === false) matching.whereNull('delisted_on');
  return selectPage(db, matching, page, (instruments) => instruments.select(SYMBOL.columns).orderBy('symbol'));
}
