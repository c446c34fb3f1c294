/** Units of loads: loaded units, failed units, and rejected rows. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Selected } from '../schema/columns.ts';
import type { SourceFile } from '../schema/queue.ts';
import { type Rows, selection } from '../schema/tables.ts';

export type { SourceFile } from '../schema/queue.ts';

/** How many rows were rejected for which reason. */
export type RejectedByReason = Rows['sync_units']['rows_rejected_by_reason'];

/** Counts rejected rows over all reasons. */
export function countRejected(byReason: RejectedByReason): number {
  return Object.values(byReason).reduce((sum, count) => sum + count, 0);
}

const UNIT = selection('sync_units', {
  key: 'unit',
  written: 'rows_written',
  rejected: 'rows_rejected_by_reason',
  error: 'error',
});

/** A unit that a load has finished, with the reason if it failed. */
export type SyncUnit = Selected<typeof UNIT>;

/** The bars that a unit wrote or confirmed. */
export interface Coverage {
  readonly venueBasis: VenueBasis;
  readonly start: Day;
  readonly end: Day;
  /** Sessions that kept their earlier rows. */
  readonly skippedSessions: readonly Day[];
  /** Null: all. */
  readonly instrumentIds: readonly number[] | null;
  readonly sources: readonly SourceFile[];
}

/** Records a finished unit, in the transaction that wrote its rows. `covered` is null when it wrote none. */
export async function insertSyncUnit(
  db: Queryable,
  syncJobId: number,
  unit: SyncUnit,
  covered: Coverage | null,
): Promise<void> {
  await db.query(
    `insert into sync_units (sync_job_id, unit, rows_written, rows_rejected, rows_rejected_by_reason, error,
       basis, first_day, last_day, left_out, instrument_ids, sources)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      syncJobId,
      unit.key,
      unit.written,
      countRejected(unit.rejected),
      unit.rejected,
      unit.error,
      covered && VENUE_BASIS_CODE[covered.venueBasis],
      covered && formatDay(covered.start),
      covered && formatDay(covered.end),
      covered === null ? [] : covered.skippedSessions.map(formatDay),
      covered?.instrumentIds ?? null,
      JSON.stringify(covered === null ? [] : covered.sources),
    ],
  );
}

/** How many of the days neither the load nor a later one has loaded whole on a venue basis. */
export async function countDaysNotLoaded(
  db: Queryable,
  syncJobId: number,
  venueBasis: VenueBasis,
  days: readonly Day[],
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from unnest($3::date[]) as asked (day) where not exists (
       select from sync_units u where u.sync_job_id >= $1 and u.basis = $2 and u.error is null and u.instrument_ids is null
         and asked.day between u.first_day and u.last_day and not asked.day = any(u.left_out))`,
    [syncJobId, VENUE_BASIS_CODE[venueBasis], days.map(formatDay)],
  );
  return rows[0].count;
}

/** Units that earlier attempts of a job have finished, by key. */
export async function selectSyncUnits(db: Queryable, syncJobId: number): Promise<Map<string, SyncUnit>> {
  const { rows } = await db.query<SyncUnit>(`select ${UNIT.sql} from sync_units where sync_job_id = $1`, [syncJobId]);
  return new Map(rows.map((row) => [row.key, row]));
}

/** The files from which sessions were loaded last, by session. Sessions without a full load are left out. */
export async function selectSourcesOfDays(
  db: Queryable,
  venueBasis: VenueBasis,
  days: readonly Day[],
): Promise<Map<Day, readonly SourceFile[]>> {
  const { rows } = await db.query<{ day: string; sources: readonly SourceFile[] }>(
    `select d.day, u.sources from unnest($2::date[]) d (day) cross join lateral (
       select sources from sync_units
       where basis = $1 and first_day <= d.day and last_day >= d.day and not d.day = any(left_out) and instrument_ids is null
       order by finished_at desc, sync_job_id desc limit 1) u`,
    [VENUE_BASIS_CODE[venueBasis], days.map(formatDay)],
  );
  return new Map(rows.map(({ day, sources }) => [requireDay(day), sources]));
}

/**
 * Deletes the failed units of a job and their rejected rows. Units of versions that did not count rejections by reason are
 * deleted too.
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
  /** File and line, or the provider's name for the request. */
  readonly source: string;
  readonly content: string;
}

/** Keeps rejected rows. `unit` is null for lists. */
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
      // PostgreSQL stores no NUL.
      rejected.map((r) => r.content.slice(0, 500).replaceAll('\0', '\ufffd')),
    ],
  );
}

export async function deleteRejectedRows(db: Queryable, syncJobId: number): Promise<void> {
  await db.query('delete from rejected_rows where sync_job_id = $1', [syncJobId]);
}

export interface RejectionGroup {
  readonly reason: string;
  readonly count: number;
  /** Source and content of the first row. */
  readonly source: string;
  readonly content: string;
}

/** Rejected rows of a sync job by reason and file, most first. */
export async function selectRejectionGroups(db: Queryable, syncJobId: number): Promise<RejectionGroup[]> {
  const { rows } = await db.query<RejectionGroup>(
    `select reason, count(*) as count, (array_agg(source order by id))[1] as source,
       (array_agg(content order by id))[1] as content
     from rejected_rows where sync_job_id = $1
     group by reason, regexp_replace(source, ':[0-9]+$', '') order by 2 desc, 3`,
    [syncJobId],
  );
  return rows;
}
