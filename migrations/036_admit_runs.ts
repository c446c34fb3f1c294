import type { Knex } from 'knex';

/**
 * `admit_runs` records the runs of one moment, each unless its owner has as many under way as its plan allows, and returns the
 * jobs of the recorded ones. The locks of the owners make the counts exact: every statement after them sees what others have
 * committed. In a batch nobody waits long for the lock of somebody else; the caller tries each run again alone.
 *
 * The turn of a run is its place among the runs of its kind: after the owner's last turn, and not before the one that runs now.
 * So an owner with twenty waiting runs and one with a single run alternate. Only optimizations take turns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function admit_runs(requested json) returns table (id uuid, data json, priority integer) language plpgsql as $$
    declare
      wanted record;
      place integer;
    begin
      if json_array_length(requested) > 1 then
        perform set_config('lock_timeout', '100ms', true);
      end if;
      -- In one order everywhere, so that two statements never wait for each other.
      perform pg_advisory_xact_lock(7304, key)
        from (select distinct hashtext(each ->> 'owner') as key from json_array_elements(requested) each order by 1) owners;
      for wanted in
        select * from json_to_recordset(requested) as each (id uuid, kind text, owner text, user_id bigint, is_saved boolean,
          history_max integer, spec json, request_id text, created_at timestamptz, max integer, data json)
      loop
        insert into backtest_runs (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, turn)
        select wanted.id, wanted.kind, wanted.owner, wanted.user_id, wanted.is_saved, wanted.history_max, wanted.spec,
          wanted.request_id, wanted.created_at,
          case when wanted.kind = 'optimize' then 1 + greatest(
            (select max(turn) from backtest_runs
             where owner = wanted.owner and kind = wanted.kind and status in ('queued', 'running')),
            (select min(turn) from backtest_runs where kind = wanted.kind and status = 'running'), 0) else 0 end
        where (select count(*) from backtest_runs where owner = wanted.owner and status in ('queued', 'running')) < wanted.max
        returning turn into place;
        if found then
          return query select wanted.id, wanted.data, -place;
        end if;
      end loop;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function admit_runs');
}
