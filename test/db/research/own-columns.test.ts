/** Columns in the database: which an account reads, and the rows of their versions. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  KNOWN_AS_DAY,
  packRows,
  selectColumnRows,
  selectColumns,
  selectColumnVersion,
  unpackRows,
  WHOLE_MARKET,
} from '../../../db/research/own-columns.ts';
import type { ColumnRows } from '../../../engine/market/own-columns.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let account: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query(
    `insert into users (email, name, language, created_at) values ('ada@example.com', 'Ada', 'en', now()) returning id`,
  );
  account = rows[0].id;
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate own_columns cascade'));

type Row = readonly [date: number, seen: number, knownDay: number, knownSecond: number, value: number];

function rowsOf(rows: readonly Row[]): ColumnRows {
  const column = (i: number) => rows.map((row) => row[i]);
  return {
    date: Int32Array.from(column(0)),
    seen: Int32Array.from(column(1)),
    knownDay: Int32Array.from(column(2)),
    knownSecond: Int32Array.from(column(3)),
    value: Float64Array.from(column(4)),
  };
}

function listed({ date, seen, knownDay, knownSecond, value }: ColumnRows): Row[] {
  return Array.from(date, (day, i): Row => [day, seen[i], knownDay[i], knownSecond[i], value[i]]);
}

async function addColumn(accountId: number | null, name: string): Promise<number> {
  const { rows } = await database.pool.query(
    'insert into own_columns (account_id, name, created_at) values ($1, $2, now()) returning id',
    [accountId, name],
  );
  return rows[0].id;
}

async function addVersion(columnId: number, version: number, base: number): Promise<void> {
  await database.pool.query(
    `insert into column_versions (column_id, version, base, kind, is_market, dimension, about, day_means, lag, rows, symbols,
       sha256, loaded_at)
     values ($1, $2, $3, 'number', false, 'none', 'value', 'after_close', 1, 0, 0, '', now())`,
    [columnId, version, base],
  );
}

async function addBlock(columnId: number, instrument: number, version: number, year: number, rows: readonly Row[]) {
  const data = packRows(rowsOf(rows), 0, rows.length);
  await database.pool.query('insert into column_blocks values ($1, $2, $3, $4, $5)', [
    columnId,
    instrument,
    year,
    version,
    data,
  ]);
}

const A: Row = [19_000, 19_001, 19_001, 57_600, 1];
const B: Row = [19_100, 19_103, 19_102, KNOWN_AS_DAY, Number.NaN];
const B_AGAIN: Row = [19_100, 19_103, 19_102, KNOWN_AS_DAY, 3];
const B_BEFORE: Row = [19_100, 19_101, 19_100, 3_600, 2];

it('packs rows and unpacks them in their order', () => {
  const rows = rowsOf([A, B_BEFORE, B]);
  expect(
    listed(unpackRows([packRows(rows, 0, 1), packRows(rows, 1, 3)].map((data) => ({ data, version: 1 })))),
  ).toEqual([A, B_BEFORE, B]);
});

it("reads an account's columns, with its own in place of everyone's of the same name", async () => {
  const [common, own, others] = [
    await addColumn(null, 'sector'),
    await addColumn(account, 'sector'),
    await addColumn(null, 'vix'),
  ];
  await expect(addColumn(null, 'vix')).rejects.toThrow(/own_columns_key/);
  for (const id of [common, own, others]) await addVersion(id, 1, 1);
  await addVersion(own, 2, 2);
  const of = async (id: number | null) => (await selectColumns(database.pool, id)).map((c) => [c.id, c.version]);
  expect(await of(account)).toEqual([
    [own, 2],
    [others, 1],
  ]);
  expect(await of(null)).toEqual([
    [common, 1],
    [others, 1],
  ]);
  expect(await selectColumnVersion(database.pool, own, 1)).toMatchObject({
    name: 'sector',
    accountId: account,
    base: 1,
  });
  expect(await selectColumnVersion(database.pool, own, 3)).toBeNull();
});

it('joins the blocks of a version with those that it appends to', async () => {
  const id = await addColumn(account, 'score');
  for (const [version, base] of [
    [1, 1],
    [2, 2],
    [3, 2],
  ]) {
    await addVersion(id, version, base);
  }
  await addBlock(id, 7, 1, 2022, [[1, 2, 2, KNOWN_AS_DAY, 9]]);
  await addBlock(id, 7, 2, 2022, [A, B]);
  await addBlock(id, 7, 3, 2022, [B_BEFORE, B_AGAIN]);
  await addBlock(id, 8, 2, 2022, [A]);
  await addBlock(id, WHOLE_MARKET, 2, 2022, [B]);
  const read = async (version: number, ids: number[] | null) => {
    const rows = await selectColumnRows(database.pool, [{ columnId: id, base: 2, version }], ids);
    return [...(rows.get(id) ?? [])].map(([instrument, some]) => [instrument, listed(some)]);
  };
  expect(await read(3, [7])).toEqual([
    [WHOLE_MARKET, [B]],
    [7, [A, B_BEFORE, B, B_AGAIN]],
  ]);
  expect(await read(2, null)).toEqual([
    [WHOLE_MARKET, [B]],
    [7, [A, B]],
    [8, [A]],
  ]);
});

it('goes with its account', async () => {
  const id = await addColumn(account, 'score');
  await addVersion(id, 1, 1);
  await addBlock(id, 7, 1, 2022, [A]);
  await database.pool.query('delete from users where id = $1', [account]);
  for (const table of ['own_columns', 'column_versions', 'column_blocks']) {
    expect((await database.pool.query(`select from ${table}`)).rowCount).toBe(0);
  }
});
