/** Bars of `timeseries.get_range` as CSV, in batches of columns. */
import Papa from 'papaparse';
import { parseDay } from '../../../engine/market/dates.ts';
import { BarBatchBuilder, numberIn } from '../bar-batch.ts';
import { type BarBatch, NO_DAY, ProviderError } from '../provider.ts';
import type { SymbolsById } from './definitions.ts';
import { tickerOf } from './symbols.ts';

const BATCH_LINES = 10_000;
const COLUMNS = ['ts_event', 'instrument_id', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Batches of at most 10,000 bars; the header line must name every column. `expectedRows` scales the progress. */
export async function* barBatches(
  lines: AsyncIterable<string>,
  expectedRows: number,
  symbolOf: SymbolsById,
): AsyncGenerator<BarBatch> {
  let columns: Map<string, number> | null = null;
  let chunk: string[] = [];
  let rows = 0;
  const flush = async (named: ReadonlyMap<string, number>): Promise<BarBatch> => {
    const batch = await toBatch(chunk, named, rows, symbolOf);
    rows += chunk.length;
    chunk = [];
    return batch.build(expectedRows > 0 ? Math.min(1, rows / expectedRows) : 1);
  };
  for await (const line of lines) {
    if (columns === null) {
      columns = columnsOf(line);
      continue;
    }
    if (line !== '') chunk.push(line);
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
  before: number,
  symbolOf: SymbolsById,
): Promise<BarBatchBuilder> {
  const { data } = Papa.parse<string[]>(lines.join('\n'), { delimiter: ',', newline: '\n' });
  const at = (name: string) => columns.get(name) ?? -1;
  const batch = new BarBatchBuilder(data.length, (row) => ({
    source: `timeseries.get_range:${before + row + 2}`,
    content: lines[row],
  }));
  for (const [row, fields] of data.entries()) {
    if (fields.length < columns.size) {
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
