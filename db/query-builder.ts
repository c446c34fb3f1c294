/** Statements of lists with filters, composed with knex over the types of `tables.ts` and run on our own pool. */
import type { Knex } from 'knex';
import type pg from 'pg';
import type { Queryable } from './pool.ts';
import type { Rows, TableName } from './schema/tables.ts';

/** One page of a list. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

export interface Page<T> {
  /** Items of all pages. */
  readonly total: number;
  readonly items: readonly T[];
}

type Comparable = string | number | boolean | null;
type Given<Row> = { readonly [Column in keyof Row]?: Extract<Row[Column], Comparable> | undefined };

/** The beginnings of statements. */
export type Statements = ReturnType<typeof statementsOf>;

function statementsOf(builder: Knex) {
  return {
    /** A piece of SQL for what knex has no method for. */
    raw: (sql: string): Knex.Raw => builder.raw(sql),

    /** A statement over a piece of SQL, in which each `?` is another statement. */
    from: (sql: string, statements: readonly Knex.QueryBuilder[]): Knex.QueryBuilder =>
      builder.from(builder.raw(sql, statements)),

    /** The rows of a table in which each given column has its value. */
    rowsOf<Table extends TableName>(table: Table, given: Given<Rows[Table]> = {}) {
      const query = builder(table);
      for (const [column, value] of Object.entries<Comparable | undefined>(given)) {
        if (value !== undefined) query.where(column, value);
      }
      return query;
    },
  };
}

let opened: Promise<Statements> | undefined;

/** Knex is imported for the first list: with its libraries it is 340 files, and most processes and threads list nothing. */
export function statements(): Promise<Statements> {
  // Has no connection: it only builds statements.
  opened ??= import('knex').then(({ default: knex }) => statementsOf(knex({ client: 'pg' })));
  return opened;
}

/** A statement that is built and not run. Awaiting it would fail without a connection. */
interface Composed<Row> extends PromiseLike<Row[]> {
  toSQL(): Knex.Sql;
}

/** A statement that can be cut into pages. */
interface Listed<Row> {
  limit(count: number): { offset(count: number): Composed<Row> };
}

export async function runQuery<Row extends pg.QueryResultRow>(db: Queryable, query: Composed<Row>): Promise<Row[]> {
  const { sql, bindings } = query.toSQL().toNative();
  const { rows } = await db.query<Row>(sql, [...bindings]);
  return rows;
}

/** Counts the `matching` rows, up to `most`. */
export async function countUpTo(db: Queryable, matching: Knex.QueryBuilder, most: number): Promise<number> {
  const { client } = matching;
  const some = matching.clone().select(client.raw('1')).limit(most).as('some');
  const [{ total }] = await runQuery<{ total: number }>(db, client.queryBuilder().from(some).count({ total: '*' }));
  return total;
}

/** One page of the `matching` rows, as `list` selects and sorts them, and the count of all of them. */
export async function selectPage<Matching extends Knex.QueryBuilder, Row extends pg.QueryResultRow>(
  db: Queryable,
  matching: Matching,
  { page, size }: PageRequest,
  list: (matching: Matching) => Listed<Row>,
): Promise<Page<Row>> {
  const [{ total }] = await runQuery<{ total: number }>(db, matching.clone().count({ total: '*' }));
  const items = await runQuery<Row>(
    db,
    list(matching)
      .limit(size)
      .offset((page - 1) * size),
  );
  return { total, items };
}
