import type { Knex } from 'knex';

/** Defines the columns, constraints, and indexes of a table. Constraints have the names that PostgreSQL gives them itself. */
export type TableDefinition = (table: Knex.CreateTableBuilder, knex: Knex) => void;

/** A column that refers to a key, and whose row is deleted with the row of that key. */
export function belongsTo(column: Knex.ColumnBuilder, key: string, constraint: string): void {
  column.references(key).onDelete('cascade').withKeyName(constraint);
}

/** The account of the person whom the column `who` of a table names. It does not outlive the account. */
export function actorId(t: Knex.CreateTableBuilder, knex: Knex, table: string, who: string): void {
  const id = `${who}_id`;
  t.bigInteger(id).comment('The account; null: a program or operator, or the account was deleted');
  t.foreign(id, `${table}_${id}_fkey`).references('users.id').onDelete('SET NULL');
  t.index([id], `${table}_${who}`, { predicate: knex.whereNotNull(id) });
}
