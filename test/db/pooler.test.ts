/** Sessions of connections. A pooler in transaction mode is tried by several-hosts.night.test.ts. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool } from '../../db/pool.ts';
import { sharesSessions } from '../../db/pooler.ts';
import { CALL_TIMEOUTS } from '../../db/session-limits.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('are their own without a pooler', async () => {
  const pool = createPool({ url: database.url, max: 2, applicationName: 'test' });
  expect(await sharesSessions(pool)).toBe(false);
  expect(pool.totalCount).toBe(1);
  await pool.end();
});

it('are shared where two connections are one session of the server', async () => {
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
  const connection = await pool.connect();
  const release = () => {};
  const lent = new Proxy(connection, { get: (of, name) => (name === 'release' ? release : Reflect.get(of, name)) });
  const shared = Object.assign(pool, { connect: async () => lent });
  expect(await sharesSessions(shared)).toBe(true);
  connection.release();
  await pool.end();
});

it('cannot be compared where there is one connection, which is given back', async () => {
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test', timeouts: CALL_TIMEOUTS });
  await expect(sharesSessions(pool)).rejects.toThrow('timeout exceeded');
  await pool.end();
});
