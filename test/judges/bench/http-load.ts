/** Callers of an HTTP server: as many calls as it answers, by autocannon; and calls at a steady rate, for tails of latency. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import autocannon, { type Request } from 'autocannon';
import { send } from '../../support/loop-server.ts';
import { medianOf } from './measure.ts';

/** A call that is this late is an error. */
const TIMEOUT_SECONDS = 60;

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Load {
  readonly port: number;
  /** Sent in turn, again and again. */
  readonly requests: readonly (Call & Pick<Request, 'setupRequest'>)[];
  readonly connections: number;
}

/** Answers per second while every connection, with its share of the requests, sends the next one as soon as it has an answer. */
export async function answersPerSecond({ port, requests, connections }: Load, seconds: number): Promise<number> {
  let opened = 0;
  const setupClient = (client: autocannon.Client) => {
    const place = opened++;
    client.setRequests(requests.filter((_, i) => i % connections === place));
  };
  const { promise: ended, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const url = `http://127.0.0.1:${port}`;
  const options = { url, connections, duration: seconds, setupClient, sampleInt: 20, timeout: TIMEOUT_SECONDS };
  const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  await once(run, 'start');
  const startedAt = performance.now();
  const { statusCodeStats, errors, '2xx': answers } = await ended;
  const others = Object.entries(statusCodeStats ?? {}).filter(([status]) => status !== '200');
  if (others.length > 0 || errors > 0) throw new Error(`${errors} errors, ${JSON.stringify(others)}`);
  return (1000 * answers) / (performance.now() - startedAt);
}

/** The median milliseconds of calls that one caller makes one after the other. */
export async function medianLatency(port: number, call: () => Call, amount: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ms = await medianOf(amount, () => sendAnswered(port, call(), agent));
  agent.destroy();
  return ms;
}

/**
 * Milliseconds from when each request was due until its answer was complete. A request is sent when it is due, whether or not
 * earlier ones have been answered; autocannon sends the requests of a second in one go.
 */
export async function pacedLatencies({ port, requests, connections }: Load, rate: number, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  const latency = async (request: Call, dueAt: number) => {
    await sendAnswered(port, request, agent);
    return performance.now() - dueAt;
  };
  const latencies: Promise<number>[] = [];
  for (let i = 0; i < rate * seconds; i++) {
    const dueAt = startedAt + (1000 * i) / rate;
    // Timers are too coarse for more than a thousand requests a second.
    while (performance.now() < dueAt) await nextTurn();
    const made = latency(requests[i % requests.length], dueAt);
    made.catch(() => {}); // Reported at the end, with the others.
    latencies.push(made);
  }
  const samples = await Promise.all(latencies);
  agent.destroy();
  return samples;
}

async function sendAnswered(port: number, { body, ...call }: Call, agent: Agent): Promise<void> {
  const { status } = await send(port, { ...call, body: body ?? null, agent });
  if (status !== 200) throw new Error(`${call.method} ${call.path}: ${status}`);
}
