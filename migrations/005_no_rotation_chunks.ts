import type { Knex } from 'knex';
import { RUN_TABLES } from './baseline/runs.ts';

const TABLE = 'rotation_chunks';

/** A rotation is one job, however large its universe is. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.dropTable(TABLE);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable(TABLE, (t) => RUN_TABLES[TABLE](t, knex));
  await knex.raw('alter table rotation_chunks set unlogged');
  await knex.raw('alter table rotation_chunks alter column result set storage external');
}
