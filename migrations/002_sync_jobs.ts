import type { Knex } from 'knex';

/** Records of sync jobs, their units of work, rows they refused, and which worker holds which queue job. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_jobs (
      id bigint generated always as identity primary key,
      job_type text not null check (job_type in ('symbols', 'adjustments', 'daily_bars')),
      status text not null default 'running' check (status in ('running', 'ok', 'failed')),
      requested_by text not null,
      request jsonb not null,
      queue_job_id uuid not null unique,
      request_id text,
      progress_pct real not null default 0 check (progress_pct between 0 and 100),
      symbols_total integer,
      symbols_done integer not null default 0,
      rows_written bigint not null default 0,
      rows_rejected bigint not null default 0,
      attempts integer not null default 0,
      error text,
      queued_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      constraint sync_jobs_finished check ((status = 'running') = (finished_at is null)),
      constraint sync_jobs_failed_says_why check (status <> 'failed' or error is not null),
      constraint sync_jobs_ok_was_started check (status <> 'ok' or started_at is not null)
    );
    create index sync_jobs_type on sync_jobs (job_type, id desc);
    create unique index sync_jobs_one_scheduled on sync_jobs (job_type, (request ->> 'venue_mode')) nulls not distinct
      where status = 'running' and requested_by = 'scheduler';

    create table sync_units (
      sync_job_id bigint not null references sync_jobs on delete cascade,
      unit text not null,
      rows_written bigint not null,
      rows_rejected bigint not null,
      finished_at timestamptz not null default now(),
      primary key (sync_job_id, unit)
    );

    create table sync_watermarks (
      job_type text primary key check (job_type in ('symbols', 'adjustments')),
      through date not null
    );

    create table rejected_rows (
      id bigint generated always as identity primary key,
      sync_job_id bigint not null references sync_jobs on delete cascade,
      basis smallint,
      reason text not null,
      source text not null,
      content text not null
    );
    create index rejected_rows_job on rejected_rows (sync_job_id);
    create view rejected_bars as select * from rejected_rows where basis is not null;

    create table job_claims (
      queue text not null,
      job_id uuid not null,
      attempt integer not null,
      worker_key bigint not null,
      claimed_at timestamptz not null default now(),
      primary key (queue, job_id)
    );
    create index job_claims_worker on job_claims (worker_key);

    create function notify_sync_job() returns trigger language plpgsql as $$
    begin
      perform pg_notify('sync_jobs', new.id || ' ' || new.status);
      return null;
    end $$;
    create trigger sync_jobs_changed after insert or update on sync_jobs
      for each row execute function notify_sync_job();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop view rejected_bars;
    drop table job_claims, rejected_rows, sync_watermarks, sync_units, sync_jobs;
    drop function notify_sync_job;
  `);
}
