/** Bars of `timeseries.get_range` as CSV, in batches of columns. */
import { parseDay } from '../../../engine/market/dates.ts';
import { answerAccount } from '../answer-account.ts';
import { BarBatchBuilder, numberIn } from '../bar-batch.ts';
import type { AccountBook } from '../file-account.ts';
import { type BarBatch, NO_DAY, ProviderError } from '../provider.ts';
import { splitFields } from '../text-chunks.ts';
import { type SymbolsById, tickerOf } from './definitions.ts';

const BATCH_LINES = 10_000;
const COLUMNS = ['ts_event', 'instrument_id', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Batches of at most 10,000 bars; the header line must name every column. `expectedRows` scales the progress, `path` names the answer. */
export async function* barBatches(
  lines: AsyncIterable<string>,
  expectedRows: number,
  symbolOf: SymbolsById,
  path: string,
  book: AccountBook,
): AsyncGenerator<BarBatch> {
  const account = answerAccount(book, path);
  let columns: Map<string, number> | null = null;
  let chunk: string[] = [];
  let rows = 0;
  const flush = async (named: ReadonlyMap<string, number>): Promise<BarBatch> => {
    account.loaded += chunk.length;
    const describe = (lines: readonly string[], before: number) => (row: number) => ({
      source: `${path}:${before + row + 2}`,
      content: lines[row],
    });
    const batch = await toBatch(chunk, named, describe(chunk, rows), symbolOf, book);
    rows += chunk.length;
    chunk = [];
    return batch.build(expectedRows > 0 ? Math.min(1, rows / expectedRows) : 1);
  };
  for await (const line of lines) {
    account.lines++;
    if (columns === null) {
      account.header++;
      columns = columnsOf(line);
      continue;
    }
    if (line === '') account.blank++;
    else chunk.push(line);
    if (chunk.length === BATCH_LINES) yield await flush(columns);
  }
  if (columns === null) {
    throw new ProviderError('timeseries.get_range: the answer has no header', { isTransient: true });
  }
  if (chunk.length > 0) yield await flush(columns);
  if (rows < expectedRows) {
    throw new ProviderError(`timeseries.get_range: ${rows} of ${expectedRows} records arrived`, { isTransient: true });
  }
}

function columnsOf(header: string): Map<string, number> {
  const columns = new Map(header.split(',').map((name, i) => [name.trim(), i]));
  const missing = COLUMNS.filter((name) => !columns.has(name));
  if (missing.length === 0) return columns;
  throw new ProviderError(`timeseries.get_range: columns are missing: ${missing.join(', ')}`);
}

async function toBatch(
  lines: readonly string[],
  columns: ReadonlyMap<string, number>,
  describe: (row: number) => { source: string; content: string },
  symbolOf: SymbolsById,
  book: AccountBook,
): Promise<BarBatchBuilder> {
  const at = (name: string) => columns.get(name) ?? -1;
  const batch = new BarBatchBuilder(lines.length, describe, book);
  for (const [row, line] of lines.entries()) {
    const fields = splitFields(line, ',');
    if (fields?.length !== columns.size) {
      batch.rejectRow(row, 'unreadable');
      continue;
    }
    const date = fields[at('ts_event')].slice(0, 10);
    const symbol = fields[at('symbol')] || (await symbolOf(fields[at('instrument_id')], date)) || '';
    const ticker = tickerOf(symbol);
    if (ticker === null) {
      batch.rejectRow(row, 'bad_symbol');
      continue;
    }
    const figure = (name: string) => numberIn(fields[at(name)]);
    const [open, high, low, close] = [figure('open'), figure('high'), figure('low'), figure('close')];
    batch.add(row, ticker, parseDay(date) ?? NO_DAY, open, high, low, close, figure('volume'));
  }
  return batch;
}
