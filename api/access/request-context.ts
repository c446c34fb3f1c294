/** Facts about a request while it is served. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { AuditIntent } from '../../db/log/audit-log.ts';
import { COMMON_VARY } from '../http/answer/respond.ts';
import { type Locale, matchLocale } from '../http/language/locale.ts';
import type { Caller } from './caller.ts';
import type { Rule } from './decide.ts';
import type { RateCategory } from './plans.ts';
import { type WebClient, webClientOf } from './web-client.ts';

export interface PageView {
  readonly path: string;
  readonly referrer: string | null;
}

export interface CountedIn extends Rule {
  readonly key: string;
  /** The bucket of the window. */
  readonly bucket: number;
}

/** Work that tries something on the data. */
export interface TriedWork {
  readonly kind: string;
  readonly spec: object;
  /** Number of things that it tries; default: its combinations. */
  readonly trials?: number;
}

export interface RequestContext {
  readonly requestId: string;
  /** The language of every text of the answer. */
  locale: Locale;
  /** The default language of the service. */
  readonly defaultLocale: Locale;
  /** The caller's address, as far as proxies are trusted. */
  readonly ip: string | undefined;
  /** Set when the caller is the web site. */
  readonly webClient: WebClient | null;
  /** Whether the caller prefers 202 at once to waiting for the result (RFC 7240). */
  readonly isAsync: boolean;
  /** The last event of a stream that the caller has; null: it names none. */
  readonly lastEventId: string | null;
  /** The content type that the caller prefers, or the first if it accepts none of them. The answer then varies by `Accept`. */
  readonly preferredType: <T extends string>(types: readonly [T, ...T[]]) => T;
  /** The id for work that the call queues, equal for every repetition with the same idempotency key. Null without a key. */
  idempotentJobId: string | null;
  /** Monotonic ms. */
  readonly startedAt: number;
  /** Milliseconds of it in which the call only waited for a run. */
  waitedMs: number;
  /** The path template, for logs and metrics. */
  route: string;
  /** Null until the caller is identified, and when that fails. */
  caller: Caller | null;
  /** The category of the plan in which the call was counted; null for none. */
  category: RateCategory | null;
  /** The counter in which the call was counted; null for none. */
  counted: CountedIn | null;
  /** Whether the access log only counts the call, without an access record. */
  isOnlyCounted: boolean;
  /** Recorded by the audit log if the request fails. Null: nothing is recorded. */
  intent: AuditIntent | null;
  /** Set when the request reports a page view. */
  pageView: PageView | null;
  /** Takes the trials of work from the budget of the caller before it is queued; null: it has none. */
  spend: ((work: TriedWork) => Promise<void>) | null;
  /** Whether the tokens of assistants are credentials of the call: they are for `/mcp` alone. */
  takesGrants: boolean;
  /** Aborted when the client disconnects before the answer is sent. */
  readonly abortSignal: () => AbortSignal;
  /** Headers of the response. */
  readonly headers: Record<string, string | number | string[]>;
}

/** A request with its context. */
export interface ObservedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

/** Reports a finished request to the log, the metrics, and the access records. */
export type Observe = (request: ObservedRequest, status: number) => void;

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

const RESPOND_ASYNC = /(^|,)\s*respond-async\s*(,|;|$)/i;
const OWN_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's own id if it is valid, else a new one. */
function requestIdOf(headers: IncomingHttpHeaders): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && OWN_ID.test(sent) ? sent : randomUUID();
}

export function createContext(request: Request, locale: Locale, defaultLocale: Locale): RequestContext {
  const { headers, ip, res: response } = request;
  const requestId = requestIdOf(headers);
  let disconnect: AbortSignal | undefined;
  const answerHeaders: RequestContext['headers'] = {
    'X-Request-Id': requestId,
    'Content-Language': locale,
    Vary: COMMON_VARY,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return {
    requestId,
    locale,
    defaultLocale,
    ip,
    webClient: webClientOf(request),
    isAsync: RESPOND_ASYNC.test(textOf(headers.prefer) ?? ''),
    lastEventId: textOf(headers['last-event-id']) ?? null,
    preferredType: (types) => {
      answerHeaders.Vary = `Accept, ${COMMON_VARY}`;
      return types.find((type) => type === request.accepts([...types])) ?? types[0];
    },
    idempotentJobId: null,
    startedAt: performance.now(),
    waitedMs: 0,
    route: 'unknown',
    caller: null,
    category: null,
    counted: null,
    isOnlyCounted: false,
    intent: null,
    pageView: null,
    spend: null,
    takesGrants: false,
    abortSignal: () => {
      disconnect ??= disconnectSignal(response);
      return disconnect;
    },
    headers: answerHeaders,
  };
}

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header);

function disconnectSignal(response: ServerResponse | undefined): AbortSignal {
  const controller = new AbortController();
  if (response?.destroyed) controller.abort();
  response?.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The language of an answer: `locale` if it is set (the default if that is unknown), else the language of the request. */
export function localeOf({ locale: wanted }: { readonly locale?: string }, context: RequestContext): Locale {
  const locale = wanted === undefined ? context.locale : (matchLocale(wanted) ?? context.defaultLocale);
  context.headers['Content-Language'] = locale;
  return locale;
}
