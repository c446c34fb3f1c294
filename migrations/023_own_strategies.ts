import type { Knex } from 'knex';

/** Strategies that accounts write as rules. Every version is kept: a run names the one that it used. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table own_strategies (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 100),
      version integer not null check (version >= 1),
      slug text unique,
      is_shared boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (user_id, name),
      constraint own_strategies_shared_by_slug check (slug is not null or not is_shared)
    );
    create table own_strategy_versions (
      strategy_id bigint not null references own_strategies on delete cascade,
      version integer not null check (version >= 1),
      description text not null,
      rules json not null,
      parameters json not null,
      created_at timestamptz not null,
      primary key (strategy_id, version)
    );

    comment on column own_strategies.version is 'The newest';
    comment on column own_strategies.slug is 'Never changes once it was drawn';
    comment on column own_strategy_versions.rules is 'Texts: entry, exit, stop, trail';
    comment on column own_strategy_versions.parameters is 'Name → default, min, max';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table own_strategy_versions, own_strategies');
}
