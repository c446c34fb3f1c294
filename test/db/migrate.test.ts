import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { EARLIER_SCHEMA } from '../../db/earlier-schema.ts';
import { migrate, migrationStatus, selectPendingMigrations } from '../../db/migrate.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createEarlierDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

const LAST = MIGRATIONS[MIGRATIONS.length - 1].name;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() =>
  database.pool.query(
    `insert into knex_migrations (name, batch, migration_time) select $1::text, 1, now()
     where not exists (select from knex_migrations where name = $1::text)`,
    [LAST],
  ),
);

it('accepts a database that a newer version has migrated', async () => {
  await database.pool.query(
    `insert into knex_migrations (name, batch, migration_time) values ('999_of_the_future', 9, now())`,
  );
  const { applied, pending } = await migrationStatus(database.url);
  expect(pending).toEqual([]);
  expect(await selectPendingMigrations(database.pool)).toEqual([]);
  expect(applied).toEqual(expect.arrayContaining(MIGRATIONS.map(({ name }) => name)));
  expect(await migrate(database.url)).toEqual([]);
  await database.pool.query('delete from knex_migrations where name = $1', [LAST]);
  expect(await selectPendingMigrations(database.pool)).toEqual([LAST]);
});

it('allows a start by a role that may not change the schema, as long as no migration is pending', async () => {
  const { pool, url } = database;
  const role = `app_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  await pool.query(`
    create role ${role} login password 'secret';
    grant usage on schema public, pgboss to ${role};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${role};
    grant usage, select on all sequences in schema public, pgboss to ${role};
    grant execute on all functions in schema public, pgboss to ${role};`);
  const limited = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
  try {
    expect(await migrate(limited)).toEqual([]);
    await declareQueues(limited);
    await pool.query('delete from knex_migrations where name = $1', [LAST]);
    await expect(migrate(limited)).rejects.toThrow(/may not change the schema.*"npm run ops -- db migrate"/);
  } finally {
    await pool.query(`drop owned by ${role}; drop role ${role};`);
  }
});

it('refuses a database of the migrations before the baseline, and changes nothing', async () => {
  const { pool, url, drop } = await createEarlierDatabase();
  await expect(migrate(url)).rejects.toMatchObject({ code: EARLIER_SCHEMA });
  const { rows } = await pool.query(
    `select relname as name from pg_class where relkind = 'r'
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
  );
  expect(rows).toEqual([{ name: 'instruments' }, { name: 'knex_migrations' }]);
  await drop();
});
