import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

/** The backups in the bucket for them, and the drills that have restored one. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('backups', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    t.text('object_key').notNullable().unique();
    t.text('state').notNullable().checkIn(['running', 'done', 'failed']);
    t.timestamp('started_at').notNullable();
    t.timestamp('ended_at');
    t.bigInteger('bytes');
    t.bigInteger('rows');
    t.text('sha256');
    t.text('error');
    t.text('last_migration').notNullable().comment('A backup is restored by a version with the same migrations');
    t.timestamp('removed_at').comment('When its object was removed; null: it is there, or may be');
    t.check(`(state = 'running') = (ended_at is null)`, [], 'backups_running_has_no_end');
    t.check(`(state = 'done') = (num_nonnulls(bytes, rows, sha256) = 3)`, [], 'backups_done_has_figures');
  });
  await knex.schema.createTable('backup_drills', (t) => {
    t.specificType('id', 'bigint generated always as identity').primary();
    belongsTo(t.bigInteger('backup_id').notNullable(), 'backups.id', 'backup_drills_backup_id_fkey');
    t.text('state').notNullable().checkIn(['running', 'passed', 'damaged', 'failed']);
    t.timestamp('started_at').notNullable();
    t.timestamp('ended_at');
    t.text('server').checkIn(['embedded', 'own']).comment('Where it was restored; null: nowhere yet');
    t.bigInteger('rows').comment('That were restored and compared; null: not all were');
    t.text('error');
    t.check(`(state = 'running') = (ended_at is null)`, [], 'backup_drills_running_has_no_end');
    t.index(['backup_id'], 'backup_drills_backup');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('backup_drills');
  await knex.schema.dropTable('backups');
}
