import type { Knex } from 'knex';

/** Snapshots of the market for the screener: the newest row is the one that is served. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table snapshots (
      id bigint generated always as identity primary key,
      object_key text not null unique,
      checksum_sha256 text not null,
      bytes bigint not null,
      instruments integer not null,
      bars integer not null,
      as_of date not null,
      through date not null,
      data_version text not null,
      engine_version text not null,
      exported_at timestamptz not null
    );
    create function notify_snapshot() returns trigger language plpgsql as $$
    begin
      perform pg_notify('snapshot_changed', new.id::text);
      return null;
    end $$;
    create trigger snapshot_changed after insert on snapshots for each row execute function notify_snapshot();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table snapshots;
    drop function notify_snapshot;
  `);
}
