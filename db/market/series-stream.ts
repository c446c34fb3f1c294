/**
 * Long series of many instruments as a stream: packed years come as the bytes that they are, without the text of a query's result, and
 * memory holds one instrument and what the connection has read ahead.
 */
import type { Readable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import type { BarSeries } from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { releaseArrays } from '../../engine/release-arrays.ts';
import type { Pool } from '../pool.ts';
import { selectPacked, unpack } from './bars.ts';

/** The years of a venue basis, first and last included; null: open. */
export interface SeriesPart {
  readonly venueBasis: VenueBasis;
  readonly fromYear: number | null;
  readonly toYear: number | null;
}

export interface StreamedSeries {
  readonly instrumentId: number;
  /** One series for each part that was asked for; unadjusted, and the receiver's own. */
  readonly parts: readonly BarSeries[];
}

/** Bytes that are read while the receiver computes. */
const READ_AHEAD_BYTES = 256 * 1024;

/** Signature, flags, and length of the extension. */
const FILE_HEADER_BYTES = 19;
/** The count of fields, two integers with their lengths, and the length of the data. */
const ROW_HEADER_BYTES = 2 + 2 * (4 + 4) + 4;
/** The count of fields of the row that ends a file. */
const TRAILER = -1;

/** Streams instruments by id, without those that have no bar in any part. All of them are read from one state of the database. */
export async function* streamSeries(
  pool: Pool,
  instrumentIds: readonly number[],
  parts: readonly SeriesPart[],
): AsyncGenerator<StreamedSeries> {
  const connection = await pool.connect();
  // A connection that breaks also fails the stream.
  const ignore = () => {};
  connection.on('error', ignore);
  let isRead = false;
  try {
    const options = { highWaterMark: READ_AHEAD_BYTES };
    const stream = connection.query(copyTo(copyText(instrumentIds, parts), options));
    yield* joinRows(stream, parts.length);
    isRead = true;
  } finally {
    connection.off('error', ignore);
    // A COPY that was not read to its end cannot be stopped: its connection is closed.
    connection.release(!isRead);
  }
}

/** COPY takes no parameters, so numbers are part of the text. */
function copyText(instrumentIds: readonly number[], parts: readonly SeriesPart[]): string {
  const ids = `array[${instrumentIds.map(integer).join(',')}]::int[]`;
  const selections = parts.map(({ venueBasis, fromYear, toYear }, part) => {
    const from =
      fromYear === null ? ['', ''] : [` and b.year >= ${integer(fromYear)}`, ` and r.day >= '${fromYear}-01-01'`];
    const to = toYear === null ? ['', ''] : [` and b.year <= ${integer(toYear)}`, ` and r.day <= '${toYear}-12-31'`];
    const packed = selectPacked(from[0] + to[0], from[1] + to[1], ids, String(VENUE_BASIS_CODE[venueBasis]));
    return `select ${part} as part, packed.* from (${packed}) packed`;
  });
  return `copy (select instrument_id, part, data from (${selections.join(' union all ')}) p order by 1, 2, year)
    to stdout (format binary)`;
}

function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer`);
  return value;
}

interface PackedRow {
  readonly instrumentId: number;
  readonly part: number;
  readonly data: Buffer;
}

/** Collects the rows of a binary COPY, whose chunks end anywhere. */
class PackedRows {
  private isFileHeader = true;
  private row: Omit<PackedRow, 'data'> | null = null;
  /** The bytes that are being collected: a header, or the data of `row`. */
  private target = Buffer.alloc(FILE_HEADER_BYTES);
  private filled = 0;
  private readonly header = Buffer.alloc(ROW_HEADER_BYTES);

  /** The rows that end in this chunk. */
  *add(chunk: Buffer): Generator<PackedRow> {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.target, this.filled, at);
      at += copied;
      this.filled += copied;
      if (this.filled === this.target.length) yield* this.collected(this.target);
    }
  }

  /** Throws unless the last row was followed by the end of the file. */
  end(): void {
    const isTrailer = this.row === null && this.filled === 2 && this.target.readInt16BE() === TRAILER;
    if (!isTrailer) throw new Error('the packed years ended in the middle');
  }

  private *collected(bytes: Buffer): Generator<PackedRow> {
    if (this.row !== null) {
      yield { ...this.row, data: bytes };
      this.row = null;
    } else if (this.isFileHeader) {
      this.isFileHeader = false;
    } else {
      this.row = { instrumentId: bytes.readInt32BE(6), part: bytes.readInt32BE(14) };
    }
    this.filled = 0;
    if (this.row === null) {
      this.target = this.header;
      return;
    }
    // A buffer of its own, which can be released.
    this.target = Buffer.allocUnsafeSlow(bytes.readInt32BE(18));
    if (this.target.length === 0) yield* this.collected(this.target);
  }
}

/** Joins the rows of each instrument. */
async function* joinRows(stream: Readable, parts: number): AsyncGenerator<StreamedSeries> {
  const rows = new PackedRows();
  let known: Buffer[][] = [];
  let instrumentId: number | null = null;
  for await (const chunk of stream) {
    for (const row of rows.add(chunk)) {
      if (row.instrumentId !== instrumentId) {
        if (instrumentId !== null) yield { instrumentId, parts: known.map(unpacked) };
        known = Array.from({ length: parts }, () => []);
        instrumentId = row.instrumentId;
      }
      known[row.part].push(row.data);
    }
  }
  rows.end();
  if (instrumentId !== null) yield { instrumentId, parts: known.map(unpacked) };
}

function unpacked(pieces: readonly Buffer[]): BarSeries {
  const series = unpack(pieces);
  releaseArrays(...pieces);
  return series;
}
