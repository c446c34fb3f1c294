import type { Knex } from 'knex';

const CHECK = 'backtests_kind_check';
const KINDS = "'backtest', 'portfolio'";

function restrict(knex: Knex, kinds: string): Promise<void> {
  return knex.schema.alterTable('backtests', (t) => {
    t.dropChecks(CHECK);
    t.check(`kind in (${kinds})`, [], CHECK);
  });
}

/** Accounts keep what happened after a condition. */
export async function up(knex: Knex): Promise<void> {
  await restrict(knex, `${KINDS}, 'outcomes'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex('backtests').where({ kind: 'outcomes' }).delete();
  await restrict(knex, KINDS);
}
