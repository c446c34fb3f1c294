import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { migrate, migrationStatus, selectPendingMigrations } from '../../db/migrate.ts';
import { declareQueues } from '../../jobs/queue/boss.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

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

it('puts the triggers on jobs, whether or not an earlier version has installed them at its start', async () => {
  const { pool, url } = database;
  const triggers = async () =>
    (
      await pool.query(
        `select tgname as name, obj_description('notify_job_wake'::regproc, 'pg_proc') as comment from pg_trigger
         where tgrelid = 'pgboss.job'::regclass and not tgisinternal order by 1`,
      )
    ).rows;
  const installed = await triggers();
  // The comment is what earlier versions look for before they would install the triggers themselves.
  expect(installed).toEqual([{ name: 'job_changed', comment: 'job signals 8c42eadf9562a256' }]);
  const migrateAgain = async () => {
    const again = ['019_job_triggers', '068_one_job_trigger', '084_public_queue'];
    await pool.query('delete from knex_migrations where name = any($1)', [again]);
    expect(await migrate(url)).toEqual(again);
    expect(await triggers()).toEqual(installed);
  };
  await migrateAgain();
  await pool.query('drop function notify_job_wake() cascade; drop function follow_job() cascade;');
  await migrateAgain();
});
