/** Tests what a result tells of the columns that its run has used. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { selectInstruments } from '../../../db/market/instruments.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import { readOwnColumns, usableColumns, viewColumns } from '../../../jobs/runs/own-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMarketFolder, runSyncJob } from '../../support/market-folder.ts';

const DAY = '2024-07-01';
const folder = mkdtempSync(join(tmpdir(), 'used-columns-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const market = createMarketFolder({ 'symbols.csv': 'symbol\nAA\n' });
  await runSyncJob(database.pool, market.provider(), 'symbols');
  market.remove();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** How many rows count as loaded late, of one with a `known_at` that is loaded at a time. */
async function loadedLate(knownAt: string, loadedAt: string): Promise<number> {
  const { pool } = database;
  const path = join(folder, 'score.csv');
  writeFileSync(path, `symbol,date,known_at,value\nAA,2024-06-28,${knownAt},1\n`);
  const context = { pool, workFolder: folder, now: () => Date.parse(loadedAt), report: async () => {} };
  await loadColumn(context, { accountId: null, name: 'score', settings: {}, quota: null }, path);
  const used = await usableColumns(pool, null);
  const [{ id }] = await selectInstruments(pool);
  const columns = await readOwnColumns(pool, used, [id]);
  const [view] = await viewColumns(pool, used, [id], [columns?.(id)], Int32Array.of(requireDay('2024-07-02')));
  expect(view.rows_used).toBe(1);
  return view.loaded_late;
}

it('counts rows as loaded late from the second on at which they were known, and those of a day from its end', async () => {
  expect(await loadedLate(`${DAY}T09:00:00`, `${DAY}T09:00:00-04:00`)).toBe(0);
  expect(await loadedLate(`${DAY}T09:00:00`, `${DAY}T09:00:01-04:00`)).toBe(1);
  expect(await loadedLate(DAY, `${DAY}T23:59:59-04:00`)).toBe(0);
  expect(await loadedLate(DAY, '2024-07-02T00:00:01-04:00')).toBe(1);
});
