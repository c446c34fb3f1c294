/** Finds problems of the stored files of the market. */
import { selectLakeFiles } from '../../db/lake/lake-files.ts';
import { selectOrphanState, selectTablePointers, type TablePointer } from '../../db/lake/lake-tables.ts';
import type { Pool } from '../../db/pool.ts';
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { lakeDataKey, TABLES_PREFIX } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { lakeSessionsBehind } from '../quality/freshness.ts';
import { metadataKey, readMetadata, type Snapshot } from '../tables/metadata.ts';
import { readManifests, tableObjectKey } from '../tables/read-snapshot.ts';
import type { Problem } from './check.ts';

/** Whether the files of the lake are there and as new as the loaded data. `at`: Unix milliseconds. */
export async function lakeProblems(pool: Pool, storage: ObjectStorage, at: number, most: number): Promise<Problem[]> {
  const behind = await lakeSessionsBehind(pool, at);
  if (behind === null) return [];
  if (behind > most) return [{ text: `they are ${behind} sessions behind`, count: behind, queue: 'lake.write' }];
  const stored = new Map<string, number>();
  for await (const { key, bytes } of storage.list(TABLES_PREFIX)) stored.set(key, bytes);
  const files = await selectLakeFiles(pool);
  const wrong = files.filter((file) => stored.get(lakeDataKey(file)) !== file.bytes);
  if (wrong.length === 0) return [...(await tableProblems(pool, storage)), ...(await orphanProblems(pool, at))];
  const [{ path }] = wrong;
  return [
    {
      text: `${wrong.length} of ${files.length} files are missing or of another size, ${path} first`,
      count: wrong.length,
      detail: path,
    },
  ];
}

/** The nightly job removes an object after a day. */
const MAX_ORPHAN_MS = 3 * MS_PER_DAY;

/** Whether objects that no snapshot names are removed in time. */
async function orphanProblems(pool: Pool, at: number): Promise<Problem[]> {
  const { count, oldest } = await selectOrphanState(pool);
  if (oldest === null || at - oldest.getTime() <= MAX_ORPHAN_MS) return [];
  const since = oldest.toISOString().slice(0, 10);
  const text = `objects that no snapshot names, ${count} in all, are not removed since ${since}`;
  return [{ text, count, queue: 'storage.sweep' }];
}

/** Whether the objects that describe every table can be read. */
async function tableProblems(pool: Pool, storage: ObjectStorage): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const pointer of await selectTablePointers(pool)) {
    const damage = await damageOf(storage, pointer);
    if (damage === null) continue;
    const key = metadataKey(pointer.name, pointer.version);
    const text = `${damage}: put it back from a copy of the storage, or remove ${key}: the next write makes a new table`;
    problems.push({ text, count: 1, detail: key });
  }
  return problems;
}

/** Null: the current snapshot of the table can be planned. */
async function damageOf(storage: ObjectStorage, pointer: TablePointer): Promise<string | null> {
  const key = metadataKey(pointer.name, pointer.version);
  const metadata = await readMetadata(storage, pointer).catch(() => 'damaged' as const);
  if (metadata === 'damaged') return `${key} is damaged`;
  const snapshot = metadata?.snapshots.find((one) => one['snapshot-id'] === metadata['current-snapshot-id']);
  if (!snapshot) return `${key} is missing`;
  const rows = await rowsOf(storage, pointer, snapshot).catch(() => null);
  if (String(rows) === snapshot.summary['total-records']) return null;
  return `${tableObjectKey(pointer, snapshot['manifest-list'])}, or a manifest that it names, is missing or damaged`;
}

async function rowsOf(storage: ObjectStorage, pointer: TablePointer, snapshot: Snapshot): Promise<number> {
  let rows = 0;
  for await (const { files } of readManifests(storage, pointer, snapshot))
    for (const file of files) rows += file.record_count;
  return rows;
}
