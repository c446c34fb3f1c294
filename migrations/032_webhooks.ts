import type { Knex } from 'knex';

/**
 * Webhooks: addresses that accounts want events posted to, and their deliveries. Triggers insert a delivery in the transaction
 * that makes its event true, so that no event is lost and none is told that did not happen. An event without an owner is of
 * everybody.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhooks (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      url text not null check (length(url) between 1 and 2000),
      events text[] not null check (cardinality(events) > 0),
      secret text not null,
      is_enabled boolean not null default true,
      created_at timestamptz not null,
      unique (user_id, url)
    );
    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      webhook_id bigint not null references webhooks on delete cascade,
      event text not null,
      data json not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts integer not null default 0,
      answers json not null default '[]',
      created_at timestamptz not null,
      due_at timestamptz default '-infinity',
      constraint webhook_deliveries_due check ((status = 'pending') = (due_at is not null))
    );
    create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at desc, id);
    create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
    create index webhook_deliveries_created on webhook_deliveries (created_at);

    comment on column webhooks.secret is 'Signs deliveries; base64';
    comment on column webhook_deliveries.answers is 'Of all attempts, the newest last';
    comment on column webhook_deliveries.due_at is 'Of the next attempt; -infinity: at once; null: none follows';

    create function tell_webhooks(owner bigint, told text, at timestamptz, told_data json) returns void language sql as $$
      insert into webhook_deliveries (webhook_id, event, data, created_at)
      select id, told, told_data, at from webhooks
      where is_enabled and told = any (events) and (owner is null or user_id = owner)
    $$;

    create function notify_webhooks_due() returns trigger language plpgsql as $$
    begin
      perform pg_notify('webhooks_due', '');
      return null;
    end $$;
    create trigger webhook_deliveries_due after insert or update of due_at on webhook_deliveries
      for each row when (new.due_at = '-infinity') execute function notify_webhooks_due();

    create function tell_run_ended() returns trigger language plpgsql as $$
    begin
      perform tell_webhooks(new.user_id, case new.kind when 'portfolio' then 'portfolio.finished' else 'backtest.finished' end,
        new.finished_at, json_build_object('job_id', new.id, 'kind', new.kind, 'status', new.status, 'id', new.backtest_id,
          'error', 'error.' || new.error_code));
      return null;
    end $$;
    create trigger run_told after update of status on backtest_runs
      for each row when (old.finished_at is null and new.finished_at is not null and new.user_id is not null
        and new.kind in ('backtest', 'optimize', 'portfolio'))
      execute function tell_run_ended();

    create function tell_sweep_ended() returns trigger language plpgsql as $$
    begin
      perform tell_webhooks(new.user_id, 'sweep.finished', new.finished_at, json_build_object('id', new.id, 'status', new.status,
        'cells', new.cells_done, 'error', 'error.' || new.error_code));
      return null;
    end $$;
    create trigger sweep_told after update of status on sweeps
      for each row when (old.finished_at is null and new.finished_at is not null) execute function tell_sweep_ended();

    create function tell_export_ended() returns trigger language plpgsql as $$
    begin
      perform tell_webhooks(new.user_id, 'export.done', new.finished_at, json_build_object('id', new.id, 'status', new.status,
        'rows', new.rows, 'bytes', new.bytes, 'sha256', new.checksum_sha256));
      return null;
    end $$;
    create trigger export_told after update of status on exports
      for each row when (old.status <> new.status and new.status in ('done', 'failed')) execute function tell_export_ended();

    create function tell_data_loaded() returns trigger language plpgsql as $$
    begin
      if new.data_version is distinct from
        (select data_version from snapshots where id < new.id order by id desc limit 1) then
        perform tell_webhooks(null, 'data.loaded', new.exported_at,
          json_build_object('session', new.as_of, 'instruments', new.instruments));
      end if;
      return null;
    end $$;
    create trigger data_told after insert on snapshots for each row execute function tell_data_loaded();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger run_told on backtest_runs;
    drop trigger sweep_told on sweeps;
    drop trigger export_told on exports;
    drop trigger data_told on snapshots;
    drop function tell_run_ended, tell_sweep_ended, tell_export_ended, tell_data_loaded;
    drop table webhook_deliveries, webhooks;
    drop function notify_webhooks_due, tell_webhooks;
  `);
}
