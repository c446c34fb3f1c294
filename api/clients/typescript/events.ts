/** The events of the account as they happen, from `/v1/stream`. */
import type { Caller } from './caller.ts';
import { ApiError, ConnectionLost } from './errors.ts';
import { blocksOf } from './event-blocks.ts';
import { isBroken } from './transport.ts';

export interface AccountEvent {
  readonly id: number;
  /** `job.progress`, `run.ended`, `data.loaded`, `signals.ready`, `run.revised`, or `limit.near`. */
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly at: string };
}

/** To open a stream; a service that cannot do it at once is asked for the state instead. */
const OPEN_MS = 5_000;

/** Opens a stream; from then on no event is missed. Its first block says where it begins. */
async function openStream(caller: Caller, after: number | null, signal?: AbortSignal): Promise<ReadableStream<string>> {
  const headers: Record<string, string> = after === null ? {} : { 'Last-Event-ID': String(after) };
  const response = await caller.open('getStream', {}, async (opened) => opened, {
    headers,
    signal,
    timeoutMs: OPEN_MS,
  });
  if (response.body === null) throw new ConnectionLost('the stream has no body');
  return response.body.pipeThrough(new TextDecoderStream());
}

/**
 * The events of the account, without end: a stream that breaks is resumed.
 * @param after the id of the last event that the program has; default: only events from now on.
 */
export async function* eventsOf(
  caller: Caller,
  { after = null, signal }: { readonly after?: number | null; readonly signal?: AbortSignal } = {},
): AsyncGenerator<AccountEvent, void, undefined> {
  let last = after;
  for (;;) {
    try {
      for await (const { id, event, data } of blocksOf(await openStream(caller, last, signal))) {
        if (id !== undefined) last = Number(id);
        if (event !== undefined) yield { id: Number(id), event, data: JSON.parse(data) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isBroken(error)) throw error;
    }
  }
}

/** Callers without a stream: guests, and those of an earlier service. */
const withoutStream = new WeakSet<Caller>();

/** The news of a job. It must be opened before the state is read, so that no change is missed in between. */
export interface JobWatch {
  /** Resolves when something is told, and after `ms`. False: nothing is told any more. */
  readonly changed: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

/** Null: the caller has no stream. */
export async function watchJob(caller: Caller, jobId: string, signal?: AbortSignal): Promise<JobWatch | null> {
  if (withoutStream.has(caller)) return null;
  const closing = new AbortController();
  const signals = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  try {
    const stream = blocksOf(await openStream(caller, null, signals));
    const next = async (): Promise<boolean> => {
      for await (const { data } of { [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) }) {
        if (data !== undefined && JSON.parse(data).job_id === jobId) return true;
      }
      return false;
    };
    let pending: Promise<boolean> | null = null;
    return {
      changed: async (ms) => {
        pending ??= next().catch(() => false);
        const timer = Promise.withResolvers<null>();
        const timeout = setTimeout(timer.resolve, ms, null);
        const told = await Promise.race([pending, timer.promise]);
        clearTimeout(timeout);
        if (told !== null) pending = null;
        return told !== false;
      },
      close: () => closing.abort(),
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ApiError && error.status < 429) withoutStream.add(caller);
    return null;
  }
}
