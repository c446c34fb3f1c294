import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import knex from 'knex';
import { EARLIER_SCHEMA, migrate, migrationStatus, selectPendingMigrations } from '../../db/migrate.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import {
  createEarlierDatabase,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../support/database.ts';
import { describeSchema } from '../support/schema-description.ts';

const LAST = MIGRATIONS[MIGRATIONS.length - 1].name;
const LATER = MIGRATIONS.slice(1);
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
  const empty = await createEmptyDatabase();
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
    const pending = Object.assign(new URL(limited), { pathname: new URL(empty.url).pathname }).href;
    await expect(migrate(pending)).rejects.toThrow(/may not change the schema.*"npm run ops -- db migrate"/);
  } finally {
    await pool.query(`drop owned by ${role}; drop role ${role};`);
    await empty.drop();
  }
});

it('takes over a database that version 0.3.0 left, without changing its tables', async () => {
  const { pool, url, drop } = await createTestDatabase();
  const now = await describeSchema(pool);
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  for (const { migration } of LATER.toReversed()) await migration.down?.(db);
  await db.destroy();
  await pool.query(
    `delete from knex_migrations;
     insert into knex_migrations (name, batch, migration_time) values ('001_baseline', 1, now()), ('012_actors_by_id', 4, now());
     insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now())`,
  );
  expect(await migrate(url)).toEqual(LATER.map(({ name }) => name));
  expect(await describeSchema(pool)).toEqual(now);
  expect(await selectPendingMigrations(pool)).toEqual([]);
  expect((await pool.query('select email from users')).rows).toEqual([{ email: 'ada@example.com' }]);
  await drop();
});

it('refuses a database of the migrations before those of 0.3.0, and changes nothing', async () => {
  const { pool, url, drop } = await createEarlierDatabase();
  await expect(migrate(url)).rejects.toMatchObject({ code: EARLIER_SCHEMA });
  const { rows } = await pool.query(
    `select relname as name from pg_class where relkind = 'r'
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) order by 1`,
  );
  expect(rows).toEqual([{ name: 'instruments' }, { name: 'knex_migrations' }]);
  await drop();
});
