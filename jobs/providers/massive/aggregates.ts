/** Rows of the flat files of aggregates: day bars, and day bars that are rebuilt from minutes. */

import { type EpochMs, newYorkTime } from '../../../engine/market/dates.ts';
import { UNKNOWN_INSTRUMENT } from '../../../engine/market/faults.ts';
import { PrimarySessionBuilder, sessionHours } from '../../../engine/market/minute-bars.ts';
import { answerAccount } from '../answer-account.ts';
import { BarBatchBuilder, numberIn } from '../bar-batch.ts';
import type { AccountBook } from '../file-account.ts';
import { type BarBatch, ProviderError } from '../provider.ts';
import { columnsOf, splitFields } from '../text-chunks.ts';
import type { FileChunk, FlatFile } from './flat-files.ts';
import { tickerOf } from './reference.ts';

const COLUMNS = ['ticker', 'volume', 'open', 'close', 'high', 'low', 'window_start'] as const;
type Columns = Record<(typeof COLUMNS)[number], number>;

/** Rows of a file, parsed but not checked. */
interface Rows {
  readonly rows: readonly string[][];
  readonly columns: Columns;
  /** Fields of a row. */
  readonly width: number;
  readonly describe: (row: number) => { source: string; content: string };
  readonly progress: number;
}

/** Throws when the file has no row, because every session has trades. */
async function* rowsOf(file: FlatFile, chunks: AsyncIterable<FileChunk>, book: AccountBook): AsyncGenerator<Rows> {
  const account = answerAccount(book, file.key);
  account.days = [file.day, file.day];
  let columns: Columns | null = null;
  let width = 0;
  let count = 0;
  for await (const { lines, line, progress } of chunks) {
    const data = lines.map((text) => splitFields(text, ',') ?? [text]);
    let firstLine = line;
    if (columns === null) {
      const header = data.shift() ?? [];
      columns = columnsOf(header, COLUMNS, file.key);
      width = header.length;
      account.header++;
      firstLine++;
    }
    account.lines += lines.length;
    account.loaded += data.length;
    count += data.length;
    const describe = (row: number) => ({
      source: `${file.key}:${firstLine + row}`,
      content: lines[firstLine - line + row],
    });
    yield { rows: data, columns, width, describe, progress };
  }
  if (count === 0) throw new ProviderError(`${file.key}: the file has no rows`, { isLocal: true });
}

const NS_DIGITS = 6;

/** Nanoseconds since the epoch exceed the precision of a number, so the last digits are cut off as text. */
function msOf(nanoseconds: string): EpochMs {
  return numberIn(nanoseconds.slice(0, -NS_DIGITS));
}

/** Returns why a row is rejected before its figures are checked; null: it is not. */
function faultFinder({ day }: FlatFile): (fields: readonly string[], width: number, startMs: EpochMs) => string | null {
  const [from, to] = [newYorkTime(day, 0), newYorkTime(day + 1, 0)];
  return (fields, width, startMs) => {
    if (fields.length !== width) return 'unreadable';
    return startMs >= from && startMs < to ? null : 'other_day_than_file';
  };
}

/** Maps tickers, and remembers the last one, because a file lists the rows of a ticker together. */
function tickerReader(): (vendorTicker: string) => string | null {
  let last = '';
  let mapped: string | null = null;
  return (vendorTicker) => {
    if (vendorTicker !== last) [last, mapped] = [vendorTicker, tickerOf(vendorTicker)];
    return mapped;
  };
}

/** The vendor's volumes include fractions of shares; a bar has whole shares. */
const wholeShares = Math.round;

/** The rows of a day file as bars. */
export async function* dayBars(
  file: FlatFile,
  chunks: AsyncIterable<FileChunk>,
  book: AccountBook,
): AsyncGenerator<BarBatch> {
  const readTicker = tickerReader();
  const faultOf = faultFinder(file);
  for await (const { rows, columns, width, describe, progress } of rowsOf(file, chunks, book)) {
    const batch = new BarBatchBuilder(rows.length, describe, book);
    for (const [row, fields] of rows.entries()) {
      const ticker = readTicker(fields[columns.ticker] ?? '');
      const fault = faultOf(fields, width, msOf(fields[columns.window_start] ?? ''));
      if (fault !== null || ticker === null) {
        batch.rejectRow(row, fault ?? UNKNOWN_INSTRUMENT);
        continue;
      }
      const figure = (name: keyof Columns) => numberIn(fields[columns[name]]);
      const [open, high, low, close] = [figure('open'), figure('high'), figure('low'), figure('close')];
      batch.add(row, ticker, file.day, open, high, low, close, wholeShares(figure('volume')));
    }
    yield batch.build(progress);
  }
}

/**
 * One bar per ticker, rebuilt from all rows of a minute file. `officialCloses`, by ticker, replace the closes of the last minutes.
 */
export async function* rebuiltBars(
  file: FlatFile,
  chunks: AsyncIterable<FileChunk>,
  officialCloses: ReadonlyMap<string, number>,
  book: AccountBook,
): AsyncGenerator<BarBatch> {
  const hours = sessionHours(file.day);
  const builders = new Map<string, PrimarySessionBuilder>();
  const unknown = new Set<string>();
  const readTicker = tickerReader();
  const faultOf = faultFinder(file);
  for await (const { rows, columns, width, describe, progress } of rowsOf(file, chunks, book)) {
    const batch = new BarBatchBuilder(0, describe, book);
    for (const [row, fields] of rows.entries()) {
      const vendorTicker = fields[columns.ticker] ?? '';
      const ticker = readTicker(vendorTicker);
      const startMs = msOf(fields[columns.window_start] ?? '');
      const fault = faultOf(fields, width, startMs);
      if (fault !== null) batch.rejectRow(row, fault);
      else if (ticker === null && unknown.has(vendorTicker)) {
        book.leaveOut(describe(row).source, UNKNOWN_INSTRUMENT);
      } else if (ticker === null) {
        unknown.add(vendorTicker);
        batch.rejectRow(row, UNKNOWN_INSTRUMENT);
      }
      if (fault !== null || ticker === null) continue;
      const builder = builders.get(ticker) ?? new PrimarySessionBuilder(hours);
      builders.set(ticker, builder);
      const figure = (name: keyof Columns) => numberIn(fields[columns[name]]);
      builder.add(startMs, figure('open'), figure('high'), figure('low'), figure('close'), figure('volume'));
    }
    yield batch.build(progress);
  }
  yield rebuilt(file, builders, officialCloses);
}

function rebuilt(
  { key, day }: FlatFile,
  builders: ReadonlyMap<string, PrimarySessionBuilder>,
  officialCloses: ReadonlyMap<string, number>,
): BarBatch {
  const tickers = [...builders.keys()];
  const batch = new BarBatchBuilder(tickers.length, (row) => ({ source: key, content: tickers[row] }));
  for (const [row, ticker] of tickers.entries()) {
    const bar = builders.get(ticker)?.build(officialCloses.get(ticker));
    if (bar) batch.add(row, ticker, day, bar.open, bar.high, bar.low, bar.close, wholeShares(bar.volume));
  }
  return batch.build(1);
}
