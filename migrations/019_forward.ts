import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

const CHECK = 'runs_kind_check';
const KINDS =
  "'backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql', 'column', 'factor_values', 'claims', 'outcomes', 'judge'";

function restrict(knex: Knex, kinds: string): Promise<void> {
  return knex.schema.alterTable('runs', (t) => {
    t.dropChecks(CHECK);
    t.check(`kind in (${kinds})`, [], CHECK);
  });
}

/** Sealed runs that go on, as chains of entries that are never rewritten. */
export async function up(knex: Knex): Promise<void> {
  await restrict(knex, `${KINDS}, 'seal'`);
  await knex.schema.createTable('forward_records', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('user_id').notNullable(), 'users.id', 'forward_records_user_id_fkey');
    t.text('name').notNullable();
    t.text('kind').notNullable().checkIn(['backtest', 'portfolio']);
    t.json('spec').notNullable();
    t.json('seal').notNullable();
    t.text('seal_sha256').notNullable();
    t.timestamp('sealed_at').notNullable();
    t.date('sealed_day').notNullable().comment('No session up to this day counts as live');
    t.binary('days').notNullable().comment('Sessions of the sealed run: 32-bit days');
    t.binary('returns').notNullable().comment('Daily returns of the sealed run: doubles');
    t.binary('market').notNullable();
    t.json('bands');
    t.json('lowered_bands');
    t.double('lowered').notNullable();
    t.json('sealed').notNullable();
    t.json('live');
    t.text('status').notNullable().defaultTo('live').checkIn(['live', 'stopped', 'abandoned']);
    t.timestamp('ended_at');
    t.text('head').notNullable().comment('The newest digest of its chain');
    t.integer('entries').notNullable().defaultTo(0);
    t.integer('sessions').notNullable().defaultTo(0);
    t.date('last_session');
    t.double('base_equity');
    t.text('data_version').comment('The version of the data and the session up to which it was brought');
    t.date('through');
    t.boolean('is_shared').notNullable().defaultTo(false);
    t.text('slug').unique('forward_records_slug_key');
    t.index(['user_id', 'id'], 'forward_records_owner');
  });
  await knex.raw(`create index forward_records_due on forward_records (id) where status = 'live'`);
  await knex.schema.createTable('forward_entries', (t) => {
    belongsTo(t.bigInteger('record_id').notNullable(), 'forward_records.id', 'forward_entries_record_id_fkey');
    t.integer('number').notNullable();
    t.date('session').notNullable();
    t.text('kind').notNullable().checkIn(['session', 'revised', 'engine', 'stopped', 'abandoned']);
    t.json('entry').notNullable();
    t.text('sha256').notNullable();
    t.timestamp('appended_at').notNullable();
    t.primary(['record_id', 'number']);
  });
  await knex.schema.createTable('forward_heads', (t) => {
    t.date('day').notNullable();
    t.text('sha256').notNullable();
    t.primary(['day', 'sha256']);
    t.comment('Digests without their records, which outlive the accounts');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('forward_heads');
  await knex.schema.dropTable('forward_entries');
  await knex.schema.dropTable('forward_records');
  await knex('runs').where({ kind: 'seal' }).delete();
  await restrict(knex, KINDS);
}
