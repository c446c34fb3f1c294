/** Columns that operators load for everyone on the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { selectColumns } from '../../../db/research/own-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMarketFolder, type MarketFolder, runSyncJob } from '../../support/market-folder.ts';

const CLI = fileURLToPath(new URL('../../../ops/commands/cli.ts', import.meta.url));

let database: TestDatabase;
let folder: MarketFolder;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({ 'symbols.csv': 'symbol\nAA\nBB\n' });
  await runSyncJob(database.pool, folder.provider(), 'symbols');
});
afterAll(async () => {
  await database.drop();
  folder.remove();
});

async function ops(...args: string[]) {
  const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: folder.path, FIXED_NOW: '2026-06-01T16:00:00Z' };
  const child = spawn(process.execPath, [CLI, 'columns', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, code };
}

it('puts a file, lists it, and deletes it, with an entry of the log each', async () => {
  folder.write('members.csv', 'symbol,from,to\nAA,2024-01-02,2024-06-28\nBB,2024-02-01,\nCC,2024-02-01,\n');
  const file = join(folder.path, 'members.csv');
  const put = await ops('put', 'sp500', file, '--form', 'intervals', '--source', 'a list', '--license', 'CC0');
  expect(put).toMatchObject({
    code: 0,
    output:
      'sp500, version 1: 4 lines, 2 loaded, 0 repeated, 0 rejected, 1 left out\n  unknown_symbol: 1\n  unknown tickers: 1 (CC)\n  known more than a week before they were loaded: 3\n',
  });
  expect((await ops('list')).output).toMatch(/^sp500 +number +1 +3 +2 +2024-01-02 +2024-06-29 +a list *$/m);
  expect((await ops('put', 'close', file)).errors).toContain('close cannot be the name of a column');
  expect(await ops('put', 'other', file)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('date, value is missing'),
  });
  expect((await ops('delete', 'sp500')).output).toBe('sp500 was deleted\n');
  expect(await selectColumns(database.pool, null)).toEqual([]);
  const { rows } = await database.pool.query(
    `select action, target_id, result from audit_log where action like 'column.%' order by id`,
  );
  expect(rows).toEqual([
    { action: 'column.update', target_id: 'sp500', result: 'ok' },
    { action: 'column.delete', target_id: 'sp500', result: 'ok' },
  ]);
});
