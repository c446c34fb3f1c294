/** Bars as an Apache Parquet file, one row group at a time. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { PRICE_COLUMNS, type VALUE_COLUMNS } from '../../engine/market/series.ts';
import { EXPORT_COLUMNS } from './contract.ts';
import type { InstrumentBars } from './market-rows.ts';

type ValueColumn = (typeof VALUE_COLUMNS)[number];

/** A usual size for readers, which also bounds the memory. */
const ROW_GROUP = 100_000;

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'REQUIRED',
});
const SCHEMA: SchemaElement[] = [
  { name: 'bars', num_children: EXPORT_COLUMNS.length },
  text('symbol'),
  { name: 'date', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
  ...PRICE_COLUMNS.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
  { name: 'volume', type: 'INT64', repetition_type: 'REQUIRED' },
  text('venue_mode'),
];

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    new Uint8Array(zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })),
};

export async function* parquetRows(
  pieces: AsyncIterable<readonly InstrumentBars[]>,
  venueMode: string,
): AsyncGenerator<Buffer> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: SCHEMA, codec: 'ZSTD', compressors, createdBy: 'market-data' });
  let group: InstrumentBars[] = [];
  let rows = 0;
  for await (const piece of pieces) {
    for (const one of piece) {
      group.push(one);
      rows += one.bars.length;
      if (rows < ROW_GROUP) continue;
      yield* written(writer, () => writeGroup(file, group, rows, venueMode));
      group = [];
      rows = 0;
    }
  }
  if (rows > 0) yield* written(writer, () => writeGroup(file, group, rows, venueMode));
  yield* written(writer, () => file.finish());
}

/** The bytes that a step of the writer adds to the file. */
function* written(writer: ByteWriter, step: () => unknown): Generator<Buffer> {
  step();
  yield Buffer.from(writer.getBytes().slice().buffer);
  writer.index = 0;
}

function writeGroup(file: ParquetWriter, group: readonly InstrumentBars[], rows: number, venueMode: string): void {
  const column = (name: ValueColumn) => concat(group, rows, name);
  file.write({
    rowGroupSize: rows,
    columnData: [
      { name: 'symbol', data: group.flatMap(({ symbol, bars }) => new Array<string>(bars.length).fill(symbol)) },
      { name: 'date', data: group.flatMap(({ bars }) => [...bars.day]) },
      ...PRICE_COLUMNS.map((name) => ({ name, data: column(name) })),
      { name: 'volume', data: BigInt64Array.from(column('volume'), BigInt) },
      { name: 'venue_mode', data: new Array<string>(rows).fill(venueMode) },
    ],
  });
}

function concat(group: readonly InstrumentBars[], rows: number, name: ValueColumn): Float64Array {
  const all = new Float64Array(rows);
  let at = 0;
  for (const { bars } of group) {
    all.set(bars[name], at);
    at += bars.length;
  }
  return all;
}
