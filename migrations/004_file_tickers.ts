import type { Knex } from 'knex';

/** The tickers of a file, so that what vanished with it can be told from what vanished with others. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('file_readings', (t) => t.specificType('tickers', 'text[]'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('file_readings', (t) => t.dropColumn('tickers'));
}
