/** Adjustment events. */
import type { Adjustment } from '../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Rows } from '../tables.ts';
import { bumpDataVersion } from './data-versions.ts';

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

/** Makes the stored events equal to `events`, in the caller's transaction. Returns the number of changes. */
export async function replaceAdjustments(connection: Connection, events: readonly AdjustmentRow[]): Promise<number> {
  const { rows } = await connection.query<{ changed: number }>(
    `with given as materialized (
       select * from unnest($1::int[], $2::text[], $3::date[], $4::text[], $5::float8[])
         t (instrument_id, event_key, ex_date, kind, factor)),
     gone as (
       delete from adjustments a
       where not exists (select from given g where (g.instrument_id, g.event_key) = (a.instrument_id, a.event_key))
       returning 1),
     written as (
       insert into adjustments as a (instrument_id, event_key, ex_date, kind, factor) select * from given
       on conflict (instrument_id, event_key) do update
         set ex_date = excluded.ex_date, kind = excluded.kind, factor = excluded.factor
         where (a.ex_date, a.kind, a.factor) is distinct from (excluded.ex_date, excluded.kind, excluded.factor)
       returning 1)
     select (select count(*) from gone)::int + (select count(*) from written)::int as changed`,
    [
      events.map((e) => e.instrumentId),
      events.map((e) => e.eventKey),
      events.map((e) => formatDay(e.exDay)),
      events.map((e) => e.kind),
      events.map((e) => e.factor),
    ],
  );
  if (rows[0].changed > 0) await bumpDataVersion(connection, 'adjustments');
  return rows[0].changed;
}
