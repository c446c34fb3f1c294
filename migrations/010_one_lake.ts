import type { Knex } from 'knex';

const TABLE = 'lake_files';

/** The files of the lake are stored once, as those of its tables. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => t.dropColumn('is_being_replaced'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => t.boolean('is_being_replaced').notNullable().defaultTo(false));
}
