/** Adjustment events. */
import type { Adjustment } from '../../engine/market/adjust.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import type { Rows } from '../schema/tables.ts';
import { bumpDataVersion } from './data-versions.ts';
import type { LoadOrigin } from './revisions.ts';

export interface AdjustmentRow extends Adjustment {
  readonly instrumentId: number;
  /** Identifies the event within its instrument. */
  readonly eventKey: string;
}

/** Events by instrument, oldest first, without instruments that have none. */
export async function selectAdjustments(db: Queryable): Promise<Map<number, Adjustment[]>> {
  const { rows } = await db.query<Rows['adjustments']>(
    'select * from adjustments order by instrument_id, ex_date, event_key',
  );
  return byInstrument(rows);
}

function byInstrument(rows: readonly Rows['adjustments'][]): Map<number, Adjustment[]> {
  const events = new Map<number, Adjustment[]>();
  for (const row of rows) {
    const list = events.get(row.instrument_id) ?? [];
    list.push({ exDay: requireDay(row.ex_date), kind: row.kind, factor: row.factor });
    events.set(row.instrument_id, list);
  }
  return events;
}

/** Events of some instruments, oldest first, without instruments that have none. */
export async function selectAdjustmentsOf(
  db: Queryable,
  instrumentIds: readonly number[],
): Promise<Map<number, Adjustment[]>> {
  const { rows } = await db.query<Rows['adjustments']>({
    name: 'select_adjustments_of',
    text: 'select * from adjustments where instrument_id = any($1) order by instrument_id, ex_date, event_key',
    values: [instrumentIds],
  });
  return byInstrument(rows);
}

/** Whether one of the instruments had a cash dividend or spin-off after a day, up to another one. */
export async function hasPayments(db: Queryable, ids: readonly number[], after: Day, through: Day): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from adjustments where instrument_id = any($1) and kind in ('cash_dividend', 'spin_off')
       and ex_date > $2::date and ex_date <= $3::date limit 1`,
    [ids, formatDay(after), formatDay(through)],
  );
  return rowCount === 1;
}

export interface MarketEvent extends Adjustment {
  readonly instrumentId: number;
  /** The close before the ex-date, as traded; null: there is no bar. */
  readonly closeBefore: number | null;
}

/** Events of all instruments from one day (null: the first) to another, as they were known at an instant (null: now), oldest first. */
export async function selectEventsBetween(
  db: Queryable,
  { start, end, knownAt }: { readonly start: Day | null; readonly end: Day; readonly knownAt: Date | null },
  { page, size }: PageRequest,
): Promise<Page<MarketEvent>> {
  const known = `with undone as materialized (
      select distinct on (instrument_id, event_key) instrument_id, event_key, was from revisions
      where event_key is not null and recorded_at >= coalesce($3::timestamptz, 'infinity')
      order by instrument_id, event_key, id),
    known as (
      select a.* from adjustments a where not exists (
        select from undone u where (u.instrument_id, u.event_key) = (a.instrument_id, a.event_key))
      union all
      select instrument_id, event_key, (was->>'ex_date')::date, was->>'kind', (was->>'factor')::float8 from undone where was is not null)`;
  const range = [start === null ? '-infinity' : formatDay(start), formatDay(end), knownAt];
  const { rows: counts } = await db.query<{ count: number }>(
    `${known} select count(*)::int as count from known where ex_date between $1 and $2`,
    range,
  );
  const { rows } = await db.query<Rows['adjustments'] & { readonly close_before: number | null }>(
    `${known} select k.*, b.close as close_before from known k left join lateral (
       select close from daily_bars d where d.instrument_id = k.instrument_id and d.basis = $6 and d.day < k.ex_date
       order by d.day desc limit 1) b on true
     where k.ex_date between $1 and $2 order by k.ex_date, k.instrument_id, k.event_key limit $4 offset $5`,
    [...range, size, (page - 1) * size, VENUE_BASIS_CODE.consolidated],
  );
  const items = rows.map((row) => ({
    instrumentId: row.instrument_id,
    exDay: requireDay(row.ex_date),
    kind: row.kind,
    factor: row.factor,
    closeBefore: row.close_before,
  }));
  return { total: counts[0].count, items };
}

/** An event with its identity. */
export interface KeyedEvent extends Adjustment {
  readonly eventKey: string;
}

/** Events of one instrument in the order in which runs read them. */
export async function selectKeyedEvents(db: Queryable, instrumentId: number): Promise<KeyedEvent[]> {
  const { rows } = await db.query<Pick<Rows['adjustments'], 'event_key' | 'ex_date' | 'kind' | 'factor'>>(
    'select event_key, ex_date, kind, factor from adjustments where instrument_id = $1 order by ex_date, event_key',
    [instrumentId],
  );
  return rows.map((row) => ({
    eventKey: row.event_key,
    exDay: requireDay(row.ex_date),
    kind: row.kind,
    factor: row.factor,
  }));
}

/** SQL: an event as revisions hold it. */
const eventJson = (row: string) =>
  `jsonb_build_object('kind', ${row}.kind, 'ex_date', ${row}.ex_date, 'factor', ${row}.factor)`;

/** SQL: whether an administrator has written another event in place of one. */
const isMended = (row: string) =>
  `exists (select from mended m where m.instrument_id = ${row}.instrument_id and (
     m.event_key = ${row}.event_key
     or (m.event->>'kind' = ${row}.kind and (m.event->>'ex_date')::date = ${row}.ex_date and ${row}.event_key not like 'mended@%')))`;

/**
 * Makes the stored events equal to `events`, inside the caller's transaction; `keepsGone`: events that are not among them stay, but for
 * those of instruments whose prices take none, of `forgotten` ones, and those that an administrator has mended. Returns the number of changes. A change of an
 * event whose ex-date the list had covered before is recorded as a revision; a new ex-date is none.
 */
export async function replaceAdjustments(
  connection: Connection,
  events: readonly AdjustmentRow[],
  origin: LoadOrigin,
  keepsGone = false,
  forgotten: readonly number[] = [],
): Promise<number> {
  const { rows } = await connection.query<{ changed: number }>(
    `with mended as materialized (select id, instrument_id, event_key, event from data_findings where status = 'mended'),
     given as materialized (
       select * from (
         select * from unnest($1::int[], $2::text[], $3::date[], $4::text[], $5::float8[])
           t (instrument_id, event_key, ex_date, kind, factor)
         union all
         select instrument_id, 'mended@' || id, (event->>'ex_date')::date, event->>'kind', (event->>'factor')::float8
         from mended where event is not null) t
       where not ${isMended('t')}),
     known as materialized (select * from adjustments),
     gone as (
       delete from adjustments a
       where not exists (select from given g where (g.instrument_id, g.event_key) = (a.instrument_id, a.event_key))
         and (not $8 or a.instrument_id = any($9::int[]) or a.event_key like 'mended@%' or ${isMended('a')}
           or exists (select from instruments i where i.id = a.instrument_id and i.prices <> 'as_traded'))
       returning a.*),
     written as (
       insert into adjustments as a (instrument_id, event_key, ex_date, kind, factor) select * from given
       on conflict (instrument_id, event_key) do update
         set ex_date = excluded.ex_date, kind = excluded.kind, factor = excluded.factor
         where (a.ex_date, a.kind, a.factor) is distinct from (excluded.ex_date, excluded.kind, excluded.factor)
       returning a.*),
     covered as (select through from sync_watermarks where job_type = 'adjustments'),
     recorded as (
       insert into revisions (instrument_id, event_key, day, was, became, sync_job_id, recorded_at)
       select g.instrument_id, g.event_key, g.ex_date, ${eventJson('g')}, null, $6::bigint, $7::timestamptz
       from gone g, covered where g.ex_date <= through
       union all
       select w.instrument_id, w.event_key, w.ex_date,
         case when k.event_key is not null then ${eventJson('k')} end, ${eventJson('w')}, $6::bigint, $7::timestamptz
       from written w left join known k using (instrument_id, event_key), covered
       where least(w.ex_date, k.ex_date) <= through)
     select (select count(*) from gone)::int + (select count(*) from written)::int as changed`,
    [
      events.map((e) => e.instrumentId),
      events.map((e) => e.eventKey),
      events.map((e) => formatDay(e.exDay)),
      events.map((e) => e.kind),
      events.map((e) => e.factor),
      origin.syncJobId,
      origin.at,
      keepsGone,
      forgotten,
    ],
  );
  if (rows[0].changed > 0) await bumpDataVersion(connection, 'adjustments');
  return rows[0].changed;
}
