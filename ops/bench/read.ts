/** Compares reading long histories, packed as the sync job packs them, with the cheapest storage of the same bars. */
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
import { required } from '../../engine/util/required.ts';
import { packHistory } from '../../jobs/sync/daily-bars.ts';
import type { Bench } from './market.ts';
import { inTurns, ratioOf, timedEach } from './measure.ts';
import { figure } from './report.ts';

const BARS = 5_000;
const FIRST_ID = 900_000_000;
const INSTRUMENTS = 50;
const ROUNDS = 7;
const VENUE_BASIS = 'primary_session';
const CODE = VENUE_BASIS_CODE[VENUE_BASIS];

const columnsOf = ({ day, ...values }: BarSeries) => [day, ...VALUE_COLUMNS.map((name) => values[name])];

async function writeLongHistories(pool: Pool): Promise<void> {
  const days = sessionsBetween(dayOf(2000, 1, 3), dayOf(2020, 12, 31))
    .slice(0, BARS)
    .map(formatDay);
  for (const table of ['daily_bars', 'bar_blocks', 'bar_seals', 'loaded_sessions']) {
    await pool.query(`delete from ${table} where basis = $1`, [CODE]);
  }
  await pool.query(
    `insert into daily_bars select $1 + i, $2, day, 100 + n * 0.01, 101 + n * 0.01, 99 + n * 0.01, 100.5 + n * 0.01, 1000 + n
     from generate_series(1, ${INSTRUMENTS}) i, unnest($3::date[]) with ordinality t (day, n)`,
    [FIRST_ID, CODE, days],
  );
  await pool.query(
    `insert into loaded_sessions (basis, day, rows, rejected, is_complete)
     select $1, day, ${INSTRUMENTS}, 0, true from unnest($2::date[]) t (day)`,
    [CODE, days],
  );
  await packHistory(pool, VENUE_BASIS);
}

/** The cheapest storage: one value per instrument and year, in the layout of memory, and nothing else. */
async function writeBare(pool: Pool): Promise<void> {
  await pool.query(`drop table if exists bare_blocks;
    create table bare_blocks (id int, year int, data bytea not null, primary key (id, year));
    alter table bare_blocks alter column data set storage external`);
  for (let id = FIRST_ID + 1; id <= FIRST_ID + INSTRUMENTS; id++) {
    const series = required((await selectSeries(pool, [id], VENUE_BASIS)).get(id));
    for (let year = 2000; year <= 2020; year++) {
      const inYear = columnsOf(sliceByDay(series, dayOf(year, 1, 1), dayOf(year, 12, 31)));
      const bytes = inYear.map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength));
      if (inYear[0].length > 0)
        await pool.query('insert into bare_blocks values ($1, $2, $3)', [id, year, Buffer.concat(bytes)]);
    }
  }
  for (const table of ['daily_bars', 'bar_blocks', 'bare_blocks']) await pool.query(`vacuum analyze ${table}`);
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
    for (const column of columnsOf(series)) {
      const width = column.BYTES_PER_ELEMENT;
      new Uint8Array(column.buffer).set(data.subarray(at, at + count * width), bar * width);
      at += count * width;
    }
    bar += count;
  }
  return series;
}

const benchRead: Bench = async ({ pool }) => {
  await writeLongHistories(pool);
  await writeBare(pool);
  const each = (read: (id: number) => Promise<unknown>) => () => timedEach(INSTRUMENTS, (i) => read(FIRST_ID + 1 + i));
  const { ours, floor } = await inTurns(ROUNDS, {
    ours: each((id) => selectSeries(pool, [id], VENUE_BASIS)),
    floor: each((id) => readBare(pool, id)),
  });
  const note = `${ours.median.toFixed(2)} ms; packed years ${floor.median.toFixed(2)} ms`;
  return [figure('read.bars5000_time_vs_cheapest', ratioOf(ours, floor), note)];
};

export const READ = { 'read.bars5000_time_vs_cheapest': benchRead };
