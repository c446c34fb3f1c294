/** Comparisons of the loaded bars with those of another provider. */
import { VENUE_BASIS_CODE, type VenueBasis, venueBasisOfCode } from '../../engine/market/venue-basis.ts';
import { type Actor, actorName, actorValues } from '../actors.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Rows } from '../schema/tables.ts';
import { type BarDifference, DIFFERENCE_COLUMNS, type DifferenceKind } from './other-bars.ts';

export interface ComparisonSpec {
  readonly venueBasis: VenueBasis;
  /** The other provider. */
  readonly against: string;
  /** Its folder; null: that of the configuration. */
  readonly folder: string | null;
  /** First and last day (YYYY-MM-DD). */
  readonly start: string;
  readonly end: string;
  /** Prices that differ by more are differences, in percent of ours. */
  readonly tolerancePct: number;
  readonly volumeTolerancePct: number;
}

/** A session or file of the other provider that could not be read and is not compared. */
export interface UnreadUnit {
  readonly unit: string;
  readonly error: string;
}

/** The outcome of a comparison. Its file has every difference. */
export interface ComparisonResult {
  /** Bars that both have. */
  readonly compared: number;
  readonly differences: Readonly<Record<DifferenceKind, number>>;
  /** Rows of the other provider that are not valid bars. */
  readonly malformed: number;
  /** Rows of the other provider for tickers that are no instrument here, and the first of these tickers. */
  readonly unknown: { readonly rows: number; readonly tickers: readonly string[] };
  /** Sessions that were compared, and those that only one side has. */
  readonly sessions: number;
  readonly sessionsOnlyHere: readonly string[];
  readonly sessionsOnlyThere: readonly string[];
  readonly unread: readonly UnreadUnit[];
  /** The largest differences of price. */
  readonly largest: readonly BarDifference[];
  readonly file: { readonly key: string; readonly bytes: number; readonly sha256: string };
}

export const COMPARISON_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type ComparisonStatus = (typeof COMPARISON_STATUSES)[number];

export interface Comparison extends ComparisonSpec {
  readonly id: number;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly queueJobId: string;
  /**
   * The status of its job until it has ended. A comparison that was impossible as requested has failed, although its
   * job has not.
   */
  readonly status: ComparisonStatus;
  readonly progressPct: number;
  /** Null: it is not done. */
  readonly result: ComparisonResult | null;
  readonly error: string | null;
  readonly finishedAt: Date | null;
}

const SELECT = `
  select c.id, c.basis, c.against, c.folder, c.start_day as start, c.end_day as "end", c.tolerance_pct as "tolerancePct",
    c.volume_tolerance_pct as "volumeTolerancePct", ${actorName('c', 'requested_by')} as "requestedBy", c.requested_at as "requestedAt",
    c.queue_job_id as "queueJobId", c.progress_pct as "progressPct", c.result, c.finished_at as "finishedAt",
    coalesce(c.refusal, case when c.finished_at is null then j.output ->> 'message' end) as error,
    case when c.refusal is not null then 'failed' when c.finished_at is not null then 'done' when j.state in ('created', 'retry') then 'queued'
      when j.state = 'active' then 'running' when j.state = 'cancelled' then 'canceled' else 'failed' end as status
  from comparisons c left join pgboss.job j on j.name = 'compare' and j.id = c.queue_job_id`;

type StoredResult = Omit<ComparisonResult, 'unread'> & Partial<Pick<ComparisonResult, 'unread'>>;
type Row = Omit<Comparison, 'venueBasis' | 'result'> &
  Pick<Rows['comparisons'], 'basis'> & { readonly result: StoredResult | null };

function toComparison({ basis, result, ...rest }: Row): Comparison {
  // Results of an earlier version have no list of what was not read.
  return { ...rest, venueBasis: venueBasisOfCode(basis), result: result && { ...result, unread: result.unread ?? [] } };
}

/** Null: there is none. */
export async function selectComparison(db: Queryable, id: number): Promise<Comparison | null> {
  const { rows } = await db.query<Row>(`${SELECT} where c.id = $1`, [id]);
  return rows.map(toComparison)[0] ?? null;
}

/** The newest one that is done; null: none. */
export async function selectLastComparison(db: Queryable): Promise<Comparison | null> {
  const { rows } = await db.query<Row>(`${SELECT} where c.result is not null order by c.id desc limit 1`);
  return rows.map(toComparison)[0] ?? null;
}

/** Newest first. */
export async function selectComparisons(db: Queryable, { page, size }: PageRequest): Promise<Page<Comparison>> {
  const { rows: counts } = await db.query<{ total: number }>('select count(*)::float8 as total from comparisons');
  const { rows } = await db.query<Row>(`${SELECT} order by c.id desc limit $1 offset $2`, [size, (page - 1) * size]);
  return { total: counts[0].total, items: rows.map(toComparison) };
}

export interface NewComparison extends ComparisonSpec {
  readonly requestedBy: Actor;
  readonly requestedAt: Date;
  readonly queueJobId: string;
}

/** Records a comparison in the caller's transaction and returns its id. */
export async function insertComparison(connection: Connection, added: NewComparison): Promise<number> {
  const { rows } = await connection.query<Pick<Rows['comparisons'], 'id'>>(
    `insert into comparisons (basis, against, folder, start_day, end_day, tolerance_pct, volume_tolerance_pct,
       requested_by_id, requested_by, requested_at, queue_job_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [
      VENUE_BASIS_CODE[added.venueBasis],
      added.against,
      added.folder,
      added.start,
      added.end,
      added.tolerancePct,
      added.volumeTolerancePct,
      ...actorValues(added.requestedBy),
      added.requestedAt,
      added.queueJobId,
    ],
  );
  return rows[0].id;
}

export async function updateComparisonProgress(db: Queryable, id: number, progressPct: number): Promise<void> {
  await db.query('update comparisons set progress_pct = $2 where id = $1 and finished_at is null', [id, progressPct]);
}

export async function finishComparison(db: Queryable, id: number, result: ComparisonResult, at: Date): Promise<void> {
  await db.query(
    'update comparisons set result = $2, finished_at = $3, progress_pct = 100 where id = $1 and finished_at is null',
    [id, JSON.stringify(result), at],
  );
}

/** Ends a comparison that cannot be made, with the reason. */
export async function refuseComparison(db: Queryable, id: number, refusal: string, at: Date): Promise<void> {
  await db.query('update comparisons set refusal = $2, finished_at = $3 where id = $1 and finished_at is null', [
    id,
    refusal,
    at,
  ]);
}

/** The ids of all comparisons, done or not. */
export async function selectComparisonIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<Pick<Rows['comparisons'], 'id'>>('select id from comparisons');
  return rows.map(({ id }) => id);
}

export interface DifferenceFilter {
  readonly kind?: DifferenceKind;
  readonly instrumentId?: number;
  /** First and last day (YYYY-MM-DD). */
  readonly start?: string;
  readonly end?: string;
}

/** The largest differences of price first, then those of volume, then the bars that only one side has. */
export async function selectDifferences(
  db: Queryable,
  comparisonId: number,
  { kind, instrumentId, start, end }: DifferenceFilter,
  { page, size }: PageRequest,
): Promise<Page<BarDifference>> {
  const filtered = `from comparison_differences d where comparison_id = $1 and ($2::text is null or kind = $2)
    and ($3::int is null or instrument_id = $3) and ($4::date is null or day >= $4) and ($5::date is null or day <= $5)`;
  const wanted = [comparisonId, kind, instrumentId, start, end];
  const { rows: counts } = await db.query<{ total: number }>(`select count(*)::float8 as total ${filtered}`, wanted);
  const { rows: items } = await db.query<BarDifference>(
    `select ${DIFFERENCE_COLUMNS} from (select d.* ${filtered}) d join instruments i on i.id = d.instrument_id
     order by d.price_pct desc nulls last, d.volume_pct desc nulls last, i.symbol collate "C", d.day limit $6 offset $7`,
    [...wanted, size, (page - 1) * size],
  );
  return { total: counts[0].total, items };
}

export async function deleteDifferences(db: Queryable, comparisonId: number): Promise<void> {
  await db.query('delete from comparison_differences where comparison_id = $1', [comparisonId]);
}

/** Deletes the differences of all comparisons but the newest ones. */
export async function deleteOldDifferences(db: Queryable, kept: number): Promise<void> {
  await db.query(
    `delete from comparison_differences
     where comparison_id < (select min(id) from (select id from comparisons order by id desc limit $1) newest)`,
    [kept],
  );
}
