/** Callers of an HTTP server, by autocannon; and calls at a steady rate, for tails of latency. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import autocannon, { type Request } from 'autocannon';
import { required } from '../../engine/util/required.ts';

interface Load {
  readonly port: number;
  /** Sent in turn, again and again, by connections that each have a share of them. */
  readonly requests: readonly Request[];
  readonly connections: number;
}

function start({ port, requests, connections }: Load, end: { readonly duration?: number; readonly amount?: number }) {
  let opened = 0;
  const setupClient = (client: autocannon.Client) => {
    const place = opened++;
    client.setRequests(requests.filter((_, i) => i % connections === place));
  };
  const { promise: ended, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options = { url: `http://127.0.0.1:${port}`, connections, setupClient, sampleInt: 20, ...end };
  const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  return { run, ended };
}

function assertAnswered({ statusCodeStats, errors }: autocannon.Result): void {
  const others = Object.entries(statusCodeStats ?? {}).filter(([status]) => status !== '200');
  if (others.length > 0 || errors > 0) throw new Error(`${errors} errors, ${JSON.stringify(others)}`);
}

/** Answers per second while every connection sends its next request as soon as it has an answer. */
export async function answersPerSecond(load: Load, seconds: number): Promise<number> {
  const { run, ended } = start(load, { duration: seconds });
  await once(run, 'start');
  const startedAt = performance.now();
  const result = await ended;
  assertAnswered(result);
  return (1000 * result['2xx']) / (performance.now() - startedAt);
}

/** Milliseconds of calls that a caller makes one after the other. */
export async function latencies(port: number, request: Request, amount: number): Promise<number[]> {
  const { run, ended } = start({ port, requests: [request], connections: 1 }, { amount });
  const samples: number[] = [];
  run.on('response', (_client, _status, _bytes, ms) => samples.push(ms));
  assertAnswered(await ended);
  return samples;
}

/** A connection with one request at a time. Its answers are not parsed: at a steady rate the client must cost little. */
class Connection {
  private readonly socket: Socket;
  /** Bytes of the answer that are still to come; -1 before its header. */
  private missing = -1;
  private onAnswer: () => void = () => {};

  constructor(port: number, onError: (error: Error) => void) {
    this.socket = connect({ port, host: '127.0.0.1' }).setNoDelay();
    this.socket.on('error', onError);
    this.socket.on('data', (chunk) => this.receive(chunk, onError));
  }

  send(request: string, onAnswer: () => void): void {
    this.onAnswer = onAnswer;
    this.socket.write(request);
  }

  /** The header of an answer comes in its first chunk. */
  private receive(chunk: Buffer, onError: (error: Error) => void): void {
    if (this.missing < 0) {
      const end = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200')) onError(new Error(chunk.toString()));
      this.missing = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    }
    this.missing -= chunk.length;
    if (this.missing > 0) return;
    this.missing = -1;
    this.onAnswer();
  }

  close(): void {
    this.socket.destroy();
  }
}

/**
 * Milliseconds from when each request was due until its answer was complete, ascending. A request is sent when it is due, whether
 * or not earlier ones have been answered; autocannon sends the requests of a second in one go.
 */
export async function pacedLatencies(load: Load, rate: number, seconds: number): Promise<number[]> {
  const finished = Promise.withResolvers<void>();
  const all = Array.from({ length: load.connections }, () => new Connection(load.port, finished.reject));
  const idle = [...all];
  const texts = load.requests.map(({ path, headers }) => {
    const fields = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${fields.join('')}\r\n`;
  });
  const total = Math.floor(rate * seconds);
  const samples: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const send = () => {
    for (; idle.length > 0 && sent < total; sent++) {
      const dueAt = startedAt + (1000 * sent) / rate;
      if (dueAt > performance.now()) return;
      const connection = required(idle.pop());
      connection.send(texts[sent % texts.length], () => {
        samples.push(performance.now() - dueAt);
        idle.push(connection);
        if (samples.length === total) finished.resolve();
        else send();
      });
    }
  };
  // Every turn of the event loop: timers are too coarse for more than a thousand requests a second.
  const turn = () => {
    send();
    if (sent < total) setImmediate(turn);
  };
  turn();
  await finished.promise;
  for (const connection of all) connection.close();
  return samples.sort((a, b) => a - b);
}
