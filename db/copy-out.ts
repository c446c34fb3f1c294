/**
 * A COPY to the client whose bytes are read from where the connection has received them and freed at once. The streams of `pg-copy-streams`
 * join and copy them, and leave as much garbage: V8 marks the whole heap of a thread in which 8 MB of it have gathered.
 */
import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';
import { present } from '../engine/present.ts';
import { releasePiece } from '../engine/release-arrays.ts';

/** Bytes that are received before the receiver asks for them. */
const READ_AHEAD_BYTES = 256 * 1024;

/** A message begins with its type and its length without the type. */
const HEADER_BYTES = 5;
const typeOf = (letter: string) => letter.charCodeAt(0);
const COPY_DATA = typeOf('d');
/** The answer before the data, and messages that may come at any time: notices, settings, and notifications. */
const PASSED_OVER = ['H', 'N', 'S', 'A'].map(typeOf);

type Listener = (chunk: Buffer) => void;
const isListener = (listener: unknown): listener is Listener => typeof listener === 'function';

/** To be given to `query` of a connection, and read until it ends or fails. The connection must be closed if it is not. */
export class CopyOut implements Submittable {
  private readonly text: string;
  private stream: Duplex | null = null;
  /** Gives the messages after the data to the driver. */
  private giveBack: (rest: readonly Buffer[]) => void = () => {};
  private readonly received: Buffer[] = [];
  private receivedBytes = 0;
  private arrival = Promise.withResolvers<void>();
  private hasEnded = false;
  private failure: Error | null = null;
  private readonly header = Buffer.alloc(HEADER_BYTES);
  private headerFilled = 0;
  /** Bytes of the present message that have not been read. */
  private left = 0;

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: Connection): void {
    const { stream } = connection;
    const drivers = stream.listeners('data').filter(isListener);
    stream.removeAllListeners('data');
    const receive = (chunk: Buffer) => {
      this.received.push(chunk);
      this.receivedBytes += chunk.length;
      if (this.receivedBytes >= READ_AHEAD_BYTES) stream.pause();
      this.arrival.resolve();
    };
    stream.on('data', receive);
    this.stream = stream;
    this.giveBack = (rest) => {
      stream.off('data', receive);
      for (const driver of drivers) stream.on('data', driver);
      for (const piece of rest) stream.emit('data', piece);
      stream.resume();
    };
    connection.query(this.text);
  }

  handleError(error: Error): void {
    this.failure = error;
    this.arrival.resolve();
  }

  handleReadyForQuery(): void {
    this.hasEnded = true;
    this.arrival.resolve();
  }

  handleCommandComplete(): void {}

  /** The data in pieces, which are valid until the next ones are asked for. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Buffer[]> {
    for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) {
      const { pieces, rest } = this.read(chunk);
      yield pieces;
      if (rest !== null) this.giveBack([Buffer.concat([this.header, rest]), ...this.received.splice(0)]);
      releasePiece(chunk);
    }
  }

  private async next(): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.received.shift();
      if (chunk !== undefined) {
        this.receivedBytes -= chunk.length;
        if (this.receivedBytes < READ_AHEAD_BYTES) present(this.stream, 'the stream of the connection').resume();
        return chunk;
      }
      if (this.failure !== null) throw this.failure;
      if (this.hasEnded) return null;
      await this.arrival.promise;
      this.arrival = Promise.withResolvers();
    }
  }

  /** The data in a chunk. `rest`: what follows the header of the first message after all data; null: that is still to come. */
  private read(chunk: Buffer): { readonly pieces: readonly Buffer[]; readonly rest: Buffer | null } {
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.left === 0) {
        const copied = chunk.copy(this.header, this.headerFilled, at);
        at += copied;
        this.headerFilled += copied;
        if (this.headerFilled < HEADER_BYTES) break;
        const [type] = this.header;
        if (type !== COPY_DATA && !PASSED_OVER.includes(type)) return { pieces, rest: chunk.subarray(at) };
        this.left = this.header.readInt32BE(1) + 1 - HEADER_BYTES;
        this.headerFilled = 0;
      }
      const end = Math.min(chunk.length, at + this.left);
      if (this.header[0] === COPY_DATA) pieces.push(chunk.subarray(at, end));
      this.left -= end - at;
      at = end;
    }
    return { pieces, rest: null };
  }
}
