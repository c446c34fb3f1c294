/** Reads of the market as it was known after an earlier load, of which the tables keep a snapshot. */
import { type LakeWrite, selectTablePointer } from '../../db/lake/lake-tables.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { MARKET_NAMESPACE } from '../../jobs/contracts/lake.ts';
import { keptWrite, type LoadName, loadSchema, refusedLoad } from '../../jobs/contracts/load.ts';
import { readMetadata } from '../../jobs/tables/metadata.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { z } from '../http/input/fields.ts';

export const asOfLoad = loadSchema.optional().meta({
  description: 'The market as known after this load: a `data_version`, or the id of a snapshot of an Iceberg table',
});

/** The snapshots of tables that an answer was made from, by table. */
export const readSnapshots = z
  .record(z.string(), z.int())
  .meta({ description: 'Iceberg table → the snapshot that was read' });

/** Throws for a load that is unknown or has expired. */
export async function requireKept(db: Queryable, load: LoadName): Promise<LakeWrite> {
  const write = await keptWrite(db, load);
  if (!write) throw new ServiceError('load_not_kept', await refusedLoad(db, load));
  return write;
}

/** YYYY-MM-DD: the newest session with bars after a load. Throws when its snapshot has just expired. */
export async function newestSessionOf(
  { pool, storage }: { readonly pool: Pool; readonly storage: ObjectStorage },
  { snapshots, dataVersion }: LakeWrite,
): Promise<string> {
  const name = `${MARKET_NAMESPACE}.daily_bars`;
  const pointer = await selectTablePointer(pool, name);
  const metadata = pointer && (await readMetadata(storage, pointer));
  const snapshot = metadata?.snapshots.find((one) => one['snapshot-id'] === snapshots.get(name));
  if (!snapshot) throw new ServiceError('load_not_kept', await refusedLoad(pool, dataVersion));
  return snapshot.summary['newest-session'];
}
