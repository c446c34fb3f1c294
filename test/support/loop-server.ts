/** The longest hold of the event loop of an API process, call by call. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { z } from '../../api/http/input/fields.ts';
import { insertUser, updateUserAccess } from '../../db/accounts/users.ts';
import type { Pool } from '../../db/pool.ts';
import { required } from '../../engine/util/values.ts';
import type { LargeCall } from './largest-calls.ts';

const TIMES = z.object({ ms: z.number(), waitMs: z.number() });
const CHILD = fileURLToPath(new URL('./loop-child.ts', import.meta.url));

export interface Hold {
  readonly status: number;
  readonly bytes: number;
  /** Processor time of the longest turn. */
  readonly ms: number;
}

/** In processor time of the server's main thread, so that other work on the machine does not count. */
export interface LoopTimes {
  /** The longest turn. */
  readonly ms: number;
  /** The longest wait of a call with the header `WAIT_HEADER`, from its arrival to its answer. */
  readonly waitMs: number;
}

/** Marks calls whose waits are measured. */
export const WAIT_HEADER = 'x-measure-wait';

export interface LoopServer {
  readonly port: number;
  /** Makes a call and reads its answer. */
  hold(call: LargeCall): Promise<Hold>;
  /** Runs `work` and measures the server during it. */
  during<T>(work: () => Promise<T>): Promise<LoopTimes & { readonly value: T }>;
  stop(): void;
}

/** Adds an administrator for the calls; returns the id. */
export async function addCaller(pool: Pool): Promise<number> {
  const profile = { name: 'Loop', phone: null, nickname: null, language: 'en' as const, ip: null, country: null };
  const added = await insertUser(pool, {
    email: `loop-${crypto.randomUUID()}@example.com`,
    at: new Date(),
    ...profile,
  });
  const { id } = required(added, 'the account');
  await updateUserAccess(pool, id, { plan: 'enterprise', isAdmin: true });
  return id;
}

/** `waitMs`: how long calls wait for their runs. */
export async function startLoopServer(url: string, objects: string, userId: number, waitMs = 1): Promise<LoopServer> {
  const child = fork(CHILD, [url, objects, String(userId), String(waitMs)], { stdio: ['ignore', 2, 2, 'ipc'] });
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with code ${code}`)));
  const [message] = await Promise.race([once(child, 'message'), died]);
  died.catch(() => {});
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
    return { value, ...TIMES.parse(await ask('end')) };
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

/** Makes a call and reads its answer; of a stream of events, how it begins. */
export async function send(port: number, { body, ...options }: Sent): Promise<Pick<Hold, 'status' | 'bytes'>> {
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request({ ...options, port, host: '127.0.0.1', headers: { ...options.headers, ...length } });
  sent.end(body ?? undefined);
  const [response] = await once(sent, 'response');
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    // A stream of events ends with its reader.
    if (response.headers['content-type']?.startsWith('text/event-stream')) break;
  }
  return { status: response.statusCode, bytes };
}
