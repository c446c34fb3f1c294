/**
 * An HTTP client that costs little, because it shares the machine with the servers that it measures: raw keep-alive connections,
 * one request at a time on each, sent at a pace or as soon as the one before is answered.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { present } from '../../engine/present.ts';

/** A GET with the API key of its caller. */
export interface HttpCall {
  readonly path: string;
  readonly key: string;
}

export interface Load {
  readonly port: number;
  /** Called in turn, again and again. */
  readonly calls: readonly HttpCall[];
  readonly connections: number;
  readonly seconds: number;
}

export interface PacedLoad extends Load {
  /** Requests per second, sent when they are due whether or not earlier ones have been answered. */
  readonly rate: number;
}

const READ_BYTES = 64 * 1024;
const STATUS_AT = 'HTTP/1.1 '.length;

class Line {
  private readonly socket: Socket;
  /** Bytes of the answer that are still to come; -1 before its header. */
  private missing = -1;
  private status = 0;
  private done: (status: number) => void = () => {};
  private isClosed = false;

  private constructor(port: number, broken: (error: Error) => void) {
    // One buffer for all reads: a client that makes garbage would measure its own collector.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number) => {
      this.receive(buffer, bytes);
      return true;
    };
    this.socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }).setNoDelay();
    this.socket.on('error', broken);
    this.socket.on('close', () => {
      if (!this.isClosed) broken(new Error('a connection was closed'));
    });
  }

  /** `broken`: called when the server ends the connection. */
  static async open(port: number, broken: (error: Error) => void): Promise<Line> {
    const line = new Line(port, broken);
    await once(line.socket, 'connect');
    return line;
  }

  /** Sends a request as it stands; `done` gets the status of its answer. */
  send(request: string, done: (status: number) => void): void {
    this.done = done;
    this.socket.write(request);
  }

  /** The header of an answer always comes in its first chunk here. */
  private receive(buffer: Buffer, bytes: number): void {
    if (this.missing < 0) {
      const end = buffer.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, end));
      this.missing = end + 4 + Number(length?.[1]);
      this.status = Number(buffer.toString('latin1', STATUS_AT, STATUS_AT + 3));
    }
    this.missing -= bytes;
    if (this.missing > 0) return;
    this.missing = -1;
    this.done(this.status);
  }

  close(): void {
    this.isClosed = true;
    this.socket.destroy();
  }
}

const openLines = (port: number, count: number, broken: (error: Error) => void) =>
  Promise.all(Array.from({ length: count }, () => Line.open(port, broken)));

const requestOf = ({ path, key }: HttpCall) => `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n\r\n`;

/** Callers that each have a connection of their own and wait for their answer. */
export class Callers {
  private readonly idle: Line[];

  private constructor(lines: Line[]) {
    this.idle = lines;
  }

  static async open(port: number, count: number): Promise<Callers> {
    const broken = (error: Error) => {
      throw error;
    };
    return new Callers(await openLines(port, count, broken));
  }

  /** Posts a JSON text; resolves with the status of the answer. */
  async post(path: string, key: string, json: string): Promise<number> {
    const line = present(this.idle.pop());
    const { promise, resolve } = Promise.withResolvers<number>();
    const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\nContent-Type: application/json`;
    line.send(`${head}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`, resolve);
    const status = await promise;
    this.idle.push(line);
    return status;
  }

  close(): void {
    for (const line of this.idle) line.close();
  }
}

/** Milliseconds from when each request was due until its answer was complete, ascending. */
export async function pacedLatencies({ port, calls, connections, rate, seconds }: PacedLoad): Promise<Float64Array> {
  const finished = Promise.withResolvers<void>();
  const lines = await openLines(port, connections, finished.reject);
  const idle = [...lines];
  const requests = calls.map(requestOf);
  const total = Math.floor(rate * seconds);
  const latencies = new Float64Array(total);
  let answered = 0;
  // No collection of this process's own garbage while it measures.
  globalThis.gc?.();
  const start = performance.now();
  let sent = 0;
  const pump = () => {
    const now = performance.now();
    while (idle.length > 0 && sent < total && start + (1000 * sent) / rate <= now) {
      const line = present(idle.pop());
      const dueAt = start + (1000 * sent) / rate;
      line.send(requests[sent++ % requests.length], () => {
        latencies[answered++] = performance.now() - dueAt;
        idle.push(line);
        if (answered === total) finished.resolve();
        else pump();
      });
    }
  };
  // Every turn of the event loop: timers are too coarse for more than a thousand requests a second.
  const turn = () => {
    pump();
    if (sent < total) setTimeout(turn, 0);
  };
  turn();
  await finished.promise;
  for (const line of lines) line.close();
  return latencies.sort();
}

/** How many requests were answered with each status, and in how many seconds. */
export interface Answers {
  readonly byStatus: ReadonlyMap<number, number>;
  readonly seconds: number;
}

/** Keeps all connections busy: each sends its next request as soon as it has an answer. */
export async function saturate({ port, calls, connections, seconds }: Load): Promise<Answers> {
  const finished = Promise.withResolvers<void>();
  const lines = await openLines(port, connections, finished.reject);
  const requests = calls.map(requestOf);
  const byStatus = new Map<number, number>();
  globalThis.gc?.();
  const start = performance.now();
  const until = start + 1000 * seconds;
  let sent = 0;
  let busy = connections;
  for (const line of lines) {
    const next = () => line.send(requests[sent++ % requests.length], done);
    const done = (status: number) => {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      if (performance.now() < until) next();
      else if (--busy === 0) finished.resolve();
    };
    next();
  }
  await finished.promise;
  for (const line of lines) line.close();
  return { byStatus, seconds: (performance.now() - start) / 1000 };
}
