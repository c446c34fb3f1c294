import type { Knex } from 'knex';

/**
 * Which provider, and for files which folder, the market came from, so that no start mixes two markets. A database that has
 * one already knows its provider; folder and size are filled in by the next start.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table market_source (
      only_row boolean primary key default true check (only_row),
      provider text not null,
      folder text,
      sample_symbols integer,
      recorded_at timestamptz not null
    );
    insert into market_source (provider, recorded_at) select provider, checked_at from provider_ranges limit 1;
    comment on table market_source is 'Where the market rows came from; no row before the first load';

    alter table api_keys add column disabled_by_restore boolean not null default false;
    alter table api_keys add constraint api_keys_restored_is_disabled check (not (enabled and disabled_by_restore));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys drop column disabled_by_restore;
    drop table market_source;
  `);
}
