/** Files in `columns/` of the market's folder become everyone's columns, and each has its account. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { selectFileReadings } from '../../../db/queue/file-readings.ts';
import { deleteColumn } from '../../../db/research/column-writes.ts';
import { selectColumns, selectOwnColumn } from '../../../db/research/own-columns.ts';
import { required } from '../../../engine/util/values.ts';
import { checkColumnFile } from '../../../jobs/columns/folder-file.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import { checkFolder } from '../../../jobs/providers/files/check-folder.ts';
import { dueSyncs, readSyncState } from '../../../jobs/sync/due-syncs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { emptyMarket } from '../../support/folder-load.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  NOON_2026_06_01,
  runSyncJob,
} from '../../support/market-folder.ts';

const ROWS = 'symbol,date,value\nAAA,2024-07-01,1\nBBB,2024-07-01,2\n';

let database: TestDatabase;
let folder: MarketFolder;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyMarket(database.pool);
  for (const { name } of await selectColumns(database.pool, null)) await deleteColumn(database.pool, null, name);
  folder = createMarketFolder({
    'symbols.csv': 'symbol\nAAA\nBBB\n',
    'daily/consolidated/one.csv': `${BARS_HEADER}AAA,2024-07-01,5,9,1,5,100\n`,
    'columns/score.csv': ROWS,
  });
});
afterEach(() => folder.remove());

/** Loads the lists, and returns the accounts of the columns. */
async function load() {
  const job = await runSyncJob(database.pool, folder.provider(), 'symbols');
  expect([job.status, job.error]).toEqual(['ok', null]);
  const { items } = await selectFileReadings(database.pool, job, { page: 1, size: 100 });
  return items.filter(({ path }) => path.startsWith('columns/')).sort((a, b) => (a.path < b.path ? -1 : 1));
}

const versions = async () =>
  (await selectColumns(database.pool, null)).map(({ name, version }) => `${name} ${version}`).sort();
const columnOf = async (name: string) => required(await selectOwnColumn(database.pool, null, name));

it('loads each file once, by its settings, and again when it or they have changed', async () => {
  folder.write('columns/rate.ndjson.gz', '{"date":"2024-07-01","value":5.25}\n');
  folder.write('columns/rate.json', '{"market":true,"unit":"percent_per_year","source":"a desk","lag":0}');
  expect(
    (await load()).map(({ path, layout, lines, loaded, reason }) => [path, layout, lines, loaded, reason]),
  ).toEqual([
    ['columns/rate.ndjson.gz', 'ndjson', 1, 1, null],
    ['columns/score.csv', 'csv', 3, 2, null],
  ]);
  expect(await columnOf('rate')).toMatchObject({ isMarket: true, unit: 'percent_per_year', source: 'a desk', lag: 0 });
  expect(await load()).toEqual([]);
  expect(await versions()).toEqual(['rate 1', 'score 1']);

  folder.write('columns/score.csv', `${ROWS}AAA,2024-07-02,3\nZZZ,2024-07-02,3\nAAA,never,3\n`);
  const [account] = await load();
  expect(account).toMatchObject({ loaded: 3, rejected: 1, leftOut: 1, told: ['unknown tickers: 1 (ZZZ)'] });
  expect(account.rejectedLines).toEqual([{ line: 6, text: 'AAA,never,3', reason: 'bad_date' }]);
  folder.write('columns/rate.json', '{"market":true,"unit":"percent_per_year","lag":1}');
  await load();
  expect(await versions()).toEqual(['rate 2', 'score 2']);
  expect(await columnOf('rate')).toMatchObject({ lag: 1, source: null });
});

it('makes a load of the lists due when a column is new or has changed, and shows it in the account of the folder', async () => {
  const { pool } = database;
  await loadEverything(pool, folder.provider());
  const state = async () => required((await readSyncState(pool, [], folder.provider())).folder).symbols;
  const before = await state();
  expect(await state()).toBe(before);
  utimesSync(join(folder.path, 'columns/score.csv'), 1_000_000, 1_000_000);
  const touched = await state();
  folder.write('columns/score.json', '{}');
  const configured = await state();
  expect(new Set([before, touched, configured]).size).toBe(3);
  expect(dueSyncs(await readSyncState(pool, [], folder.provider()))).toEqual([]);
  const bars = await runSyncJob(pool, folder.provider(), 'daily_bars');
  const { items } = await selectFileReadings(pool, bars, { page: 1, size: 100 });
  expect(items.map(({ path, reason }) => `${path} ${reason}`)).toEqual(
    expect.arrayContaining(['columns/score.csv null', 'columns/score.json settings']),
  );
});

const BAD_LINES = `symbol,date,value\n${Array.from({ length: 12 }, (_, i) => `AAA,${i === 0 ? '2024-07-01' : 'never'},1\n`).join('')}`;
const REFUSED: Readonly<Record<string, readonly [content: string, reason: string, settings?: string]>> = {
  'my.csv': [ROWS, 'my cannot be the name of a column'],
  'sma.csv': [ROWS, 'sma cannot be the name of a column'],
  'Upper.csv': [ROWS, 'Upper cannot be the name of a column'],
  'dirty.csv': [BAD_LINES, '11 of 12 lines cannot be read'],
  'empty.csv': ['', 'the file is empty'],
  'typo.csv': [ROWS, '"lags" is not a setting; did you mean "lag"?', '{"lags":1}'],
  'typed.csv': [ROWS, '"lag" must be of type number', '{"lag":"1"}'],
  'large.csv': [ROWS, '"lag" must be at most 1000', '{"lag":1001}'],
  'broken.csv': [ROWS, 'is not JSON', '{'],
  'wrong.parquet': ['PAR1 and then text', 'the file cannot be read'],
  'score.ndjson': [ROWS, 'the column score is that of columns/score.csv'],
};

it('tells why a file is no column, and loads the others', async () => {
  for (const [name, [content, , settings]] of Object.entries(REFUSED)) {
    folder.write(`columns/${name}`, content);
    if (settings) folder.write(`columns/${name.split('.')[0]}.json`, settings);
  }
  const found = new Map((await load()).map((reading) => [reading.path, reading]));
  for (const [name, [, reason]] of Object.entries(REFUSED)) {
    expect([name, found.get(`columns/${name}`)?.reason]).toEqual([name, expect.stringContaining(reason)]);
  }
  expect(found.get('columns/dirty.csv')).toMatchObject({ lines: 13, loaded: 0, rejected: 11, leftOut: 1 });
  expect(found.get('columns/score.csv')).toMatchObject({ loaded: 2, reason: null });
  expect(await versions()).toEqual(['score 1']);

  const { files } = await checkFolder({
    folder: folder.path,
    now: NOON_2026_06_01,
    all: true,
    checkColumn: checkColumnFile,
  });
  const checked = new Map(files.map((account) => [account.file.path, account]));
  for (const [name, [, reason]] of Object.entries(REFUSED)) {
    expect([name, checked.get(`columns/${name}`)?.reason]).toEqual([name, expect.stringContaining(reason)]);
  }
  expect(checked.get('columns/score.csv')).toMatchObject({ lines: 3, loaded: 2, reason: null });
  expect(checked.get('columns/typo.json')?.reason).toBe('settings');
});

it('checks labels, and no more of a file than it is to read', async () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => `AAA,2024-07-01,${i === 0 ? 'Tech' : i % 10}\n`).join('');
  folder.write('columns/score.csv', `symbol,date,value\n${rows}`);
  const [file] = await folder.provider().columnFiles();
  expect(await checkColumnFile(file, Infinity)).toMatchObject({ loaded: 100_000, reason: null });
  const some = await checkColumnFile(file, 1);
  expect(some.told).toContain('counts are of its first lines');
  expect(some.loaded).toBeLessThan(100_000);
});

it('leaves what an administrator wrote under its name until the file changes', async () => {
  await load();
  const context = { pool: database.pool, workFolder: folder.path, now: () => NOON_2026_06_01, report: async () => {} };
  folder.write('.given.csv', 'symbol,date,value\nAAA,2024-07-01,9\n');
  const target = { accountId: null, name: 'score', settings: { lag: 5 }, quota: null };
  await loadColumn(context, target, join(folder.path, '.given.csv'));
  await load();
  expect(await columnOf('score')).toMatchObject({ version: 2, lag: 5 });
  folder.write('columns/score.csv', `${ROWS}AAA,2024-07-03,4\n`);
  await load();
  expect(await columnOf('score')).toMatchObject({ version: 3, lag: 1 });
});
