/** The file of an export as a stream: what is in it is read, formatted, and compressed while it is consumed. */
import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Connection } from '../../db/pool.ts';
import type { Day } from '../../engine/market/dates.ts';
import { PRICE_COLUMNS, type VALUE_COLUMNS } from '../../engine/market/series.ts';
import type { ExportFormat, ExportSpec } from '../contracts/export.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import { type AccountSource, accountArchive } from './account-file.ts';
import { csvLines, type InstrumentBars, type Report, readMarket } from './csv-lines.ts';

type ValueColumn = (typeof VALUE_COLUMNS)[number];

/** A common size, which also bounds the memory. */
const ROW_GROUP = 100_000;

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'date', type: 'date' },
  ...PRICE_COLUMNS.map((name): ParquetColumn => ({ name, type: 'double' })),
  { name: 'volume', type: 'int64' },
  { name: 'venue_mode', type: 'text' },
];

async function* parquetRows(
  pieces: AsyncIterable<readonly InstrumentBars[]>,
  venueBasis: string,
): AsyncGenerator<Buffer> {
  const file = new ParquetFile('bars', COLUMNS);
  let group: InstrumentBars[] = [];
  let rows = 0;
  for await (const piece of pieces) {
    for (const one of piece) {
      group.push(one);
      rows += one.bars.length;
      if (rows < ROW_GROUP) continue;
      yield groupOf(file, group, rows, venueBasis);
      group = [];
      rows = 0;
    }
  }
  if (rows > 0) yield groupOf(file, group, rows, venueBasis);
  yield file.finish();
}

function groupOf(file: ParquetFile, group: readonly InstrumentBars[], rows: number, venueBasis: string): Buffer {
  const column = (name: ValueColumn) => concat(group, rows, name);
  return file.group(
    [
      group.flatMap(({ symbol, bars }) => new Array<string>(bars.length).fill(symbol)),
      group.flatMap(({ bars }) => [...bars.day]),
      ...PRICE_COLUMNS.map(column),
      BigInt64Array.from(column('volume'), BigInt),
      new Array<string>(rows).fill(venueBasis),
    ],
    rows,
  );
}

function concat(group: readonly InstrumentBars[], rows: number, name: ValueColumn): Float64Array {
  const all = new Float64Array(rows);
  let at = 0;
  for (const { bars } of group) {
    all.set(bars[name], at);
    at += bars.length;
  }
  return all;
}

export interface ExportFile {
  readonly content: Readable;
  /** Totals of the part that has been consumed; of the whole file after `content` has ended. */
  readonly totals: () => { readonly rows: number; readonly bytes: number; readonly checksum: string };
}

/** A fast level, because files are large: with level 6 they are a third smaller but take four times as long. */
const GZIP = { level: 1, memLevel: 9, chunkSize: 256 * 1024 } as const;

type Pieces = AsyncIterable<readonly InstrumentBars[]>;
type Bytes = AsyncIterable<Buffer>;

const WRITERS: Readonly<Record<ExportFormat, (pieces: Pieces, venueBasis: string) => Bytes>> = {
  csv: csvLines,
  'csv.gz': (pieces, venueBasis) => gzipped(csvLines(pieces, venueBasis)),
  parquet: parquetRows,
};

/** Reads bars up to `through` in the transaction of `connection`. */
export function openExportFile(connection: Connection, request: ExportSpec, through: Day, report: Report): ExportFile {
  return fileOf((counts) => {
    const pieces = counted(readMarket(connection, request, through, report), counts);
    return WRITERS[request.format](pieces, request.venue_mode);
  });
}

/** A zip archive; its rows are the files in it. */
export function openAccountFile(source: AccountSource): ExportFile {
  return fileOf((counts) =>
    accountArchive(source, () => {
      counts.rows++;
    }),
  );
}

function fileOf(open: (counts: { rows: number }) => Bytes): ExportFile {
  const hash = createHash('sha256');
  const counts = { rows: 0, bytes: 0 };
  const content = Readable.from(measured(open(counts), hash, counts));
  return { content, totals: () => ({ ...counts, checksum: hash.copy().digest('hex') }) };
}

async function* counted(pieces: Pieces, counts: { rows: number }): Pieces {
  for await (const piece of pieces) {
    for (const { bars } of piece) counts.rows += bars.length;
    yield piece;
  }
}

async function* measured(chunks: Bytes, hash: Hash, counts: { bytes: number }): Bytes {
  for await (const chunk of chunks) {
    hash.update(chunk);
    counts.bytes += chunk.length;
    yield chunk;
  }
}

/** Compresses on another thread. */
async function* gzipped(chunks: Bytes): Bytes {
  const gzip = createGzip(GZIP);
  const written = pipeline(Readable.from(chunks), gzip);
  written.catch(() => {}); // The next lines throw the same error.
  yield* gzip;
  await written;
}
