import type { Knex } from 'knex';

/**
 * Only a run that comes alone is given to a worker. Runs of one moment are fetched in batches: spread over many workers one by one,
 * each would need statements of its own for its end.
 */
export async function up(knex: Knex): Promise<void> {
  await admitRuns(knex, 'json_array_length(requested) = 1');
}

export async function down(knex: Knex): Promise<void> {
  await admitRuns(knex, 'true');
}

/** Replaces `admit_runs`; `isLooking` says whether it looks for an offer. */
async function admitRuns(knex: Knex, isLooking: string): Promise<void> {
  await knex.raw(`
    create or replace function admit_runs(requested json) returns table (id uuid, data json, priority integer) language plpgsql as $$
    declare
      wanted record;
      recorded backtest_runs;
      offer job_offers;
      is_looking boolean := ${isLooking};
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
        offer := case when is_looking then take_offer(wanted.kind) end;
        is_looking := offer is not null;
        insert into backtest_runs (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, turn, status, started_at)
        select wanted.id, wanted.kind, wanted.owner, wanted.user_id, wanted.is_saved, wanted.history_max, wanted.spec,
          wanted.request_id, wanted.created_at,
          case when wanted.kind = 'optimize' then 1 + greatest(
            (select max(turn) from backtest_runs
             where owner = wanted.owner and kind = wanted.kind and status in ('queued', 'running')),
            (select min(turn) from backtest_runs where kind = wanted.kind and status = 'running'), 0) else 0 end,
          case when is_looking then 'running' else 'queued' end,
          case when is_looking then wanted.created_at end
        where (select count(*) from backtest_runs where owner = wanted.owner and status in ('queued', 'running')) < wanted.max
        returning * into recorded;
        if found then
          if is_looking then
            perform give_job(offer, recorded, wanted.data);
          end if;
          return query select wanted.id, wanted.data, -recorded.turn;
        end if;
      end loop;
    end $$;
  `);
}
