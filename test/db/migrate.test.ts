import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrate, migrationStatus, selectPendingMigrations } from '../../db/migrate.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('is at ease with a database that a newer version has migrated', async () => {
  await database.pool.query(
    `insert into knex_migrations (name, batch, migration_time) values ('999_of_the_future', 9, now())`,
  );
  const { applied, pending } = await migrationStatus(database.url);
  expect(pending).toEqual([]);
  expect(await selectPendingMigrations(database.pool)).toEqual([]);
  expect(applied).toEqual(expect.arrayContaining(MIGRATIONS.map(({ name }) => name)));
  expect(await migrate(database.url)).toEqual([]);
  const last = MIGRATIONS[MIGRATIONS.length - 1].name;
  await database.pool.query('delete from knex_migrations where name = $1', [last]);
  expect(await selectPendingMigrations(database.pool)).toEqual([last]);
});
