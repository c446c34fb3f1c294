import type { Knex } from 'knex';
import { belongsTo } from './baseline/table.ts';

/** Columns that accounts bring beside the bars. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('own_columns', (t) => {
    t.specificType('id', 'integer generated always as identity').primary();
    belongsTo(t.bigInteger('account_id').comment("Null: everyone's"), 'users.id', 'own_columns_account_id_fkey');
    t.text('name').notNullable();
    t.timestamp('created_at').notNullable();
  });
  await knex.raw('alter table own_columns add constraint own_columns_key unique nulls not distinct (account_id, name)');
  await knex.schema.createTable('column_versions', (t) => {
    belongsTo(t.integer('column_id').notNullable(), 'own_columns.id', 'column_versions_column_id_fkey');
    t.integer('version').notNullable();
    t.integer('base').notNullable().comment('The first version whose blocks it includes');
    t.text('kind').notNullable().checkIn(['number', 'label']);
    t.boolean('is_market').notNullable();
    t.text('dimension').notNullable().checkIn(['none', 'shares', 'price', 'money']);
    t.text('about').notNullable().checkIn(['value', 'later']);
    t.text('day_means').notNullable().checkIn(['after_close', 'before_close']);
    t.integer('lag').notNullable();
    t.integer('stale_after').comment('Sessions after which a value is none; null: never');
    t.text('unit');
    t.text('source');
    t.text('license');
    t.specificType('labels', 'text[]').notNullable().defaultTo('{}');
    t.bigInteger('rows').notNullable();
    t.integer('symbols').notNullable();
    t.date('first_day');
    t.date('last_day');
    t.text('sha256').notNullable().comment('Of its rows as CSV by instrument, date, and known_at');
    t.timestamp('loaded_at').notNullable();
    t.primary(['column_id', 'version']);
    t.check('base between 1 and version', [], 'column_versions_base_check');
  });
  await knex.schema.createTable('column_blocks', (t) => {
    t.integer('column_id').notNullable();
    t.integer('instrument_id').notNullable().comment('0: the value of the whole market');
    t.smallint('year').notNullable();
    t.integer('version').notNullable();
    t.binary('data').notNullable();
    t.primary(['column_id', 'instrument_id', 'year', 'version']);
    t.foreign(['column_id', 'version'], 'column_blocks_version_fkey')
      .references(['column_id', 'version'])
      .inTable('column_versions')
      .onDelete('CASCADE');
    t.comment('Rows of a year by date, packed column after column');
  });
  await knex.raw('alter table column_blocks alter column data set storage external');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('column_blocks');
  await knex.schema.dropTable('column_versions');
  await knex.schema.dropTable('own_columns');
}
