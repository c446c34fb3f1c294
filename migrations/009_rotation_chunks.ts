import type { Knex } from 'knex';

/** Parts of large rotations that any worker can compute. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('rotation_chunks', (t) => {
    t.uuid('pass_id').notNullable();
    t.integer('seq').notNullable();
    t.uuid('run_id').notNullable().references('runs.id').onDelete('CASCADE').index();
    t.uuid('job_id').notNullable();
    t.text('kind').notNullable();
    t.binary('work').notNullable();
    t.timestamp('claimed_at');
    t.binary('result');
    t.float('worker_seconds');
    t.primary(['pass_id', 'seq']);
    t.check(`kind in ('facts', 'values')`, [], 'rotation_chunks_kind_check');
    t.comment('Parts of running rotations whose panels do not fit in the memory of one thread');
  });
  // A crash of the database loses nothing that cannot be computed again.
  await knex.raw('alter table rotation_chunks set unlogged');
  // Compressing figures takes longer than it saves.
  await knex.raw('alter table rotation_chunks alter column result set storage external');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('rotation_chunks');
}
