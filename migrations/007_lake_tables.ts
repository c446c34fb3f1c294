import type { Knex } from 'knex';

/** The Iceberg tables over the files of the lake. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('lake_tables', (t) => {
    t.text('name').primary();
    t.uuid('table_uuid').notNullable();
    t.text('location').notNullable();
    t.integer('version').notNullable();
    t.bigInteger('snapshot_id').notNullable();
    t.bigInteger('sequence_number').notNullable();
    t.jsonb('field_ids').notNullable();
    t.timestamp('committed_at').notNullable();
    t.comment('The current version of each Iceberg table over the files of the lake');
  });
  await knex.schema.createTable('lake_snapshots', (t) => {
    t.text('table_name').notNullable().references('lake_tables.name').onDelete('CASCADE');
    t.bigInteger('snapshot_id').notNullable();
    t.text('data_version').notNullable();
    t.timestamp('committed_at').notNullable();
    t.primary(['table_name', 'snapshot_id']);
    t.index(['data_version']);
    t.comment('The kept snapshots of each table');
  });
  await knex.schema.createTable('lake_orphans', (t) => {
    t.text('key').primary();
    t.timestamp('found_at').notNullable();
    t.comment('Objects of tables that no kept snapshot names, until they are removed');
  });
  await knex.schema.alterTable('lake_files', (t) => {
    t.bigInteger('snapshot_id');
    t.bigInteger('sequence_number');
    t.jsonb('statistics');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('lake_files', (t) => t.dropColumns('snapshot_id', 'sequence_number', 'statistics'));
  await knex.schema.dropTable('lake_orphans');
  await knex.schema.dropTable('lake_snapshots');
  await knex.schema.dropTable('lake_tables');
}
