/** A real database of its own for each test file. */

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPool, type Pool } from '../../db/pool.ts';
import { present } from '../../engine/present.ts';

export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(process.env.TEST_SERVER_URL);
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Migrated and empty. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name} template test_template`);
  const url = Object.assign(new URL(present(process.env.TEST_SERVER_URL)), { pathname: `/${name}` }).href;
  const pool = createPool({ url, max: 10, applicationName: 'test' });
  return {
    url,
    pool,
    drop: async () => {
      await pool.end();
      await onServer(`drop database ${name} with (force)`);
    },
  };
}
