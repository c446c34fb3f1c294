/** Doubts about loaded bars and events, and what administrators decide about them. */
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { Finding } from '../../engine/market/findings.ts';
import { CONSOLIDATED_FROM, VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import { type Actor, actorName, actorValues } from '../actors.ts';
import type { AuditedConnection } from '../log/audit-log.ts';
import type { Connection, Queryable } from '../pool.ts';
import type { Page, PageRequest } from '../query-builder.ts';
import { insertMend } from '../queue/sync-jobs.ts';
import type { Rows } from '../schema/tables.ts';
import { replaceAdjustments } from './adjustments.ts';
import { bumpDataVersion } from './data-versions.ts';

type Row = Rows['data_findings'];

export interface FoundOf extends Finding {
  readonly instrumentId: number;
}

/** Makes the stored findings those of a check. What an administrator has ignored or mended stays. Returns the number of changes. */
export async function saveFindings(connection: Connection, found: readonly FoundOf[], at: Date): Promise<number> {
  const { rows } = await connection.query<{ changed: number }>(
    `with given as materialized (
       select distinct on (t.instrument_id, t.kind, t.day, event_key) t.*, coalesce(a.event_key, '') as event_key
       from unnest($1::int[], $2::text[], $3::date[], $4::jsonb[]) t (instrument_id, kind, day, details)
       left join adjustments a on t.kind = 'contradicted' and a.instrument_id = t.instrument_id and a.ex_date = t.day
         and a.kind = t.details->>'event' and a.factor = (t.details->>'factor')::float8
       order by t.instrument_id, t.kind, t.day, event_key),
     lost as materialized (
       select id, status in ('open', 'confirmed') as is_over from data_findings f where is_found and not exists (
         select from given g
         where (g.instrument_id, g.kind, g.day, g.event_key) = (f.instrument_id, f.kind, f.day, f.event_key))),
     gone as (delete from data_findings f using lost l where f.id = l.id and l.is_over returning 1),
     hidden as (update data_findings f set is_found = false from lost l where f.id = l.id and not l.is_over returning 1),
     written as (
       insert into data_findings as f (instrument_id, kind, day, event_key, details, found_at)
       select instrument_id, kind, day, event_key, details, $5 from given
       on conflict (instrument_id, kind, day, event_key) do update set details = excluded.details, is_found = true
         where not f.is_found or f.details <> excluded.details
       returning 1)
     select ((select count(*) from gone) + (select count(*) from hidden) + (select count(*) from written))::int as changed`,
    [
      found.map(({ instrumentId }) => instrumentId),
      found.map(({ kind }) => kind),
      found.map(({ day }) => formatDay(day)),
      found.map(({ details }) => JSON.stringify(details)),
      at,
    ],
  );
  // Readers tell findings on their answers.
  if (rows[0].changed > 0) await bumpDataVersion(connection, 'adjustments');
  return rows[0].changed;
}

/** A finding that answers tell: it counts for bars before `until` and from `day` on. */
export interface ToldFinding {
  readonly kind: Row['kind'];
  readonly day: Day;
  readonly until: Day;
}

/** SQL: findings that answers tell. */
const IS_TOLD = `is_found and status <> 'ignored'`;

/** By instrument, oldest first. */
export async function selectToldFindings(db: Queryable): Promise<ReadonlyMap<number, readonly ToldFinding[]>> {
  const { rows } = await db.query<Pick<Row, 'instrument_id' | 'kind' | 'day' | 'details'>>(
    `select instrument_id, kind, day, details from data_findings where ${IS_TOLD} order by day, kind`,
  );
  const byInstrument = Map.groupBy(rows, (row) => row.instrument_id);
  const told = ({ kind, day, details: { until } }: (typeof rows)[number]) => {
    const date = requireDay(day);
    return { kind, day: date, until: typeof until === 'string' ? requireDay(until) : date };
  };
  return new Map([...byInstrument].map(([id, some]) => [id, some.map(told)]));
}

/** Findings about which nobody has decided. */
export async function countOpenFindings(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from data_findings where is_found and status = 'open'`,
  );
  return rows[0].count;
}

export interface FindingRecord extends Pick<Row, 'id' | 'kind' | 'day' | 'details' | 'status' | 'event'> {
  /** Without market. */
  readonly symbol: string;
  readonly foundAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  /** Some before the day and some from it on, as traded, oldest first. */
  readonly bars: readonly {
    readonly date: string;
    readonly open: number;
    readonly high: number;
    readonly low: number;
    readonly close: number;
    readonly volume: number;
  }[];
}

export interface FindingFilter {
  readonly id?: number;
  readonly kind?: Row['kind'];
  readonly status?: Row['status'];
  readonly instrumentId?: number;
}

/** Bars on each side of the day of a finding. */
const BARS_AROUND = 5;

const around = (comparison: string, order: string) => `
  (select d.* from daily_bars d
   where d.instrument_id = f.instrument_id and d.day ${comparison} f.day
     and d.basis = case when d.day < $5 then $6::int else $7 end
   order by d.day ${order} limit ${BARS_AROUND})`;

/** Newest days first, without those that the last check has not found unless they were mended. */
export async function selectFindings(
  db: Queryable,
  { id, kind, status, instrumentId }: FindingFilter,
  { page, size }: PageRequest,
): Promise<Page<FindingRecord>> {
  const matching = `from data_findings f join instruments i on i.id = f.instrument_id
    where ($1::bigint is null or f.id = $1) and ($2::text is null or f.kind = $2) and ($3::text is null or f.status = $3)
      and ($4::int is null or f.instrument_id = $4) and (f.is_found or f.status = 'mended')`;
  const wanted = [id, kind, status, instrumentId];
  const { rows: counts } = await db.query<{ count: number }>(`select count(*)::int as count ${matching}`, wanted);
  const { rows } = await db.query<FindingRecord>(
    `select f.id, i.symbol, f.kind, f.day, f.details, f.status, f.event, f.found_at as "foundAt",
       f.decided_at as "decidedAt", ${actorName('f', 'decided_by')} as "decidedBy",
       (select coalesce(jsonb_agg(jsonb_build_object('date', b.day, 'open', b.open, 'high', b.high, 'low', b.low,
          'close', b.close, 'volume', b.volume) order by b.day), '[]')
        from (${around('<', 'desc')} union all ${around('>=', 'asc')}) b) as bars
     ${matching} order by f.day desc, i.symbol, f.id limit $8 offset $9`,
    [
      ...wanted,
      formatDay(CONSOLIDATED_FROM),
      VENUE_BASIS_CODE.primary_session,
      VENUE_BASIS_CODE.consolidated,
      size,
      (page - 1) * size,
    ],
  );
  return { total: counts[0].count, items: rows };
}

export interface FindingDecision {
  readonly status: Exclude<Row['status'], 'open'>;
  /** Only of a mended one: the right event; null: there was none. */
  readonly event: Row['event'];
}

/** Records a decision. A mended event counts at once, and in place of the provider's from now on. */
export async function decideFinding(
  connection: AuditedConnection,
  id: number,
  { status, event }: FindingDecision,
  by: Actor,
  at: Date,
): Promise<void> {
  await connection.query(
    `update data_findings set status = $2, event = $3, decided_at = $4, decided_by_id = $5, decided_by = $6 where id = $1`,
    [id, status, event, at, ...actorValues(by)],
  );
  if (status === 'mended') {
    const syncJobId = await insertMend(connection, id, by);
    await replaceAdjustments(connection, [], { syncJobId, at }, true);
  }
  await bumpDataVersion(connection, 'adjustments');
}
