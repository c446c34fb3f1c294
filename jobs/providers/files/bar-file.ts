/** Daily bars of one file, in batches of columns. */
import { parseDay } from '../../../engine/market/dates.ts';
import { numberIn } from '../bar-batch.ts';
import { CsvRows, columnsOf } from '../csv-rows.ts';
import type { BarBatch, UnreadableRow } from '../provider.ts';
import type { SourceDigest } from '../source-digest.ts';
import { type FileChunk, readText } from './csv.ts';

const COLUMNS = ['symbol', 'date', 'open', 'high', 'low', 'close', 'volume'] as const;
type Columns = Record<(typeof COLUMNS)[number], number>;

const NO_DAY = -1;

/** Parsed days by their text: a file has few days and many rows. */
class DayTexts {
  private readonly days = new Map<string, number>();

  parse(text: string): number {
    let day = this.days.get(text);
    if (day === undefined) {
      day = parseDay(text) ?? NO_DAY;
      if (this.days.size > 20_000) this.days.clear();
      this.days.set(text, day);
    }
    return day;
  }
}

/** Streams a file's rows. `size`: its size on disk, for the progress; `digest` includes its bytes. */
export async function* readBarFile(path: string, size: number, digest?: SourceDigest): AsyncGenerator<BarBatch> {
  const days = new DayTexts();
  const csv = new CsvRows();
  let columns: Columns | null = null;
  for await (const chunk of readText(path, digest)) {
    const data = csv.of(chunk.text);
    let firstRow = 0;
    if (columns === null) {
      columns = columnsOf(data[0], COLUMNS, path);
      firstRow = 1;
    }
    yield toBatch(path, chunk, data, firstRow, columns, days, Math.min(1, chunk.bytesRead / size));
  }
  if (columns === null) columnsOf([], COLUMNS, path);
}

function toBatch(
  path: string,
  chunk: FileChunk,
  rows: readonly string[][],
  firstRow: number,
  columns: Columns,
  days: DayTexts,
  progress: number,
): BarBatch {
  const size = rows.length - firstRow;
  const figures = () => new Float64Array(size);
  const [open, high, low, close, volume] = [figures(), figures(), figures(), figures(), figures()];
  const day = new Int32Array(size);
  const ticker: string[] = new Array(size);
  const rowOf = new Int32Array(size);
  const width = 1 + Math.max(...Object.values(columns));
  const unreadable: UnreadableRow[] = [];
  const describe = (row: number) => ({ source: `${path}:${chunk.line + row}`, content: rows[row].join(',') });
  let count = 0;
  for (let row = firstRow; row < rows.length; row++) {
    const fields = rows[row];
    if (fields.length < width) {
      if (fields.length > 1 || fields[0] !== '') unreadable.push({ ...describe(row), reason: 'unreadable' });
      continue;
    }
    ticker[count] = fields[columns.symbol];
    day[count] = days.parse(fields[columns.date]);
    open[count] = numberIn(fields[columns.open]);
    high[count] = numberIn(fields[columns.high]);
    low[count] = numberIn(fields[columns.low]);
    close[count] = numberIn(fields[columns.close]);
    volume[count] = numberIn(fields[columns.volume]);
    rowOf[count] = row;
    count++;
  }
  return {
    count,
    ticker,
    day,
    open,
    high,
    low,
    close,
    volume,
    unreadable,
    progress,
    describe: (i) => describe(rowOf[i]),
  };
}
