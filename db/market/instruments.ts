/** Instruments, and the tickers and names that they have had. */
import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { type PreviousTicker, type TickerSpan, tickerSpans } from '../../engine/market/ticker-book.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import { type Page, type PageRequest, selectPage, statements } from '../query-builder.ts';
import type { Selected } from '../schema/columns.ts';
import { type Rows, selection } from '../schema/tables.ts';

export interface InstrumentFacts {
  /** The provider's identifier, constant over renames. */
  readonly providerKey: string;
  /** The symbol that the service gives it, without market. */
  readonly symbol: string;
  readonly ticker: string;
  readonly name: string;
  readonly assetType: string;
  readonly primaryVenue: string;
  readonly currency: string;
  readonly listedOn: Day | null;
  readonly delistedOn: Day | null;
  /** Return of holders at the delisting, in percent of the last close; default: not known. */
  readonly delistingReturnPct?: number | null;
  readonly isPopular: boolean;
  readonly lotSize: number;
  readonly previousTickers: readonly PreviousTicker[];
  /** The form of the prices of its bars. Default: as traded. */
  readonly prices?: Rows['instruments']['prices'];
}

/** A name until its last day, as far as loads have seen it change. */
export interface PreviousName {
  readonly name: string;
  readonly lastDay: Day;
}

export interface Instrument extends InstrumentFacts {
  readonly id: number;
  readonly delistingReturnPct: number | null;
  readonly prices: Rows['instruments']['prices'];
  /** Oldest first. */
  readonly previousNames: readonly PreviousName[];
}

const toDay = (text: string | null): Day | null => (text === null ? null : parseDay(text));

/** All instruments, by id. */
export async function selectInstruments(db: Queryable): Promise<Instrument[]> {
  const previous = await selectPreviousTickers(db);
  const names = await selectPreviousNames(db);
  const { rows } = await db.query<Rows['instruments']>('select * from instruments order by id');
  return rows.map((row) => ({
    id: row.id,
    providerKey: row.provider_key,
    symbol: row.symbol,
    ticker: row.ticker,
    name: row.name,
    assetType: row.asset_type,
    primaryVenue: row.primary_venue,
    currency: row.currency,
    listedOn: toDay(row.listed_on),
    delistedOn: toDay(row.delisted_on),
    delistingReturnPct: row.delisting_return_pct,
    isPopular: row.is_popular,
    lotSize: row.lot_size,
    prices: row.prices,
    previousTickers: previous.get(row.id) ?? [],
    previousNames: names.get(row.id) ?? [],
  }));
}

/** When each instrument had which ticker. */
export async function selectTickerSpans(db: Queryable): Promise<TickerSpan[]> {
  const previous = await selectPreviousTickers(db);
  const { rows } = await db.query<Pick<Rows['instruments'], 'id' | 'ticker' | 'listed_on' | 'delisted_on'>>(
    'select id, ticker, listed_on, delisted_on from instruments',
  );
  return rows.flatMap((row) =>
    tickerSpans(row.id, {
      ticker: row.ticker,
      listedOn: toDay(row.listed_on),
      delistedOn: toDay(row.delisted_on),
      previousTickers: previous.get(row.id) ?? [],
    }),
  );
}

/** Previous tickers by instrument, oldest first. */
async function selectPreviousTickers(db: Queryable): Promise<Map<number, PreviousTicker[]>> {
  const { rows } = await db.query<Rows['previous_tickers']>(
    'select * from previous_tickers order by instrument_id, last_day',
  );
  const previous = new Map<number, PreviousTicker[]>();
  for (const row of rows) {
    const list = previous.get(row.instrument_id) ?? [];
    list.push({ ticker: row.ticker, lastDay: requireDay(row.last_day) });
    previous.set(row.instrument_id, list);
  }
  return previous;
}

/** Previous names by instrument, oldest first. */
async function selectPreviousNames(db: Queryable): Promise<Map<number, PreviousName[]>> {
  const { rows } = await db.query<Rows['previous_names']>(
    'select * from previous_names order by instrument_id, last_day',
  );
  const byInstrument = Map.groupBy(rows, (row) => row.instrument_id);
  const toName = ({ name, last_day }: Rows['previous_names']) => ({ name, lastDay: requireDay(last_day) });
  return new Map([...byInstrument].map(([id, some]) => [id, some.map(toName)]));
}

/** The forms of prices of instruments with bars, each once. */
export async function selectPriceForms(db: Queryable): Promise<Rows['instruments']['prices'][]> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'prices'>>(
    'select distinct prices from instruments i where exists (select from daily_bars d where d.instrument_id = i.id)',
  );
  return rows.map(({ prices }) => prices);
}

/** The tickers of instruments that no list has, by id. */
export async function selectUnlistedTickers(db: Queryable): Promise<Map<number, string>> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'id' | 'ticker'>>(
    `select id, ticker from instruments i where asset_type = 'other' and name = ticker and provider_key = ticker || '@'
       and delisted_on is null`,
  );
  return new Map(rows.map(({ id, ticker }) => [id, ticker]));
}

/** Whether some of the instruments have other prices than as traded. */
export async function hasAdjustedPrices(db: Queryable, ids: readonly number[]): Promise<boolean> {
  const { rowCount } = await db.query(`select from instruments where id = any($1) and prices <> 'as_traded' limit 1`, [
    ids,
  ]);
  return rowCount === 1;
}

/** Ids by symbol, without unknown symbols. */
export async function selectInstrumentIds(db: Queryable, symbols: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'symbol' | 'id'>>(
    'select symbol, id from instruments where symbol = any($1)',
    [symbols],
  );
  return new Map(rows.map((row) => [row.symbol, row.id]));
}

/** The type and the venue of instruments, by id. */
export async function selectGroups(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, { readonly asset_type: string; readonly venue: string }>> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'id' | 'asset_type' | 'primary_venue'>>(
    'select id, asset_type, primary_venue from instruments where id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, asset_type, primary_venue }) => [id, { asset_type, venue: primary_venue ?? '' }]));
}

/** The listings of instruments, and their delistings up to a day, by id. */
export async function selectListings(
  db: Queryable,
  ids: readonly number[],
  through: Day,
): Promise<Map<number, Pick<BarSeries, 'listedOn' | 'delisting'>>> {
  type Row = Pick<Rows['instruments'], 'id' | 'listed_on' | 'primary_venue' | 'delisting_return_pct'>;
  const { rows } = await db.query<Row & { readonly is_delisted: boolean }>({
    name: 'select_listings',
    text: `select id, listed_on, primary_venue, delisting_return_pct, coalesce(delisted_on <= $2, false) as is_delisted
           from instruments where id = any($1)`,
    values: [ids, formatDay(through)],
  });
  return new Map(
    rows.map((row) => {
      const delisting = { returnPct: row.delisting_return_pct, venue: row.primary_venue };
      return [
        row.id,
        { listedOn: toDay(row.listed_on) ?? undefined, delisting: row.is_delisted ? delisting : undefined },
      ];
    }),
  );
}

/** Instruments that have a bar on a venue basis between two days, `among` the given ones or all (null). */
export async function selectInstrumentsLoadedBetween(
  db: Queryable,
  venueBasis: VenueBasis,
  start: Day,
  end: Day,
  among: readonly number[] | null,
): Promise<number[]> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'id'>>(
    `select i.id from instruments i
     where ($4::int[] is null or i.id = any($4)) and exists (
       select from daily_bars d where d.instrument_id = i.id and d.basis = $1 and d.day between $2 and $3)`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(start), formatDay(end), among],
  );
  return rows.map(({ id }) => id);
}

/** Counts the instruments that were listed at some time between two days. An unknown listing or delisting day excludes none. */
export async function countListedInstruments(db: Queryable, start: Day, end: Day): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from instruments
     where coalesce(listed_on <= $2, true) and coalesce(delisted_on >= $1, true)`,
    [formatDay(start), formatDay(end)],
  );
  return rows[0].count;
}

/** Symbols for newcomers: listed, with consolidated bars, popular ones first. */
export async function selectShowcaseSymbols(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'symbol'>>(
    `select i.symbol from instruments i
     where i.delisted_on is null and exists (select from daily_bars d where d.instrument_id = i.id and d.basis = 1)
     order by i.is_popular desc, (i.asset_type = 'stock') desc, i.id limit $1`,
    [limit],
  );
  return rows.map((row) => row.symbol);
}

/** The id of an instrument if it is there, or else of the one that has its symbol now; null when neither is. */
export async function selectPresentId(
  db: Queryable,
  { id, symbol }: { readonly id: number; readonly symbol: string },
): Promise<number | null> {
  const { rows } = await db.query<Pick<Rows['instruments'], 'id'>>(
    'select id from instruments where id = $1 or symbol = $2 order by (id = $1) desc limit 1',
    [id, symbol],
  );
  return rows[0]?.id ?? null;
}

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
