import type { Knex } from 'knex';

const TABLE = 'sweeps';
const CHECK = 'sweeps_kind_check';
const RUN_KINDS =
  "'backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql', 'column'";

function restrictRuns(knex: Knex, kinds: string): Promise<void> {
  return knex.schema.alterTable('runs', (t) => {
    t.dropChecks('runs_kind_check');
    t.check(`kind in (${kinds})`, [], 'runs_kind_check');
  });
}

/** Factor studies are computed in chunks like sweeps, by the same turns; runs of two kinds write files of values and test published claims. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(TABLE, (t) => {
    t.text('kind').notNullable().defaultTo('sweep').comment('What its chunks compute: cells of backtests, or factors');
    t.check("kind in ('sweep', 'factors')", [], CHECK);
  });
  await restrictRuns(knex, `${RUN_KINDS}, 'factor_values', 'claims'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex(TABLE).where({ kind: 'factors' }).delete();
  await knex('runs').whereIn('kind', ['factor_values', 'claims']).delete();
  await restrictRuns(knex, RUN_KINDS);
  await knex.schema.alterTable(TABLE, (t) => {
    t.dropChecks(CHECK);
    t.dropColumns('kind');
  });
}
