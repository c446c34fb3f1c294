/** Daily bars of one file, in batches of columns. Every line goes into the account of the file. */
import { type Day, parseDay } from '../../../engine/market/dates.ts';
import { roundTo } from '../../../engine/market/series.ts';
import type { FileAccount, SourceDigest } from '../file-account.ts';
import { type BarBatch, NO_DAY, type UnreadableRow } from '../provider.ts';
import { splitFields } from '../text-chunks.ts';
import { bringBack, type Split, splitFactorOn } from './as-traded.ts';
import type { BarFormat } from './bar-format.ts';
import { type FileStart, readFileLines } from './open-file.ts';
import type { FileChunk, Packing, SourcePath } from './source-path.ts';
import { tickerOfText } from './symbol-text.ts';
import { FIRST_DAY, isNoValue, readDay, readDayCached, readNumber, WITHIN_DAY } from './values.ts';

/** An older file of a ticker. */
export interface Vintage {
  /** The path of the newer file. */
  readonly newer: string;
  /** Prices of the newer file ÷ those of this one. */
  readonly ratio: number;
  /** Days of the newer file. */
  readonly days: ReadonlySet<Day>;
}

export interface BarFile extends SourcePath {
  readonly packing: Packing;
  readonly format: BarFormat;
  readonly onlyDay: Day | null;
  /** The last day of its bars. */
  readonly lastDay: Day;
  /** Splits by which prices of a ticker are brought back to as traded; null: they are kept. */
  readonly splitsOf: ((ticker: string) => readonly Split[]) | null;
  /** Tickers whose lines are left out, because files have their prices in two forms. */
  readonly mixed?: ReadonlySet<string>;
  /** Tickers of which a newer file of the same source counts. */
  readonly vintages?: ReadonlyMap<string, Vintage> | undefined;
  /** Its first bytes, where they have been read. */
  readonly start?: FileStart | undefined;
}

/** Figures this close are equal: some programs write a high below the open by an error of floating-point numbers. */
const NOISE = 1e-9;

/** Streams a file's rows. `today`: later days are left out. */
export async function* readBarFile(
  file: BarFile,
  account: FileAccount,
  today: Day,
  digest?: SourceDigest,
): AsyncGenerator<BarBatch> {
  const reader = new BarReader(file, account, today);
  for await (const chunk of readFileLines(file, file.packing, digest, file.start)) {
    yield reader.read(chunk, Math.min(1, chunk.bytesRead / Math.max(1, file.bytes)));
  }
}

class BarReader {
  private readonly file: BarFile;
  private readonly account: FileAccount;
  private readonly today: Day;
  private readonly tickers = new Map<string, string | null>();

  constructor(file: BarFile, account: FileAccount, today: Day) {
    this.file = file;
    this.account = account;
    this.today = today;
  }

  read({ lines, line: first, broken }: FileChunk, progress: number): BarBatch {
    const { account, file } = this;
    const { format, path } = file;
    const batch = new Columns(lines.length);
    const unreadable: UnreadableRow[] = [];
    const reject = (i: number, reason: string) => {
      account.reject(first + i, lines[i], reason);
      unreadable.push({ source: `${path}:${first + i}`, content: lines[i], reason });
    };
    account.lines += lines.length;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i];
      if (line.trim() === '') account.blank++;
      else if (account.header < format.headerLines) account.header++;
      else {
        const fields = broken?.has(i) ? null : splitFields(line, format.delimiter);
        if (fields === null || fields.length !== format.width) reject(i, 'unreadable');
        else {
          const problem = this.addRow(batch, fields, i);
          if (problem !== null) reject(i, problem);
        }
      }
    }
    account.loaded += batch.count;
    const describe = (row: number) => {
      const i = batch.lineOf[row];
      return { source: `${path}:${first + i}`, content: lines[i] };
    };
    return { ...batch.columns(), unreadable, progress, describe, account };
  }

  /** Adds a row, or leaves it out. Returns why it is rejected; null: it is not. */
  private addRow(batch: Columns, fields: readonly string[], i: number): string | null {
    const { file, account } = this;
    const { at, decimal, scale } = file.format;
    let open = readNumber(fields[at.open], decimal);
    let high = readNumber(fields[at.high], decimal);
    let low = readNumber(fields[at.low], decimal);
    let close = readNumber(fields[at.close], decimal);
    if (Number.isNaN(open) && Number.isNaN(close) && this.hasNoPrice(fields)) {
      account.leaveOut('no_price');
      return null;
    }
    const day = readDayCached(fields[at.date], file.format.dateForm);
    if (day === WITHIN_DAY) return 'bad_date';
    const outside = this.outsideReason(day);
    if (outside !== null) {
      account.leaveOut(outside);
      return null;
    }
    const ticker = this.tickerOf(fields);
    if (ticker === null) return 'bad_symbol';
    const elsewhere = this.countsElsewhere(ticker, day);
    if (elsewhere !== null) {
      account.leaveOut(elsewhere);
      return null;
    }
    let volume = readNumber(fields[at.volume], decimal);
    if (scale !== 1) [open, high, low, close] = [open, high, low, close].map((price) => Math.round(price) / 1e9);
    const ratio = file.vintages?.get(ticker)?.ratio ?? 1;
    if (ratio !== 1) [open, high, low, close] = [open, high, low, close].map((price) => roundTo(price * ratio, 6));
    const factor = this.factorOf(fields, ticker, day, close);
    if (factor !== 1) {
      const { decimals } = file.format;
      [open, high, low, close] = [open, high, low, close].map((price, c) => bringBack(price, factor, decimals[c]));
      volume *= factor;
    }
    if (high < open && open - high <= NOISE * open) high = open;
    if (high < close && close - high <= NOISE * close) high = close;
    if (low > open && low - open <= NOISE * open) low = open;
    if (low > close && low - close <= NOISE * close) low = close;
    batch.add(i, ticker, day, open, high, low, close, Math.round(volume));
    return null;
  }

  /** Why a row does not count because of other files; null: it counts. */
  private countsElsewhere(ticker: string, day: Day): string | null {
    const { mixed, vintages } = this.file;
    if (mixed?.has(ticker)) {
      this.account.tell(`files have the prices of ${ticker} in two forms, so that none of its bars is loaded`);
      return 'two_price_forms';
    }
    const vintage = vintages?.get(ticker);
    if (vintage) this.account.tell(`${vintage.newer} is newer; the other days of ${ticker} are put on its basis`);
    return vintage?.days.has(day) ? 'older_vintage' : null;
  }

  private hasNoPrice(fields: readonly string[]): boolean {
    const { at } = this.file.format;
    return (
      isNoValue(fields[at.open]) &&
      isNoValue(fields[at.high]) &&
      isNoValue(fields[at.low]) &&
      isNoValue(fields[at.close])
    );
  }

  private outsideReason(day: Day): string | null {
    if (day === NO_DAY) return null;
    if (day > this.today) return 'not_yet';
    if (day < FIRST_DAY) return 'before_1962';
    return this.file.onlyDay === null || day === this.file.onlyDay ? null : 'other_day_than_file';
  }

  private tickerOf(fields: readonly string[]): string | null {
    const { at, ticker, layout } = this.file.format;
    if (ticker !== null) return ticker;
    const text = fields[at.symbol];
    // In our own layout, symbols are those of the list, letter by letter.
    if (layout === 'own') return text.trim();
    let known = this.tickers.get(text);
    if (known === undefined) {
      known = tickerOfText(text);
      this.tickers.set(text, known);
    }
    return known;
  }

  /** By which the prices of a row were multiplied since it traded. */
  private factorOf(fields: readonly string[], ticker: string, day: Day, close: number): number {
    const { format, splitsOf, lastDay } = this.file;
    if (format.closeAsTradedAt !== -1) {
      const ratio = close / readNumber(fields[format.closeAsTradedAt], format.decimal);
      return Math.abs(ratio - 1) < 1e-6 || !Number.isFinite(ratio) ? 1 : ratio;
    }
    return splitsOf === null ? 1 : splitFactorOn(splitsOf(ticker), day, lastDay);
  }
}

/** Columns that grow row by row. */
class Columns {
  readonly lineOf: Int32Array;
  private readonly ticker: string[] = [];
  private readonly day: Int32Array;
  private readonly figures: readonly Float64Array[];
  count = 0;

  constructor(capacity: number) {
    this.lineOf = new Int32Array(capacity);
    this.day = new Int32Array(capacity);
    this.figures = Array.from({ length: 5 }, () => new Float64Array(capacity));
  }

  add(
    line: number,
    ticker: string,
    day: Day,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void {
    const { count, figures } = this;
    this.lineOf[count] = line;
    this.ticker.push(ticker);
    this.day[count] = day;
    figures[0][count] = open;
    figures[1][count] = high;
    figures[2][count] = low;
    figures[3][count] = close;
    figures[4][count] = volume;
    this.count++;
  }

  columns() {
    const { count, ticker, day } = this;
    const [open, high, low, close, volume] = this.figures;
    return { count, ticker, day, open, high, low, close, volume };
  }
}

/** Splits and dividends in columns of a file: day, and shares or amount. */
export async function* readEventColumns(file: BarFile): AsyncGenerator<{
  line: number;
  ticker: string;
  day: Day;
  split: number;
  dividend: number;
  text: string;
  close: number;
}> {
  const { format } = file;
  for await (const { lines, line: first, broken } of readFileLines(file, file.packing)) {
    for (const [i, text] of lines.entries()) {
      const fields = broken?.has(i) ? null : splitFields(text, format.delimiter);
      if (first + i <= format.headerLines || fields?.length !== format.width) continue;
      const day = parseDay(fields[format.at.date].trim().slice(0, 10)) ?? readDay(fields[format.at.date].trim());
      const ticker = format.ticker ?? tickerOfText(fields[format.at.symbol] ?? '');
      if (day === NO_DAY || ticker === null) continue;
      const at = (position: number) => (position === -1 ? 0 : readNumber(fields[position], format.decimal) || 0);
      yield {
        line: first + i,
        ticker,
        day,
        split: at(format.splitsAt),
        dividend: at(format.dividendsAt),
        text,
        close: at(format.at.close),
      };
    }
  }
}
