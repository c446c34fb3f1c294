import type { Knex } from 'knex';
import { up as loneRunsGiven } from './049_lone_runs.ts';

/** How `admit_runs` gave jobs before `admit_run`. */
const GIVING = `
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
  end $$;`;

/**
 * A run that comes alone has a function of its own, `admit_run`, which looks for an offer, records the run, and claims its job in
 * as few statements as the locks allow. `admit_runs` is for runs of one moment, which are not given.
 *
 * The record of a run whose caller waits for its end does not wait for the disk. The caller hears nothing before the end is committed,
 * and that commit waits for everything before it in the log.
 *
 * Claims come and go with each job. A bitmap of their index would hold all of them since the last vacuum, again and again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function admit_run(run_id uuid, run_kind text, run_owner text, account bigint, is_kept boolean, kept_max integer,
      run_spec json, request text, at timestamptz, owner_max integer, job_data json, is_awaited boolean)
      returns table (id uuid, data json, priority integer) language plpgsql set enable_bitmapscan = off as $$
    #variable_conflict use_column
    declare
      offer job_offers;
      is_given boolean;
      place integer;
    begin
      perform pg_advisory_xact_lock(7304, hashtext(run_owner)),
        case when is_awaited then set_config('synchronous_commit', 'off', true) end;
      select o.* into offer from job_offers o
        where run_kind = any(o.queues)
          and not exists (select from pgboss.job j where j.name = run_kind and j.state < 'active' and not j.blocked and j.start_after <= now())
          and not exists (select from paused_queues p where p.queue = run_kind)
          and o.slots > (select count(*) from job_claims c where c.worker_key = o.worker_key and c.queue = any(o.queues))
        limit 1 for update skip locked;
      -- Others may have used the offer between the look and the lock, so its slots are counted again.
      with checked as materialized (
        select coalesce(offer.slots > (
          select count(*) from job_claims c where c.worker_key = offer.worker_key and c.queue = any(offer.queues)), false) as is_free),
      recorded as (
        insert into backtest_runs (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, turn, status, started_at)
        select run_id, run_kind, run_owner, account, is_kept, kept_max, run_spec, request, at,
          case when run_kind = 'optimize' then 1 + greatest(
            (select max(turn) from backtest_runs
             where owner = run_owner and kind = run_kind and status in ('queued', 'running')),
            (select min(turn) from backtest_runs where kind = run_kind and status = 'running'), 0) else 0 end,
          case when is_free then 'running' else 'queued' end,
          case when is_free then at end
        from checked
        where (select count(*) from backtest_runs where owner = run_owner and status in ('queued', 'running')) < owner_max
        returning turn, status),
      claimed as (
        insert into job_claims (queue, job_id, attempt, worker_key)
        select run_kind, run_id, 0, offer.worker_key from recorded where status = 'running'
        on conflict (queue, job_id) do update set attempt = 0, worker_key = excluded.worker_key, claimed_at = now())
      select turn, status = 'running' into place, is_given from recorded;
      if not found then
        return;
      end if;
      if is_given then
        perform set_config('jobs.given', run_id::text, true),
          -- A longer message cannot be sent. Without one the worker reads its claims.
          pg_notify('job_given_' || offer.worker_key, case when octet_length(message) < 7900 then message else '' end)
        from (
          select json_build_object('queue', run_kind, 'id', run_id, 'data', job_data,
            'retryLimit', (select q.retry_limit from pgboss.queue q where q.name = run_kind),
            'run', json_build_object('spec', run_spec::text, 'userId', account, 'isSaved', is_kept, 'historyMax', kept_max,
              'dataVersion', version, 'fingerprint', encode(digest, 'hex'),
              'isKnown', exists (select from backtest_results r where r.fingerprint = digest)))::text as message
          from (
            select version, sha256(convert_to(concat_ws(E'\\n', offer.engine_version, version, run_spec::text), 'UTF8')) as digest
            from (select string_agg(d.scope || '=' || d.version, ',' order by d.scope) as version from data_versions d) data) of_data) given;
      end if;
      id := run_id;
      data := job_data;
      priority := -place;
      return next;
    end $$;

    drop function admit_runs(json);
    create function admit_runs(requested json, are_awaited boolean default false)
      returns table (id uuid, data json, priority integer) language plpgsql as $$
    declare
      wanted record;
      place integer;
    begin
      perform case when json_array_length(requested) > 1 then set_config('lock_timeout', '100ms', true) end,
        case when are_awaited then set_config('synchronous_commit', 'off', true) end;
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

    drop function give_job(job_offers, backtest_runs, json);
    drop function take_offer(text);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function admit_run;
    drop function admit_runs(json, boolean);
    ${GIVING}`);
  await loneRunsGiven(knex);
}
