import type { Knex } from 'knex';

/** Runs that make the tear sheet of a kept run. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table runs drop constraint runs_kind_check;
    alter table runs add constraint runs_kind_check
      check (kind in ('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql'))`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from runs where kind = 'tear_sheet';
    alter table runs drop constraint runs_kind_check;
    alter table runs add constraint runs_kind_check
      check (kind in ('backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'screen', 'sql'))`);
}
