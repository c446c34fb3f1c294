import type { Knex } from 'knex';

/**
 * The limiter's own time, which no wall clock can set, and counters that survive a crash of the database. A take is
 * committed asynchronously, so a crash forgets the last fraction of a second and not the last hour.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rate_limits set logged;
    create table limiter_clock (
      only_row boolean primary key default true check (only_row),
      seconds double precision not null
    ) with (fillfactor = 50);
    insert into limiter_clock (seconds) values (extract(epoch from clock_timestamp()));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table limiter_clock;
    alter table rate_limits set unlogged;
  `);
}
