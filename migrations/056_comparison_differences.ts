import type { Knex } from 'knex';

/** The largest differences of the last comparisons, for lists with filters. The file of a comparison has all of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table comparison_differences (
      comparison_id bigint not null references comparisons on delete cascade,
      instrument_id integer not null references instruments on delete cascade,
      day date not null,
      kind text not null check (kind in ('differs', 'only_here', 'only_there')),
      open double precision,
      high double precision,
      low double precision,
      close double precision,
      volume bigint,
      other_open double precision,
      other_high double precision,
      other_low double precision,
      other_close double precision,
      other_volume bigint,
      price_pct double precision,
      volume_pct double precision,
      primary key (comparison_id, instrument_id, day)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table comparison_differences');
}
