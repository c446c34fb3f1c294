/** Bars as an Apache Parquet file, one row group at a time. */
import { PRICE_COLUMNS, type VALUE_COLUMNS } from '../../engine/market/series.ts';
import { type ParquetColumn, ParquetFile } from '../parquet/parquet-file.ts';
import type { InstrumentBars } from './market-rows.ts';

type ValueColumn = (typeof VALUE_COLUMNS)[number];

/** A common size, which also bounds the memory. */
const ROW_GROUP = 100_000;

const COLUMNS: readonly ParquetColumn[] = [
  { name: 'symbol', type: 'text' },
  { name: 'date', type: 'date' },
  ...PRICE_COLUMNS.map((name): ParquetColumn => ({ name, type: 'double' })),
  { name: 'volume', type: 'int64' },
  { name: 'venue_mode', type: 'text' },
];

export async function* parquetRows(
  pieces: AsyncIterable<readonly InstrumentBars[]>,
  venueBasis: string,
): AsyncGenerator<Buffer> {
  const file = new ParquetFile('bars', COLUMNS);
  let group: InstrumentBars[] = [];
  let rows = 0;
  for await (const piece of pieces) {
    for (const one of piece) {
      group.push(one);
      rows += one.bars.length;
      if (rows < ROW_GROUP) continue;
      yield groupOf(file, group, rows, venueBasis);
      group = [];
      rows = 0;
    }
  }
  if (rows > 0) yield groupOf(file, group, rows, venueBasis);
  yield file.finish();
}

function groupOf(file: ParquetFile, group: readonly InstrumentBars[], rows: number, venueBasis: string): Buffer {
  const column = (name: ValueColumn) => concat(group, rows, name);
  return file.group(
    [
      group.flatMap(({ symbol, bars }) => new Array<string>(bars.length).fill(symbol)),
      group.flatMap(({ bars }) => [...bars.day]),
      ...PRICE_COLUMNS.map(column),
      BigInt64Array.from(column('volume'), BigInt),
      new Array<string>(rows).fill(venueBasis),
    ],
    rows,
  );
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
