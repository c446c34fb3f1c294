/** Compares loading files of other layouts, and of a ticker each, with COPY of the same rows, and measures the check of a folder. */
import { createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { createPool, type Pool, transaction } from '../../../db/pool.ts';
import { FAR_FUTURE, FAR_PAST, newYorkDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { checkFolder } from '../../../jobs/providers/files/check-folder.ts';
import { FilesProvider } from '../../../jobs/providers/files/files-provider.ts';
import { upsertProvidedInstruments } from '../../../jobs/sync/symbols.ts';
import { inventBars, LAYOUT_WRITERS, type WrittenBar } from '../../support/file-layouts.ts';
import {
  BENCH_NOW,
  BENCH_VENUE_BASIS,
  type Bench,
  type BenchMarket,
  benchDatabase,
  clearBars,
  copyRows,
  loadUnit,
} from './market.ts';
import { compare, type Figure, figure, IS_QUICK, inTurns, ratioFigure, timed } from './measure.ts';

const HEADER = 'symbol,date,open,high,low,close,volume';
const FIRST = '2023-01-03';
const tickersOf = (count: number) => Array.from({ length: count }, (_, i) => `T${String(i).padStart(5, '0')}`);

interface WrittenFolder {
  readonly folder: string;
  readonly pool: Pool;
}

/** Writes files into a folder of their own, for a database of its own. */
async function writeFolder(
  { directory, serverUrl }: BenchMarket,
  name: string,
  files: Iterable<{ readonly name: string; readonly lines: readonly string[] }>,
): Promise<WrittenFolder> {
  const folder = join(directory, `files-${name}`);
  rmSync(folder, { recursive: true, force: true });
  for (const file of files) {
    const path = join(folder, file.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${file.lines.join('\n')}\n`);
  }
  const url = await benchDatabase(serverUrl, 'bench_files', true);
  return { folder, pool: createPool({ url, max: 4, applicationName: 'bench' }) };
}

/** Loads a folder as a first start does, from the look at its files on. Returns the number of rows. */
async function loadFolder({ folder, pool }: WrittenFolder): Promise<number> {
  const cacheFile = `${folder}-index.json`;
  rmSync(cacheFile, { force: true });
  const provider = new FilesProvider({ folder, cacheFile, now: () => BENCH_NOW });
  const instruments = await Array.fromAsync(provider.instruments(() => {}));
  await transaction(pool, (connection) => upsertProvidedInstruments(connection, instruments, newYorkDay(BENCH_NOW)));
  let rows = 0;
  for (const unit of await provider.planUnits(BENCH_VENUE_BASIS, FAR_PAST, FAR_FUTURE))
    rows += await loadUnit({ pool, provider }, unit);
  return rows;
}

async function rateVsCopy(market: BenchMarket, layout: string, bars: readonly WrittenBar[]): Promise<Figure> {
  const { files } = required(LAYOUT_WRITERS.find((writer) => writer.layout === layout));
  const written = await writeFolder(market, layout, files(bars));
  const { pool } = written;
  const ready = join(market.directory, 'files-ready.csv');
  const rows = await loadFolder(written);
  await copyRows({ ...market, pool }, 'select * from daily_bars', createWriteStream(ready));
  await pool.query('create table bare_bars (like daily_bars including all)');
  const result = await compare(`${rows} rows in files of ${layout}; COPY of the same rows`, 'k rows/s', {
    ours: async () => {
      await clearBars(pool);
      return rows / (await timed(() => loadFolder(written)));
    },
    floor: async () => {
      await pool.query('truncate bare_bars');
      const connection = await pool.connect();
      const copy = connection.query(copyFrom('copy bare_bars from stdin with (format csv)'));
      const ms = await timed(() => pipeline(createReadStream(ready), copy));
      connection.release();
      return rows / ms;
    },
  });
  await pool.end();
  return result;
}

const benchLayouts: Bench = async (market) => {
  const bars = inventBars(tickersOf(IS_QUICK ? 20 : 400), FIRST, '2025-12-31');
  const figures = new Map<string, Figure>();
  for (const layout of ['generic', 'yahoo', 'stooq', 'tiingo', 'sharadar', 'databento'])
    figures.set(`files.${layout}_rate_vs_copy`, await rateVsCopy(market, layout, bars));
  return figures;
};

const line = (b: WrittenBar) => [b.symbol, b.date, b.open, b.high, b.low, b.close, b.volume].join(',');

const benchMany: Bench = async (market) => {
  const tickers = tickersOf(IS_QUICK ? 200 : 12_000);
  const bars = inventBars(tickers, FIRST, '2023-02-28');
  const list = { name: 'symbols.csv', lines: ['symbol', ...tickers] };
  const own = (name: string, some: readonly WrittenBar[]) => ({
    name: `daily/${BENCH_VENUE_BASIS}/${name}.csv`,
    lines: [HEADER, ...some.map(line)],
  });
  const samples = async (name: string, files: readonly { name: string; lines: string[] }[]) => {
    const written = await writeFolder(market, name, [list, ...files]);
    const side = async () => {
      await clearBars(written.pool);
      return timed(() => loadFolder(written));
    };
    const measured = (await inTurns({ side })).side;
    await written.pool.end();
    return measured;
  };
  const one = await samples('one', [own('all', bars)]);
  const many = await samples(
    'many',
    [...Map.groupBy(bars, ({ symbol }) => symbol)].map(([symbol, some]) => own(symbol, some)),
  );
  return ratioFigure(many, one, 'ms', `${bars.length} rows in ${tickers.length} files; in one file`);
};

const benchCheck: Bench = async ({ folder }) => {
  let bytes = 0;
  const { side } = await inTurns({
    side: async () => {
      const ms = await timed(async () => {
        const { files } = await checkFolder({ folder, now: BENCH_NOW, all: false });
        bytes = files.reduce((sum, { file }) => sum + file.bytes, 0);
      });
      return ms / 1000 / (Math.min(bytes, SAMPLED_BYTES) / 1e8);
    },
  });
  return figure(side, `a sample of ${Math.round(bytes / 1e6)} MB`);
};
/** Bytes that the check of a large folder samples. */
const SAMPLED_BYTES = 2e8;

export const FILES = {
  files: benchLayouts,
  'files.many_time_vs_one': benchMany,
  'files.check_100_mb_s': benchCheck,
};
