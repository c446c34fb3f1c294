import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('market_overviews', (t) => {
    t.date('day').primary();
    t.smallint('format').notNullable();
    t.specificType('overview', 'json').notNullable();
    t.comment('The market at each of the newest sessions, made with the snapshot');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('market_overviews');
}
