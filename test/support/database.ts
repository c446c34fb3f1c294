/** A separate real database for each test file. */

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPool, type Pool } from '../../db/pool.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { required } from '../../engine/util/values.ts';
import type { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { loadEverything } from './market-folder.ts';

export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(process.env.TEST_SERVER_URL);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a database like another one, to which nothing is connected. */
export async function cloneDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name} template ${template}`));
  const url = Object.assign(new URL(required(process.env.TEST_SERVER_URL)), { pathname: `/${name}` }).href;
  const pool = createPool({ url, max: 10, applicationName: 'test' });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await onServer((client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** Creates a migrated, empty database. */
export const createTestDatabase = () => cloneDatabase('test_template');

/** Creates a database as an operator gets it: without a schema. */
export const createEmptyDatabase = () => cloneDatabase('template1');

/** Creates a database that has a table, and the migrations before the baseline on record. */
export async function createEarlierDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await database.pool.query(
    `create table knex_migrations (id serial primary key, name text, batch integer, migration_time timestamptz);
     insert into knex_migrations (name, batch) values ('001_market', 1), ('091_previous_names', 1);
     create table instruments (id integer); insert into instruments values (1)`,
  );
  return database;
}

/** The name of the database that has the whole sample market. */
export async function sampleTemplate(provider: SampleProvider): Promise<string> {
  const { newest } = required(await provider.publishedSessions('consolidated'));
  return `test_sample_${provider.source.sampleSymbols}_${formatDay(newest).replaceAll('-', '')}`;
}

/** Creates a database with the whole sample market, which is loaded once for all files with the same settings. */
export async function createSampleDatabase(provider: SampleProvider): Promise<TestDatabase> {
  const template = await sampleTemplate(provider);
  await ensureTemplate(template, async () => {
    const database = await createTestDatabase();
    await loadEverything(database.pool, provider);
    return database;
  });
  return cloneDatabase(template);
}

/** Ensures a database to clone. The first test file that asks for it makes it; the others wait. */
export async function ensureTemplate(template: string, make: () => Promise<TestDatabase>): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await keepAsTemplate(client, template, await make());
  });
}

async function keepAsTemplate(client: pg.Client, template: string, { pool, url }: TestDatabase): Promise<void> {
  await pool.query('vacuum analyze');
  await pool.end();
  const name = new URL(url).pathname.slice(1);
  // PostgreSQL clones a database only if nothing is connected to it, autovacuum included.
  await client.query(`alter database ${name} allow_connections false`);
  await client.query(`alter database ${name} rename to ${template}`);
}
