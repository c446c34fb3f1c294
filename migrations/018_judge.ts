import type { Knex } from 'knex';

const CHECK = 'runs_kind_check';
const KINDS =
  "'backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql', 'column', 'factor_values', 'claims', 'outcomes'";

function restrict(knex: Knex, kinds: string): Promise<void> {
  return knex.schema.alterTable('runs', (t) => {
    t.dropChecks(CHECK);
    t.check(`kind in (${kinds})`, [], CHECK);
  });
}

/** Runs that judge returns which were made elsewhere. */
export async function up(knex: Knex): Promise<void> {
  await restrict(knex, `${KINDS}, 'judge'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex('runs').where({ kind: 'judge' }).delete();
  await restrict(knex, KINDS);
}
