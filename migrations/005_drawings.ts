import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

/** Drawings of accounts on the charts of instruments. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('drawings', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'drawings_user_id_fkey');
    t.integer('instrument_id').notNullable();
    t.json('shape').notNullable().comment('Kind, points, and note');
    t.timestamp('created_at').notNullable();
    t.index(['user_id', 'instrument_id'], 'drawings_of_account');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('drawings');
}
