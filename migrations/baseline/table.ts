import type { Knex } from 'knex';

/** Defines the columns, constraints, and indexes of a table. Constraints have the names that PostgreSQL gives them itself. */
export type TableDefinition = (table: Knex.CreateTableBuilder, knex: Knex) => void;

/** A column that refers to a key, and whose row is deleted with the row of that key. */
export function belongsTo(column: Knex.ColumnBuilder, key: string, constraint: string): void {
  column.references(key).onDelete('cascade').withKeyName(constraint);
}
