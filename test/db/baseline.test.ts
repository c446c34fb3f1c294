/** Compares the first migration with the schema that the migrations before it made. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { MIGRATION_NAMES, withFreshDatabase } from '../../db/migrate.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { describeSchema, type SchemaDescription } from '../support/schema-description.ts';

const BEFORE = new URL('./fixtures/schema-before-baseline.json', import.meta.url);

/** Name, at the beginning of a word → its name in the baseline. */
const RENAMED = { backtest_runs: 'runs', backtest_run_ended: 'run_ended' };

/** Objects that the baseline does not have: processes of earlier versions needed them, or nothing did. */
const GONE = [
  'column runs.order',
  'trigger run_spec_copied of runs',
  'function copy_run_spec()',
  'function notify_job_wake()',
  'function calls_within(integer[],integer)',
  'column rate_limits.counts',
  'column rate_limits.used',
  'table login_codes',
];

/** Whether an object is one of these or belongs to one. */
const isGone = (name: string) =>
  GONE.includes(name) || /^(column|constraint|index|sequence) (.* of )?login_codes(\b|_)/.test(name);

/** Objects that differ → their definition in the baseline. */
const DIFFERENT: SchemaDescription = {
  // In an empty table nothing has to be spared.
  'constraint access_records_earlier_is_whole of access_records':
    'CHECK ((NOT (cardinality(earlier_ms_ago) IS DISTINCT FROM cardinality(earlier_duration_ms))))',
};

function expectedSchema(): SchemaDescription {
  let before = readFileSync(BEFORE, 'utf8');
  for (const [name, now] of Object.entries(RENAMED)) before = before.replaceAll(new RegExp(`\\b${name}`, 'g'), now);
  const { schema }: { schema: SchemaDescription } = JSON.parse(before);
  for (const name of [...GONE, ...Object.keys(DIFFERENT)]) expect(Object.keys(schema)).toContain(name);
  const kept = Object.entries(schema).filter(([name]) => !isGone(name));
  return { ...Object.fromEntries(kept), ...DIFFERENT };
}

it('makes the same tables, constraints, indexes, functions, triggers, grants, and rows', async () => {
  const database = await createEmptyDatabase();
  await withFreshDatabase(database.url, ({ migrateTo }) => migrateTo(MIGRATION_NAMES.slice(0, 1)));
  expect(await describeSchema(database.pool)).toEqual(expectedSchema());
  await database.drop();
});
