import type { TableDefinition } from './table.ts';

/** The lake: the market as Parquet files in object storage. */
export const LAKE_TABLES: Record<string, TableDefinition> = {
  // Counts the loads that changed bars of a year, so that files of unchanged years are not written again.
  bar_years: (t) => {
    t.smallint('basis').notNullable();
    t.smallint('year').notNullable();
    t.bigInteger('version').notNullable();
    t.primary(['basis', 'year']);
  },

  lake: (t) => {
    t.boolean('only_row').primary().defaultTo(true);
    t.integer('schema_version').notNullable();
    t.text('data_version').notNullable();
    t.date('through').notNullable();
    t.date('newest_session').notNullable();
    t.timestamp('written_at').notNullable();
    t.check('only_row');
  },

  // Files of the current manifest; one that is being replaced is not served.
  lake_files: (t) => {
    t.text('path').primary();
    t.bigInteger('rows').notNullable();
    t.bigInteger('bytes').notNullable().checkPositive();
    t.text('sha256').notNullable();
    t.text('source').notNullable();
    t.boolean('is_being_replaced').notNullable().defaultTo(false);
    t.bigInteger('snapshot_id');
    t.bigInteger('sequence_number');
    t.jsonb('statistics');
    t.check('rows >= 0');
  },

  lake_tables: (t) => {
    t.text('name').primary();
    t.uuid('table_uuid').notNullable();
    t.text('location').notNullable();
    t.integer('version').notNullable();
    t.bigInteger('snapshot_id').notNullable();
    t.bigInteger('sequence_number').notNullable();
    t.jsonb('field_ids').notNullable();
    t.timestamp('committed_at').notNullable();
    t.comment('The current version of each Iceberg table over the files of the lake');
  },

  lake_snapshots: (t) => {
    t.text('table_name').notNullable().references('lake_tables.name').onDelete('CASCADE');
    t.bigInteger('snapshot_id').notNullable();
    t.text('data_version').notNullable();
    t.timestamp('committed_at').notNullable();
    t.primary(['table_name', 'snapshot_id']);
    t.index(['data_version']);
    t.comment('The kept snapshots of each table');
  },

  lake_orphans: (t) => {
    t.text('key').primary();
    t.timestamp('found_at').notNullable();
    t.comment('Objects of tables that no kept snapshot names, until they are removed');
  },
};
