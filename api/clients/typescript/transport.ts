/** Sends calls with `fetch`, and repeats them if that is safe, until they are answered or time out. */
import { apiError, ConnectionLost, type Failure, TimedOut } from './errors.ts';
import type { ErrorKey } from './operations.ts';

/**
 * The outcome of one try: a status, or a connection that broke (or, if `isUnsent`, was never made). `isUnreachable`: nothing has ever
 * answered at the address, so that it is rather wrong than a service that restarts.
 */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly key: string | null;
      readonly retryAfter: number | null;
    }
  | { readonly kind: 'lost'; readonly isUnsent: boolean; readonly isUnreachable?: boolean };

export interface RetryPolicy {
  /** Tries after the first one. */
  readonly maxRetries: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

export const RETRIES: RetryPolicy = { maxRetries: 8, firstWaitMs: 250, maxWaitMs: 10_000 };

/** An earlier try of the call is still in progress, or its process died and the key stays claimed for half a minute. */
const IN_PROGRESS = 'error.idempotency_in_progress';
const IN_PROGRESS_WAIT_MS = 2_000;
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504]);
const MS_PER_S = 1_000;
/** The random part of a wait that the service named, which spreads callers that were refused at the same time. */
const SPREAD = 0.1;

/**
 * Milliseconds to wait before the call is sent again; null: it is not.
 * @param tries tries so far, 1 after the first.
 * @param isRepeatable whether the call does the same once or twice: a read, or one with an idempotency key. Others are
 *   sent again only when the service cannot have begun them.
 * @param random uniform in [0, 1).
 */
export function waitBeforeRetry(
  outcome: Outcome,
  tries: number,
  isRepeatable: boolean,
  random: number,
  { maxRetries, firstWaitMs, maxWaitMs }: RetryPolicy = RETRIES,
): number | null {
  if (!canPass(outcome, isRepeatable)) return null;
  const isInProgress = outcome.kind === 'answer' && outcome.key === IN_PROGRESS;
  if (tries > maxRetries && !isInProgress) return null;
  const longest = isInProgress ? IN_PROGRESS_WAIT_MS : maxWaitMs;
  const backoff = Math.min(longest, firstWaitMs * 2 ** (tries - 1));
  const named = outcome.kind === 'answer' && outcome.retryAfter !== null ? outcome.retryAfter * MS_PER_S : null;
  if (named === null) return backoff * (0.5 + random / 2);
  return named + random * Math.max(firstWaitMs, named * SPREAD);
}

function canPass(outcome: Outcome, isRepeatable: boolean): boolean {
  if (outcome.kind === 'lost') return !outcome.isUnreachable && (isRepeatable || outcome.isUnsent);
  // Refused before anything was done.
  if (outcome.status === 429) return true;
  if (!isRepeatable) return false;
  return TRANSIENT.has(outcome.status) || outcome.key === IN_PROGRESS;
}

export interface TransportOptions {
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: RetryPolicy;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** For the call with all its tries, in milliseconds. Default: two minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export type Upload = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string;

export interface WireCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The template of the path, which identifies the operation. */
  readonly operation?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of a body of JSON. A stream can be sent only once. */
  readonly file?: Upload;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether sending it twice does no more than once. */
  readonly isRepeatable: boolean;
  /** Whether the answer goes on: the timeout is for its beginning. */
  readonly isEndless?: boolean;
}

/** Reads a response. If the connection breaks during the read, the call is sent again. */
export type Read<T> = (response: Response) => Promise<T>;

export interface Transport {
  readonly send: <T>(call: WireCall, read: Read<T>, options?: CallOptions) => Promise<T>;
}

const TIMEOUT_MS = 120_000;
/** Longer than the service lets any call wait. */
const TRY_TIMEOUT_MS = 60_000;
const BROKEN = new Set(['TypeError', 'SyntaxError']);
/** Codes of connections that were never made; `fetch` itself refuses some ports, without a code. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT|bad port|ERR_(SSL|TLS)_.*|(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_.*)$/;

type Try<T> = { readonly outcome: null; readonly value: T } | { readonly outcome: Outcome; readonly error: Error };

export function openTransport({ url, headers, retries, fetch: send = fetch }: TransportOptions): Transport {
  let wasReached = false;
  return {
    send: async (call, read, { timeoutMs = TIMEOUT_MS, signal } = {}) => {
      const endsAt = performance.now() + timeoutMs;
      for (let tries = 1; ; tries++) {
        const leftMs = endsAt - performance.now();
        const made = await tryOnce(
          call,
          read,
          call.file === undefined ? Math.min(leftMs, TRY_TIMEOUT_MS) : leftMs,
          signal,
        );
        if (made.outcome === null) return made.value;
        const isOver = call.file instanceof ReadableStream;
        const waitMs = isOver ? null : waitBeforeRetry(made.outcome, tries, call.isRepeatable, Math.random(), retries);
        // If the wait would exceed the timeout, the caller gets the error at once.
        if (waitMs === null || performance.now() + waitMs >= endsAt) throw made.error;
        await sleep(waitMs, signal);
      }
    },
  };

  async function tryOnce<T>(call: WireCall, read: Read<T>, ms: number, signal?: AbortSignal): Promise<Try<T>> {
    const { timeout, begun } = timeoutOf(Math.max(1, Math.ceil(ms)), call.isEndless ?? false);
    try {
      const response = await send(`${url}${call.path}`, {
        method: call.method.toUpperCase(),
        headers: { ...headers, ...call.headers },
        ...bodyOf(call),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      wasReached = true;
      begun();
      warnOnce(call, response.headers);
      if (response.ok) return { outcome: null, value: await read(response) };
      return refusal(await failureOf(response));
    } catch (error) {
      signal?.throwIfAborted();
      const { method, path } = call;
      if (timeout.aborted) {
        const late = new TimedOut(`${method} ${path} was not answered in ${Math.round(ms)} ms`, { cause: error });
        return { outcome: { kind: 'lost', isUnsent: false }, error: late };
      }
      if (!isBroken(error)) throw error;
      const reason = reasonOf(error);
      const isUnsent = UNSENT.test(reason);
      // A connection that broke was made.
      wasReached ||= !isUnsent;
      const place = isUnsent ? `nothing answers at ${url}` : `the connection to ${url} broke`;
      const lost = new ConnectionLost(`${method} ${path}: ${place} (${reason})`, { cause: error });
      return { outcome: { kind: 'lost', isUnsent, isUnreachable: isUnsent && !wasReached }, error: lost };
    }
  }
}

/** `begun` is called when the answer begins, and ends the timeout of an endless one. */
function timeoutOf(ms: number, isEndless: boolean) {
  if (!isEndless) return { timeout: AbortSignal.timeout(ms), begun: () => {} };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { timeout: controller.signal, begun: () => clearTimeout(timer) };
}

function bodyOf({ body, file }: WireCall) {
  if (file instanceof ReadableStream) return { body: file, duplex: 'half' } as const;
  return { body: file ?? (body === undefined ? undefined : JSON.stringify(body)) };
}

const warned = new Set<string>();

/** Warns at the first call of a deprecated operation. */
function warnOnce({ method, path, operation = path }: WireCall, headers: Headers): void {
  if (!headers.has('deprecation') || warned.has(operation)) return;
  warned.add(operation);
  const sunset = headers.get('sunset');
  const more = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
  const end = sunset === null ? '' : `; it may be removed after ${sunset}`;
  const text = `${method.toUpperCase()} ${operation} is deprecated${end}${more === undefined ? '' : `: ${more}`}`;
  process.emitWarning(text, 'DeprecationWarning');
}

function refusal(failure: Failure): { readonly outcome: Outcome; readonly error: Error } {
  const { status, key, retryAfter } = failure;
  return { outcome: { kind: 'answer', status, key, retryAfter }, error: apiError(failure) };
}

/** The failure in a response. A failure that is not from the service, but from a proxy, has no key. */
async function failureOf(response: Response): Promise<Failure> {
  const { status, headers } = response;
  const text = await response.text();
  const error = errorIn(text);
  return {
    status,
    key: error?.key ?? null,
    message: error?.message ?? `${status} ${response.statusText}`,
    requestId: headers.get('x-request-id'),
    detail: error?.detail ?? [],
    retryAfter: secondsOf(headers.get('retry-after')),
  };
}

interface ApiFailure {
  readonly key: ErrorKey;
  readonly message: string;
  readonly detail?: Failure['detail'];
}

function errorIn(text: string): ApiFailure | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.key === 'string' ? body : null;
  } catch {
    return null;
  }
}

function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
}

/**
 * Whether `fetch` throws this error for a broken connection, or the reader for an incomplete answer. Checked by name, because realms
 * have different classes.
 */
export function isBroken(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'name' in error && BROKEN.has(String(error.name));
}

/** The code of what broke a connection, or its message where it has none. */
function reasonOf(error: Error): string {
  const { code, message = '' }: { code?: unknown; message?: string } = error.cause ?? error;
  return String(code ?? message);
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
