/** Columns of an Apache Arrow table, checked before they are read. */
import type { Data, Table } from 'apache-arrow';

/** The data of a column; throws when the column is missing or in several pieces. */
export function columnOf(table: Table, name: string): Data {
  const vector = table.getChild(name);
  if (vector?.data.length !== 1) throw new Error(`the snapshot has no column ${name} in one piece`);
  return vector.data[0];
}

/** A type of arrays that a column may hold. */
interface ArrayType<T> {
  readonly name: string;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
}

/** The first `length` values, in place: the file pads columns to whole blocks. Throws when their type differs. */
export function valuesOf<T extends Int32Array | Float32Array | Float64Array>(
  { values }: Data,
  type: ArrayType<T>,
  length: number,
): T {
  const found: unknown = values;
  if (!(found instanceof type)) throw new Error(`a column of the snapshot is no ${type.name}`);
  return new type(found.buffer, found.byteOffset, length);
}
