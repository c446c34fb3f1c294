/** While a release is rolled out, processes of the one before go on with the new schema, under load. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import knex, { type Knex } from 'knex';
import type { Queryable } from '../../db/pool.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Migrations from here on keep to it; installations were stopped for earlier ones. */
const FIRST = '018_judge';

let database: TestDatabase;
let db: Knex;
beforeAll(async () => {
  database = await createTestDatabase();
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Whether a statement that does not name it fails. */
  readonly isRequired: boolean;
  /** Changes when the table is written anew, which locks it for long. */
  readonly file: number;
}

async function readColumns(on: Queryable): Promise<readonly Column[]> {
  const { rows } = await on.query<Column>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired", c.relfilenode as file
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  );
  return rows;
}

/** The faults of a migration for processes of the release before. */
function faultsOf(before: readonly Column[], after: readonly Column[]): string[] {
  const nameOf = ({ table, column }: Column) => `${table}.${column}`;
  const known = new Map(before.map((column) => [nameOf(column), column]));
  const left = new Map(after.map((column) => [nameOf(column), column]));
  const tables = new Map(before.map(({ table, file }) => [table, file]));
  const rewritten = after.filter(({ table, file }) => tables.has(table) && tables.get(table) !== file);
  return [
    ...[...known.keys()].filter((name) => !left.has(name)).map((name) => `${name} is gone or has another name`),
    ...after.flatMap((column) => {
      const earlier = known.get(nameOf(column));
      if (!tables.has(column.table)) return [];
      if (earlier && earlier.type !== column.type) return [`${nameOf(column)} has another type`];
      if (column.isRequired && !earlier?.isRequired) return [`${nameOf(column)} is required`];
      return [];
    }),
    ...[...new Set(rewritten.map(({ table }) => table))].map((table) => `${table} is written anew under a lock`),
  ];
}

it('no migration takes from it what it uses, asks it for what it does not know, or locks a table for long', async () => {
  const later = MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name === FIRST));
  for (const { migration } of later.toReversed()) await migration.down?.(db);
  const found: string[] = [];
  for (const { name, migration } of later) {
    const before = await readColumns(database.pool);
    await migration.up(db);
    found.push(...faultsOf(before, await readColumns(database.pool)).map((fault) => `${name}: ${fault}`));
  }
  expect(found).toEqual([]);
});

it.each([
  ['alter table users drop column nickname', ['users.nickname is gone or has another name']],
  ['alter table users rename column nickname to nick', ['users.nickname is gone or has another name']],
  ['alter table users add column age int not null', ['users.age is required']],
  ['alter table users alter column nickname set not null', ['users.nickname is required']],
  ['alter table users add column age int not null default 0', []],
  ['create table pets (name text not null)', []],
  ['alter table users add column seen timestamptz default clock_timestamp()', ['users is written anew under a lock']],
  [
    'alter table users alter column nickname type varchar(9)',
    ['users.nickname has another type', 'users is written anew under a lock'],
  ],
])('finds the faults of: %s', async (statement, faults) => {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    const before = await readColumns(connection);
    await connection.query(statement);
    expect(faultsOf(before, await readColumns(connection))).toEqual(faults);
  } finally {
    await connection.query('rollback');
    connection.release();
  }
});
