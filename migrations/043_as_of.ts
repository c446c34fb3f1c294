import type { Knex } from 'knex';

/**
 * Snapshots of past days, and the kind of runs that need them: screens as of a day.
 */
export async function up(knex: Knex): Promise<void> {
  await addRunKind(knex, 'screen');
  await knex.raw(`
    create table past_snapshots (
      id bigserial primary key,
      day date not null,
      data_version text not null,
      engine_version text not null,
      format smallint not null,
      object_key text not null unique,
      checksum_sha256 text,
      bytes bigint,
      means_key text not null unique,
      means_checksum_sha256 text,
      means_bytes bigint,
      instruments integer,
      bars integer,
      built_at timestamptz,
      used_at timestamptz not null,
      constraint past_snapshots_built check
        (num_nonnulls(checksum_sha256, bytes, means_checksum_sha256, means_bytes, instruments, bars, built_at) in (0, 7))
    );
    create index past_snapshots_day on past_snapshots (day);
  `);
}

/** The list of kinds is read from the database, because migrations of other kinds may come before or after. */
export async function addRunKind(knex: Knex, added: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { rule: string }[] }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'backtest_runs_kind_check'`,
  );
  const known = [...rows[0].rule.matchAll(/'([^']*)'::text/g)].map(([, kind]) => kind);
  const kinds = [...new Set([...known, added])].map((kind) => `'${kind}'`).join(', ');
  await knex.raw(`
    alter table backtest_runs
      drop constraint backtest_runs_kind_check,
      add constraint backtest_runs_kind_check check (kind in (${kinds}))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table past_snapshots; delete from backtest_runs where kind = 'screen'`);
}
