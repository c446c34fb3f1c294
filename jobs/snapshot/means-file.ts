/**
 * The running means of a snapshot from the bars before its window, as an Apache Arrow IPC file beside the file of the bars. It
 * has one row per instrument, in the order of the bars, with a list of means, one per period, for each averaged figure.
 */
import {
  type Data,
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
} from 'apache-arrow';
import { AVERAGED, type Averaged, PERIOD_COUNT } from '../../engine/screener/running-means.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';
import { columnOf, valuesOf } from './bars-file.ts';

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
