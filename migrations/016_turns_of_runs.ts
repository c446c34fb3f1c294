import type { Knex } from 'knex';

/**
 * Which turn of its account a run is in the queue: the long computations of one account take turns with those of the
 * others. 0 where runs are served as they come in.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table backtest_runs add column turn integer not null default 0 check (turn >= 0)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table backtest_runs drop column turn');
}
