/** Compares the declaration of the tables with the live schema and the driver. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Column } from '../../../db/schema/columns.ts';
import { QUEUE_TABLES } from '../../../db/schema/queue.ts';
import { TABLES } from '../../../db/schema/tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

type Columns = Readonly<Record<string, Column<unknown>>>;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A line for each column of the tables of a schema, sorted. */
async function columnsOf(schema: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select format('%s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attnotnull then '' else ' or null' end) as line
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and c.relname not like 'knex%'`,
    [schema],
  );
  return rows.map(({ line }) => line).sort();
}

function declaredColumns(tables: Readonly<Record<string, Columns>>): string[] {
  return Object.entries(tables)
    .flatMap(([table, columns]) =>
      Object.entries(columns).map(
        ([name, { type, isNullable }]) => `${table}.${name} ${type}${isNullable ? ' or null' : ''}`,
      ),
    )
    .sort();
}

describe('the declaration of the tables', () => {
  it('has every column of the live schema, with its type and nullability', async () => {
    expect(declaredColumns(TABLES)).toEqual(await columnsOf('public'));
  });

  it('has only existing columns of the queue', async () => {
    const live = await columnsOf('pgboss');
    const declared = declaredColumns({ job: QUEUE_TABLES['pgboss.job'] });
    expect(declared.filter((line) => !live.includes(line))).toEqual([]);
  });

  it('lists the values of every column that a CHECK restricts', async () => {
    const { rows } = await database.pool.query<{ table: string; rule: string }>(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule from pg_constraint
       where contype = 'c' and connamespace = 'public'::regnamespace`,
    );
    const checked = rows.flatMap(({ table, rule }) => {
      const [, column, list] = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(rule) ?? [];
      return column ? [`${table}.${column}: ${[...list.matchAll(/'([^']*)'::text/g)].map(([, value]) => value)}`] : [];
    });
    const declared = Object.entries<Columns>(TABLES).flatMap(([table, columns]) =>
      Object.entries(columns).flatMap(([name, { values }]) => (values ? [`${table}.${name}: ${values}`] : [])),
    );
    expect(declared.sort()).toEqual(checked.sort());
  });

  it('lists the states of the queue', async () => {
    const { rows } = await database.pool.query<{ state: string }>(
      'select unnest(enum_range(null::pgboss.job_state))::text as state',
    );
    expect(rows.map(({ state }) => state)).toEqual(QUEUE_TABLES['pgboss.job'].state.values);
  });

  it('has the types of values that the driver returns', async () => {
    const { rows } = await database.pool.query(
      `select true as "boolean", 1::smallint as "smallint", 1 as "integer", 9007199254740991::bigint as "bigint",
         1.5::real as "real", 1.5::float8 as "double", 'x' as "text", gen_random_uuid() as "uuid", '\\x00'::bytea as "bytea",
         date '2024-02-29' as "date", now() as "timestamptz", array['x'] as "textArray", array[1] as "integerArray",
         array[1, 9007199254740991]::bigint[] as "bigintArray",
         '{"a":1}'::json as "json", '{"a":1}'::jsonb as "jsonb"`,
    );
    expect(rows).toEqual([
      {
        boolean: true,
        smallint: 1,
        integer: 1,
        bigint: Number.MAX_SAFE_INTEGER,
        real: 1.5,
        double: 1.5,
        text: 'x',
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bytea: Buffer.from([0]),
        date: '2024-02-29',
        timestamptz: expect.any(Date),
        textArray: ['x'],
        integerArray: [1],
        bigintArray: [1, Number.MAX_SAFE_INTEGER],
        json: { a: 1 },
        jsonb: { a: 1 },
      },
    ]);
  });
});
