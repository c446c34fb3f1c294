/** What is known of a request while it is served. */
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Caller } from '../db/callers.ts';
import type { Locale } from './locale.ts';
import type { PlanCode, RateCategory } from './plans.ts';
import type { FileReply } from './route.ts';

/** Who calls: a guest, the holder of an API key, or an account signed in at the console. */
export interface Identity {
  /** Counts its own limits: `ip:…`, `key:…` or `user:…`. */
  readonly key: string;
  /** The plan that counts now: an expired one is `free`. */
  readonly plan: PlanCode;
  readonly via: 'guest' | 'api_key' | 'session';
  /** The account; null for a guest. */
  readonly caller: Caller | null;
  /** The key that was used, if one was. */
  readonly apiKeyId: number | null;
}

export interface PageView {
  readonly path: string;
  readonly referrer: string | null;
}

export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  /** Address of the caller, as far as proxies are believed. */
  readonly ip: string | undefined;
  /** The Prefer header (RFC 7240), as sent. */
  readonly prefer: string | undefined;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Path template, for log and metrics. */
  route: string;
  /** Null until the caller is identified, and when that failed. */
  identity: Identity | null;
  /** Category of the plan that the call was counted in; null: none. */
  category: RateCategory | null;
  /** Set when the request tells of a page that was seen. */
  pageView: PageView | null;
  /** Aborted when the client goes away before it has its answer. */
  readonly whenGone: () => AbortSignal;
  /** Response headers collected on the way. */
  readonly headers: Record<string, string | number>;
}

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

const OWN_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's own id when it is one, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
}

export function createContext(request: Request, locale: Locale): RequestContext {
  const requestId = requestIdOf(request);
  return {
    requestId,
    locale,
    ip: request.ip,
    prefer: request.get('prefer'),
    startedAt: performance.now(),
    route: 'unknown',
    identity: null,
    category: null,
    pageView: null,
    whenGone: () => goneSignal(request),
    headers: {
      'X-Request-Id': requestId,
      'Content-Language': locale,
      Vary: 'Accept-Language',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

function goneSignal({ res: response }: Request): AbortSignal {
  const gone = new AbortController();
  if (response?.destroyed) gone.abort();
  response?.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Gives a response that Express itself sends the headers that every response has. */
export function setCommonHeaders(request: Request, response: Response): Response {
  return response.set(request.context.headers as Record<string, string>);
}

/** Ends the response with a file to download. */
export function sendFile(request: Request, response: Response, { name, contentType, content }: FileReply): void {
  const { headers } = request.context;
  headers['Content-Type'] = contentType;
  headers['Content-Length'] = Buffer.byteLength(content);
  headers['Content-Disposition'] = `attachment; filename="${name}"`;
  response.writeHead(200, headers);
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Ends the response with a JSON body that is text or bytes already. */
export function sendJson(request: Request, response: Response, status: number, body: string | Buffer): void {
  const { headers } = request.context;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}
