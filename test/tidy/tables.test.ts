/** Each table is either dropped or kept when the market is replaced. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KEPT_TABLES, MARKET_TABLES } from '../../db/market/market-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('is decided for every table: a new one goes into MARKET_TABLES or KEPT_TABLES of db/market/market-source.ts', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname not like 'knex%'`,
  );
  expect([...MARKET_TABLES, ...KEPT_TABLES].sort()).toEqual(rows.map(({ name }) => name).sort());
});
