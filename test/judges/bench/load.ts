/**
 * Compares loading CSV text into checked, committed bars with COPY of a prepared CSV, measures one day into a full table, and compares
 * reading long histories with the packed bytes of the same years.
 */

import { createReadStream, createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { selectSeries } from '../../../db/market/bars.ts';
import { selectInstruments } from '../../../db/market/instruments.ts';
import { createPool } from '../../../db/pool.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { FilesProvider } from '../../../jobs/providers/files/files-provider.ts';
import { ensureLongMarket } from '../../support/long-market.ts';
import {
  BENCH_VENUE_BASIS,
  BENCH_VENUE_BASIS_CODE,
  BENCH_YEARS,
  type Bench,
  type BenchMarket,
  benchDatabase,
  clearBars,
  copyRows,
  ensureLoaded,
  loadUnit,
  unitOf,
  yearUnit,
} from './market.ts';
import { compare, figure, inTurns, ratioFigure, timed, timedEach } from './measure.ts';
import { inTask, peakResidentMb, THREAD_ARGUMENTS } from './processes.ts';

const YEAR = 2022;
const NEW_DAY = dayOf(2026, 1, 2);
/** Bars of each history that is read, and the number of histories. */
const BARS = 5_000;
const INSTRUMENTS = 50;

/** COPY of a file, which has the columns of the table. */
async function copyFile({ pool }: BenchMarket, file: string, table: string): Promise<void> {
  const connection = await pool.connect();
  try {
    const source = createReadStream(file, { highWaterMark: 1 << 18 });
    await pipeline(source, connection.query(copyFrom(`copy ${table} from stdin with (format csv)`)));
  } finally {
    connection.release();
  }
}

const benchRate: Bench = async (market) => {
  const { pool, directory } = market;
  const unit = yearUnit(YEAR);
  const ready = join(directory, `ready-${YEAR}.csv`);
  await clearBars(pool);
  const rows = await loadUnit(market, unit);
  await copyRows(market, 'select * from daily_bars', createWriteStream(ready));
  await pool.query('drop table if exists bare_bars; create table bare_bars (like daily_bars including all)');
  const result = await compare(`${(rows / 1e6).toFixed(1)} M rows of CSV; COPY of the same rows`, 'k rows/s', {
    ours: async () => {
      await clearBars(pool);
      return rows / (await timed(() => loadUnit(market, unit)));
    },
    floor: async () => {
      await pool.query('truncate bare_bars');
      return rows / (await timed(() => copyFile(market, ready, 'bare_bars')));
    },
  });
  await pool.query('drop table bare_bars');
  return result;
};

/** Loads all years. */
export async function loadAll([folder, url]: readonly string[]) {
  const pool = createPool({ url, max: 4, applicationName: 'bench' });
  const provider = new FilesProvider({ folder, cacheFile: `${folder}.index`, now: Date.now });
  let rows = 0;
  const ms = await timed(async () => {
    for (const year of BENCH_YEARS) rows += await loadUnit({ pool, provider }, yearUnit(year));
  });
  return { rows, seconds: ms / 1000, peakMb: peakResidentMb() };
}

const benchMemory: Bench = async ({ pool, folder, url }) => {
  await clearBars(pool);
  const { rows, seconds, peakMb } = await inTask(loadAll, [folder, url], THREAD_ARGUMENTS);
  return figure(peakMb, `${(rows / 1e6).toFixed(1)} M rows in ${seconds.toFixed(0)} s, the whole process`);
};

/** A new day of all instruments, and the same day again. */
const benchDay: Bench = async (market) => {
  const { pool, directory, folder, provider } = market;
  const total = await ensureLoaded(market);
  const day = formatDay(NEW_DAY);
  const unit = unitOf(NEW_DAY, NEW_DAY, 'day');
  const [csv, ready] = [join(folder, unit.parts[0]), join(directory, 'day-ready.csv')];
  const lines = (await selectInstruments(pool)).map(({ ticker, id }) => {
    const price = 10 + (id % 4000) / 10;
    return `${ticker},${day},${price},${price + 1},${price - 1},${price + 0.5},${1000 + id}`;
  });
  writeFileSync(csv, `symbol,date,open,high,low,close,volume\n${lines.join('\n')}\n`);
  await provider.survey();
  const load = () => loadUnit(market, unit);
  const removeDay = async () => {
    await pool.query('delete from daily_bars where day = $1', [day]);
    await pool.query('delete from loaded_sessions where day = $1', [day]);
  };
  const thenRemoved = async (work: () => Promise<unknown>) => {
    const ms = await timed(work);
    await removeDay();
    return ms;
  };
  await removeDay();
  await load();
  await copyRows(market, `select * from daily_bars where day = '${day}'`, createWriteStream(ready));
  await removeDay();
  const { floor, fresh, again } = await inTurns({
    floor: () => thenRemoved(() => copyFile(market, ready, 'daily_bars')),
    fresh: () => timed(load),
    again: () => thenRemoved(load),
  });
  rmSync(csv);
  await provider.survey();
  const into = `${lines.length} rows into ${(total / 1e6).toFixed(1)} M; COPY`;
  return new Map([
    ['day_upsert.time_vs_copy', ratioFigure(fresh, floor, 'ms', `a new day of ${into}`)],
    ['day_upsert.again_time_vs_copy', ratioFigure(again, floor, 'ms', `the same day again, ${into}`)],
  ]);
};

const benchRead: Bench = async ({ serverUrl }) => {
  const pool = createPool({ url: await benchDatabase(serverUrl, 'bench_read'), max: 4, applicationName: 'bench' });
  await ensureLongMarket(pool, INSTRUMENTS, BARS);
  await pool.query('vacuum analyze bar_blocks');
  const ids = (await selectInstruments(pool)).map(({ id }) => id);
  const text = 'select data from bar_blocks where instrument_id = $1 and basis = $2 order by year';
  const sides = {
    ours: () => timedEach(INSTRUMENTS, (i) => selectSeries(pool, [ids[i]], BENCH_VENUE_BASIS)),
    floor: () =>
      timedEach(INSTRUMENTS, (i) => pool.query({ name: 'bytes', text, values: [ids[i], BENCH_VENUE_BASIS_CODE] })),
  };
  const figure = await compare(`${BARS} bars; the bytes of their packed years`, 'ms', sides, 9);
  await pool.end();
  return figure;
};

export const LOAD = {
  'load.rate_vs_copy': benchRate,
  'load.peak_rss_mb': benchMemory,
  day_upsert: benchDay,
  'read.bars5000_time_vs_cheapest': benchRead,
};
