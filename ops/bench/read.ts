/** Compares reading series from the database with the cheapest storage of the same bars. */

import { selectSeries } from '../../db/market/bars.ts';
import type { Pool } from '../../db/pool.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../engine/market/dates.ts';
import {
  allocateSeries,
  type BarSeries,
  BYTES_PER_BAR,
  sliceByDay,
  VALUE_COLUMNS,
} from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { present } from '../../engine/present.ts';
import { packHistory } from '../../jobs/sync/daily-bars.ts';
import { type Figure, figure, inTurns, ratioOf, timed } from './harness.ts';
import type { BenchMarket } from './market.ts';

const BARS = 5_000;
const FIRST_ID = 900_000_000;
const INSTRUMENTS = 50;
const ROUNDS = 7;
const VENUE_BASIS = 'primary_session';

/** Adds long histories to the market: 50 instruments with 5,000 bars each, packed as the sync job packs them. */
async function writeLongHistories(pool: Pool): Promise<void> {
  const days = sessionsBetween(dayOf(2000, 1, 3), dayOf(2020, 12, 31))
    .slice(0, BARS)
    .map(formatDay);
  await pool.query('delete from daily_bars where basis = $1', [VENUE_BASIS_CODE[VENUE_BASIS]]);
  await pool.query('delete from bar_blocks where basis = $1', [VENUE_BASIS_CODE[VENUE_BASIS]]);
  await pool.query('delete from bar_seals where basis = $1', [VENUE_BASIS_CODE[VENUE_BASIS]]);
  await pool.query('delete from loaded_sessions where basis = $1', [VENUE_BASIS_CODE[VENUE_BASIS]]);
  await pool.query(
    `insert into daily_bars select $1 + i, $2, day, 100 + n * 0.01, 101 + n * 0.01, 99 + n * 0.01, 100.5 + n * 0.01, 1000 + n
     from generate_series(1, ${INSTRUMENTS}) i, unnest($3::date[]) with ordinality t (day, n)`,
    [FIRST_ID, VENUE_BASIS_CODE[VENUE_BASIS], days],
  );
  await pool.query(
    `insert into loaded_sessions (basis, day, rows, rejected, is_complete) select $1, day, ${INSTRUMENTS}, 0, true from unnest($2::date[]) t (day)`,
    [VENUE_BASIS_CODE[VENUE_BASIS], days],
  );
  await packHistory(pool, VENUE_BASIS);
  // The floor stores one value per instrument and year, in the layout of memory, and nothing else.
  await pool.query(`drop table if exists bare_blocks;
    create table bare_blocks (id int, year int, data bytea not null, primary key (id, year));
    alter table bare_blocks alter column data set storage external`);
  for (let i = 1; i <= INSTRUMENTS; i++) await writeBare(pool, FIRST_ID + i);
  await pool.query('vacuum analyze daily_bars');
  await pool.query('vacuum analyze bar_blocks');
  await pool.query('vacuum analyze bare_blocks');
}

async function writeBare(pool: Pool, id: number): Promise<void> {
  const series = present((await selectSeries(pool, [id], VENUE_BASIS)).get(id));
  for (let year = 2000; year <= 2020; year++) {
    const { length, day, ...values } = sliceByDay(series, dayOf(year, 1, 1), dayOf(year, 12, 31));
    if (length === 0) continue;
    const columns = [day, ...VALUE_COLUMNS.map((column) => values[column])];
    const bytes = columns.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength));
    await pool.query('insert into bare_blocks values ($1, $2, $3)', [id, year, Buffer.concat(bytes)]);
  }
}

async function readBare(pool: Pool, id: number): Promise<BarSeries> {
  const { rows } = await pool.query<{ data: Buffer }>({
    name: 'bare_block',
    text: 'select data from bare_blocks where id = $1 order by year',
    values: [id],
  });
  const series = allocateSeries(rows.reduce((sum, { data }) => sum + data.length / BYTES_PER_BAR, 0));
  let bar = 0;
  for (const { data } of rows) {
    const count = data.length / BYTES_PER_BAR;
    let at = 0;
    for (const column of [series.day, ...VALUE_COLUMNS.map((name) => series[name])]) {
      const width = column.BYTES_PER_ELEMENT;
      new Uint8Array(column.buffer).set(data.subarray(at, at + count * width), bar * width);
      at += count * width;
    }
    bar += count;
  }
  return series;
}

async function readRows(pool: Pool, id: number): Promise<number> {
  const { rows } = await pool.query({
    name: 'bare_rows',
    text: 'select day, open, high, low, close, volume from daily_bars where instrument_id = $1 and basis = $2 order by day',
    values: [id, VENUE_BASIS_CODE[VENUE_BASIS]],
  });
  return rows.length;
}

export async function benchRead({ pool }: BenchMarket): Promise<Figure[]> {
  await writeLongHistories(pool);
  const all = (read: (id: number) => Promise<unknown>) => async () => {
    const ms = await timed(async () => {
      for (let i = 1; i <= INSTRUMENTS; i++) await read(FIRST_ID + i);
    });
    return ms / INSTRUMENTS;
  };
  const { ours, floor, rows } = await inTurns(ROUNDS, {
    ours: all((id) => selectSeries(pool, [id], VENUE_BASIS)),
    floor: all((id) => readBare(pool, id)),
    rows: all((id) => readRows(pool, id)),
  });
  const note = `${ours.median.toFixed(2)} ms; packed years ${floor.median.toFixed(2)}, rows ${rows.median.toFixed(2)}`;
  return [figure('read.bars5000_time_vs_cheapest', ratioOf(ours, floor), '<= 2', note)];
}
