/** A market of few instruments with very long histories, packed: what the largest answers are made of. */

import { bumpDataVersion } from '../../db/market/data-versions.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../engine/market/dates.ts';
import { VALUE_COLUMNS } from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';

/** As many as an answer may have. */
const BARS = 10_000;
/** The present of services that serve this market, and the newest session that they may serve. */
export const LONG_MARKET_NOW = Date.UTC(2026, 5, 1);
const NEWEST = dayOf(2026, 5, 29);
const CODE = VENUE_BASIS_CODE.consolidated;

export const longSymbol = (i: number) => `LONG${i}`;

/** One history for all: the days of a year and their figures, as `bar_blocks` holds them. */
function packedYear(days: readonly number[], seed: number): Buffer {
  const block = Buffer.alloc(days.length * 44);
  days.forEach((day, i) => {
    block.writeInt32BE(day, i * 4);
    VALUE_COLUMNS.forEach((column, c) => {
      const price = 100 + ((seed * 7 + i * 13) % 4_000) / 100 + [0, 1.25, -1.5, 0.37][c % 4];
      const value = column === 'volume' ? 1_000_000 + i * 977 : Number(price.toFixed(4));
      block.writeDoubleBE(value, days.length * (4 + 8 * c) + i * 8);
    });
  });
  return block;
}

/** Puts the market into a migrated database, unless it is there. */
export async function ensureLongMarket(pool: Pool, symbols: number, bars = BARS): Promise<void> {
  const { rowCount } = await pool.query('select from instruments where symbol = $1', [longSymbol(symbols - 1)]);
  if (rowCount !== 0) return;
  const days = sessionsBetween(NEWEST - 365 * 50, NEWEST).slice(-bars);
  const years = [...Map.groupBy(days, (day) => Number(formatDay(day).slice(0, 4)))];
  await transaction(pool, async (connection) => {
    await connection.query(
      `insert into instruments (provider_key, symbol, ticker, name, asset_type, primary_venue, currency, is_popular, lot_size)
       select 'LONG' || i, 'LONG' || i, 'LONG' || i, 'Long history ' || i, 'stock', 'NYSE', 'USD', false, 100
       from generate_series(0, $1::int - 1) i`,
      [symbols],
    );
    await connection.query(
      `insert into bar_blocks (instrument_id, basis, year, data)
       select i.id, $1, b.year, b.data
       from instruments i cross join unnest($2::smallint[], $3::bytea[]) b (year, data) where i.symbol like 'LONG%'`,
      [CODE, years.map(([year]) => year), years.map(([year, inYear]) => packedYear(inYear, year))],
    );
    await connection.query('insert into bar_seals values ($1, $2)', [CODE, formatDay(NEWEST)]);
    await connection.query(
      `insert into loaded_sessions (basis, day, rows, rejected, is_complete)
       select $1, day, $2, 0, true from unnest($3::date[]) day`,
      [CODE, symbols, days.map(formatDay)],
    );
    await bumpDataVersion(connection, 'bars');
  });
}
