/** The rows of a file by instrument, with a bounded number of them in memory: others wait in a file, packed like those of the database. */
import { type FileHandle, open } from 'node:fs/promises';
import { packRows, unpackRows } from '../../db/research/own-columns.ts';
import type { ColumnRows } from '../../engine/market/own-columns.ts';

/** Rows in memory; with their order they take 56 bytes each. */
const MAX_ROWS = 2 ** 21;
const FIRST_ROWS = 4_096;
/** Bytes that are written together. */
const WRITE_BYTES = 4 * 1024 * 1024;

/** Rows of one instrument in the file. */
interface Piece {
  readonly position: number;
  readonly bytes: number;
}

interface Rows extends ColumnRows {
  readonly instrument: Int32Array;
}

export class RowStore {
  private readonly path: string;
  private readonly maxRows: number;
  private rows = allocate(FIRST_ROWS);
  private length = 0;
  private file: FileHandle | undefined;
  private position = 0;
  private readonly pieces = new Map<number, (Piece | Buffer)[]>();
  /** Rows added so far. */
  count = 0;

  /** `path`: of the file, which is made when it is needed. */
  constructor(path: string, maxRows = MAX_ROWS) {
    this.path = path;
    this.maxRows = maxRows;
  }

  /** Adds a row; true when `flush` is due. */
  add(instrument: number, date: number, seen: number, knownDay: number, knownSecond: number, value: number): boolean {
    if (this.length === this.rows.value.length) this.rows = grown(this.rows, Math.max(FIRST_ROWS, 2 * this.length));
    const { rows, length } = this;
    rows.instrument[length] = instrument;
    rows.date[length] = date;
    rows.seen[length] = seen;
    rows.knownDay[length] = knownDay;
    rows.knownSecond[length] = knownSecond;
    rows.value[length] = value;
    this.length++;
    this.count++;
    return this.length >= this.maxRows;
  }

  /** Moves the rows in memory to the file. */
  async flush(): Promise<void> {
    this.file ??= await open(this.path, 'wx+', 0o600);
    let waiting: Buffer[] = [];
    let bytes = 0;
    const write = async () => {
      await this.file?.writev(waiting, this.position - bytes);
      waiting = [];
      bytes = 0;
    };
    for (const [instrument, piece] of this.byInstrument()) {
      this.pieceListOf(instrument).push({ position: this.position, bytes: piece.length });
      waiting.push(piece);
      this.position += piece.length;
      bytes += piece.length;
      if (bytes >= WRITE_BYTES) await write();
    }
    if (bytes > 0) await write();
    this.length = 0;
  }

  private pieceListOf(instrument: number): (Piece | Buffer)[] {
    const list = this.pieces.get(instrument) ?? [];
    this.pieces.set(instrument, list);
    return list;
  }

  /** The rows in memory, in the order in which they came, packed. */
  private *byInstrument(): Generator<[number, Buffer]> {
    const { rows, length } = this;
    const ids = rows.instrument.subarray(0, length);
    const ends = new Uint32Array(ids.reduce((max, id) => Math.max(max, id), 0) + 2);
    for (const id of ids) ends[id + 1]++;
    for (let id = 1; id < ends.length; id++) ends[id] += ends[id - 1];
    const starts = ends.slice();
    const order = new Uint32Array(length);
    for (let i = 0; i < length; i++) order[starts[ids[i]]++] = i;
    for (let id = 0; id + 1 < ends.length; id++) {
      const count = ends[id + 1] - ends[id];
      if (count === 0) continue;
      const own = order.subarray(ends[id], ends[id + 1]);
      yield [id, packRows(picked(rows, own), 0, count)];
    }
  }

  /** Instruments with their rows, by id. */
  async *instruments(): AsyncGenerator<[number, ColumnRows]> {
    for (const [instrument, piece] of this.byInstrument()) this.pieceListOf(instrument).push(piece);
    this.rows = allocate(0);
    this.length = 0;
    for (const id of [...this.pieces.keys()].sort((a, b) => a - b)) {
      const pieces = await Promise.all(this.pieceListOf(id).map((piece) => this.read(piece)));
      yield [id, unpackRows(pieces.map((data) => ({ version: 0, data })))];
      this.pieces.delete(id);
    }
  }

  private async read(piece: Piece | Buffer): Promise<Buffer> {
    if (!('position' in piece)) return piece;
    const buffer = Buffer.allocUnsafeSlow(piece.bytes);
    await this.file?.read(buffer, 0, piece.bytes, piece.position);
    return buffer;
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}

function allocate(length: number): Rows {
  const integers = () => new Int32Array(length);
  return {
    instrument: integers(),
    date: integers(),
    seen: integers(),
    knownDay: integers(),
    knownSecond: integers(),
    value: new Float64Array(length),
  };
}

function grown(rows: Rows, length: number): Rows {
  const more = allocate(length);
  more.instrument.set(rows.instrument);
  more.date.set(rows.date);
  more.seen.set(rows.seen);
  more.knownDay.set(rows.knownDay);
  more.knownSecond.set(rows.knownSecond);
  more.value.set(rows.value);
  return more;
}

function picked({ date, seen, knownDay, knownSecond, value }: ColumnRows, own: Uint32Array): ColumnRows {
  const { length } = own;
  const rows = {
    date: new Int32Array(length),
    seen: new Int32Array(length),
    knownDay: new Int32Array(length),
    knownSecond: new Int32Array(length),
    value: new Float64Array(length),
  };
  for (let i = 0; i < length; i++) {
    const at = own[i];
    rows.date[i] = date[at];
    rows.seen[i] = seen[at];
    rows.knownDay[i] = knownDay[at];
    rows.knownSecond[i] = knownSecond[at];
    rows.value[i] = value[at];
  }
  return rows;
}
