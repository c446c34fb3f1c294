import type { Knex } from 'knex';

/**
 * Backtests: the runs that somebody waits for, their results for a while, and what accounts keep.
 *
 * A run goes queued → running → done | failed | cancelled. Results are unlogged: what a crash of the database loses can
 * be computed again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table backtest_runs (
      id uuid primary key,
      kind text not null check (kind in ('backtest', 'optimize')),
      owner text not null,
      user_id bigint references users on delete cascade,
      is_saved boolean not null,
      progress_pct real not null default 0 check (progress_pct between 0 and 100),
      history_max integer,
      status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
      "order" json not null,
      fingerprint bytea,
      is_cached boolean,
      backtest_id bigint,
      error_code text,
      error_details jsonb,
      request_id text,
      created_at timestamptz not null,
      started_at timestamptz,
      finished_at timestamptz,
      constraint backtest_runs_finished check ((status in ('queued', 'running')) = (finished_at is null)),
      constraint backtest_runs_failed_says_why check ((status = 'failed') = (error_code is not null)),
      constraint backtest_runs_done_has_result check (status <> 'done' or (fingerprint is not null and is_cached is not null)),
      constraint backtest_runs_saved_has_account check (not is_saved or user_id is not null)
    );
    create index backtest_runs_active on backtest_runs (owner) where status in ('queued', 'running');
    create index backtest_runs_user on backtest_runs (user_id) where user_id is not null;
    create index backtest_runs_ended on backtest_runs (finished_at) where finished_at is not null;

    create unlogged table backtest_results (
      fingerprint bytea primary key,
      summary text not null,
      trades text not null,
      klines text not null,
      equity text not null,
      used_at timestamptz not null default now()
    );
    alter table backtest_results alter column klines set storage external, alter column equity set storage external;

    create table backtests (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      created_at timestamptz not null,
      is_cached boolean not null,
      summary json not null,
      slug text unique check (slug ~ '^[A-Za-z0-9_-]{12}$'),
      is_shared boolean not null default false,
      constraint backtests_shared_has_slug check (not is_shared or slug is not null)
    );
    create index backtests_user on backtests (user_id, id desc);

    create function notify_backtest_ended() returns trigger language plpgsql as $$
    begin
      perform pg_notify('backtest_ended', new.id::text);
      return null;
    end $$;
    create trigger backtest_run_ended after update of status on backtest_runs
      for each row when (new.finished_at is not null) execute function notify_backtest_ended();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table backtests, backtest_results, backtest_runs;
    drop function notify_backtest_ended;
  `);
}
