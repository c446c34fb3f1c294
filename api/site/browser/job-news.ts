/** News of the reader's jobs. A page has one stream of events, however many jobs it follows, and none while it follows none. */
import { blocksOf } from '../../clients/typescript/event-blocks.ts';
import { send } from './api.ts';
import { signedInAs, withSession } from './session.ts';

interface JobEvent {
  readonly job_id?: string;
  /** None: the job has ended. */
  readonly progress_pct?: number;
}

interface Stream {
  /** Whether it could be opened. From then on no event is missed. */
  readonly isOpen: Promise<boolean>;
  /** Each gets every event, and null when there will be no more. */
  readonly readers: Set<(told: JobEvent | null) => void>;
  readonly closing: AbortController;
}

export interface JobNews {
  /** Resolves when something is told, and after `ms`. False: nothing is told any more. */
  readonly changed: (ms: number) => Promise<boolean>;
  readonly close: () => void;
}

/** A proxy that passes events on late is no better than a held call. */
const OPEN_MS = 5_000;
/** Progress within this time is told once. */
const TOGETHER_MS = 200;

let shared: Stream | null = null;

function openStream(): Stream {
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<boolean>();
  const stream: Stream = { isOpen, readers: new Set(), closing: new AbortController() };
  const timeout = setTimeout(() => stream.closing.abort(), OPEN_MS);
  const begun = () => {
    clearTimeout(timeout);
    opened(true);
  };
  read(stream, begun)
    // The held calls in its place say what is wrong.
    .catch(() => {})
    .finally(() => {
      clearTimeout(timeout);
      opened(false);
      leave(stream);
      for (const tell of stream.readers) tell(null);
    });
  return stream;
}

/** Closes a stream; the next job gets another one. */
function leave(stream: Stream): void {
  stream.closing.abort();
  if (shared === stream) shared = null;
}

async function read({ readers, closing: { signal } }: Stream, begun: () => void): Promise<void> {
  const { ok, body } = await send('GET', '/v1/stream', { signal, via: withSession });
  if (!ok || body === null) return;
  for await (const { data } of blocksOf(body.pipeThrough(new TextDecoderStream()))) {
    begun();
    if (data === undefined) continue;
    const told: JobEvent = JSON.parse(data);
    for (const tell of readers) tell(told);
  }
}

/**
 * News of a job, whose state must be read after this; null: there is no stream, as for guests.
 * @param progressed gets the progress, which is then no change.
 */
export async function newsOf(
  jobId: string,
  signal: AbortSignal,
  progressed?: (percent: number) => void,
): Promise<JobNews | null> {
  if (signedInAs() === null) return null;
  shared ??= openStream();
  const stream = shared;
  let isOver = false;
  let told = Promise.withResolvers<void>();
  const tell = (event: JobEvent | null) => {
    isOver ||= event === null;
    if (event === null) told.resolve();
    else if (event.job_id !== jobId) return;
    else if (event.progress_pct === undefined) told.resolve();
    else if (progressed) progressed(event.progress_pct);
    else setTimeout(told.resolve, TOGETHER_MS);
  };
  stream.readers.add(tell);
  const end = () => tell(null);
  signal.addEventListener('abort', end);
  const close = () => {
    signal.removeEventListener('abort', end);
    stream.readers.delete(tell);
    if (stream.readers.size === 0) leave(stream);
  };
  if (!(await stream.isOpen)) {
    close();
    return null;
  }
  return {
    close,
    changed: async (ms) => {
      const timeout = setTimeout(told.resolve, ms);
      await told.promise;
      clearTimeout(timeout);
      told = Promise.withResolvers();
      return !isOver;
    },
  };
}
