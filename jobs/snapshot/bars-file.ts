/**
 * The bars of a snapshot as an Apache Arrow IPC file: one row per bar, by instrument, oldest bar first. Other tools
 * read it as a table; this service uses its columns in place, without copying.
 */
import {
  type Data,
  DateDay,
  Dictionary,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Field as SchemaField,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { VALUE_COLUMNS } from '../../engine/market/series.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';

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

export type SnapshotBars = Pick<MarketSnapshot, 'bars' | 'offsets' | 'instrumentIds'>;

/** `symbols[i]` belongs to instrument i of the snapshot. */
export function encodeBars({ bars, offsets, instrumentIds }: SnapshotBars, symbols: readonly string[]): Uint8Array {
  const length = offsets[instrumentIds.length];
  const ids = new Int32Array(length);
  const codes = new Int32Array(length);
  for (let i = 0; i < instrumentIds.length; i++) {
    ids.fill(instrumentIds[i], offsets[i], offsets[i + 1]);
    codes.fill(i, offsets[i], offsets[i + 1]);
  }
  const symbolType = new Dictionary(new Utf8(), new Int32());
  const dictionary = vectorFromArray([...symbols], new Utf8());
  const columns: [string, Data][] = [
    ['instrument_id', makeData({ type: new Int32(), data: ids })],
    ['symbol', makeData({ type: symbolType, data: codes, dictionary })],
    ['date', makeData({ type: new DateDay(), data: bars.day.subarray(0, length) })],
    ...VALUE_COLUMNS.map((name): [string, Data] => [
      name,
      makeData({ type: new Float64(), data: bars[name].subarray(0, length) }),
    ]),
  ];
  const fields = columns.map(([name, data]) => new SchemaField(name, data.type, false));
  const children = columns.map(([, data]) => data);
  const batch = new RecordBatch(new Schema(fields), makeData({ type: new Struct(fields), length, children }));
  return tableToIPC(new Table(batch), 'file');
}

/** Throws when the bytes are not such a file. */
export function decodeBars(bytes: Uint8Array): SnapshotBars {
  const table = tableFromIPC(bytes);
  const integers = (name: string) => valuesOf(columnOf(table, name), Int32Array, table.numRows);
  const numbers = (name: string) => valuesOf(columnOf(table, name), Float64Array, table.numRows);
  const ids = integers('instrument_id');
  const starts: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (i === 0 || ids[i] !== ids[i - 1]) starts.push(i);
  }
  return {
    bars: {
      length: ids.length,
      day: integers('date'),
      open: numbers('open'),
      high: numbers('high'),
      low: numbers('low'),
      close: numbers('close'),
      volume: numbers('volume'),
      adjustedFor: [],
    },
    offsets: Int32Array.from([...starts, ids.length]),
    instrumentIds: Int32Array.from(starts, (start) => ids[start]),
  };
}
