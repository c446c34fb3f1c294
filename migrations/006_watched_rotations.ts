import type { Knex } from 'knex';

/** Watches of rotations. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table watches add column rotation json;
    alter table watches drop constraint watches_of_symbols_or_a_screen;
    alter table watches add constraint watches_of_symbols_or_a_screen
      check (num_nonnulls(instrument_ids, screen, rotation) = 1);
    comment on column watches.rotation is 'The specification'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from watches where rotation is not null;
    alter table watches drop constraint watches_of_symbols_or_a_screen;
    alter table watches drop column rotation;
    alter table watches add constraint watches_of_symbols_or_a_screen check ((instrument_ids is null) <> (screen is null))`);
}
