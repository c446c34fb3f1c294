/** Compares writing the market as Parquet files with COPY of the same rows to CSV, in time and, compressed, in bytes. */
import { createWriteStream, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readTransaction } from '../../../db/pool.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { barFile, type FilePiece } from '../../../jobs/lake/bar-files.ts';
import { eventFile, sessionFile, symbolFile } from '../../../jobs/lake/build.ts';
import { figureFiles } from '../../../jobs/lake/figure-files.ts';
import { LocalFile } from '../../../jobs/lake/local-file.ts';
import { type LakeSource, readLakeSource } from '../../../jobs/lake/source.ts';
import {
  BENCH_VENUE_BASIS,
  BENCH_VENUE_BASIS_CODE,
  BENCH_YEARS,
  type Bench,
  type BenchMarket,
  copyRows,
  ensureLoaded,
} from './market.ts';
import { figure, ratioFigure, timed } from './measure.ts';

/** Figures of the screener at every bar take longer than bars, so that fewer instruments show their speed. */
const FIGURE_INSTRUMENTS = 600;
const FIGURE_YEARS = [2024, 2025];

/** The folder of the files that this section leaves, in the layout of the lake. */
export const lakeFolder = ({ directory }: BenchMarket): string => join(directory, 'lake');

const barPath = (year: number) => `daily_bars/venue_mode=${BENCH_VENUE_BASIS}/year=${year}/part-0.parquet`;
const figurePath = (year: number) => `screener_daily/year=${year}/part-0.parquet`;

type Pieces = Iterable<FilePiece> | AsyncIterable<FilePiece>;

function fileAt(folder: string, path: string): Promise<LocalFile> {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  return LocalFile.create(dirname(target), basename(target), '');
}

/** Writes a file as the job does: to the local disk, with its SHA-256. Returns its rows. */
async function writeFile(folder: string, path: string, pieces: Pieces): Promise<number> {
  const file = await fileAt(folder, path);
  for await (const piece of pieces) await file.add(piece);
  return (await file.end()).rows;
}

/** The rows of a year, with the columns that readers of its file get. */
const rowsOf = (year: number) =>
  `select i.symbol || '.US', d.day, d.open, d.high, d.low, d.close, d.volume, 1, 1, '${BENCH_VENUE_BASIS}', ${year}
   from daily_bars d join instruments i on i.id = d.instrument_id
   where d.basis = ${BENCH_VENUE_BASIS_CODE} and d.day between '${year}-01-01' and '${year}-12-31'`;

/** Writes the figures of some instruments; returns thousands of rows per second. */
async function writeFigures(source: LakeSource, folder: string): Promise<number> {
  const files = new Map<number, LocalFile>();
  for (const year of FIGURE_YEARS) files.set(year, await fileAt(folder, figurePath(year)));
  const some = { ...source, instruments: source.instruments.slice(0, FIGURE_INSTRUMENTS) };
  let rows = 0;
  const ms = await timed(async () => {
    for await (const piece of figureFiles(some, new Set(FIGURE_YEARS))) await files.get(piece.year)?.add(piece);
    for (const file of files.values()) rows += (await file.end()).rows;
  });
  return rows / ms;
}

export const benchWrite: Bench = async (market) => {
  await ensureLoaded(market);
  const folder = lakeFolder(market);
  rmSync(folder, { recursive: true, force: true });
  const copied = join(market.folder, 'copied.csv');
  const last = BENCH_YEARS[BENCH_YEARS.length - 1];
  return readTransaction(market.pool, async (connection) => {
    const source = await readLakeSource(connection, dayOf(last, 12, 31));
    const [lake, copy]: [number[], number[]] = [[], []];
    let rows = 0;
    // A round is a year, so that each side writes the whole market once.
    for (const year of BENCH_YEARS) {
      const bars = required(source.years.find((one) => one.year === year && one.venueBasis === BENCH_VENUE_BASIS));
      const write = async () => {
        rows += await writeFile(folder, barPath(year), barFile(source, bars));
      };
      lake.push(await timed(write));
      copy.push(await timed(() => copyRows(market, rowsOf(year), createWriteStream(copied))));
    }
    const [bytes, gzipped] = [statSync(join(folder, barPath(last))).size, gzipSync(readFileSync(copied)).length];
    rmSync(copied);
    await writeFile(folder, 'symbols.parquet', symbolFile(source));
    await writeFile(folder, 'events.parquet', eventFile(source));
    await writeFile(folder, 'sessions.parquet', sessionFile(source));
    const rate = await writeFigures(source, folder);
    const all = `of a year, ${(rows / 1e6).toFixed(1)} M bars in all; COPY of the same rows`;
    return new Map([
      ['lake.write_time_vs_copy', ratioFigure(lake, copy, 'ms', all)],
      ['lake.bytes_vs_csv_gz', figure(bytes / gzipped, `${bytes} bytes, the bars of ${last}; CSV, gzipped`)],
      ['lake.figures_k_rows_s', figure(rate, 'figures of the screener at every bar, a core')],
    ]);
  });
};

export const LAKE = { lake: benchWrite };
