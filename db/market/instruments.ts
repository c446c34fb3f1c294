/** Instruments, and the tickers and names that they have had. */

import { type Day, formatDay, parseDay, requireDay } from '../../engine/market/dates.ts';
import { type PreviousTicker, type TickerSpan, tickerSpans } from '../../engine/market/ticker-book.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../schema/tables.ts';
import { bumpDataVersion } from './data-versions.ts';

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
  readonly prices: Rows['instruments']['prices'];
  /** Oldest first. */
  readonly previousNames: readonly PreviousName[];
}

const toDay = (text: string | null): Day | null => (text === null ? null : parseDay(text));
const toText = (day: Day | null): string | null => (day === null ? null : formatDay(day));

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

export interface InstrumentKey {
  readonly id: number;
  readonly key: string;
  readonly ticker: string;
  readonly isDelisted: boolean;
}

/** The keys of all instruments, by id. */
export async function selectInstrumentKeys(db: Queryable): Promise<InstrumentKey[]> {
  const { rows } = await db.query<InstrumentKey>(
    'select id, provider_key as key, ticker, delisted_on is not null as "isDelisted" from instruments order by id',
  );
  return rows;
}

/** Changes the key of an instrument to the one that its provider uses now. */
export async function updateInstrumentKey(db: Queryable, id: number, providerKey: string): Promise<void> {
  await db.query('update instruments set provider_key = $2 where id = $1', [id, providerKey]);
}

const FACTS = `symbol, ticker, name, asset_type, primary_venue, currency, listed_on, delisted_on, is_popular, lot_size, prices`;

/**
 * Inserts new instruments and updates changed ones, by provider key, in the caller's transaction. Instruments that the provider
 * no longer lists stay. A name that changes was the name until the day before `on`. Returns the number of changes.
 */
export async function upsertInstruments(
  connection: Connection,
  facts: readonly InstrumentFacts[],
  on: Day,
): Promise<number> {
  await keepPreviousNames(connection, facts, on);
  const { rowCount } = await connection.query(
    `insert into instruments as i (provider_key, ${FACTS})
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                          $8::date[], $9::date[], $10::boolean[], $11::int[], $12::text[])
     on conflict (provider_key) do update
       set (${FACTS}) = (excluded.symbol, excluded.ticker, excluded.name, excluded.asset_type, excluded.primary_venue,
         excluded.currency, excluded.listed_on, excluded.delisted_on, excluded.is_popular, excluded.lot_size, excluded.prices)
       where (i.symbol, i.ticker, i.name, i.asset_type, i.primary_venue, i.currency, i.listed_on, i.delisted_on,
              i.is_popular, i.lot_size, i.prices)
         is distinct from (excluded.symbol, excluded.ticker, excluded.name, excluded.asset_type, excluded.primary_venue,
              excluded.currency, excluded.listed_on, excluded.delisted_on, excluded.is_popular, excluded.lot_size, excluded.prices)`,
    [
      facts.map((f) => f.providerKey),
      facts.map((f) => f.symbol),
      facts.map((f) => f.ticker),
      facts.map((f) => f.name),
      facts.map((f) => f.assetType),
      facts.map((f) => f.primaryVenue),
      facts.map((f) => f.currency),
      facts.map((f) => toText(f.listedOn)),
      facts.map((f) => toText(f.delistedOn)),
      facts.map((f) => f.isPopular),
      facts.map((f) => f.lotSize),
      facts.map((f) => f.prices ?? 'as_traded'),
    ],
  );
  const renamed = await replacePreviousTickers(connection, facts);
  const written = (rowCount ?? 0) + renamed;
  if (written > 0) await bumpDataVersion(connection, 'symbols');
  return written;
}

/** Keeps the names that change. The first change of a day counts: the name before it is that of the day before. */
async function keepPreviousNames(connection: Connection, facts: readonly InstrumentFacts[], on: Day): Promise<void> {
  await connection.query(
    `insert into previous_names (instrument_id, name, last_day)
     select i.id, i.name, $3 from unnest($1::text[], $2::text[]) t (key, name) join instruments i on i.provider_key = t.key
     where i.name <> t.name
     on conflict do nothing`,
    [facts.map((f) => f.providerKey), facts.map((f) => f.name), formatDay(on - 1)],
  );
}

async function replacePreviousTickers(connection: Connection, facts: readonly InstrumentFacts[]): Promise<number> {
  const spans = facts.flatMap((f) => f.previousTickers.map((previous) => ({ key: f.providerKey, ...previous })));
  const { rows } = await connection.query<{ changed: number }>(
    `with given as (
       select i.id, t.ticker, t.last_day from unnest($1::text[], $2::text[], $3::date[]) t (key, ticker, last_day)
       join instruments i on i.provider_key = t.key),
     gone as (
       delete from previous_tickers p using instruments i
       where i.id = p.instrument_id and i.provider_key = any($4)
         and not exists (select from given g where (g.id, g.last_day) = (p.instrument_id, p.last_day))
       returning 1),
     written as (
       insert into previous_tickers as p select id, ticker, last_day from given
       on conflict (instrument_id, last_day) do update set ticker = excluded.ticker where p.ticker <> excluded.ticker
       returning 1)
     select (select count(*) from gone)::int + (select count(*) from written)::int as changed`,
    [
      spans.map((s) => s.key),
      spans.map((s) => s.ticker),
      spans.map((s) => formatDay(s.lastDay)),
      facts.map((f) => f.providerKey),
    ],
  );
  return rows[0].changed;
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
