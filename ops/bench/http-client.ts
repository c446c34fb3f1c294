/** A paced HTTP client that costs little: raw keep-alive connections, one request at a time on each. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { present } from '../../engine/present.ts';

/** A GET with the API key of its caller. */
export interface HttpCall {
  readonly path: string;
  readonly key: string;
}

export interface PacedLoad {
  readonly port: number;
  readonly calls: readonly HttpCall[];
  readonly connections: number;
  /** Requests per second, sent when they are due whether or not earlier ones have been answered. */
  readonly rate: number;
  readonly seconds: number;
}

const READ_BYTES = 64 * 1024;
const STATUS_AT = 'HTTP/1.1 '.length;

class Line {
  private readonly socket: Socket;
  /** Bytes of the answer that are still to come; -1 before its header. */
  private missing = -1;
  private status = 0;
  private done: (status: number) => void = () => {};

  private constructor(port: number) {
    // One buffer for all reads: a client that makes garbage would measure its own collector.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const callback = (bytes: number) => {
      this.receive(buffer, bytes);
      return true;
    };
    this.socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }).setNoDelay();
  }

  static async open(port: number): Promise<Line> {
    const line = new Line(port);
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
    this.socket.destroy();
  }
}

/** Callers that each have a connection of their own and wait for their answer. */
export class Callers {
  private readonly idle: Line[];

  private constructor(lines: Line[]) {
    this.idle = lines;
  }

  static async open(port: number, count: number): Promise<Callers> {
    return new Callers(await Promise.all(Array.from({ length: count }, () => Line.open(port))));
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
  const idle: Line[] = [];
  for (let i = 0; i < connections; i++) idle.push(await Line.open(port));
  const lines = [...idle];
  const requests = calls.map(({ path, key }) => `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: ${key}\r\n\r\n`);
  const total = Math.floor(rate * seconds);
  const latencies = new Float64Array(total);
  let answered = 0;
  // No collection of this process's own garbage while it measures.
  globalThis.gc?.();
  const finished = Promise.withResolvers<void>();
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
