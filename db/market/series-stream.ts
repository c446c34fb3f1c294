/**
 * Long series of many instruments as a stream: packed years are sent as raw bytes, not as the text of a query's result, and
 * memory holds one instrument and what the connection has read ahead. The memory of an instrument is used again for the next one,
 * because collecting what was allocated for a whole market costs as much as reading it.
 */
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import {
  allocateSeries,
  type BarSeries,
  BYTES_PER_BAR,
  copyBars,
  EMPTY_SERIES,
  sliceSeries,
} from '../../engine/market/series.ts';
import { VENUE_BASIS_CODE } from '../../engine/market/venue-basis.ts';
import type { Pool } from '../pool.ts';
import { selectPacked, throughYear, unpackPiece } from './bar-blocks.ts';

/** The unadjusted series of an instrument. */
export interface StreamedSeries {
  readonly instrumentId: number;
  /** Bars of the primary session up to the end of the year, and consolidated ones from its beginning. */
  readonly primary: BarSeries;
  readonly consolidated: BarSeries;
}

/** Instruments of a statement, which takes about 40 µs for each before it returns the first row. */
const FIRST_BATCH = 128;
const BATCH = 1_024;

/** Signature, flags, and length of the extension. */
const FILE_HEADER_BYTES = 19;
/** The count of fields, two integers with their lengths, and the length of the data. */
const ROW_HEADER_BYTES = 2 + 2 * (4 + 4) + 4;
/** The count of fields of the row that ends a file. */
const TRAILER = -1;

const PRIMARY = 0;
const CONSOLIDATED = 1;
const IDS = `current_setting('series.ids')::int[]`;
const YEAR = `current_setting('series.year')::int`;
const PRIMARY_YEARS = selectPacked(
  ` and b.year <= ${YEAR}`,
  throughYear(YEAR),
  IDS,
  String(VENUE_BASIS_CODE.primary_session),
);
const CONSOLIDATED_YEARS = selectPacked(
  ` and b.year >= ${YEAR}`,
  ` and r.day >= make_date(${YEAR}, 1, 1)`,
  IDS,
  String(VENUE_BASIS_CODE.consolidated),
);
const COPY = `
  copy (select instrument_id, part, data from (
    select ${PRIMARY} as part, p.* from (${PRIMARY_YEARS}) p
    union all
    select ${CONSOLIDATED}, c.* from (${CONSOLIDATED_YEARS}) c) years
  order by instrument_id, part, year) to stdout (format binary)`;

/**
 * Streams instruments by id, without those that have no bar: their bars of the primary session up to the end of `year`, and consolidated
 * ones from its beginning. The bars of an instrument are overwritten when the next one is asked for. The instruments of a batch are read from one state of the database. The pool needs two connections, so that the
 * database prepares a batch while the one before is read.
 */
export async function* streamSeries(
  pool: Pool,
  instrumentIds: readonly number[],
  year: number,
): AsyncGenerator<StreamedSeries> {
  const batches = batchesOf(instrumentIds.toSorted((a, b) => a - b));
  const startNext = () => {
    const ids = batches.shift();
    const started = ids === undefined ? null : copyYears(pool, ids, year);
    // The reader of the batch gets the failure.
    started?.catch(() => {});
    return started;
  };
  let ahead = startNext();
  try {
    while (ahead !== null) {
      const current: Copy = await ahead;
      ahead = startNext();
      yield* readToEnd(current);
    }
  } finally {
    await ahead?.then(
      ({ close }) => close(false),
      () => {},
    );
  }
}

/** The first one is small, so that its first row comes soon. */
function batchesOf(ids: readonly number[]): (readonly number[])[] {
  const batches = [ids.slice(0, FIRST_BATCH)];
  for (let from = FIRST_BATCH; from < ids.length; from += BATCH) batches.push(ids.slice(from, from + BATCH));
  return batches;
}

/** A COPY that has begun. */
interface Copy {
  readonly data: CopyToStreamQuery;
  /** Releases its connection. A COPY that was not read to its end cannot be stopped: its connection is closed. */
  readonly close: (isRead: boolean) => void;
}

async function copyYears(pool: Pool, instrumentIds: readonly number[], year: number): Promise<Copy> {
  const connection = await pool.connect();
  const close = (isRead: boolean) => connection.release(!isRead);
  try {
    // COPY takes no parameters.
    await connection.query(
      `select set_config('series.ids', $1::int[]::text, false), set_config('series.year', $2, false)`,
      [instrumentIds, String(year)],
    );
    const data = connection.query(copyTo(COPY));
    // A failure only emits an error, and a later reader would wait forever.
    data.on('error', (error) => data.destroy(error));
    return { data, close };
  } catch (error) {
    close(false);
    throw error;
  }
}

async function* readToEnd({ data, close }: Copy): AsyncGenerator<StreamedSeries> {
  let isRead = false;
  try {
    yield* joinRows(data);
    isRead = true;
  } finally {
    close(isRead);
  }
}

interface PackedRow {
  readonly instrumentId: number;
  readonly part: typeof PRIMARY | typeof CONSOLIDATED;
  readonly data: Buffer;
}

/** Collects the rows of a binary COPY, whose pieces end anywhere. The data of a row is overwritten by the next one. */
class PackedRows {
  private isFileHeader = true;
  private row: Omit<PackedRow, 'data'> | null = null;
  /** The bytes that are being collected: a header, or the data of `row`. */
  private target = Buffer.alloc(FILE_HEADER_BYTES);
  private filled = 0;
  private readonly header = Buffer.alloc(ROW_HEADER_BYTES);
  private memory = Buffer.alloc(0);

  /** The rows that end in this piece. */
  *add(piece: Buffer): Generator<PackedRow> {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(this.target, this.filled, at);
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
      this.row = {
        instrumentId: bytes.readInt32BE(6),
        part: bytes.readInt32BE(14) === PRIMARY ? PRIMARY : CONSOLIDATED,
      };
    }
    this.filled = 0;
    if (this.row === null) {
      this.target = this.header;
      return;
    }
    const length = bytes.readInt32BE(18);
    if (length > this.memory.length) this.memory = Buffer.allocUnsafeSlow(2 * length);
    this.target = this.memory.subarray(0, length);
    if (this.target.length === 0) yield* this.collected(this.target);
  }
}

/** The bars of an instrument on one venue basis, unpacked year after year. */
class UnpackedBars {
  private memory = EMPTY_SERIES;
  private length = 0;

  add(piece: Buffer): void {
    const needed = this.length + piece.length / BYTES_PER_BAR;
    if (needed > this.memory.length) this.memory = longer(this.memory, 2 * needed);
    this.length += unpackPiece(piece, this.memory, this.length);
  }

  /** The bars since the last call. The next ones overwrite them. */
  take(): BarSeries {
    const taken = sliceSeries(this.memory, 0, this.length);
    this.length = 0;
    return taken;
  }
}

function longer(series: BarSeries, length: number): BarSeries {
  const out = allocateSeries(length);
  copyBars(series, out, 0);
  return out;
}

/** Joins the rows of each instrument. A year whose bars were all removed is still packed, without bars. */
async function* joinRows(data: AsyncIterable<Buffer>): AsyncGenerator<StreamedSeries> {
  const rows = new PackedRows();
  const bars = { [PRIMARY]: new UnpackedBars(), [CONSOLIDATED]: new UnpackedBars() };
  let instrumentId: number | null = null;
  function* joined(): Generator<StreamedSeries> {
    const [primary, consolidated] = [bars[PRIMARY].take(), bars[CONSOLIDATED].take()];
    if (instrumentId !== null && primary.length + consolidated.length > 0)
      yield { instrumentId, primary, consolidated };
  }
  for await (const piece of data) {
    for (const row of rows.add(piece)) {
      if (row.instrumentId !== instrumentId) yield* joined();
      instrumentId = row.instrumentId;
      bars[row.part].add(row.data);
    }
  }
  rows.end();
  yield* joined();
}
