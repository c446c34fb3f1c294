import type { Knex } from 'knex';

/**
 * Runs of every kind take turns by account, and each has a bound of what it may cost.
 *
 * `admit` records the runs of one moment, each unless its owner has as many under way as its plan allows, and returns the jobs of the
 * recorded ones. The locks of the owners make the counts exact: every statement after them sees what others have committed. In a batch
 * nobody waits long for the lock of somebody else; the caller tries each run again alone.
 *
 * The turn of a run is its place among the runs of its lane: after the owner's last turn, and not before the one that runs now. So an
 * owner with twenty waiting runs and one with a single run alternate. Within a turn the higher plan (`plan_rank`, 0 to 3) comes first.
 * A job whose worker is stuck runs again after ten times the seconds that it may cost.
 *
 * `admit_run`, `admit_runs`, and `job_offers` stay for processes of the version before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs add column seconds_max integer check (seconds_max > 0), add column worker_seconds real;
    comment on column backtest_runs.seconds_max is 'Processor seconds of a worker that the run may cost; null: any number';
    comment on column backtest_runs.worker_seconds is 'What it has cost; null before its end';
    alter table sweeps add column seconds_max integer check (seconds_max > 0), add column worker_seconds real not null default 0,
      add column plan_rank integer not null default 0;

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
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function admit(json, boolean, text[]);
    alter table backtest_runs drop column seconds_max, drop column worker_seconds;
    alter table sweeps drop column seconds_max, drop column worker_seconds, drop column plan_rank;
  `);
}
