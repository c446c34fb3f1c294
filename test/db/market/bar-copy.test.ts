/** The COPY of bars: a row that PostgreSQL refuses ends it, also while many rows are buffered. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BarCopy } from '../../../db/market/bar-copy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** About 10 MB: more than may wait. */
const ROWS = 150_000;
const NO_BASIS = 99;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function copyRows(copy: BarCopy): Promise<void> {
  for (let i = 0; i < ROWS; i++) if (copy.add(1, 20_000, 1, 1, 1, 1, 1)) await copy.flush();
  await copy.finish();
}

it('rejects the caller that waits for room when PostgreSQL refuses a row, and leaves the connection usable', async () => {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    const copy = new BarCopy(connection, 'daily_bars', NO_BASIS);
    await expect(copyRows(copy)).rejects.toThrow(/daily_bars/);
    copy.abort();
    await connection.query('rollback');
    const { rows } = await connection.query('select count(*)::int as bars from daily_bars');
    expect(rows).toEqual([{ bars: 0 }]);
  } finally {
    connection.release();
  }
});
