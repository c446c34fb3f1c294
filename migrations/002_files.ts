import type { Knex } from 'knex';

/** Accounts of the lines of files, the form of the prices of an instrument, and the day from which a market has consolidated bars. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('file_readings', (t) => {
    t.bigInteger('sync_job_id').notNullable().references('sync_jobs.id').onDelete('CASCADE');
    t.text('path').notNullable();
    t.text('layout');
    t.bigInteger('bytes').notNullable();
    t.double('modified_ms').notNullable();
    for (const count of ['lines', 'header', 'blank', 'loaded', 'repeated', 'rejected', 'left_out']) {
      t.bigInteger(count).notNullable();
    }
    t.text('reason');
    t.text('first_line');
    t.jsonb('by_reason').notNullable();
    t.jsonb('rejected_lines').notNullable();
    t.jsonb('told').notNullable();
    t.date('first_day');
    t.date('last_day');
    t.primary(['sync_job_id', 'path']);
    t.index(['path', 'sync_job_id'], 'file_readings_path');
  });
  await knex.schema.alterTable('instruments', (t) => {
    t.text('prices').notNullable().defaultTo('as_traded');
    t.check("prices in ('as_traded', 'split_adjusted', 'total_adjusted', 'unknown')", [], 'instruments_prices_check');
  });
  await knex.schema.alterTable('market_source', (t) => t.date('consolidated_from'));
  await knex.schema.alterTable('loaded_sessions', (t) => t.integer('malformed').notNullable().defaultTo(0));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('loaded_sessions', (t) => t.dropColumn('malformed'));
  await knex.schema.alterTable('market_source', (t) => t.dropColumn('consolidated_from'));
  await knex.schema.alterTable('instruments', (t) => t.dropColumn('prices'));
  await knex.schema.dropTable('file_readings');
}
