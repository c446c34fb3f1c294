/** Revisions: bars and events that loads changed after they had been served. */
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { DailyBar } from '../../engine/market/minute-bars.ts';
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Rows } from '../schema/tables.ts';

/** The load that changes something. */
export interface LoadOrigin {
  /** Null: no job, as in a benchmark. */
  readonly syncJobId: number | null;
  readonly at: Date;
}

/** Figures of a bar, as traded. */
export type RevisedBar = DailyBar;

export interface RevisedEvent {
  readonly kind: Rows['adjustments']['kind'];
  /** YYYY-MM-DD. */
  readonly ex_date: string;
  readonly factor: number;
}

interface Change<Value> {
  readonly id: number;
  readonly instrumentId: number;
  /** YYYY-MM-DD: of the bar, or the ex-date of the event. */
  readonly day: string;
  /** Null: there was none. */
  readonly was: Value | null;
  /** Null: it was removed. */
  readonly became: Value | null;
  /** Null: the change came from no job. */
  readonly syncJobId: number | null;
  readonly at: Date;
}

export type BarRevision = Change<RevisedBar> & { readonly venueBasis: VenueBasis };
export type EventRevision = Change<RevisedEvent> & { readonly eventKey: string };
export type Revision = BarRevision | EventRevision;

const COLUMNS = `id, instrument_id as "instrumentId", basis, event_key as "eventKey", day, was, became,
  sync_job_id as "syncJobId", recorded_at as at`;

type Row = Change<RevisedBar & RevisedEvent> & { readonly basis: number | null; readonly eventKey: string | null };

function revisionOf({ basis, eventKey, ...change }: Row): Revision {
  if (basis !== null) return { ...change, venueBasis: venueBasisOfCode(basis) };
  return { ...change, eventKey: eventKey ?? '' };
}

/** Changes of one instrument, newest first. */
export async function selectRevisionsOf(db: Queryable, instrumentId: number, limit: number): Promise<Revision[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from revisions where instrument_id = $1 order by id desc limit $2`,
    [instrumentId, limit],
  );
  return rows.map(revisionOf);
}

/** The first change of each bar and event of some instruments since an instant: its `was` is what was served then. */
export async function selectFirstRevisionsSince(
  db: Queryable,
  instrumentIds: readonly number[],
  since: Date,
): Promise<Revision[]> {
  const { rows } = await db.query<Row>(
    `select distinct on (instrument_id, basis, event_key, bar_day) ${COLUMNS}
     from (select *, case when basis is not null then day end as bar_day from revisions
           where instrument_id = any($1) and recorded_at >= $2) r
     order by instrument_id, basis, event_key, bar_day, id`,
    [instrumentIds, since],
  );
  return rows.map(revisionOf);
}

/** Which of some instruments have a bar or an event that changed since an instant. */
export async function selectRevisedInstruments(
  db: Queryable,
  instrumentIds: readonly number[],
  since: Date,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'select distinct instrument_id as id from revisions where instrument_id = any($1) and recorded_at >= $2 order by 1',
    [instrumentIds, since],
  );
  return rows.map(({ id }) => id);
}

/** Changes of the bars of one instrument and day, on every venue basis, newest first. */
export async function selectBarRevisions(db: Queryable, instrumentId: number, day: Day): Promise<BarRevision[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from revisions where instrument_id = $1 and day = $2 and basis is not null order by id desc`,
    [instrumentId, formatDay(day)],
  );
  return rows.map(revisionOf).filter((revision) => 'venueBasis' in revision);
}

export interface RevisionFilter {
  /** Only those of this load. */
  readonly load?: number;
  readonly instrumentId?: number;
  readonly since?: Date;
}

/** Newest first. */
export async function selectRevisions(
  db: Queryable,
  { load, instrumentId, since }: RevisionFilter,
  { page, size }: PageRequest,
): Promise<Page<Revision>> {
  const filtered = `from revisions where ($1::int is null or instrument_id = $1)
    and ($2::timestamptz is null or recorded_at >= $2) and ($3::bigint is null or sync_job_id = $3)`;
  const wanted = [instrumentId, since, load];
  const { rows: counts } = await db.query<{ count: number }>(`select count(*)::int as count ${filtered}`, wanted);
  const { rows } = await db.query<Row>(`select ${COLUMNS} ${filtered} order by id desc limit $4 offset $5`, [
    ...wanted,
    size,
    (page - 1) * size,
  ]);
  return { total: counts[0].count, items: rows.map(revisionOf) };
}

/** Changes of days up to `through` (YYYY-MM-DD) with an id above `after`, oldest first. */
export async function selectRevisionsAfter(
  db: Queryable,
  after: number,
  through: string,
  limit: number,
): Promise<Revision[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from revisions where id > $1 and day <= $2 order by id limit $3`,
    [after, through, limit],
  );
  return rows.map(revisionOf);
}

/** How many changes there are of days up to `through` (YYYY-MM-DD), and the newest of them. */
export async function selectRevisionState(
  db: Queryable,
  through: string,
): Promise<{ readonly count: number; readonly newest: number }> {
  const { rows } = await db.query<{ count: number; newest: number }>(
    'select count(*)::int as count, coalesce(max(id), 0) as newest from revisions where day <= $1',
    [through],
  );
  return rows[0];
}

/** Changes since an instant. */
export async function countRevisions(db: Queryable, since: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from revisions where recorded_at >= $1',
    [since],
  );
  return rows[0].count;
}

/** Whether a load has revised something. */
export async function isRevisingLoad(db: Queryable, load: number): Promise<boolean> {
  const { rowCount } = await db.query('select from revisions where sync_job_id = $1 limit 1', [load]);
  return rowCount === 1;
}

/** Loads that have revised bars of a session, newest first. */
export async function selectRevisingLoads(db: Queryable, venueBasis: VenueBasis, day: Day): Promise<number[]> {
  const { rows } = await db.query<{ load: number }>(
    `select distinct sync_job_id as load from revisions
     where recorded_at >= $2::date and basis = $1 and day = $2::date and sync_job_id is not null order by load desc`,
    [VENUE_BASIS_CODE[venueBasis], formatDay(day)],
  );
  return rows.map(({ load }) => load);
}
