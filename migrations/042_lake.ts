import type { Knex } from 'knex';

/**
 * The lake: the market as Parquet files in object storage. `lake_files` has the files of the current manifest; while a file is being
 * replaced its row says so, and it is not served. `bar_years` counts the loads that changed bars of a year, so that files of
 * unchanged years are not written again; a year without a row has not changed since this migration.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table bar_years (
      basis smallint not null,
      year smallint not null,
      version bigint not null,
      primary key (basis, year)
    );

    create table lake (
      only_row boolean primary key default true check (only_row),
      schema_version integer not null,
      data_version text not null,
      through date not null,
      newest_session date not null,
      written_at timestamptz not null
    );

    create table lake_files (
      path text primary key,
      rows bigint not null check (rows >= 0),
      bytes bigint not null check (bytes > 0),
      sha256 text not null,
      source text not null,
      is_being_replaced boolean not null default false
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table lake_files, lake, bar_years');
}
