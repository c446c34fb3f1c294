import type { Knex } from 'knex';

/**
 * Runs and results are forgotten after an hour. A table that is empty and has given its pages back looks like nothing to
 * the planner: what is prepared then reads the whole table, and goes on doing so while it fills up again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs set (vacuum_truncate = false);
    alter table backtest_results set (vacuum_truncate = false);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs reset (vacuum_truncate);
    alter table backtest_results reset (vacuum_truncate);
  `);
}
