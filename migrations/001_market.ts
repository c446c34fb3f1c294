import type { Knex } from 'knex';

/** Instruments, adjustment events, daily bars, and what is known of their loading. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table instruments (
      id integer generated always as identity primary key,
      provider_key text not null unique,
      symbol text not null constraint instruments_symbol_key unique deferrable initially deferred,
      ticker text not null,
      name text not null,
      asset_type text not null,
      primary_venue text not null,
      currency text not null,
      listed_on date,
      delisted_on date,
      is_popular boolean not null,
      lot_size integer not null check (lot_size > 0)
    );

    create table previous_tickers (
      instrument_id integer not null references instruments on delete cascade,
      ticker text not null,
      last_day date not null,
      primary key (instrument_id, last_day)
    );

    create table adjustments (
      instrument_id integer not null references instruments on delete cascade,
      event_key text not null,
      ex_date date not null,
      kind text not null check (kind in ('split', 'reverse_split', 'stock_dividend', 'cash_dividend', 'spin_off')),
      factor double precision not null check (factor > 0 and factor < 'infinity'),
      primary key (instrument_id, event_key)
    );

    create table daily_bars (
      instrument_id integer not null,
      basis smallint not null,
      day date not null,
      open double precision not null,
      high double precision not null,
      low double precision not null,
      close double precision not null,
      volume bigint not null,
      primary key (instrument_id, basis, day)
    );
    create index daily_bars_day_brin on daily_bars using brin (day) with (pages_per_range = 16);

    create table bar_blocks (
      instrument_id integer not null,
      basis smallint not null,
      year smallint not null,
      data bytea,
      primary key (instrument_id, basis, year)
    );
    alter table bar_blocks alter column data set storage external;
    create index bar_blocks_stale on bar_blocks (basis, year) where data is null;

    create table bar_seals (
      basis smallint primary key,
      sealed_through date not null
    );

    create table loaded_sessions (
      basis smallint not null,
      day date not null,
      rows integer not null check (rows >= 0),
      rejected integer not null check (rejected >= 0),
      is_complete boolean not null,
      loaded_at timestamptz not null default now(),
      primary key (basis, day)
    );

    create table provider_ranges (
      basis smallint primary key,
      provider text not null,
      first_session date not null,
      newest_session date not null,
      checked_at timestamptz not null
    );

    create table data_versions (
      scope text primary key check (scope in ('symbols', 'adjustments', 'bars', 'provider')),
      version bigint not null default 0
    );
    insert into data_versions (scope) values ('symbols'), ('adjustments'), ('bars'), ('provider');

    comment on table daily_bars is 'The truth: bars as traded, one row per instrument, basis and day';
    comment on table bar_blocks is 'Packed copy of daily_bars per year, for long reads; null data = stale, read the rows';
    comment on table bar_seals is 'Days up to here are in bar_blocks, later ones are read as rows';
    comment on table loaded_sessions is 'Sessions that a load has covered; 0 rows = the provider had none';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table data_versions, provider_ranges, loaded_sessions, bar_seals, bar_blocks, daily_bars, adjustments,
      previous_tickers, instruments;
  `);
}
