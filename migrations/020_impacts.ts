import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

const REVISIONS_OF_LOADS = 'revisions_load';

/** The data that kept runs have read, and the runs whose figures the revisions of each load change. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('revisions', (t) => t.index(['sync_job_id', 'instrument_id'], REVISIONS_OF_LOADS));
  await knex.schema.createTable('kept_reads', (t) => {
    belongsTo(t.bigInteger('backtest_id'), 'backtests.id', 'kept_reads_backtest_id_fkey');
    belongsTo(t.uuid('sweep_id').comment('A factor study'), 'sweeps.id', 'kept_reads_sweep_id_fkey');
    t.integer('instrument_id').comment('Null: any of the market');
    t.date('first_day').comment('Of its bars; null: none was read');
    t.date('last_day').comment('Of its bars; events count up to it');
    t.date('ended_on').comment('Whether bars lie after it counts; null: it does not');
    t.specificType('kinds', 'text[]').notNullable().comment('Of the events that count');
    t.check('num_nonnulls(backtest_id, sweep_id) = 1', [], 'kept_reads_of_one');
    t.index(['backtest_id'], 'kept_reads_backtest');
    t.index(['sweep_id'], 'kept_reads_sweep');
    t.index(['instrument_id'], 'kept_reads_instrument');
  });
  await knex.schema.createTable('load_impacts', (t) => {
    t.bigInteger('sync_job_id').primary();
    t.bigInteger('first_revision').notNullable();
    t.bigInteger('last_revision').notNullable();
    t.integer('revisions').notNullable();
    t.integer('kept').notNullable().comment('Kept runs with a receipt');
    t.integer('hit').notNullable().comment('Those of them that have read what was revised');
    t.integer('unproved').notNullable().comment('Kept runs without a receipt');
    t.timestamp('planned_at').notNullable();
    t.timestamp('done_at');
    t.timestamp('published_at').comment('Null: not done, or a session that it revised is held');
    t.check('published_at is null or done_at is not null', [], 'load_impacts_published_is_done');
  });
  await knex.schema.createTable('impacts', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.bigInteger('sync_job_id').notNullable();
    belongsTo(t.bigInteger('backtest_id'), 'backtests.id', 'impacts_backtest_id_fkey');
    belongsTo(t.bigInteger('watch_id'), 'watches.id', 'impacts_watch_id_fkey');
    belongsTo(t.uuid('sweep_id'), 'sweeps.id', 'impacts_sweep_id_fkey');
    belongsTo(t.bigInteger('forward_id'), 'forward_records.id', 'impacts_forward_id_fkey');
    t.text('state').notNullable().checkIn(['waiting', 'changed', 'unchanged', 'unknown']);
    t.json('before');
    t.json('after');
    t.text('digest').comment('Of all figures after');
    t.double('change').comment('Percentage points of the total return; null: no figure is left, or it has none');
    t.check('num_nonnulls(backtest_id, watch_id, sweep_id, forward_id) = 1', [], 'impacts_of_one');
    t.unique(['backtest_id', 'sync_job_id'], { indexName: 'impacts_backtest' });
    t.unique(['watch_id', 'sync_job_id'], { indexName: 'impacts_watch' });
    t.unique(['sweep_id', 'sync_job_id'], { indexName: 'impacts_sweep' });
    t.unique(['forward_id', 'sync_job_id'], { indexName: 'impacts_forward' });
    t.index(['sync_job_id', 'state'], 'impacts_load');
  });
  await knex.schema.createTable('impact_mails', (t) => {
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'impact_mails_user_id_fkey');
    belongsTo(t.bigInteger('sync_job_id').notNullable(), 'load_impacts.sync_job_id', 'impact_mails_sync_job_id_fkey');
    t.timestamp('sent_at');
    t.primary(['user_id', 'sync_job_id']);
    t.index(['sync_job_id'], 'impact_mails_unsent', { predicate: knex.whereNull('sent_at') });
  });
  await knex.schema.alterTable('backtests', (t) => {
    t.json('revised').comment('The last load that changed its figures, with those before and after; null: none has');
  });
  await knex.schema.alterTable('users', (t) => {
    t.boolean('mails_revisions').notNullable().defaultTo(false).comment('Whether it wants a mail about revised runs');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => t.dropColumn('mails_revisions'));
  await knex.schema.alterTable('backtests', (t) => t.dropColumn('revised'));
  for (const table of ['impact_mails', 'impacts', 'load_impacts', 'kept_reads']) await knex.schema.dropTable(table);
  await knex.schema.alterTable('revisions', (t) => t.dropIndex([], REVISIONS_OF_LOADS));
}
