/** Compares loading CSV text into checked, committed bars with COPY of a prepared CSV, and measures one day into a full table. */
import { createReadStream, createWriteStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { selectInstruments } from '../../db/market/instruments.ts';
import { dayOf, formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import type { LoadUnit } from '../../jobs/providers/provider.ts';
import {
  BENCH_VENUE_BASIS,
  type Bench,
  type BenchMarket,
  clearBars,
  ensureLoaded,
  loadUnit,
  yearUnit,
} from './market.ts';
import { inTurns, ratioOf, timed } from './measure.ts';
import { runChild } from './processes.ts';
import { figure } from './report.ts';

const ROUNDS = 5;
const YEAR = 2022;
const NEW_DAY = dayOf(2026, 1, 2);

/** Writes the same rows with the columns of the table, ready for COPY. `only`: the day of all of them, in place of theirs. */
async function writeReadyCsv(market: BenchMarket, csv: string, ready: string, only?: string): Promise<void> {
  const ids = new Map((await selectInstruments(market.pool)).map((i) => [i.ticker, i.id]));
  const venueBasis = VENUE_BASIS_CODE[BENCH_VENUE_BASIS];
  const convert = async function* (lines: AsyncIterable<Buffer>) {
    let rest = '';
    for await (const chunk of lines) {
      const text = rest + chunk.toString();
      const end = text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      let out = '';
      for (const line of text.slice(0, end).split('\n')) {
        const at = line.indexOf(',');
        const id = ids.get(line.slice(0, at));
        if (id !== undefined) out += `${id},${venueBasis},${only ? only + line.slice(at + 11) : line.slice(at + 1)}\n`;
      }
      yield out;
    }
  };
  await pipeline(createReadStream(csv, { highWaterMark: 1 << 20 }), convert, createWriteStream(ready));
}

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
  const unit = yearUnit(market.folder, YEAR);
  const ready = join(market.folder, `ready-${YEAR}.csv`);
  if (!existsSync(ready)) await writeReadyCsv(market, unit.parts[0], ready);
  await market.pool.query('drop table if exists bare_bars; create table bare_bars (like daily_bars including all)');
  let rows = 0;
  const { ours, floor } = await inTurns(ROUNDS, {
    ours: async () => {
      await clearBars(market.pool);
      return timed(async () => {
        rows = await loadUnit(market, unit);
      });
    },
    floor: async () => {
      await market.pool.query('truncate bare_bars');
      return timed(() => copyFile(market, ready, 'bare_bars'));
    },
  });
  await market.pool.query('drop table bare_bars');
  const rate = (ms: number) => `${Math.round(rows / ms)} k rows/s`;
  return [figure('load.rate_vs_copy', ratioOf(floor, ours), `${rate(ours.median)} against ${rate(floor.median)}`)];
};

const benchMemory: Bench = async ({ pool, folder, url }) => {
  await clearBars(pool);
  const loaded = runChild<{ rows: number; seconds: number; maxRssMb: number }>('./load-child.ts', [folder, url]);
  const note = `${(loaded.rows / 1e6).toFixed(1)} M rows in ${loaded.seconds.toFixed(0)} s`;
  return [figure('load.peak_rss_mb', loaded.maxRssMb, note)];
};

/** Writes a day of all instruments. */
async function writeDay({ pool }: BenchMarket, csv: string): Promise<void> {
  const lines = (await selectInstruments(pool)).map(({ ticker, id }) => {
    const price = 10 + (id % 4000) / 10;
    return `${ticker},${formatDay(NEW_DAY)},${price},${price + 1},${price - 1},${price + 0.5},${1000 + id}`;
  });
  writeFileSync(csv, `symbol,date,open,high,low,close,volume\n${lines.join('\n')}\n`);
}

const benchDayUpsert: Bench = async (market) => {
  const { pool, folder } = market;
  const total = await ensureLoaded(market);
  const [csv, ready] = [join(folder, 'day.csv'), join(folder, 'day-ready.csv')];
  await writeDay(market, csv);
  await writeReadyCsv(market, csv, ready, formatDay(NEW_DAY));
  const unit: LoadUnit = { key: 'day', start: NEW_DAY, end: NEW_DAY, isClipped: false, weight: 1, parts: [csv] };
  const removeDay = async () => {
    await pool.query('delete from daily_bars where day = $1', [formatDay(NEW_DAY)]);
    await pool.query('delete from loaded_sessions where day = $1', [formatDay(NEW_DAY)]);
  };
  const thenRemoved = async (work: () => Promise<unknown>) => {
    const ms = await timed(work);
    await removeDay();
    return ms;
  };
  await removeDay();
  const { fresh, again, floor } = await inTurns(ROUNDS, {
    floor: () => thenRemoved(() => copyFile(market, ready, 'daily_bars')),
    fresh: () => timed(() => loadUnit(market, unit)),
    again: () => thenRemoved(() => loadUnit(market, unit)),
  });
  const note = `into ${(total / 1e6).toFixed(1)} M rows; COPY ${floor.median.toFixed(0)} ms`;
  return [
    figure('day_upsert.time_vs_copy', ratioOf(fresh, floor), `new day ${fresh.median.toFixed(0)} ms ${note}`),
    figure('day_upsert.again_time_vs_copy', ratioOf(again, floor), `same day again ${again.median.toFixed(0)} ms`),
  ];
};

export const LOAD = { 'load.rate_vs_copy': benchRate, 'load.peak_rss_mb': benchMemory, day_upsert: benchDayUpsert };
