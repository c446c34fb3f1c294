import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';
import { RUN_TABLES } from './baseline/runs.ts';

const PARTS = ['trades', 'klines', 'equity', 'positions', 'contributions', 'rebalances'];
const PIECES = 'result_pieces';

/** A result is one row: its parts one after another, of which any piece can be read, and its tear sheet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop trigger result_stored on backtest_results; drop function split_result()');
  await knex.schema.dropTable(PIECES);
  await knex.schema.alterTable('backtest_results', (t) => {
    t.text('tear_sheet').comment('JSON; null: none was requested');
    t.json('lengths')
      .notNullable()
      .defaultTo('{}')
      .comment('Bytes of each part of the body, which are in a fixed order');
    t.binary('body').notNullable().defaultTo('').comment('JSON arrays in UTF-8, one after another');
  });
  await knex.raw(
    'alter table backtest_results alter column body set storage external, alter column tear_sheet set storage external',
  );
  const lengths = PARTS.map((part) => `'${part}', octet_length(${part})`);
  await knex.raw(
    `update backtest_results set body = convert_to(concat(${PARTS.join(', ')}), 'UTF8'),
       lengths = json_strip_nulls(json_build_object(${lengths.join(', ')}))`,
  );
  // Tear sheets were results of their own.
  await knex.raw(
    `update backtest_results r set tear_sheet = sheet.summary from backtest_results sheet
     where sheet.fingerprint = sha256(r.fingerprint || 'tear sheet'::bytea)`,
  );
  await knex.raw('alter table backtest_results alter column lengths drop default, alter column body drop default');
  await knex.raw('alter table backtest_results drop constraint backtest_results_have_klines');
  await knex.schema.alterTable('backtest_results', (t) => t.dropColumns(...PARTS, 'klines_sha256'));
}

/** Results are lost, and computed again. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('backtest_results');
  for (const name of ['backtest_results', PIECES]) {
    await knex.schema.createTable(name, (t) => RUN_TABLES[name](t, knex));
    await knex.raw(`alter table ${name} set unlogged`);
  }
  await knex.raw(
    `alter table backtest_results set (vacuum_truncate = false);
     alter table backtest_results alter column klines set storage external, alter column equity set storage external,
       alter column positions set storage external`,
  );
  for (const file of ['functions/split_result.sql', 'triggers/result_stored.sql']) {
    await knex.raw(readFileSync(new URL(`./baseline/${file}`, import.meta.url), 'utf8'));
  }
}
