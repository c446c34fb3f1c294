/** Measures the load of a column of fifty million rows, beside COPY of the same rows. */
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { createPool, type Pool } from '../../../db/pool.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import { BENCH_NOW, type Bench, benchDatabase } from './market.ts';
import { figure, IS_QUICK, timed } from './measure.ts';

const SYMBOLS = IS_QUICK ? 200 : 12_000;
const DAYS = IS_QUICK ? 500 : 4_167;
const FIRST = dayOf(2010, 1, 4);
const ROWS = SYMBOLS * DAYS;
const tickerOf = (i: number) => `T${String(i).padStart(5, '0')}`;

/** Day by day, as vendors write them, each row known a day later. */
function* lines(): Generator<string> {
  yield 'symbol,date,known_at,value\n';
  for (let d = 0; d < DAYS; d++) {
    const [date, known] = [formatDay(FIRST + d), formatDay(FIRST + d + 1)];
    let text = '';
    for (let i = 0; i < SYMBOLS; i++) {
      text += `${tickerOf(i)},${date},${known},${((i * 7_919 + d * 104_729) % 100_000) / 1_000}\n`;
    }
    yield text;
  }
}

async function copySeconds(pool: Pool, file: string): Promise<number> {
  await pool.query('create table bare_rows (symbol text, date date, known_at date, value float8)');
  const connection = await pool.connect();
  const copy = connection.query(copyFrom('copy bare_rows from stdin with (format csv, header true)'));
  const ms = await timed(() => pipeline(createReadStream(file), copy));
  connection.release();
  await pool.query('drop table bare_rows');
  return ms / 1_000;
}

const benchLoad: Bench = async ({ directory, serverUrl }) => {
  const file = join(directory, `column-${SYMBOLS}-${DAYS}.csv`);
  const workFolder = join(directory, 'columns');
  mkdirSync(workFolder, { recursive: true });
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const pool = createPool({
    url: await benchDatabase(serverUrl, 'bench_columns', true),
    max: 3,
    applicationName: 'bench',
  });
  await pool.query(
    `insert into instruments (provider_key, symbol, ticker, name, asset_type, primary_venue, currency, is_popular, lot_size)
     select t, t, t, t, 'stock', 'NYSE', 'USD', false, 1 from unnest($1::text[]) t`,
    [Array.from({ length: SYMBOLS }, (_, i) => tickerOf(i))],
  );
  const bare = await copySeconds(pool, file);
  let peak = 0;
  const report = async () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const target = { accountId: null, name: 'score', settings: { kind: 'number' }, quota: null } as const;
  const context = { pool, workFolder, now: () => BENCH_NOW, report };
  const ms = await timed(() => loadColumn(context, target, file));
  await pool.end();
  const note = `${ROWS} rows; COPY of the same rows ${bare.toPrecision(3)} s; ${Math.round(peak / 2 ** 20)} MB resident`;
  return figure(ms / 1_000, note);
};

export const COLUMNS: Readonly<Record<string, Bench>> = { 'columns.load_rows_s': benchLoad };
