import type { Knex } from 'knex';

/**
 * Sweeps: strategies over many instruments, cut into chunks that any worker takes. A sweep goes queued → running → done |
 * failed; at most one of an account runs. A chunk counts once: its end is a change of its row that only its newest attempt can
 * make, in the transaction that adds its cells to the sweep.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sweeps (
      id uuid primary key,
      user_id bigint not null references users on delete cascade,
      status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
      spec json not null,
      request_id text,
      cells bigint not null check (cells > 0),
      cells_done bigint not null default 0 check (cells_done between 0 and cells),
      chunks integer not null check (chunks > 0),
      chunks_done integer not null default 0 check (chunks_done between 0 and chunks),
      cells_bytes bigint,
      cells_sha256 text,
      error_code text,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      constraint sweeps_finished check ((status in ('done', 'failed')) = (finished_at is not null)),
      constraint sweeps_started check (status <> 'running' or started_at is not null),
      constraint sweeps_failed_says_why check ((status = 'failed') = (error_code is not null)),
      constraint sweeps_done_is_whole check
        (status <> 'done' or (chunks_done = chunks and cells_bytes is not null and cells_sha256 is not null))
    );
    create index sweeps_user on sweeps (user_id, created_at desc);
    create unique index sweeps_running on sweeps (user_id) where status = 'running';
    create index sweeps_waiting on sweeps (created_at) where status = 'queued';

    create table sweep_chunks (
      sweep_id uuid not null references sweeps on delete cascade,
      seq integer not null check (seq >= 0),
      job_id uuid not null unique,
      instruments json not null,
      cells integer not null check (cells > 0),
      turn integer,
      attempt integer not null default 0,
      started_at timestamptz,
      done_at timestamptz,
      primary key (sweep_id, seq)
    );
    create index sweep_chunks_turns on sweep_chunks (turn) where turn is not null and done_at is null;

    create function end_sweep() returns trigger language plpgsql as $$
    begin
      update sweeps set status = 'failed', finished_at = now(),
        error_code = case when new.state = 'cancelled' then 'backtest_cancelled' else 'internal' end
      where id = (new.data ->> 'sweepId')::uuid and status = 'running';
      return null;
    end $$;
    create trigger sweep_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('sweep.chunk', 'sweep.assemble') and new.state in ('failed', 'cancelled'))
      execute function end_sweep();

    create trigger sweep_ended after update of status on sweeps
      for each row when (new.finished_at is not null) execute function notify_backtest_ended();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger sweep_job_ended on pgboss.job;
    drop table sweep_chunks, sweeps;
    drop function end_sweep;
  `);
}
