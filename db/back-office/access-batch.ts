/** Writes what requests leave behind, in batches: access records, visit counts, usage, and last uses of keys. */

import { saveLastUses } from '../accounts/api-keys.ts';
import { type Connection, type Pool, transaction } from '../pool.ts';
import type { Rows } from '../tables.ts';
import { type AccessRecord, insertAccessRecords } from './access-records.ts';
import { addToVisitCounts } from './visit-counts.ts';

/** Calls of one account to one endpoint on one day (UTC). */
export interface UsageCount {
  readonly userId: number;
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
}

export interface AccessBatch {
  readonly records: readonly AccessRecord[];
  /** Calls that only count by day, without a record or a visitor. */
  readonly onlyCounted: readonly AccessRecord[];
  readonly usage: readonly UsageCount[];
  /** When each key (by id) was last used. */
  readonly lastUses: ReadonlyMap<number, Date>;
}

/**
 * Writes all of a batch or nothing, so that a failed batch can be written again. Drops what belongs to accounts that were deleted
 * meanwhile.
 */
export async function insertAccessBatch(
  pool: Pool,
  { records, onlyCounted, usage, lastUses }: AccessBatch,
): Promise<void> {
  await transaction(pool, async (connection) => {
    const ids = new Set([...records.map((r) => r.userId), ...usage.map((u) => u.userId)]);
    const alive = await lockExistingUsers(
      connection,
      [...ids].filter((id) => id !== null),
    );
    const kept = records.filter(({ userId }) => userId === null || alive.has(userId));
    await insertAccessRecords(connection, kept);
    await addToVisitCounts(connection, kept, onlyCounted);
    await addUsage(
      connection,
      usage.filter(({ userId }) => alive.has(userId)),
    );
    await saveLastUses(connection, lastUses);
  });
}

async function lockExistingUsers(connection: Connection, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await connection.query<Pick<Rows['users'], 'id'>>(
    'select id from users where id = any($1::bigint[]) order by id for key share',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

async function addUsage(connection: Connection, usage: readonly UsageCount[]): Promise<void> {
  if (usage.length === 0) return;
  await connection.query(
    `insert into daily_usage as d (user_id, day, endpoint, calls)
     select * from unnest($1::bigint[], $2::date[], $3::text[], $4::bigint[]) order by 1, 2, 3
     on conflict (user_id, day, endpoint) do update set calls = d.calls + excluded.calls`,
    [usage.map((u) => u.userId), usage.map((u) => u.day), usage.map((u) => u.endpoint), usage.map((u) => u.calls)],
  );
}
