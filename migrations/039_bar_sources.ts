import type { Knex } from 'knex';

/**
 * Where bars come from: the days and instruments that a unit of a load covered, and the files that it was read from. Units of
 * earlier versions cover nothing that is known.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_units
      add column basis smallint,
      add column first_day date,
      add column last_day date,
      add column left_out date[] not null default '{}',
      add column instrument_ids integer[],
      add column sources jsonb not null default '[]',
      add constraint sync_units_covers_days check ((basis is null) = (first_day is null) and (basis is null) = (last_day is null));
    create index sync_units_days on sync_units (basis, last_day);

    comment on column sync_units.basis is 'Null: the unit was not loaded, or by a version that did not record what it covers';
    comment on column sync_units.left_out is 'Sessions of the unit that kept their earlier rows';
    comment on column sync_units.instrument_ids is 'Null: all';
    comment on column sync_units.sources is 'Files that it was read from: name, bytes, sha256';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sync_units drop column basis, drop column first_day, drop column last_day, drop column left_out,
      drop column instrument_ids, drop column sources;
  `);
}
