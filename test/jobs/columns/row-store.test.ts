/** Rows that do not fit into memory, and files whose jobs were lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from '@jest/globals';
import { RowStore } from '../../../jobs/columns/row-store.ts';
import { removeOldUploads } from '../../../jobs/worker/remove-orphans.ts';
import { uploadKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { createTestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { lehmer } from '../../support/series.ts';

const folder = mkdtempSync(join(tmpdir(), 'row-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Adds the same rows to a store that holds `maxRows` of them, and reads it. */
async function readBack(maxRows: number) {
  const store = new RowStore(join(folder, String(maxRows)), maxRows);
  const next = lehmer(7);
  for (let i = 0; i < 5_000; i++) {
    const date = 19_000 + Math.floor(next() * 900);
    const isFull = store.add(Math.floor(next() * 9), date, date + 1, date + 1, i % 3 === 0 ? -1 : 57_600, i);
    if (isFull) await store.flush();
  }
  const found = await Array.fromAsync(store.instruments());
  await store.close();
  return found;
}

it('gives the same rows whether they wait in memory or in a file', async () => {
  const whole = await readBack(1_000_000);
  expect(whole.map(([id]) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(whole.reduce((sum, [, { date }]) => sum + date.length, 0)).toBe(5_000);
  for (const [, { date, value }] of whole) {
    for (let i = 1; i < date.length; i++) expect(date[i]).toBeGreaterThanOrEqual(date[i - 1]);
    expect(new Set(value).size).toBe(date.length);
  }
  expect(await readBack(64)).toEqual(whole);
  expect(await readBack(1_999)).toEqual(whole);
});

it('removes files whose jobs were lost a day ago, and no others', async () => {
  const database = await createTestDatabase();
  const storage = openStorage({ folder: join(folder, 'objects') });
  const hour = 3_600_000;
  const [old, young] = [25, 23].map((hours) => uploadKey(7, NOON_2026_06_01 - hours * hour, 'x'));
  const other = 'users/7/exports/1/1.zip';
  for (const key of [old, young, other]) await storage.put(key, Readable.from(['a']));
  await removeOldUploads(testJobContext({ pool: database.pool, storage, now: () => NOON_2026_06_01 }));
  expect((await Array.fromAsync(storage.list('users/'))).map(({ key }) => key)).toEqual([other, young]);
  await database.drop();
});
