import type { Knex } from 'knex';

/**
 * Counters of the sliding-window limiter, shared by all API processes. Unlogged: a counter is worth a minute, not a
 * write to the log; the table survives a restart and is emptied by a crash of the database.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create unlogged table rate_limits (
      key text primary key,
      bucket_seconds double precision not null,
      call_limit integer not null,
      bucket bigint not null,
      counts integer[] not null,
      used integer not null
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table rate_limits');
}
