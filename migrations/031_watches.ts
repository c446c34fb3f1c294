import type { Knex } from 'knex';

/** Watches: strategies that are looked at on symbols, or a screen, after each load; and the signals that they gave. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table watches (
      id bigint generated always as identity primary key,
      user_id bigint not null references users on delete cascade,
      name text not null check (length(name) between 1 and 100),
      strategy text not null,
      strategy_id bigint references own_strategies on delete cascade,
      strategy_version integer,
      params json not null,
      instrument_ids integer[],
      screen json,
      sends_mail boolean not null,
      created_at timestamptz not null,
      unique (user_id, name),
      constraint watches_of_symbols_or_a_screen check ((instrument_ids is null) <> (screen is null)),
      constraint watches_of_a_saved_strategy check ((strategy = 'rules') = (strategy_id is not null))
    );
    create index watches_strategy on watches (strategy_id);
    create table signal_evaluations (
      watch_id bigint not null references watches on delete cascade,
      session date not null,
      data_version text not null,
      evaluated_at timestamptz not null,
      is_correction boolean not null,
      primary key (watch_id, session, data_version)
    );
    create table signals (
      watch_id bigint not null references watches on delete cascade,
      session date not null,
      instrument_id integer not null,
      symbol text not null,
      kind text not null check (kind in ('entry', 'exit')),
      reason text not null,
      close double precision not null,
      figures json not null,
      is_correction boolean not null,
      primary key (watch_id, session, instrument_id)
    );
    create table signal_digests (
      user_id bigint not null references users on delete cascade,
      session date not null,
      sent_at timestamptz,
      primary key (user_id, session)
    );
    create index signal_digests_unsent on signal_digests (session) where sent_at is null;

    comment on column watches.strategy_version is 'Null: the newest';
    comment on column watches.screen is 'where, asset_types';
    comment on column signal_evaluations.is_correction is 'Other signals than an earlier evaluation of the session gave';
    comment on column signals.symbol is 'As it was at the evaluation';
    comment on column signals.figures is 'Values of the rule by their text; null: undefined';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table signal_digests, signals, signal_evaluations, watches');
}
