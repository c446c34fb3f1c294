/** The lake as it is, or as it was after an earlier load: then its files are those of the snapshots of its tables. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type LakeFile, selectLake, selectLakeFiles } from '../../db/lake/lake-files.ts';
import { selectTablePointers, type TablePointer } from '../../db/lake/lake-tables.ts';
import { type Pool, readTransaction } from '../../db/pool.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { LAKE_SCHEMA, LAKE_TABLES, type LakeTable, MARKET_NAMESPACE } from '../contracts/lake.ts';
import { keptWrite, type LoadName } from '../contracts/load.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { readMetadata } from './metadata.ts';
import { readManifests } from './read-snapshot.ts';
import { pathOf } from './schema.ts';

export interface LakeState {
  readonly dataVersion: string;
  /** YYYY-MM-DD. */
  readonly newestSession: string;
  /** The snapshot of each table, by its name with the namespace. */
  readonly snapshots: Readonly<Record<string, number>>;
  readonly files: readonly StateFile[];
}

export interface StateFile extends Pick<LakeFile, 'path' | 'sha256' | 'bytes'> {
  /** The bytes of a file that is not stored. */
  readonly content?: Buffer;
}

interface LakeSource {
  readonly pool: Pool;
  readonly storage: ObjectStorage;
}

/** Null: there is no lake yet, or only one of an earlier version of the service, which the next write replaces. */
export async function currentLake({ pool }: Pick<LakeSource, 'pool'>): Promise<LakeState | null> {
  return readTransaction(pool, async (connection) => {
    const lake = await selectLake(connection);
    if (lake?.schemaVersion !== LAKE_SCHEMA) return null;
    const pointers = await selectTablePointers(connection);
    return {
      dataVersion: lake.dataVersion,
      newestSession: lake.newestSession,
      snapshots: Object.fromEntries(pointers.map(({ name, snapshotId }) => [name, snapshotId])),
      files: await selectLakeFiles(connection),
    };
  });
}

/** The lake as it was after a load; null: its snapshots are not kept. */
export async function lakeAt({ pool, storage }: LakeSource, load: LoadName): Promise<LakeState | null> {
  const write = await keptWrite(pool, load);
  if (!write) return null;
  const pointers = new Map((await selectTablePointers(pool)).map((pointer) => [pointer.name, pointer]));
  const files: StateFile[] = [];
  let newestSession = '';
  for (const table of LAKE_TABLES) {
    const name = `${MARKET_NAMESPACE}.${table.name}`;
    const found = await snapshotFiles(storage, table, pointers.get(name), write.snapshots.get(name));
    if (!found) return null;
    files.push(...found.files);
    if (found.newestSession > newestSession) newestSession = found.newestSession;
  }
  return {
    dataVersion: write.dataVersion,
    newestSession,
    snapshots: Object.fromEntries(write.snapshots),
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** Null: the snapshot has expired. */
async function snapshotFiles(
  storage: ObjectStorage,
  table: LakeTable,
  pointer: TablePointer | undefined,
  id: number | undefined,
): Promise<{ files: StateFile[]; newestSession: string } | null> {
  const metadata = pointer && (await readMetadata(storage, pointer));
  const snapshot = metadata?.snapshots.find((one) => one['snapshot-id'] === id);
  if (!pointer || !snapshot) return null;
  const files: StateFile[] = [];
  for await (const manifest of readManifests(storage, pointer, snapshot)) {
    for (const { file_path: address, partition, file_size_in_bytes: bytes } of manifest.files)
      files.push({ path: pathOf(table, partition), sha256: basename(address, '.parquet'), bytes });
  }
  return {
    // Manifests leave out files without rows, but every reader of the lake expects each of its files.
    files: files.length > 0 ? files : [emptyFile(table)],
    newestSession: snapshot.summary['newest-session'],
  };
}

function emptyFile(table: LakeTable): StateFile {
  const content = new ParquetFile(table.name, table.columns).finish();
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { path: pathOf(table, {}), sha256, bytes: content.length, content };
}
