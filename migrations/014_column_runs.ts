import type { Knex } from 'knex';

const KINDS = "'backtest', 'optimize', 'portfolio', 'verify', 'look_ahead', 'tear_sheet', 'screen', 'sql'";

function restrictKinds(knex: Knex, kinds: string): Promise<void> {
  return knex.schema.alterTable('runs', (t) => {
    t.dropChecks('runs_kind_check');
    t.check(`kind in (${kinds})`, [], 'runs_kind_check');
  });
}

/** Runs of a kind that reads the files of columns, and how many of their rows were known late. */
export async function up(knex: Knex): Promise<void> {
  await restrictKinds(knex, `${KINDS}, 'column'`);
  await knex.schema.alterTable('column_versions', (t) => {
    t.bigInteger('known_late').notNullable().defaultTo(0).comment('Rows known more than a session after their date');
    t.bigInteger('backfilled').notNullable().defaultTo(0).comment('Rows known long before they were sent');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('column_versions', (t) => t.dropColumns('known_late', 'backfilled'));
  await knex('runs').where({ kind: 'column' }).delete();
  await restrictKinds(knex, KINDS);
}
