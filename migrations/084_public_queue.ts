import type { Knex } from 'knex';
import { up as admitRuns } from './036_admit_runs.ts';
import { up as jobOffers } from './048_job_offers.ts';
import { up as loneRuns } from './049_lone_runs.ts';
import { up as loneRunsApart } from './059_lone_runs_apart.ts';
import { up as batchesGiven } from './065_batches_given.ts';
import { up as aheadOfSlots } from './066_ahead_of_slots.ts';
import { up as oneJobTrigger } from './068_one_job_trigger.ts';
import { up as plansOfAdmissions } from './069_plans_of_admissions.ts';

/**
 * pg-boss alone writes its tables: the trigger that changed its jobs goes, and with it what gave jobs to workers. Version 0.1.0, the last
 * release, used none of it.
 *
 * `admit` records the runs of one moment, each unless its owner has as many under way as its plan allows, and returns the turns of the
 * recorded ones; whoever calls it inserts their jobs in the same transaction. The locks of the owners make the counts exact: every
 * statement after them sees what others have committed.
 *
 * The turn of a run is its place among the runs of its lane: after the owner's last turn, and not before the one that runs now. So an
 * owner with twenty waiting runs and one with a single run alternate.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger if exists job_given on pgboss.job;
    drop function if exists begin_given_job();
    drop function if exists admit_run;
    drop function if exists admit_runs(json, boolean);
    drop function if exists admit(json, boolean, text[]);
    drop table if exists job_offers;

    create or replace function admit(requested json, lane text[]) returns table (id uuid, turn integer)
      language plpgsql set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
    #variable_conflict use_column
    begin
      -- In one order everywhere, so that two transactions never wait for each other.
      perform pg_advisory_xact_lock(7304, key)
        from (select distinct hashtext(each ->> 'owner') as key from json_array_elements(requested) each order by 1) owners;
      return query
      with placed as (
        select *, row_number() over (partition by owner order by place)::integer as nth
        from rows from (json_to_recordset(requested) as (id uuid, kind text, owner text, user_id bigint, is_saved boolean,
          history_max integer, spec json, request_id text, created_at timestamptz, max integer, seconds_max integer))
          with ordinality
          as each (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, max, seconds_max, place))
      insert into backtest_runs
        (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max, turn)
      select id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max,
        least(100000000, nth + greatest(
          (select max(turn) from backtest_runs r
           where r.owner = placed.owner and r.kind = any(lane) and r.status in ('queued', 'running')),
          (select min(turn) from backtest_runs r where r.kind = any(lane) and r.status = 'running'), 0))
      from placed
      where nth + (select count(*) from backtest_runs r where r.owner = placed.owner and r.status in ('queued', 'running')) <= max
      returning id, turn;
    end $$;
  `);
}

/** Everything is made again by the migrations that made it. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function admit(json, text[])');
  const earlier = [admitRuns, jobOffers, loneRuns, loneRunsApart, batchesGiven, aheadOfSlots, oneJobTrigger];
  for (const make of [...earlier, plansOfAdmissions]) await make(knex);
  await knex.raw(ADMIT);
}

const ADMIT = `
    create function admit(requested json, are_awaited boolean, lane text[])
      returns table (id uuid, data json, priority integer, "groupId" text, "expireInSeconds" integer)
      language plpgsql set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
    #variable_conflict use_column
    begin
      perform case when json_array_length(requested) > 1 then set_config('lock_timeout', '100ms', true) end,
        case when are_awaited then set_config('synchronous_commit', 'off', true) end;
      -- In one order everywhere, so that two statements never wait for each other.
      perform pg_advisory_xact_lock(7304, key)
        from (select distinct hashtext(each ->> 'owner') as key from json_array_elements(requested) each order by 1) owners;
      return query
      with placed as (
        select *, row_number() over (partition by owner order by place)::integer as nth
        from rows from (json_to_recordset(requested) as (id uuid, kind text, owner text, user_id bigint, is_saved boolean,
          history_max integer, spec json, request_id text, created_at timestamptz, max integer, plan_rank integer,
          seconds_max integer, data json)) with ordinality
          as each (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, max, plan_rank,
            seconds_max, data, place)),
      recorded as (
        insert into backtest_runs
          (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max, turn)
        select id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, seconds_max,
          least(100000000, nth + greatest(
            (select max(turn) from backtest_runs r
             where r.owner = placed.owner and r.kind = any(lane) and r.status in ('queued', 'running')),
            (select min(turn) from backtest_runs r where r.kind = any(lane) and r.status = 'running'), 0))
        from placed
        where nth + (select count(*) from backtest_runs r where r.owner = placed.owner and r.status in ('queued', 'running')) <= max
        returning id, turn)
      select id, data, plan_rank - 4 * turn, owner, 60 + 10 * coalesce(seconds_max, 300)
      from recorded join placed using (id);
    end $$;
`;
