import type { Knex } from 'knex';

/** What there is to say about the figures of a finished sweep: codes of notes; null before its end, and in those of earlier versions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sweeps add column note_codes json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sweeps drop column note_codes');
}
