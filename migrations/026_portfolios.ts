import type { Knex } from 'knex';

/**
 * Portfolios: backtests of many instruments. They are queued, answered, and kept as backtests are, beside them; their
 * results have parts of their own instead of bars.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table backtest_runs
      drop constraint backtest_runs_kind_check,
      add constraint backtest_runs_kind_check check (kind in ('backtest', 'optimize', 'portfolio'));

    alter table backtest_results
      alter column trades drop not null,
      alter column klines drop not null,
      alter column equity drop not null,
      add column positions text,
      add column contributions text;
    alter table backtest_results alter column positions set storage external;

    alter table backtests
      add column kind text not null default 'backtest' check (kind in ('backtest', 'portfolio'));

    create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('backtest', 'optimize', 'portfolio') and new.state in ('failed', 'cancelled'))
      execute function end_backtest_run();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from backtests where kind = 'portfolio';
    alter table backtests drop column kind;
    truncate backtest_results;
    alter table backtest_results
      alter column trades set not null,
      alter column klines set not null,
      alter column equity set not null,
      drop column positions,
      drop column contributions;
    delete from backtest_runs where kind = 'portfolio';
    alter table backtest_runs
      drop constraint backtest_runs_kind_check,
      add constraint backtest_runs_kind_check check (kind in ('backtest', 'optimize'));

    create or replace trigger backtest_job_ended after insert or update of state on pgboss.job
      for each row when (new.name in ('backtest', 'optimize') and new.state in ('failed', 'cancelled'))
      execute function end_backtest_run();
  `);
}
