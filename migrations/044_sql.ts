import type { Knex } from 'knex';
import { addRunKind } from './043_as_of.ts';

/** SQL queries are runs, too. */
export async function up(knex: Knex): Promise<void> {
  await addRunKind(knex, 'sql');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from backtest_runs where kind = 'sql'`);
}
