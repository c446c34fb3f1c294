/** Writes daily bars to PostgreSQL by binary COPY. */
import { once } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { from as copyFrom } from 'pg-copy-streams';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import type { Connection } from '../pool.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TRAILER = Buffer.from([0xff, 0xff]);
const FIELDS = 8;
/** The field count, then length and value of two integers, one smallint, four doubles, and one bigint. */
const ROW_BYTES = 2 + (4 + 4) * 2 + (4 + 2) + (4 + 8) * 5;
/** PostgreSQL reads a message as a whole before it processes it, so a message is smaller than the buffer of a socket. */
const BUFFER_BYTES = 64 * 1024;
/** Bytes buffered ahead of the connection at most, so that PostgreSQL has rows while the next ones are read and parsed. */
const AHEAD_BYTES = 4 * 1024 * 1024;
/** In bytes: the stream buffers no further message, because those that it holds when PostgreSQL refuses a row fail to be sent. */
const ONE_AT_A_TIME = 1;
/** PostgreSQL counts days from 2000-01-01. */
const POSTGRES_EPOCH_DAY = 10_957;
const TWO_POW_32 = 2 ** 32;

const COLUMNS = '(instrument_id, basis, day, open, high, low, close, volume)';

/**
 * Writes bars to a table with the columns of `daily_bars`. `add` fills a buffer. When it returns true, the caller awaits `flush`,
 * so that memory stays bounded.
 */
export class BarCopy {
  /**
   * Rows buffered ahead of the connection. The loader continues as soon as there is room, not when all of them are sent.
   */
  private readonly ahead = new PassThrough({ readableHighWaterMark: AHEAD_BYTES, writableHighWaterMark: BUFFER_BYTES });
  private readonly stream: Writable;
  private readonly venueBasisCode: number;
  private buffer!: Buffer;
  private view!: DataView;
  private offset = 0;
  private failure: Error | null = null;
  /** Rows added so far. */
  rows = 0;

  constructor(
    connection: Connection,
    table: 'daily_bars' | 'bar_stage' | 'bar_again' | 'other_bars',
    venueBasisCode: number,
  ) {
    const statement = `copy ${table} ${COLUMNS} from stdin with (format binary)`;
    this.stream = connection.query(copyFrom(statement, { highWaterMark: ONE_AT_A_TIME }));
    this.stream.on('error', (error) => {
      this.failure = error;
      this.ahead.destroy(error);
    });
    // The caller that waits for room gets this error.
    this.ahead.on('error', () => {});
    this.ahead.pipe(this.stream);
    this.venueBasisCode = venueBasisCode;
    this.ahead.write(SIGNATURE);
    this.renewBuffer();
  }

  private renewBuffer(): void {
    this.buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, BUFFER_BYTES);
    this.offset = 0;
  }

  /** Adds one bar; true when `flush` is due. */
  add(instrumentId: number, day: Day, open: number, high: number, low: number, close: number, volume: number): boolean {
    const { view } = this;
    let at = this.offset;
    view.setInt16(at, FIELDS);
    view.setInt32(at + 2, 4);
    view.setInt32(at + 6, instrumentId);
    view.setInt32(at + 10, 2);
    view.setInt16(at + 14, this.venueBasisCode);
    view.setInt32(at + 16, 4);
    view.setInt32(at + 20, day - POSTGRES_EPOCH_DAY);
    at += 24;
    view.setInt32(at, 8);
    view.setFloat64(at + 4, open);
    view.setInt32(at + 12, 8);
    view.setFloat64(at + 16, high);
    view.setInt32(at + 24, 8);
    view.setFloat64(at + 28, low);
    view.setInt32(at + 36, 8);
    view.setFloat64(at + 40, close);
    view.setInt32(at + 48, 8);
    view.setInt32(at + 52, Math.floor(volume / TWO_POW_32));
    view.setUint32(at + 56, volume % TWO_POW_32);
    this.offset = at + 60;
    this.rows++;
    return this.offset + ROW_BYTES > BUFFER_BYTES;
  }

  /** Hands the filled buffer to the connection, and waits while PostgreSQL is too far behind. */
  async flush(): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.offset === 0) return;
    const accepted = this.ahead.write(this.buffer.subarray(0, this.offset));
    this.renewBuffer();
    if (!accepted) await once(this.ahead, 'drain');
  }

  /** Ends the COPY. Afterwards all rows are in the table. */
  async finish(): Promise<void> {
    await this.flush();
    this.ahead.end(TRAILER);
    if (!this.stream.writableFinished) await once(this.stream, 'finish');
  }

  /** Abandons the COPY. The transaction must be rolled back. */
  abort(): void {
    this.ahead.destroy();
    // A stream that has failed has no connection to abort.
    if (!this.failure) this.stream.destroy();
  }
}

export interface BarKey {
  readonly instrumentId: number;
  readonly day: Day;
}

/** Opens the COPY of repeated bars, for the rest of the transaction. */
export async function copyRepeatedBars(connection: Connection, venueBasisCode: number): Promise<BarCopy> {
  await connection.query('create temp table if not exists bar_again (like daily_bars) on commit drop');
  return new BarCopy(connection, 'bar_again', venueBasisCode);
}

/** The bars of which another line has other figures. `table`: where the first lines are. */
export async function selectConflictingBars(
  connection: Connection,
  table: 'daily_bars' | 'bar_stage',
): Promise<BarKey[]> {
  const { rows } = await connection.query<{ id: number; day: string }>(
    `select distinct a.instrument_id as id, a.day from bar_again a join ${table} b using (instrument_id, basis, day)
     where (a.open, a.high, a.low, a.close, a.volume) <> (b.open, b.high, b.low, b.close, b.volume)`,
  );
  return rows.map(({ id, day }) => ({ instrumentId: id, day: requireDay(day) }));
}

/** Removes copied bars. */
export async function deleteCopiedBars(
  connection: Connection,
  table: 'daily_bars' | 'bar_stage',
  venueBasisCode: number,
  keys: readonly BarKey[],
): Promise<void> {
  await connection.query(
    `delete from ${table} b using unnest($2::int[], $3::date[]) t (id, day)
     where b.basis = $1 and (b.instrument_id, b.day) = (t.id, t.day)`,
    [venueBasisCode, keys.map(({ instrumentId }) => instrumentId), keys.map(({ day }) => formatDay(day))],
  );
}
