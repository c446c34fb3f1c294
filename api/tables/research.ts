/** The tables of the namespace `research`: one for each kept run of the caller that has rows of its kind. Others see none of them. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { Pool } from '../../db/pool.ts';
import { selectKeptRun, selectRotations } from '../../db/runs/kept-runs.ts';
import { type Sweep, selectSweep, selectSweepsEndedSince } from '../../db/sweeps/sweeps.ts';
import { MS_PER_DAY, requireDay } from '../../engine/market/dates.ts';
import { isRotationOf } from '../../jobs/contracts/rotation.ts';
import { CELLS_KEPT_DAYS } from '../../jobs/contracts/sweep.ts';
import type { ParquetColumn } from '../../jobs/parquet/parquet-file.ts';
import { CELL_FILE_COLUMNS } from '../../jobs/sweep/cell-rows.ts';
import type { KeptFile, KeptTable } from '../../jobs/tables/kept-table.ts';
import { backtestKey, backtestPrefix, keptTableKey, sweepCellsKey, sweepPrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { idOfDigest } from '../call/idempotency.ts';
import { rowsOf } from '../http/answer/long-json.ts';

export const RESEARCH_NAMESPACE = 'research';

interface Services {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
  readonly now: () => number;
}

const CELLS = /^sweep_cells_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const REBALANCES = /^rebalances_([1-9]\d{0,14})$/;

/** Names of SQL have no hyphens. */
const cellsName = (sweepId: string) => `sweep_cells_${sweepId.replaceAll('-', '')}`;
const rebalancesName = (portfolioId: number) => `rebalances_${portfolioId}`;

/** The names of the caller's tables, newest first within a kind. */
export async function listResearch({ pool, now }: Services, userId: number): Promise<string[]> {
  const sweeps = await selectSweepsEndedSince(pool, userId, new Date(now() - CELLS_KEPT_DAYS * MS_PER_DAY));
  const rotations = await selectRotations(pool, userId);
  return [...sweeps.map(cellsName), ...rotations.map(rebalancesName)];
}

/** Null: the caller has no such table. */
export async function findResearch(services: Services, userId: number, name: string): Promise<KeptTable | null> {
  const sweepId = CELLS.exec(name)?.slice(1).join('-');
  if (sweepId !== undefined) return cellsTable(services, userId, sweepId);
  const portfolioId = REBALANCES.exec(name)?.[1];
  return portfolioId === undefined ? null : rebalancesTable(services, userId, Number(portfolioId));
}

async function cellsTable({ pool, storage, now }: Services, userId: number, id: string): Promise<KeptTable | null> {
  const sweep = await selectSweep(pool, id);
  if (sweep?.userId !== userId || sweep.kind !== 'sweep' || sweep.status !== 'done' || sweep.finishedAt === null)
    return null;
  if (sweep.finishedAt.getTime() + CELLS_KEPT_DAYS * MS_PER_DAY <= now()) return null;
  const prefix = sweepPrefix(userId, id);
  return {
    name: cellsName(id),
    uuid: id,
    columns: CELL_FILE_COLUMNS,
    sort: [],
    metadataKey: keptTableKey(prefix),
    prefix,
    at: sweep.finishedAt,
    file: () => cellsFile(storage, sweep),
  };
}

/** Length of the end of a Parquet file, which has the length of its footer. */
const END_BYTES = 8;

/** The file that the sweep has stored. */
async function cellsFile(
  storage: ObjectStorage,
  { userId, id, cells, cellsBytes: bytes, cellsSha256: sha256 }: Sweep,
): Promise<KeptFile | null> {
  if (bytes === null || sha256 === null) return null;
  const key = sweepCellsKey(userId, id);
  const read = async (length: number) => {
    const content = await storage.get(key, { start: bytes - length, end: bytes - 1 });
    return content && buffer(content);
  };
  const end = await read(END_BYTES);
  const tail = end && (await read(end.readUInt32LE() + END_BYTES));
  if (!tail) return null;
  const { fileStatistics } = await import('../../jobs/parquet/file-statistics.ts');
  return { key, sha256, bytes, rows: cells, statistics: fileStatistics(tail) };
}

async function rebalancesTable({ pool, storage }: Services, userId: number, id: number): Promise<KeptTable | null> {
  const saved = await selectKeptRun(pool, { kind: 'portfolio', userId, id });
  if (!saved || !isRotationOf(saved)) return null;
  const prefix = backtestPrefix(userId, id);
  return {
    name: rebalancesName(id),
    uuid: idOfDigest(createHash('sha256').update(prefix).digest()),
    columns: REBALANCE_COLUMNS,
    sort: ['date'],
    metadataKey: keptTableKey(prefix),
    prefix,
    at: saved.createdAt,
    file: async () => {
      const stored = await storage.get(backtestKey(userId, id, 'rebalances'));
      return stored && storeRebalances(storage, prefix, stored);
    },
  };
}

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

/** One row for each instrument that a rebalance holds or leaves. */
const REBALANCE_COLUMNS: readonly ParquetColumn[] = COLUMNS.map((column, i) => ({ ...column, fieldId: i + 1 }));

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
async function storeRebalances(
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
