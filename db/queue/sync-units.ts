/** Units of loads: which are done, which could not be loaded, and the rows that each has set aside. */
import type { Queryable } from '../pool.ts';

/** How many rows were rejected for which reason. */
export type RejectedByReason = Readonly<Record<string, number>>;

/** Of all reasons together. */
export function countRejected(byReason: RejectedByReason): number {
  return Object.values(byReason).reduce((sum, count) => sum + count, 0);
}

/** A unit that a load has been through. */
export interface SyncUnit {
  readonly key: string;
  readonly written: number;
  readonly rejected: RejectedByReason;
  /** Why it was not loaded; null: it was. */
  readonly error: string | null;
}

/** Records that a load is through with a unit, in the transaction that wrote its rows. */
export async function insertSyncUnit(db: Queryable, syncJobId: number, unit: SyncUnit): Promise<void> {
  await db.query(
    `insert into sync_units (sync_job_id, unit, rows_written, rows_rejected, rows_rejected_by_reason, error)
     values ($1, $2, $3, $4, $5, $6)`,
    [syncJobId, unit.key, unit.written, countRejected(unit.rejected), unit.rejected, unit.error],
  );
}

/** Units that earlier attempts of a job have been through, by key. */
export async function selectSyncUnits(db: Queryable, syncJobId: number): Promise<Map<string, SyncUnit>> {
  const { rows } = await db.query<SyncUnit>(
    `select unit as key, rows_written as written, rows_rejected_by_reason as rejected, error
     from sync_units where sync_job_id = $1`,
    [syncJobId],
  );
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Forgets the failed units of a job and the rows that they have set aside. A unit whose rejections were not counted by
 * reason yet goes too.
 */
export async function forgetFailedUnits(db: Queryable, syncJobId: number): Promise<void> {
  await db.query(
    `delete from sync_units where sync_job_id = $1
       and (error is not null or (rows_rejected > 0 and rows_rejected_by_reason = '{}'))`,
    [syncJobId],
  );
  await db.query(
    `delete from rejected_rows r where r.sync_job_id = $1
       and not exists (select from sync_units u where u.sync_job_id = r.sync_job_id and u.unit = r.unit)`,
    [syncJobId],
  );
}

export interface RejectedRow {
  readonly venueBasis: number | null;
  readonly reason: string;
  /** Where it came from: file and line, or the provider's name for the request. */
  readonly source: string;
  readonly content: string;
}

/** Keeps rows that were set aside; `unit` is null for lists. */
export async function insertRejectedRows(
  db: Queryable,
  syncJobId: number,
  unit: string | null,
  rejected: readonly RejectedRow[],
): Promise<void> {
  if (rejected.length === 0) return;
  await db.query(
    `insert into rejected_rows (sync_job_id, unit, basis, reason, source, content)
     select $1, $2, * from unnest($3::smallint[], $4::text[], $5::text[], $6::text[])`,
    [
      syncJobId,
      unit,
      rejected.map((r) => r.venueBasis),
      rejected.map((r) => r.reason),
      rejected.map((r) => r.source),
      rejected.map((r) => r.content.slice(0, 500)),
    ],
  );
}

export async function deleteRejectedRows(db: Queryable, syncJobId: number): Promise<void> {
  await db.query('delete from rejected_rows where sync_job_id = $1', [syncJobId]);
}
