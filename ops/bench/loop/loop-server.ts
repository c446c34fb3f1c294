/** The longest hold of the event loop of an API process, call by call. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { startChild } from '../child.ts';
import type { LargeCall } from './largest-calls.ts';

export interface Hold {
  readonly status: number;
  readonly bytes: number;
  /** Processor time of the longest turn. */
  readonly ms: number;
}

export interface LoopServer {
  readonly port: number;
  /** Makes a call and reads its answer. */
  hold(call: LargeCall): Promise<Hold>;
  /** Does `work`, and tells the processor time of the longest turn meanwhile. */
  during<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }>;
  stop(): void;
}

/** `waitMs`: how long calls wait for their runs. */
export async function startLoopServer(url: string, objects: string, userId: number, waitMs = 1): Promise<LoopServer> {
  const { child, message } = await startChild('./loop/loop-child.ts', [url, objects, String(userId), String(waitMs)]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (word: string): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(word);
    return (await answered)[0];
  };
  const port = Number(message);
  const during: LoopServer['during'] = async (work) => {
    await ask('begin');
    const value = await work();
    return { value, ms: Number(await ask('end')) };
  };
  return {
    port,
    during,
    hold: async ({ method, path, headers, body }) => {
      const { value, ms } = await during(() => send(port, { method, path, headers, body, agent }));
      return { ...value, ms };
    },
    stop: () => {
      agent.destroy();
      child.disconnect();
    },
  };
}

type Sent = Pick<LargeCall, 'method' | 'path' | 'headers' | 'body'> & { readonly agent: Agent };

async function send(port: number, { body, ...options }: Sent): Promise<Pick<Hold, 'status' | 'bytes'>> {
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request({ ...options, port, host: '127.0.0.1', headers: { ...options.headers, ...length } });
  sent.end(body ?? undefined);
  const [response] = await once(sent, 'response');
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return { status: response.statusCode, bytes };
}
