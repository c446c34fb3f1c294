import type { Knex } from 'knex';

/**
 * Evidence for results: runs and kept backtests have a selection, which depends on the history of their account, and kept
 * backtests their specification. `trials` counts the combinations that an account has computed; deleting a run does not lower
 * the count.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs add column selection json;
    alter table backtests add column spec json, add column selection json;

    create table trials (
      user_id bigint not null references users on delete cascade,
      search bytea not null check (length(search) = 16),
      combination bytea not null check (length(combination) = 16),
      primary key (user_id, search, combination)
    );

    comment on table trials is 'Combinations of parameters that an account has computed; never lowered but with the account';
    comment on column trials.search is 'Digest of instrument, strategy, adjustment and execution';
    comment on column trials.combination is 'Digest of the parameters as they take effect';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table trials;
    alter table backtests drop column spec, drop column selection;
    alter table backtest_runs drop column selection;
  `);
}
