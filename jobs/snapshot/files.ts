/**
 * The two files of a snapshot, in Apache Arrow's IPC format. Other tools read them as tables; this service uses their columns in place,
 * without copying. The file of the bars has one row per bar, by instrument, oldest bar first. The file of the means has one row per
 * instrument, in the same order, with a list of means, one per period, for each averaged figure.
 */
import {
  type Data,
  DateDay,
  Dictionary,
  FixedSizeList,
  Float32,
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
import { AVERAGED, type Averaged, PERIOD_COUNT } from '../../engine/screener/running-means.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';

/** The data of a column; throws when the column is missing or in several pieces. */
function columnOf(table: Table, name: string): Data {
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
function valuesOf<T extends Int32Array | Float32Array | Float64Array>(
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

/** The running means of a snapshot from the bars before its window. */
export type CarriedOver = Pick<MarketSnapshot, 'instrumentIds' | 'running' | 'lastSplits'>;

const VALUE = new SchemaField('mean', new Float32(), false);

/** A list of `PERIOD_COUNT` means per row. */
function listsOf(means: Float32Array): Data {
  const child = makeData({ type: new Float32(), data: means });
  return makeData({ type: new FixedSizeList(PERIOD_COUNT, VALUE), length: means.length / PERIOD_COUNT, child });
}

export function encodeMeans({ instrumentIds, running, lastSplits }: CarriedOver): Uint8Array {
  const columns: [string, Data][] = [
    ['instrument_id', makeData({ type: new Int32(), data: instrumentIds })],
    ['bars_before', makeData({ type: new Int32(), data: running.barsBefore })],
    ['last_split', makeData({ type: new Float64(), data: lastSplits })],
    ...AVERAGED.map((averaged): [string, Data] => [averaged, listsOf(running.means[averaged])]),
  ];
  const fields = columns.map(([name, data]) => new SchemaField(name, data.type, false));
  const children = columns.map(([, data]) => data);
  const struct = makeData({ type: new Struct(fields), length: instrumentIds.length, children });
  return tableToIPC(new Table(new RecordBatch(new Schema(fields), struct)), 'file');
}

/** Throws when the bytes are not such a file. */
export function decodeMeans(bytes: Uint8Array): CarriedOver {
  const table = tableFromIPC(bytes);
  const means = (averaged: Averaged): Float32Array => {
    const { type, children } = columnOf(table, averaged);
    if (!(type instanceof FixedSizeList) || type.listSize !== PERIOD_COUNT) {
      throw new Error(`the means of ${averaged} have other periods`);
    }
    return valuesOf(children[0], Float32Array, table.numRows * PERIOD_COUNT);
  };
  return {
    instrumentIds: valuesOf(columnOf(table, 'instrument_id'), Int32Array, table.numRows),
    lastSplits: valuesOf(columnOf(table, 'last_split'), Float64Array, table.numRows),
    running: {
      barsBefore: valuesOf(columnOf(table, 'bars_before'), Int32Array, table.numRows),
      means: { close: means('close'), gain: means('gain'), loss: means('loss'), range: means('range') },
    },
  };
}
