/**
 * Calls of a vendor's HTTP API, with retries after transient failures and pauses as the vendor requests them. After a refusal that all
 * further calls would get too, such as a wrong key, calls fail for a while without being sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { toError } from '../../engine/util/errors.ts';
import { ProviderError } from './provider.ts';

/** A text of the vendor if it is a code such as `auth_failed`. Its sentences may name anything, and are not taken over. */
const codeIn = (text: string | null | undefined) => (text && /^[\w.-]{1,64}$/.test(text) ? text : null);

/** Describes a refusal in one line, with the variable of a refused key. `code` and `requestId` are the vendor's. */
export function describeRefusal(
  name: string,
  refusal: {
    readonly status: number;
    readonly code: string | null | undefined;
    readonly requestId: string | null | undefined;
    readonly keyVariable: string;
  },
): string {
  const { status, keyVariable } = refusal;
  const [code, requestId] = [codeIn(refusal.code), codeIn(refusal.requestId)];
  const key = status === 401 ? `; ${keyVariable} is refused` : '';
  return `${name}: ${status}${code ? ` ${code}` : ''}${requestId ? ` (request ${requestId})` : ''}${key}`;
}

/** An answer with an error status. */
export class VendorRefusal extends ProviderError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message, { isTransient: TRANSIENT.has(status) });
    this.status = status;
  }
}

export interface VendorHttpOptions {
  /** First pause before a retry, when the vendor names none; doubles each time. */
  readonly retryMs: number;
  readonly maxTries: number;
  /** Until an answer begins. Default 100 s. */
  readonly timeoutMs?: number;
  /** Reads a refusal to the call `name`. */
  readonly refusalOf: (name: string, response: Response) => Promise<VendorRefusal>;
  /** Whether all further calls will fail too. */
  readonly isFatal: (refusal: VendorRefusal) => boolean;
}

const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
const TIMEOUT_MS = 100_000;
const MAX_PAUSE_MS = 60_000;
const FATAL_PAUSE_MS = 5 * 60_000;

export class VendorHttp {
  private readonly options: VendorHttpOptions;
  private refused: { readonly until: number; readonly error: VendorRefusal } | null = null;

  constructor(options: VendorHttpOptions) {
    this.options = options;
  }

  /** The first successful answer. `name` identifies the call in messages, without secrets. */
  async ask(name: string, url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    if (this.refused && performance.now() < this.refused.until) throw this.refused.error;
    const { maxTries, retryMs, refusalOf, isFatal } = this.options;
    for (let tries = 1; ; tries++) {
      const answer = await this.send(url, init, signal);
      if (answer instanceof Response && answer.ok) return answer;
      const error =
        answer instanceof Response
          ? await refusalOf(name, answer)
          : new ProviderError(`${name}: no answer: ${causeOf(answer)}`, { cause: answer, isTransient: true });
      if (error instanceof VendorRefusal && isFatal(error)) {
        this.refused = { until: performance.now() + FATAL_PAUSE_MS, error };
      }
      if (!error.isTransient || tries === maxTries) throw error;
      const named = answer instanceof Response ? retryAfterMs(answer.headers) : null;
      await sleep(Math.min(MAX_PAUSE_MS, named ?? retryMs * 2 ** (tries - 1)), undefined, { signal });
    }
  }

  private async send(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS);
    const stop = new AbortController();
    const abort = () => stop.abort();
    timeout.addEventListener('abort', abort, { once: true });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await fetch(url, { ...init, signal: stop.signal });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return toError(error);
    } finally {
      // The timeout does not apply to the body, which only the job's signal aborts.
      timeout.removeEventListener('abort', abort);
    }
  }
}

/** A refusal by a vendor whose errors have no codes. */
export function plainRefusal(keyVariable: string): VendorHttpOptions['refusalOf'] {
  return async (name, response) => {
    await response.body?.cancel();
    const { status } = response;
    return new VendorRefusal(describeRefusal(name, { status, code: null, requestId: null, keyVariable }), status);
  };
}

/** How often an answer that cannot be read is asked for. */
const MAX_READS = 3;

/**
 * The records of an answer that is a JSON array; null: there is nothing at the address. Throws when it cannot be read, each time it is
 * asked for: then only this one is bad. `limit`: what an answer without an error status says when the vendor serves no more.
 */
export async function askRecords(
  http: VendorHttp,
  name: string,
  url: string,
  init: RequestInit,
  limit = /allocation|limit/i,
): Promise<unknown[] | null> {
  for (let reads = 1; ; reads++) {
    const response = await http.ask(name, url, init).catch((error) => {
      if (error instanceof VendorRefusal && error.status === 404) return null;
      throw error;
    });
    if (response === null) return null;
    const text = await response.text().catch(() => '');
    const records = arrayIn(text);
    if (records !== null) return records;
    if (text.length < MAX_SENTENCE && limit.test(text)) {
      throw new ProviderError(`${name}: the limit of requests is reached`, { isTransient: true });
    }
    if (reads === MAX_READS) throw new ProviderError(`${name}: the answer cannot be read`, { isLocal: true });
  }
}

const MAX_SENTENCE = 1_000;

function arrayIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The validated JSON of an answer. Throws a `ProviderError` when it breaks off or has another form. */
export async function readJson<T>(name: string, response: Response, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(await response.json());
  } catch {
    // The cause quotes the answer.
    throw new ProviderError(`${name}: the answer cannot be read`, { isTransient: true });
  }
}

/** `Retry-After` in seconds or as a date; null: none. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
