import type { Knex } from 'knex';

const TABLE = 'newest_claims';

/** Published claims in the months of this market, which a job computes after each month's last load. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable(TABLE, (t) => {
    t.text('made_of').primary().comment('The month, engine, and columns that they were computed from');
    t.timestamp('computed_at').notNullable();
    t.json('claims').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable(TABLE);
}
