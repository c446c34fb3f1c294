/** The tables of the namespace `research`: one for each kept run of the caller that has rows of its kind. Others see none of them. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Pool } from '../../db/pool.ts';
import { selectBacktest, selectRotations } from '../../db/runs/kept-runs.ts';
import { type Sweep, selectSweep, selectSweepsEndedSince } from '../../db/sweeps/sweeps.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { isRotationOf } from '../../jobs/contracts/rotation.ts';
import { CELLS_KEPT_DAYS } from '../../jobs/contracts/sweep.ts';
import { CELL_FILE_COLUMNS } from '../../jobs/sweep/cell-rows.ts';
import type { KeptFile, KeptTable } from '../../jobs/tables/kept-table.ts';
import { backtestKey, backtestPrefix, keptTableKey, sweepCellsKey, sweepPrefix } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { idOfDigest } from '../call/digest-id.ts';
import { REBALANCE_COLUMNS, storeRebalances } from './rebalances-file.ts';

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
  if (sweep?.userId !== userId || sweep.status !== 'done' || sweep.finishedAt === null) return null;
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
  const saved = await selectBacktest(pool, { kind: 'portfolio', userId, id });
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
