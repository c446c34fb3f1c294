/** Builds batches of daily bars row by row. */
import type { Day } from '../../engine/market/dates.ts';
import type { AccountBook } from './file-account.ts';
import type { BarBatch, UnreadableRow } from './provider.ts';

/** The number of an empty field is NaN (`Number('')` would be 0). */
export function numberIn(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}

/**
 * A batch of up to `capacity` rows. `describe` gives the origin of a row by the caller's row number. Rejected rows count in `book` as such.
 */
export class BarBatchBuilder {
  private readonly describe: (row: number) => { source: string; content: string };
  private readonly book: AccountBook | undefined;
  private readonly rowOf: Int32Array;
  private readonly ticker: string[] = [];
  private readonly day: Int32Array;
  private readonly open: Float64Array;
  private readonly high: Float64Array;
  private readonly low: Float64Array;
  private readonly close: Float64Array;
  private readonly volume: Float64Array;
  private readonly unreadable: UnreadableRow[] = [];

  constructor(capacity: number, describe: (row: number) => { source: string; content: string }, book?: AccountBook) {
    this.describe = describe;
    this.book = book;
    this.rowOf = new Int32Array(capacity);
    this.day = new Int32Array(capacity);
    this.open = new Float64Array(capacity);
    this.high = new Float64Array(capacity);
    this.low = new Float64Array(capacity);
    this.close = new Float64Array(capacity);
    this.volume = new Float64Array(capacity);
  }

  add(
    row: number,
    ticker: string,
    day: Day,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void {
    const i = this.ticker.push(ticker) - 1;
    this.rowOf[i] = row;
    this.day[i] = day;
    this.open[i] = open;
    this.high[i] = high;
    this.low[i] = low;
    this.close[i] = close;
    this.volume[i] = volume;
  }

  rejectRow(row: number, reason: string): void {
    const { source, content } = this.describe(row);
    this.book?.reject(source, content, reason);
    this.unreadable.push({ source, content, reason });
  }

  /** `progress`: the share of the unit that has been read, from 0 to 1. */
  build(progress: number): BarBatch {
    return {
      count: this.ticker.length,
      ticker: this.ticker,
      day: this.day,
      open: this.open,
      high: this.high,
      low: this.low,
      close: this.close,
      volume: this.volume,
      unreadable: this.unreadable,
      progress,
      describe: (i) => this.describe(this.rowOf[i]),
    };
  }
}
