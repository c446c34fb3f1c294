/** The data that kept runs and factor studies have read, by instrument: their receipts have one digest of it. */
import { ADJUSTMENT_KINDS, SHARE_COUNT_KINDS } from '../../engine/market/adjust.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { CONSOLIDATED_FROM, VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import type { Queryable } from '../pool.ts';

/** SQL: the day of a number of days since 1970. */
const dayOf = (days: string) => `date '1970-01-01' + (${days})::int`;

/** SQL: an array of JSON, or an empty one. */
const arrayOf = (value: string) => `case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end`;

/** SQL: instruments, and the benchmark after them if there is one. */
const withBenchmark = (instruments: string) =>
  `${arrayOf(instruments)} || case when jsonb_typeof(spec -> 'benchmark') = 'object'
     then jsonb_build_array(spec -> 'benchmark') else '[]' end`;

/**
 * Adds what new kept runs and studies have read: the bars of a receipt's digest, wider where the digest is of a whole
 * universe. Cash dividends also count where rules name them. Symbols have the instruments that they name now.
 */
export async function addKeptReads(db: Queryable): Promise<void> {
  await db.query(
    `with runs as materialized (
       select run, study, spec, summary, ${dayOf(`spec ->> 'end'`)} as ended_on,
         ${dayOf(`coalesce(spec ->> 'end', spec ->> 'asOf')`)} as through,
         case spec ->> 'adjust' when 'total' then $1::text[] when 'split' then $2::text[] else '{}' end
           || case when spec::text like '%dividend%' then '{cash_dividend}'::text[] else '{}' end as kinds
       from (select id as run, null::uuid as study, spec::jsonb as spec, summary::jsonb as summary from backtests b
             where spec is not null and not exists (select from kept_reads r where r.backtest_id = b.id)
             union all
             select null, id, spec::jsonb, '{"receipt": null}' from sweeps s
             where kind = 'factors' and status = 'done' and not exists (select from kept_reads r where r.sweep_id = s.id)) fresh
       where summary ? 'receipt'),
     reads as (
       select run, study, spec ->> 'symbol' as symbol, spec ->> 'instrumentId' as instrument,
         coalesce((summary #>> '{receipt,first_bar}')::date, '-infinity') as first_day,
         coalesce((summary #>> '{receipt,last_bar}')::date, (summary ->> 'end_date')::date) as last_day, ended_on, kinds
       from runs where spec ? 'instrumentId'
       union all
       select run, study, one ->> 'symbol', one ->> 'instrumentId',
         case when summary ? 'bars_read' then ${dayOf(`summary -> 'bars_read' -> (place::int - 1) ->> 0`)} else '-infinity' end,
         case when summary ? 'bars_read' then ${dayOf(`summary -> 'bars_read' -> (place::int - 1) ->> 1`)}
           else (summary ->> 'end_date')::date end, ended_on, kinds
       from runs, jsonb_array_elements(${withBenchmark(`spec -> 'instruments'`)}) with ordinality listed (one, place)
       where spec ? 'instruments'
       union all
       select run, study, one ->> 'ticker', one ->> 'instrumentId', '-infinity', through, null, kinds
       from runs, jsonb_array_elements(${arrayOf(`spec -> 'others'`)}) named (one)
       union all
       select run, study, one ->> 'symbol', one ->> 'instrumentId', '-infinity', through, null, kinds
       from runs, jsonb_array_elements(${withBenchmark(`spec #> '{universe,instruments}'`)}) listed (one)
       where jsonb_typeof(spec #> '{universe,instruments}') = 'array'
       union all
       select run, study, null, null, '-infinity', through, null, kinds from runs
       where spec ? 'universe' and jsonb_typeof(spec #> '{universe,instruments}') <> 'array')
     insert into kept_reads (backtest_id, sweep_id, instrument_id, first_day, last_day, ended_on, kinds)
     select run, study, coalesce((select i.id from instruments i where i.id = r.instrument::int or i.symbol = regexp_replace(r.symbol, '\\.US$', '')
       order by i.id = r.instrument::int desc limit 1), r.instrument::int), first_day, last_day, ended_on, kinds from reads r`,
    [ADJUSTMENT_KINDS, SHARE_COUNT_KINDS],
  );
}

/** SQL: whether an event counts in what was read. */
const counts = (event: string) =>
  `(${event} ->> 'kind' = any(k.kinds) and (${event} ->> 'ex_date')::date <= k.last_day)`;

/** SQL: whether what was read has a revised bar or event. $2: the first consolidated session. */
const IS_READ = `(r.basis = case when r.day < $2 then ${VENUE_BASIS_CODE.primary_session} else ${VENUE_BASIS_CODE.consolidated} end
    and (r.day between k.first_day and k.last_day or (r.day > k.ended_on and (r.was is null or r.became is null))))
  or (r.event_key is not null and (${counts('r.was')} or ${counts('r.became')}))`;

/** A kept run or a factor study. */
/** Counts the kept runs that have read bars from one day to another. */
export async function countReaders(db: Queryable, start: Day, end: Day): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(distinct backtest_id)::int as count from kept_reads where first_day <= $2 and last_day >= $1',
    [formatDay(start), formatDay(end)],
  );
  return rows[0].count;
}

export interface Hit {
  readonly backtestId: number | null;
  readonly sweepId: string | null;
}

/** Kept runs and factor studies that have read a bar or an event that a load has revised. */
export async function selectHit(db: Queryable, load: number): Promise<Hit[]> {
  const hit = 'select k.backtest_id as "backtestId", k.sweep_id as "sweepId" from kept_reads k where';
  const { rows } = await db.query<Hit>(
    `${hit} k.instrument_id is not null and exists (
       select from revisions r where r.sync_job_id = $1 and r.instrument_id = k.instrument_id and (${IS_READ}))
     union
     ${hit} k.instrument_id is null and exists (select from revisions r where r.sync_job_id = $1 and (${IS_READ}))`,
    [load, formatDay(CONSOLIDATED_FROM)],
  );
  return rows;
}
