/** The file of the bars of one year on one venue basis, as traded, with the cumulative factors of events. */
import { constants } from 'node:zlib';
import type { BarYear } from '../../db/lake/lake-files.ts';
import { selectSeriesBetween } from '../../db/market/bars.ts';
import { type Adjustment, effectiveEvents } from '../../engine/market/adjust.ts';
import {
  type BarSeries,
  firstIndexFrom,
  PRICE_COLUMNS,
  sliceSeries,
  VALUE_COLUMNS,
} from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { columnsOf, type LakeSource } from './source.ts';

/** Instruments read at once. */
const CHUNK = 200;
/** A year of 5,000 instruments has 76 groups, so a reader of one instrument reads 1.8 % of its bytes; with 122,880 rows it were 10 %. */
export const ROW_GROUP = 16_384;
/** With the first match of five bytes or more, level 10 takes a third of its time, and 1 % more bytes. */
const ZSTD = {
  [constants.ZSTD_c_compressionLevel]: 10,
  [constants.ZSTD_c_strategy]: constants.ZSTD_greedy,
  [constants.ZSTD_c_minMatch]: 5,
};

/** A piece of a file, and the rows that it adds. */
export interface FilePiece {
  readonly bytes: Buffer;
  readonly rows: number;
}

/** Rows by symbol and date, up to the newest day that may be distributed. */
export async function* barFile(source: LakeSource, { venueBasis, year }: BarYear): AsyncGenerator<FilePiece> {
  const { connection, instruments, events, through } = source;
  const file = new ParquetFile('daily_bars', columnsOf(source, 'daily_bars'), { zstd: ZSTD });
  let group = new BarGroup();
  const read = (at: number) => {
    const ids = instruments.slice(at, at + CHUNK).map(({ id }) => id);
    return ids.length > 0 ? selectSeriesBetween(connection, ids, venueBasis, year, year) : null;
  };
  let next = read(0);
  for (let at = 0; at < instruments.length; at += CHUNK) {
    const found = await next;
    // Reads the next chunk while this one is encoded.
    next = read(at + CHUNK);
    next?.catch(() => {});
    for (const { id, symbol } of instruments.slice(at, at + CHUNK)) {
      const all = found?.get(id);
      if (!all) continue;
      group.add(qualifiedSymbol(symbol), sliceSeries(all, 0, firstIndexFrom(all, through + 1)), events.get(id) ?? []);
      if (group.rows < ROW_GROUP) continue;
      yield { bytes: file.group(group.columns(venueBasis), group.rows), rows: group.rows };
      group = new BarGroup();
    }
  }
  if (group.rows > 0) yield { bytes: file.group(group.columns(venueBasis), group.rows), rows: group.rows };
  yield { bytes: file.finish(), rows: 0 };
}

/** Rows of one row group. */
class BarGroup {
  private readonly pieces: { symbol: string; bars: BarSeries; split: Float64Array; total: Float64Array }[] = [];
  rows = 0;

  add(symbol: string, bars: BarSeries, events: readonly Adjustment[]): void {
    if (bars.length === 0) return;
    const split = runningFactors(bars.day, effectiveEvents(events, Infinity, 'split'));
    const total = runningFactors(bars.day, effectiveEvents(events, Infinity, 'total'));
    this.pieces.push({ symbol, bars, split, total });
    this.rows += bars.length;
  }

  columns(venueBasis: VenueBasis) {
    const { pieces } = this;
    const joined = (of: (piece: (typeof pieces)[number]) => Float64Array) =>
      this.concat(new Float64Array(this.rows), of);
    const [volume] = VALUE_COLUMNS.slice(-1);
    return [
      pieces.flatMap(({ symbol, bars }) => new Array<string>(bars.length).fill(symbol)),
      this.concat(new Int32Array(this.rows), ({ bars }) => bars.day),
      ...PRICE_COLUMNS.map((name) => joined(({ bars }) => bars[name])),
      BigInt64Array.from(
        joined(({ bars }) => bars[volume]),
        BigInt,
      ),
      joined(({ split }) => split),
      joined(({ total }) => total),
      new Array<string>(this.rows).fill(venueBasis),
    ];
  }

  private concat<T extends Int32Array | Float64Array>(all: T, of: (piece: (typeof this.pieces)[number]) => T): T {
    let at = 0;
    for (const piece of this.pieces) {
      all.set(of(piece), at);
      at += piece.bars.length;
    }
    return all;
  }
}

/** For each day the product of the factors of the events up to it (1 before the first). `events` must be sorted by `exDay`. */
export function runningFactors(days: Int32Array, events: readonly Adjustment[]): Float64Array {
  const factors = new Float64Array(days.length);
  let factor = 1;
  let next = 0;
  for (let i = 0; i < days.length; i++) {
    for (; next < events.length && events[next].exDay <= days[i]; next++) factor *= events[next].factor;
    factors[i] = factor;
  }
  return factors;
}
