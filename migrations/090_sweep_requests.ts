import type { Knex } from 'knex';

/** The call that made a sweep, so that its page can be filled with it again. Sweeps recorded before have none. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table sweeps add column request json');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table sweeps drop column request');
}
