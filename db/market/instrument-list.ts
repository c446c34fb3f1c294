/** Writes the instruments that a provider lists, and keeps the names and tickers that they had. */
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { Connection, Queryable } from '../pool.ts';
import { bumpDataVersion } from './data-versions.ts';
import type { InstrumentFacts } from './instruments.ts';

const toText = (day: Day | null): string | null => (day === null ? null : formatDay(day));

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

const FACTS = [
  ...['symbol', 'ticker', 'name', 'asset_type', 'primary_venue', 'currency', 'listed_on', 'delisted_on'],
  ...['delisting_return_pct', 'is_popular', 'lot_size', 'prices'],
];
const COLUMNS = FACTS.join(', ');
const [KNOWN, GIVEN] = ['i', 'excluded'].map((table) => FACTS.map((column) => `${table}.${column}`).join(', '));

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
    `insert into instruments as i (provider_key, ${COLUMNS})
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                          $8::date[], $9::date[], $10::float8[], $11::boolean[], $12::int[], $13::text[])
     on conflict (provider_key) do update set (${COLUMNS}) = (${GIVEN})
       where (${KNOWN}) is distinct from (${GIVEN})`,
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
      facts.map((f) => f.delistingReturnPct ?? null),
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
