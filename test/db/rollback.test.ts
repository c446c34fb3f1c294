/** Undoes the migrations after the first one by one, as `ops db rollback` does, and applies them again. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import { rollback } from '../../db/migrate.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeSchema } from '../support/schema-description.ts';

let database: TestDatabase;
let db: Knex;
beforeAll(async () => {
  database = await createTestDatabase();
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('undoes every migration to what was before it', async () => {
  const later = MIGRATIONS.slice(1);
  const steps: unknown[] = [];
  for (const { name, migration } of later.toReversed()) {
    steps.push({ name, schema: await describeSchema(database.pool) });
    await migration.down?.(db);
  }
  for (const { name, migration } of later) {
    await migration.up(db);
    expect({ name, schema: await describeSchema(database.pool) }).toEqual(steps.pop());
  }
});

it('refuses to undo the first one, which would drop every row', async () => {
  const before = await describeSchema(database.pool);
  expect(await rollback(database.url)).toBeNull();
  expect(await describeSchema(database.pool)).toEqual(before);
});
