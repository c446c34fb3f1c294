import type { Knex } from 'knex';

const TABLE = 'backtests';

/** Kept runs have a name and tags of their owner, and a few points of their equity. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => {
    t.text('name').nullable();
    t.specificType('tags', 'text[]').notNullable().defaultTo('{}');
    t.specificType('line', 'double precision[]').nullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => t.dropColumns('name', 'tags', 'line'));
}
