import type { Knex } from 'knex';

/** Names that instruments have had, as loads saw them change: no provider tells them. What is asked as of a past day has the name of then. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table previous_names (
      instrument_id integer not null references instruments on delete cascade,
      name text not null,
      last_day date not null,
      primary key (instrument_id, last_day)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table previous_names');
}
