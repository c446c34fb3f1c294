import type { Knex } from 'knex';
import { up as batchesGiven } from './065_batches_given.ts';

/**
 * A worker offers places beyond its slots only while no other worker offers any, so admission no longer counts the workers, and a batch
 * is given to any worker with room for all of it.
 *
 * The end of a run looks for webhooks of its account before it writes what they are told.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function admit_run(run_id uuid, run_kind text, run_owner text, account bigint, is_kept boolean, kept_max integer,
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
          and o.slots + o.ahead > (select count(*) from job_claims c where c.worker_key = o.worker_key and c.queue = any(o.queues))
        limit 1 for update skip locked;
      -- Others may have used the offer between the look and the lock, so its slots are counted again.
      with checked as materialized (
        select coalesce(offer.slots + offer.ahead > (
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
              'isKnown', coalesce((select true from backtest_results r where r.fingerprint = digest), false)))::text as message
          from (
            select version, sha256(convert_to(concat_ws(E'\\n', offer.engine_version, version, run_spec::text), 'UTF8')) as digest
            from (select string_agg(d.scope || '=' || d.version, ',' order by d.scope) as version from data_versions d) data) of_data) given;
      end if;
      id := run_id;
      data := job_data;
      priority := -place;
      return next;
    end $$;

    create or replace function admit_runs(requested json, are_awaited boolean default false)
      returns table (id uuid, data json, priority integer) language plpgsql set enable_bitmapscan = off as $$
    #variable_conflict use_column
    declare
      run_kind text := requested -> 0 ->> 'kind';
      runs integer := json_array_length(requested);
      offer job_offers;
      are_given boolean;
      ids uuid[];
      turns integer[];
    begin
      perform case when runs > 1 then set_config('lock_timeout', '100ms', true) end,
        case when are_awaited then set_config('synchronous_commit', 'off', true) end;
      -- In one order everywhere, so that two statements never wait for each other.
      perform pg_advisory_xact_lock(7304, key)
        from (select distinct hashtext(each ->> 'owner') as key from json_array_elements(requested) each order by 1) owners;
      select o.* into offer from job_offers o
        where run_kind = any(o.queues)
          and not exists (select from pgboss.job j where j.name = run_kind and j.state < 'active' and not j.blocked and j.start_after <= now())
          and not exists (select from paused_queues p where p.queue = run_kind)
          and o.slots + o.ahead >= runs + (select count(*) from job_claims c where c.worker_key = o.worker_key and c.queue = any(o.queues))
        limit 1 for update skip locked;
      -- Others may have used the offer between the look and the lock, so its slots are counted again.
      with checked as materialized (
        select coalesce(offer.slots + offer.ahead >= runs + (
          select count(*) from job_claims c where c.worker_key = offer.worker_key and c.queue = any(offer.queues)), false) as are_free),
      placed as (
        select *, row_number() over (partition by owner order by place)::integer as nth
        from rows from (json_to_recordset(requested) as (id uuid, kind text, owner text, user_id bigint, is_saved boolean,
          history_max integer, spec json, request_id text, created_at timestamptz, max integer)) with ordinality
          as each (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, max, place)),
      recorded as (
        insert into backtest_runs (id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at, turn, status, started_at)
        select id, kind, owner, user_id, is_saved, history_max, spec, request_id, created_at,
          case when kind = 'optimize' then nth + greatest(
            (select max(turn) from backtest_runs r
             where r.owner = placed.owner and r.kind = placed.kind and r.status in ('queued', 'running')),
            (select min(turn) from backtest_runs r where r.kind = placed.kind and r.status = 'running'), 0) else 0 end,
          case when are_free then 'running' else 'queued' end,
          case when are_free then created_at end
        from placed, checked
        where nth + (select count(*) from backtest_runs r where r.owner = placed.owner and r.status in ('queued', 'running')) <= max
        returning id, turn, status),
      claimed as (
        insert into job_claims (queue, job_id, attempt, worker_key)
        select run_kind, id, 0, offer.worker_key from recorded where status = 'running'
        on conflict (queue, job_id) do update set attempt = 0, worker_key = excluded.worker_key, claimed_at = now())
      select array_agg(id), array_agg(turn), bool_or(status = 'running') into ids, turns, are_given from recorded;
      if are_given then
        perform set_config('jobs.given', array_to_string(ids, ' '), true);
        -- A longer message cannot be sent. Without one the worker reads its claims.
        perform pg_notify('job_given_' || offer.worker_key, case when octet_length(message) < 7900 then message else '' end)
        from (
          select json_build_object('queue', run_kind, 'id', id, 'data', data, 'retryLimit', retry_limit,
            'run', json_build_object('spec', spec::text, 'userId', user_id, 'isSaved', is_saved, 'historyMax', history_max,
              'dataVersion', version, 'fingerprint', encode(digest, 'hex'),
              'isKnown', coalesce((select true from backtest_results r where r.fingerprint = digest), false)))::text as message
          from (
            select each.*, q.retry_limit, version,
              sha256(convert_to(concat_ws(E'\\n', offer.engine_version, version, each.spec::text), 'UTF8')) as digest
            from json_to_recordset(requested) as each (id uuid, user_id bigint, is_saved boolean, history_max integer, spec json, data json),
              (select string_agg(d.scope || '=' || d.version, ',' order by d.scope) as version from data_versions d) versions,
              pgboss.queue q
            where each.id = any(ids) and q.name = run_kind) of_data) given;
      end if;
      return query
        select each.id, each.data, -recorded.turn
        from unnest(ids, turns) as recorded (id, turn) join json_to_recordset(requested) as each (id uuid, data json) using (id);
    end $$;

    create or replace function tell_run_ended() returns trigger language plpgsql as $$
    begin
      if exists (select from webhooks w where w.user_id = new.user_id) then
        ${TELLING};
      end if;
      return null;
    end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function tell_run_ended() returns trigger language plpgsql as $$
    begin
      ${TELLING};
      return null;
    end $$;
    alter table job_offers drop column ahead;
  `);
  await batchesGiven(knex);
}

const TELLING = `
  perform tell_webhooks(new.user_id, case new.kind when 'portfolio' then 'portfolio.finished' else 'backtest.finished' end,
    new.finished_at, json_build_object('job_id', new.id, 'kind', new.kind, 'status', new.status, 'id', new.backtest_id,
      'error', 'error.' || new.error_code))`;
