import type { Knex } from 'knex';

/**
 * Runs of one moment are given to a worker too, as `admit_run` gives a lone one, where a single worker offers slots. Spread over several
 * workers, each would need statements of its own for their ends, so there they wait in the queue and are fetched in batches.
 *
 * `ahead` is the number of jobs that a worker takes beyond its slots, so that no slot waits for the next one. It counts only where no
 * other worker could begin them sooner.
 *
 * Whether a result is known is a scalar query: for EXISTS the planner may hash all results, as often as the statement runs.
 *
 * `admit_runs` records all runs in one statement. A run counts those of its owner that come before it in the batch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table job_offers add column ahead integer not null default 0 check (ahead >= 0);
    comment on column job_offers.ahead is 'Jobs beyond the slots, for the only worker';

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
          and (select count(*) from job_offers other where run_kind = any(other.queues)) = 1
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
  `);
  await admitRun(
    knex,
    (offer) =>
      `${offer}.slots + case when (select count(*) from job_offers other where run_kind = any(other.queues)) = 1 then ${offer}.ahead else 0 end`,
    'coalesce((select true from backtest_results r where r.fingerprint = digest), false)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await admitRun(
    knex,
    (offer) => `${offer}.slots`,
    'exists (select from backtest_results r where r.fingerprint = digest)',
  );
  await knex.raw(`
    create or replace function admit_runs(requested json, are_awaited boolean default false)
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
    alter table job_offers drop column ahead;
  `);
}

/** Replaces `admit_run`; `slotsOf` says how many jobs the worker of an offer may have, `isKnown` whether there is the result. */
async function admitRun(knex: Knex, slotsOf: (offer: string) => string, isKnown: string): Promise<void> {
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
          and ${slotsOf('o')} > (select count(*) from job_claims c where c.worker_key = o.worker_key and c.queue = any(o.queues))
        limit 1 for update skip locked;
      -- Others may have used the offer between the look and the lock, so its slots are counted again.
      with checked as materialized (
        select coalesce(${slotsOf('offer')} > (
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
              'isKnown', ${isKnown}))::text as message
          from (
            select version, sha256(convert_to(concat_ws(E'\\n', offer.engine_version, version, run_spec::text), 'UTF8')) as digest
            from (select string_agg(d.scope || '=' || d.version, ',' order by d.scope) as version from data_versions d) data) of_data) given;
      end if;
      id := run_id;
      data := job_data;
      priority := -place;
      return next;
    end $$;
  `);
}
