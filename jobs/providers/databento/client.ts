/**
 * The HTTP API of Databento (https://hist.databento.com): authentication, retries, and the meaning of its refusals. After
 * a refused key or an unpaid account, all calls fail for a while without being sent.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { toError } from '../../../engine/thrown.ts';
import { ProviderError } from '../provider.ts';
import { linesOf } from './lines.ts';

export interface DatabentoSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** First pause before a retry; doubles each time. Default 500 ms. */
  readonly retryMs?: number;
  /** For an answer to begin. Default 100 s, as the vendor's clients have it. */
  readonly timeoutMs?: number;
}

/** A refusal; `case` is the vendor's stable name for it. */
export class DatabentoError extends ProviderError {
  readonly status: number;
  readonly case: string | null;
  readonly payload: Readonly<Record<string, unknown>>;

  constructor(message: string, refusal: Refusal & { readonly isTransient: boolean }) {
    super(message, { isTransient: refusal.isTransient });
    this.status = refusal.status;
    this.case = refusal.case;
    this.payload = refusal.payload;
  }
}

interface Refusal {
  readonly status: number;
  readonly case: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type Form = Readonly<Record<string, string | number | boolean | undefined>>;

const MAX_TRIES = 5;
const MAX_PAUSE_MS = 30_000;
/** Statuses after which no other call will succeed either. */
const FATAL = new Set([401, 402]);
const FATAL_PAUSE_MS = 5 * 60_000;
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);

export class DatabentoClient {
  private readonly settings: DatabentoSettings;
  private refused: { readonly until: number; readonly error: DatabentoError } | null = null;

  constructor(settings: DatabentoSettings) {
    this.settings = settings;
  }

  async getJson<T>(method: string, query: Form, schema: z.ZodType<T>): Promise<T> {
    const response = await this.ask(`${method}?${encode(query)}`, null);
    return this.read(method, async () => schema.parse(await response.json()));
  }

  async postJson<T>(method: string, form: Form, schema: z.ZodType<T>): Promise<T> {
    const response = await this.ask(method, form);
    return this.read(method, async () => schema.parse(await response.json()));
  }

  /** Lines of a streamed answer. A stream that breaks off is a failure, not a shorter answer. */
  async *postLines(method: string, form: Form, signal?: AbortSignal): AsyncGenerator<string> {
    const response = await this.ask(method, form, signal);
    if (!response.body) return;
    try {
      yield* linesOf(response.body);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ProviderError) throw error;
      throw new ProviderError(`${method}: the answer broke off: ${toError(error).message}`, {
        cause: error,
        isTransient: true,
      });
    }
  }

  private async read<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ProviderError(`${method}: the answer cannot be read`, { cause: error, isTransient: true });
    }
  }

  /** Sends a request until it is answered: waits as long as the vendor says, and gives up when a retry cannot help. */
  private async ask(path: string, form: Form | null, signal?: AbortSignal): Promise<Response> {
    if (this.refused && performance.now() < this.refused.until) throw this.refused.error;
    const method = path.split('?')[0];
    for (let tries = 1; ; tries++) {
      const answer = await this.send(path, form, signal);
      if (answer instanceof Response && answer.ok) return answer;
      const error =
        answer instanceof Response
          ? await refusalOf(method, answer)
          : new ProviderError(`${method}: no answer: ${causeOf(answer)}`, { cause: answer, isTransient: true });
      if (error instanceof DatabentoError && isFatal(error)) {
        this.refused = { until: performance.now() + FATAL_PAUSE_MS, error };
      }
      if (!error.isTransient || tries === MAX_TRIES) throw error;
      const named = answer instanceof Response ? Number(answer.headers.get('retry-after')) * 1000 : 0;
      const pause = named || (this.settings.retryMs ?? 500) * 2 ** (tries - 1);
      await sleep(Math.min(MAX_PAUSE_MS, pause), undefined, { signal });
    }
  }

  private async send(path: string, form: Form | null, signal?: AbortSignal): Promise<Response | Error> {
    const { baseUrl, apiKey, timeoutMs = 100_000 } = this.settings;
    const began = AbortSignal.timeout(timeoutMs);
    const stop = new AbortController();
    const abort = () => stop.abort();
    began.addEventListener('abort', abort, { once: true });
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await fetch(`${baseUrl}/v0/${path}`, {
        method: form === null ? 'GET' : 'POST',
        body: form === null ? undefined : encode(form),
        headers: {
          authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
          ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        signal: stop.signal,
      });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      return toError(error);
    } finally {
      // The timeout does not apply to the body; only the job's own signal ends it.
      began.removeEventListener('abort', abort);
    }
  }
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Leaves out parameters that are not set. */
function encode(form: Form): string {
  const set = Object.entries(form).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(Object.fromEntries(set.map(([name, value]) => [name, String(value)]))).toString();
}

/** `{"detail": "text"}`, `{"detail": {case, message, payload}}`, or the text of a proxy. */
async function refusalOf(method: string, response: Response): Promise<DatabentoError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const detail = detailOf(text);
  const requestId = headers.get('request-id');
  const message = `${method}: ${status} ${detail.case ?? ''} ${detail.message}`.replaceAll(/\s+/g, ' ').trim();
  return new DatabentoError(requestId ? `${message} (request ${requestId})` : message, {
    status,
    case: detail.case,
    payload: detail.payload,
    isTransient: TRANSIENT.has(status),
  });
}

const refusalBody = z.object({ detail: z.unknown() });
const namedDetail = z.object({
  case: z.string().nullish(),
  message: z.string().nullish(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

function detailOf(text: string): { case: string | null; message: string; payload: Record<string, unknown> } {
  const nothing = { case: null, payload: {} };
  try {
    const { detail } = refusalBody.parse(JSON.parse(text));
    const named = namedDetail.safeParse(detail);
    if (!named.success) return { ...nothing, message: textOf(detail).slice(0, 500) };
    const { data } = named;
    return { case: data.case ?? null, message: data.message ?? '', payload: data.payload ?? {} };
  } catch {
    return { ...nothing, message: text.replaceAll(/<[^>]*>/g, ' ').slice(0, 200) };
  }
}

function textOf(detail: unknown): string {
  if (detail === undefined || detail === null) return '';
  return typeof detail === 'string' ? detail : JSON.stringify(detail);
}

function isFatal(error: DatabentoError): boolean {
  return FATAL.has(error.status) || error.case === 'auth_account_locked';
}

/** Whether the account has no subscription for the requested data. */
export function isNotSubscribed(error: unknown): boolean {
  return error instanceof DatabentoError && error.case === 'license_reference_dataset_no_subscription';
}
