/** Calls of the public API in the language of the page, and the errors that they end with. */
import { locale } from './page-locale.ts';
import { namedProblem } from './text.ts';

export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** An error response, or no response at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0: no response. */
  readonly status: number;
  /** `error.rate_limited`; `offline`: no response. */
  readonly key: string;
  readonly requestId: string | null;
  /** Seconds until calls are allowed again. */
  readonly retryAfter: number | null;
  /** Calls that the plan allows, if the response says so. */
  readonly limit: number | null;
  /** Path of the call. */
  readonly address: string;
  /** The invalid fields of the call. */
  readonly problems: readonly Problem[];

  constructor(status: number, body: Partial<FailureBody> = {}, response?: Response) {
    // The message of the API names the path of the first.
    super(body.detail?.map(({ loc, msg }) => namedProblem(loc, msg)).join(' ') || (body.message ?? ''));
    this.status = status;
    this.key = body.key ?? 'offline';
    this.requestId = response?.headers.get('X-Request-Id') ?? null;
    const limit = response?.headers.get('X-RateLimit-Limit') ?? null;
    this.limit = limit === null ? null : Number(limit);
    this.address = response?.url ? new URL(response.url).pathname : '';
    this.retryAfter = body.retry_after ?? null;
    this.problems = body.detail ?? [];
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503;
  }
}

interface FailureBody {
  readonly message: string;
  readonly key: string;
  readonly retry_after: number;
  readonly detail: readonly Problem[];
}

/** A job failed: the message says why. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

export type Query = Readonly<Record<string, string | number | boolean | undefined | null>>;

export interface CallOptions {
  readonly query?: Query;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sends the call in place of `fetch`. */
  readonly via?: (address: string, init: RequestInit) => Promise<Response>;
}

/** A path with its parameters escaped: `path('/v1/quote/{symbol}', { symbol })`. */
export function path(template: string, parameters: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(parameters[name]));
}

function withQuery(address: string, query: Query | undefined): string {
  const given = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  if (given.length === 0) return address;
  return `${address}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Sends a call without a credential. Throws an `ApiError`, or an `AbortError`. */
export async function send(method: string, address: string, options: CallOptions = {}): Promise<Response> {
  const { query, body, headers, signal, via = fetch } = options;
  try {
    return await via(withQuery(address, query), {
      method,
      signal,
      headers: {
        'Accept-Language': locale,
        'X-Client-Kind': 'web',
        ...visitorHeader(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: method === 'GET' ? 'default' : 'no-store',
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0);
  }
}

/** `data` of a successful response. Throws an `ApiError` for any other. */
export async function dataOf<T>(response: Response): Promise<T> {
  let body: { readonly data: T } & Partial<FailureBody>;
  try {
    body = await response.json();
  } catch {
    throw new ApiError(response.ok ? 0 : response.status);
  }
  if (!response.ok) throw new ApiError(response.status, body, response);
  return body.data;
}

const VISITOR = 'visitor';

/** Anonymous visitor id: counts the visits of this browser once. */
function visitorHeader(): Record<string, string> {
  try {
    let id = localStorage.getItem(VISITOR);
    if (id === null) {
      id =
        crypto.randomUUID?.() ??
        Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');
      localStorage.setItem(VISITOR, id);
    }
    return { 'X-Visitor-Id': id };
  } catch {
    return {};
  }
}
