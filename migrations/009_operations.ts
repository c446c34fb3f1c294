import type { Knex } from 'knex';

/** For whoever is on call: queues that are paused, and what was found in loaded sessions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table paused_queues (
      queue text primary key,
      paused_by text not null,
      paused_at timestamptz not null
    );
    create function notify_queue_pauses() returns trigger language plpgsql as $$
    begin
      perform pg_notify('queue_pauses', '');
      return null;
    end $$;
    create trigger queue_pauses_changed after insert or update or delete on paused_queues
      for each statement execute function notify_queue_pauses();

    create table session_checks (
      basis smallint not null,
      day date not null,
      rows integer not null,
      rows_before integer,
      zero_volume integer not null,
      jumps integer not null,
      problems text[] not null,
      released_by text,
      checked_at timestamptz not null,
      primary key (basis, day)
    );
    comment on table session_checks is 'What was found in a loaded session; problems hold the snapshot back until somebody releases it';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table session_checks, paused_queues;
    drop function notify_queue_pauses;
  `);
}
