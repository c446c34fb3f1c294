/** The name of an earlier load, for reads of the market as it was known after it. */
import { z } from 'zod';
import { type LakeWrite, selectKeptWrites, selectLakeWrite } from '../../db/lake/lake-tables.ts';
import type { Queryable } from '../../db/pool.ts';
import type { ErrorDetails } from '../../engine/util/errors.ts';
import { LAKE_TABLES, MARKET_NAMESPACE } from './lake.ts';

/** The version of its data, or the id of a snapshot of a table that it made. */
export const loadSchema = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^[a-z]+=\d+(,[a-z]+=\d+)*$/)
    .max(200),
]);
export type LoadName = z.infer<typeof loadSchema>;

const NAMES = LAKE_TABLES.map(({ name }) => `${MARKET_NAMESPACE}.${name}`);

/** The write of a load, with a kept snapshot of every table; null: none is kept. */
export async function keptWrite(db: Queryable, load: LoadName): Promise<LakeWrite | null> {
  const write = await selectLakeWrite(db, load);
  return write && NAMES.every((name) => write.snapshots.has(name)) ? write : null;
}

/** The details of the refusal of a load that is not kept. */
export async function refusedLoad(db: Queryable, load: LoadName): Promise<ErrorDetails> {
  const kept = await selectKeptWrites(db);
  return { value: load, first: kept?.first.toISOString() ?? '—', last: kept?.last.toISOString() ?? '—' };
}
