import type { Knex } from 'knex';

/**
 * Revisions: bars and events that a load changed after they could be served. Loads of sessions and lists that are new write
 * none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table revisions (
      id bigint generated always as identity primary key,
      instrument_id integer not null,
      basis smallint,
      event_key text,
      day date not null,
      was jsonb,
      became jsonb,
      sync_job_id bigint,
      recorded_at timestamptz not null,
      constraint revisions_of_bar_or_event check ((basis is null) <> (event_key is null)),
      constraint revisions_change_something check (was is distinct from became)
    );
    create index revisions_instrument on revisions (instrument_id, id);
    create index revisions_recorded on revisions (recorded_at, id);

    comment on table revisions is 'What loads changed of bars (basis) and events (event_key) that had been served';
    comment on column revisions.was is 'Null: there was none';
    comment on column revisions.became is 'Null: it was removed';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table revisions');
}
