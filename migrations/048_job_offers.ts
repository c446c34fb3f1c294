import type { Knex } from 'knex';
import { up as admitIntoQueue } from './036_admit_runs.ts';

/**
 * A worker with free slots offers them, and `admit_runs` gives it a run as it records it: the job is active and claimed from its
 * beginning, and its worker gets it by notification. So nobody has to look for it.
 *
 * A run is given only if no job of its queue waits and the queue is not paused. A job counts against its worker's slots as long as
 * its claim stands. The row of an offer is locked while it is used, so that no slot is given twice.
 *
 * The table is unlogged: after a crash of the database it is empty, and each worker offers its slots with its next connection.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table job_offers (
      worker_key bigint primary key,
      queues text[] not null,
      slots integer not null check (slots > 0),
      engine_version text not null
    );

    create function take_offer(wanted_queue text) returns job_offers language plpgsql as $$
    declare
      offer job_offers;
    begin
      if exists (select from pgboss.job j where j.name = wanted_queue and j.state < 'active' and not j.blocked and j.start_after <= now())
        or exists (select from paused_queues p where p.queue = wanted_queue) then
        return null;
      end if;
      select * into offer from job_offers o
        where wanted_queue = any(o.queues) and o.slots > (select count(*) from job_claims c where c.worker_key = o.worker_key and c.queue = any(o.queues))
        limit 1 for update skip locked;
      -- Others may have used it between the look and the lock.
      if offer.slots > (select count(*) from job_claims c where c.worker_key = offer.worker_key and c.queue = any(offer.queues)) then
        return offer;
      end if;
      return null;
    end $$;

    create function give_job(offer job_offers, run backtest_runs, job_data json) returns void language plpgsql as $$
    declare
      version text := (select string_agg(d.scope || '=' || d.version, ',' order by d.scope) from data_versions d);
      digest bytea := sha256(convert_to(concat_ws(E'\\n', offer.engine_version, version, run.spec::text), 'UTF8'));
      message text := json_build_object('queue', run.kind, 'id', run.id, 'data', job_data,
        'retryLimit', (select q.retry_limit from pgboss.queue q where q.name = run.kind),
        'run', json_build_object('spec', run.spec::text, 'userId', run.user_id, 'isSaved', run.is_saved, 'historyMax', run.history_max,
          'dataVersion', version, 'fingerprint', encode(digest, 'hex'),
          'isKnown', exists (select from backtest_results r where r.fingerprint = digest)))::text;
    begin
      insert into job_claims (queue, job_id, attempt, worker_key) values (run.kind, run.id, 0, offer.worker_key)
        on conflict (queue, job_id) do update set attempt = 0, worker_key = excluded.worker_key, claimed_at = now();
      perform set_config('jobs.given', coalesce(current_setting('jobs.given', true), '') || run.id || ' ', true);
      -- A longer message cannot be sent. Without one the worker reads its claims.
      perform pg_notify('job_given_' || offer.worker_key, case when octet_length(message) < 7900 then message else '' end);
    end $$;

    create function begin_given_job() returns trigger language plpgsql as $$
    begin
      if position(new.id::text in current_setting('jobs.given')) > 0 then
        new.state := 'active';
        new.started_on := now();
        new.heartbeat_on := now();
      end if;
      return new;
    end $$;
    create trigger job_given before insert on pgboss.job for each row
      when (coalesce(current_setting('jobs.given', true), '') <> '' and new.state = 'created') execute function begin_given_job();

    create or replace function admit_runs(requested json) returns table (id uuid, data json, priority integer) language plpgsql as $$
    declare
      wanted record;
      recorded backtest_runs;
      offer job_offers;
      is_looking boolean := true;
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function admit_runs(json);
    drop function begin_given_job() cascade;
    drop function give_job(job_offers, backtest_runs, json);
    drop function take_offer(text);
    drop table job_offers;
  `);
  await admitIntoQueue(knex);
}
