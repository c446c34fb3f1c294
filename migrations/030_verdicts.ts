import type { Knex } from 'knex';

/**
 * Verdicts on kept backtests: whether they can be reproduced, and whether they look ahead. Two further kinds of runs find them.
 *
 * The trigger on jobs asks for no queue by name: a job of any kind of run ends its run, and other jobs have no run.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs
      drop constraint backtest_runs_kind_check,
      add constraint backtest_runs_kind_check
        check (kind in ('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead'));

    create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.state in ('failed', 'cancelled')) execute function end_backtest_run();

    alter table backtests
      add column verdict text check (verdict in ('reproduced', 'data_revised', 'engine_changed', 'both', 'order_changed',
        'unexplained', 'no_receipt')),
      add column verified_at timestamptz,
      add column look_ahead json,
      add constraint backtests_verdict_has_time check ((verdict is null) = (verified_at is null));
    create index backtests_unexplained on backtests (id) where verdict = 'unexplained';

    create table strategy_proofs (
      strategy text primary key,
      engine_version text not null,
      symbol text not null,
      prefixes integer not null check (prefixes > 0),
      proved_at timestamptz not null
    );

    comment on table strategy_proofs is 'The last run of each strategy that was free of look-ahead on every prefix';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table strategy_proofs;
    alter table backtests drop column verdict, drop column verified_at, drop column look_ahead;
    create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('backtest', 'optimize', 'portfolio') and new.state in ('failed', 'cancelled'))
      execute function end_backtest_run();
    delete from backtest_runs where kind in ('verify', 'look_ahead');
    alter table backtest_runs
      drop constraint backtest_runs_kind_check,
      add constraint backtest_runs_kind_check check (kind in ('backtest', 'optimize', 'portfolio'));
  `);
}
