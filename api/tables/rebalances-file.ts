/** The rebalances of a kept rotation as a Parquet file: one row for each instrument that a rebalance holds or leaves. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { requireDay } from '../../engine/market/dates.ts';
import type { ParquetColumn } from '../../jobs/parquet/parquet-file.ts';
import type { KeptFile } from '../../jobs/tables/kept-table.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { rowsOf } from '../http/answer/long-json.ts';

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'date', type: 'date' },
  // Null: nothing is held and nothing was left.
  { name: 'symbol', type: 'text', isOptional: true },
  { name: 'weight', type: 'double', isOptional: true },
  { name: 'change', type: 'text', isOptional: true },
  { name: 'eligible', type: 'int32' },
  { name: 'scored', type: 'int32' },
  { name: 'turnover_pct', type: 'double', isOptional: true },
  { name: 'filter', type: 'boolean' },
];

export const REBALANCE_COLUMNS: readonly ParquetColumn[] = COLUMNS.map((column, i) => ({ ...column, fieldId: i + 1 }));

const storedRebalance = z.object({
  ts: z.string(),
  eligible: z.int(),
  scored: z.int(),
  entered: z.array(z.string()),
  left: z.array(z.string()),
  turnover_pct: z.number().nullable(),
  weights: z.record(z.string(), z.number()),
  filter: z.boolean(),
});

type Row = readonly (number | string | boolean | null)[];

function rowsOfRebalance(stored: unknown): Row[] {
  const { ts, eligible, scored, entered, left, turnover_pct, weights, filter } = storedRebalance.parse(stored);
  const isNew = new Set(entered);
  const held = Object.entries(weights).map(
    ([symbol, weight]): Row => [symbol, weight, isNew.has(symbol) ? 'entered' : 'kept'],
  );
  const gone = left.filter((symbol) => weights[symbol] === undefined).map((symbol): Row => [symbol, 0, 'left']);
  const rows = [...held, ...gone];
  if (rows.length === 0) rows.push([null, null, null]);
  return rows.map((row) => [requireDay(ts), ...row, eligible, scored, turnover_pct, filter]);
}

/** Stores the file below `prefix`, under the name of its content. `stored`: the rebalances as JSON. */
export async function storeRebalances(
  storage: ObjectStorage,
  prefix: string,
  stored: AsyncIterable<Buffer>,
): Promise<KeptFile> {
  const { ParquetFile } = await import('../../jobs/parquet/parquet-file.ts');
  const { fileStatistics } = await import('../../jobs/parquet/file-statistics.ts');
  const file = new ParquetFile('rebalances', REBALANCE_COLUMNS);
  const pieces: Buffer[] = [];
  let count = 0;
  for await (const batch of rowsOf(stored)) {
    const rows = batch.flatMap(rowsOfRebalance);
    if (rows.length === 0) continue;
    const data = REBALANCE_COLUMNS.map((_, column) => rows.map((row) => row[column]));
    pieces.push(file.group(data, rows.length));
    count += rows.length;
    await nextTurn();
  }
  const tail = file.finish();
  const content = Buffer.concat([...pieces, tail]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const key = `${prefix}data/${sha256}.parquet`;
  const bytes = await storage.put(key, Readable.from([content]));
  return { key, sha256, bytes, rows: count, statistics: fileStatistics(tail) };
}
