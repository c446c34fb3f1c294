/** The account of every line of files with dirt at random places, in each format, and what becomes of the good ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { selectColumnRows, selectOwnColumn } from '../../../db/research/own-columns.ts';
import { required } from '../../../engine/util/values.ts';
import { FileRefused } from '../../../jobs/columns/line-reader.ts';
import { loadColumn } from '../../../jobs/columns/load.ts';
import { SymbolBook } from '../../../jobs/columns/symbol-book.ts';
import type { ColumnSettings } from '../../../jobs/contracts/columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMarketFolder, NOON_2026_06_01, runSyncJob } from '../../support/market-folder.ts';
import { lehmer } from '../../support/series.ts';

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'line-accounts-'));
beforeAll(async () => {
  database = await createTestDatabase();
  const symbols = 'symbol,listed_on,previous_symbols\nAA,2000-01-03,\nBB,2000-01-03,OLD:2022-06-30\nOLD,2022-07-05,\n';
  const market = createMarketFolder({ 'symbols.csv': symbols });
  await runSyncJob(database.pool, market.provider(), 'symbols');
  market.remove();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function load(content: string | Uint8Array, settings: ColumnSettings = {}, name = 'score') {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  const context = { pool: database.pool, workFolder: folder, now: () => NOON_2026_06_01, report: async () => {} };
  return loadColumn(context, { accountId: null, name, settings, quota: null }, path);
}

type Row = readonly [symbol: string, date: string, known_at: string, value: string];
const NAMES = ['symbol', 'date', 'known_at', 'value'] as const;

const DIRT: readonly (readonly [reason: string, row: Row])[] = [
  ['bad_date', ['AA', '2024-02-30', '', '1']],
  ['bad_date', ['AA', '', '', '1']],
  ['bad_symbol', ['A A!', '2024-03-01', '', '1']],
  ['bad_symbol', ['', '2024-03-01', '', '1']],
  ['bad_known_at', ['AA', '2024-03-01', '2024-13-01', '1']],
  ['bad_known_at', ['AA', '2024-03-01', '2024-03-01T25:00:00', '1']],
  ['known_too_early', ['AA', '2024-03-01', '2023-01-01', '1']],
  ['bad_value', ['AA', '2024-03-01', '', 'much']],
  ['bad_value', ['AA', '2024-03-01', '', 'Infinity']],
  ['unknown_symbol', ['NOBODY', '2024-03-01', '', '1']],
  ['before_1962', ['AA', '1950-03-01', '', '1']],
];
const FAULTLESS = ['unknown_symbol', 'before_1962'];

const record = (row: Row) => Object.fromEntries(NAMES.map((name, i) => [name, row[i]]));
const columnsOf = (rows: readonly Row[]) => NAMES.map((name, i) => ({ name, data: rows.map((row) => row[i]) }));
const arrowOf = (rows: readonly Row[], kind: 'file' | 'stream') =>
  tableToIPC(
    new Table(Object.fromEntries(columnsOf(rows).map(({ name, data }) => [name, vectorFromArray(data, new Utf8())]))),
    kind,
  );
const csvOf = (rows: readonly Row[]) => [NAMES.join(','), ...rows.map((row) => row.join(','))];

interface Format {
  readonly layout: string;
  readonly write: (rows: readonly Row[]) => string | Uint8Array;
  /** Lines beside those of rows. */
  readonly header: number;
}

const FORMATS: Readonly<Record<string, Format>> = {
  csv: { layout: 'csv', header: 1, write: (rows) => csvOf(rows).join('\n') },
  'csv.gz': { layout: 'csv', header: 1, write: (rows) => gzipSync(csvOf(rows).join('\r\n')) },
  ndjson: { layout: 'ndjson', header: 0, write: (rows) => rows.map((row) => JSON.stringify(record(row))).join('\n') },
  parquet: {
    layout: 'parquet',
    header: 0,
    write: (rows) =>
      new Uint8Array(parquetWriteBuffer({ columnData: columnsOf(rows).map((one) => ({ ...one, type: 'STRING' })) })),
  },
  'arrow file': { layout: 'arrow', header: 0, write: (rows) => arrowOf(rows, 'file') },
  'arrow stream': { layout: 'arrow', header: 0, write: (rows) => arrowOf(rows, 'stream') },
};

describe.each(Object.entries(FORMATS))('a file of %s', (_, { layout, header, write }) => {
  it.each([1, 2, 3])('has every line accounted for, wherever its dirt is (seed %i)', async (seed) => {
    const next = lehmer(seed);
    const rows: Row[] = Array.from({ length: 2_000 }, (_, i) => {
      const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(i / 2))).toISOString().slice(0, 10);
      return [i % 2 === 0 ? 'AA' : 'BB', day, next() < 0.5 ? '' : `${day}T15:00:00`, String(i)];
    });
    const counts: Record<string, number> = {};
    let faults = 0;
    let repeated = 0;
    for (let n = 0; n < 40; n++) {
      const [reason, row] = DIRT[Math.floor(next() * DIRT.length)];
      const isFault = !FAULTLESS.includes(reason);
      if (isFault && faults === 19) continue;
      faults += Number(isFault);
      counts[reason] = (counts[reason] ?? 0) + 1;
      rows.splice(Math.floor(next() * rows.length), 0, row);
    }
    for (let n = 0; n < 10; n++) {
      const i = rows.length - 1 - n * 20;
      rows.splice(i, 0, rows[i]);
      if (!DIRT.some(([, row]) => row === rows[i])) repeated++;
      else counts[required(DIRT.find(([, row]) => row === rows[i]))[0]]++;
    }
    const { account, column } = await loaded(write(rows));
    const { lines, loaded: good, rejected, left_out, by_reason } = account;
    expect(account).toMatchObject({ layout, lines: rows.length + header, header, blank: 0, repeated });
    expect(by_reason).toEqual(counts);
    expect(header + good + repeated + rejected + left_out).toBe(lines);
    expect(good).toBe(2_000);
    expect(account.rejected_lines).toHaveLength(rejected);
    expect(column).toMatchObject({ rows: 2_000, symbols: 2, kind: 'number' });
  });

  async function loaded(content: string | Uint8Array) {
    const { account } = await load(content, { kind: 'number' });
    return { account, column: required(await selectOwnColumn(database.pool, null, 'score')) };
  }
});

it('rejects lines of text that are none of the file, with their number and text as they stand', async () => {
  const good = Array.from({ length: 20 }, (_, i) => `AA,2024-01-${String(i + 1).padStart(2, '0')},${i}`);
  const { account } = await load(
    `symbol,date,value\n\nAA,2024-02-01\n"AA,2024-02-02,1\n${good.join('\r\n')}\nBB,2024-02-05,1,2\n`,
  );
  expect(account).toMatchObject({ lines: 25, header: 1, blank: 1, loaded: 20, rejected: 3 });
  expect(account.rejected_lines).toEqual([
    { line: 3, text: 'AA,2024-02-01', reason: 'unreadable' },
    { line: 4, text: '"AA,2024-02-02,1', reason: 'unreadable' },
    { line: 25, text: 'BB,2024-02-05,1,2', reason: 'unreadable' },
  ]);
});

it('needs to know whose a ticker is that has passed to another instrument', async () => {
  const file = 'symbol,date,value\nOLD,2021-01-04,1\nAA,2021-01-04,2\n';
  await expect(load(file)).rejects.toThrow(FileRefused);
  const ids = async (symbols: ColumnSettings['symbols']) => {
    const { columnId, version, ambiguous_symbols } = await load(file, { symbols });
    expect(ambiguous_symbols).toEqual({ count: 1, symbols: ['OLD'] });
    const rows = await selectColumnRows(database.pool, [{ columnId, base: version, version }], null);
    return [...required(rows.get(columnId)).keys()];
  };
  const [then, now] = [await ids('as_of_date'), await ids('current')];
  expect(then).not.toEqual(now);
});

it('reads overlapping intervals as one, and lists of names that stand in one line', async () => {
  const values = async (content: string, settings: ColumnSettings) => {
    const { columnId, version, account } = await load(content, settings, 'members');
    const [rows] = required(
      (await selectColumnRows(database.pool, [{ columnId, base: version, version }], null)).get(columnId),
    ).values();
    return [
      account.loaded,
      account.repeated,
      Array.from(rows.date, (day, i) => [new Date(day * 86_400_000).toISOString().slice(0, 10), rows.value[i]]),
    ];
  };
  const intervals =
    'ticker,start,end\nAA,2024-01-02,2024-03-31\nAA,2024-02-01,2024-05-31\nAA,2024-01-02,2024-03-31\nAA,2024-06-01,\n';
  expect(await values(intervals, { form: 'intervals' })).toEqual([3, 1, [['2024-01-02', 1]]]);
  const lists = 'date,tickers\n2024-01-02,"AA,BB"\n2024-02-01,BB\n2024-03-01,"AA"\n';
  expect(await values(lists, { form: 'snapshots' })).toEqual([
    3,
    0,
    [
      ['2024-01-02', 1],
      ['2024-02-01', Number.NaN],
      ['2024-03-01', 1],
    ],
  ]);
});

it('tells no more tickers apart than fit into memory, whatever a file holds', () => {
  const book = new SymbolBook([], undefined);
  for (let i = 0; i < 100_100; i++) {
    const ticker = required(book.find(`X${i.toString(36)}`));
    book.instrumentOf(ticker, 0);
  }
  expect(book.unknownTickers.count).toBe(100_000);
});

it('ends the names that an appended list lacks', async () => {
  const valuesAfter = async (content: string, settings: ColumnSettings) => {
    const { columnId, version, account } = await load(content, { form: 'snapshots', ...settings }, 'index');
    const rows = await selectColumnRows(database.pool, [{ columnId, base: 1, version }], null);
    const values = [...required(rows.get(columnId)).values()].map(({ date, value }) =>
      Array.from(date, (day, i) => `${new Date(day * 86_400_000).toISOString().slice(0, 10)} ${value[i]}`),
    );
    return [account.loaded, values];
  };
  await valuesAfter('date,symbol\n2024-01-02,AA\n2024-01-02,BB\n', {});
  const append = { mode: 'append', symbols: 'current' } as const;
  expect(await valuesAfter('date,symbol\n2024-02-01,BB\n', append)).toEqual([
    1,
    [
      ['2024-01-02 1', '2024-02-01 NaN'],
      ['2024-01-02 1', '2024-02-01 1'],
    ],
  ]);
  expect(await valuesAfter('date,symbol\n2024-03-01,BB\n2024-04-01,AA\n', append)).toEqual([
    2,
    [
      ['2024-01-02 1', '2024-02-01 NaN', '2024-04-01 1'],
      ['2024-01-02 1', '2024-02-01 1', '2024-03-01 1', '2024-04-01 NaN'],
    ],
  ]);
  // A list of the same day replaces the one before.
  expect(await valuesAfter('date,symbol\n2024-04-01,BB\n', append)).toEqual([
    1,
    [
      ['2024-01-02 1', '2024-02-01 NaN', '2024-04-01 1', '2024-04-01 NaN'],
      ['2024-01-02 1', '2024-02-01 1', '2024-03-01 1', '2024-04-01 NaN', '2024-04-01 1'],
    ],
  ]);
});

it('refuses labels with a dimension, which splits would change, given or found', async () => {
  const labels = 'symbol,date,value\nAA,2024-01-02,Tech\n';
  for (const kind of ['label', undefined] as const)
    await expect(load(labels, { kind, dimension: 'shares' }, 'sector')).rejects.toThrow('labels have no dimension');
  expect((await load(labels, { dimension: 'none' }, 'sector')).account.loaded).toBe(1);
});

it('appends rows to a column as it was made', async () => {
  const rows = 'date,value\n2024-01-02,1\n2024-01-03,1\n';
  await load(rows, { market: true }, 'rate');
  const append = (settings: ColumnSettings) => load(rows, { mode: 'append', ...settings }, 'rate');
  await expect(append({ stale_after: 9 })).rejects.toThrow('stale_after of the column is 3,');
  await expect(append({ unit: 'percent_per_year' })).rejects.toThrow('unit of the column is none,');
  await append({ stale_after: 3, market: true, lag: 1 });
  expect(await selectOwnColumn(database.pool, null, 'rate')).toMatchObject({ staleAfter: 3, unit: null });
});
