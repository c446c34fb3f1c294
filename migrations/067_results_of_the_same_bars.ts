import type { Knex } from 'knex';

/**
 * Results over one range of one history have the same bars, and name them by their digest: a worker lets the database copy them from an
 * earlier result instead of sending them again, and an API process does not read again what it has. A result that would lack its
 * bars, because the earlier one is gone, is refused.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_results add column klines_sha256 bytea,
      add constraint backtest_results_have_klines check (klines is not null or klines_sha256 is null);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table backtest_results drop column klines_sha256');
}
