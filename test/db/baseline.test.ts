/** Compares the first migration with the schema that the migrations before it made. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { MIGRATION_NAMES, withFreshDatabase } from '../../db/migrate.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { describeSchema, type SchemaDescription } from '../support/schema-description.ts';

const BEFORE = new URL('./fixtures/schema-before-baseline.json', import.meta.url);

/** Objects that differ → their definition in the baseline. */
const DIFFERENCES: SchemaDescription = {
  // In an empty table nothing has to be spared.
  'constraint access_records_earlier_is_whole of access_records':
    'CHECK ((NOT (cardinality(earlier_ms_ago) IS DISTINCT FROM cardinality(earlier_duration_ms))))',
};

it('makes the same tables, constraints, indexes, functions, triggers, grants, and rows', async () => {
  const { schema }: { schema: SchemaDescription } = JSON.parse(readFileSync(BEFORE, 'utf8'));
  expect(Object.keys(schema).length).toBeGreaterThan(900);
  const database = await createEmptyDatabase();
  await withFreshDatabase(database.url, ({ migrateTo }) => migrateTo(MIGRATION_NAMES.slice(0, 1)));
  expect(await describeSchema(database.pool)).toEqual({ ...schema, ...DIFFERENCES });
  await database.drop();
});
