/** What is known of a request while it is served. */
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Locale } from './locale.ts';
import type { PlanCode } from './plans.ts';

export interface Identity {
  /** Counts its own limits: `ip:…`, later `key:…` and `session:…`. */
  readonly key: string;
  readonly plan: PlanCode;
}

export interface RequestContext {
  readonly requestId: string;
  readonly locale: Locale;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Path template, for log and metrics. */
  route: string;
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
    startedAt: performance.now(),
    route: 'unknown',
    headers: {
      'X-Request-Id': requestId,
      'Content-Language': locale,
      Vary: 'Accept-Language',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

/** Gives a response that Express itself sends the headers that every response has. */
export function setCommonHeaders(request: Request, response: Response): Response {
  return response.set(request.context.headers as Record<string, string>);
}

/** Ends the response with a JSON body that is text or bytes already. */
export function sendJson(request: Request, response: Response, status: number, body: string | Buffer): void {
  const { headers } = request.context;
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}
