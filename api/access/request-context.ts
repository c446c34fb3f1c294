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

export interface RequestContext {
  readonly requestId: string;
  /** The language of every text of the answer. */
  locale: Locale;
  /** The default language of the service. */
  readonly defaultLocale: Locale;
  /** The caller's address, as far as proxies are trusted. */
  readonly ip: string | undefined;
  /** The web site, when it is what calls. */
  readonly webClient: WebClient | null;
  /** Whether the caller prefers 202 at once to waiting for the result (RFC 7240). */
  readonly isAsync: boolean;
  /** The id for work that the call queues: the same each time a call with an idempotency key is sent. Null without one. */
  idempotentJobId: string | null;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** The path template, for logs and metrics. */
  route: string;
  /** Null until the caller is identified, and when that fails. */
  caller: Caller | null;
  /** The category of the plan in which the call was counted; null for none. */
  category: RateCategory | null;
  /** The counter in which the call was counted; null for none. */
  counted: CountedIn | null;
  /** Whether the access log only counts the call, without a record of its own. */
  isOnlyCounted: boolean;
  /** Recorded by the audit log if the request fails. Null: nothing is recorded. */
  intent: AuditIntent | null;
  /** Set when the request reports a page view. */
  pageView: PageView | null;
  /** Aborted when the client disconnects before the answer is sent. */
  readonly abortSignal: () => AbortSignal;
  /** Headers of the response. */
  readonly headers: Record<string, string | number | string[]>;
}

/** A request with its context. */
export interface ObservedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
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
  const given = headers['x-request-id'];
  return typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
}

export function createContext(request: Request, locale: Locale, defaultLocale: Locale): RequestContext {
  const { headers, ip, res: response } = request;
  const requestId = requestIdOf(headers);
  let gone: AbortSignal | undefined;
  return {
    requestId,
    locale,
    defaultLocale,
    ip,
    webClient: webClientOf(request),
    isAsync: RESPOND_ASYNC.test(textOf(headers.prefer) ?? ''),
    idempotentJobId: null,
    startedAt: performance.now(),
    route: 'unknown',
    caller: null,
    category: null,
    counted: null,
    isOnlyCounted: false,
    intent: null,
    pageView: null,
    abortSignal: () => {
      gone ??= goneSignal(response);
      return gone;
    },
    headers: {
      'X-Request-Id': requestId,
      'Content-Language': locale,
      Vary: COMMON_VARY,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

const textOf = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header);

function goneSignal(response: ServerResponse | undefined): AbortSignal {
  const gone = new AbortController();
  if (response?.destroyed) gone.abort();
  response?.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The language of an answer: `locale` if it is given (the default for an unknown one), else that of the request. */
export function localeOf({ locale: wanted }: { readonly locale?: string }, context: RequestContext): Locale {
  const locale = wanted === undefined ? context.locale : (matchLocale(wanted) ?? context.defaultLocale);
  context.headers['Content-Language'] = locale;
  return locale;
}
