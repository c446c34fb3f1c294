/** CORS: pages of any site may read market data; everything else is open only to the configured sites. */
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import type { Route } from '../call/route.ts';
import { pathMatcher } from '../http/path-template.ts';
import { ASSETS } from '../site/manifest.ts';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Content-Language',
  'Content-Disposition',
  'Location',
  'Idempotent-Replayed',
  'X-Export-Id',
  'X-Truncated',
  'X-Data-Version',
  'Deprecation',
  'Sunset',
  'Link',
];
const READ_HEADERS = ['X-API-Key', 'Authorization', 'If-None-Match', 'Accept-Language', 'X-Request-Id'];
const ALL_HEADERS = [
  ...READ_HEADERS,
  'Content-Type',
  'Idempotency-Key',
  'Prefer',
  'Range',
  'If-Range',
  'X-Client-Kind',
  'X-Visitor-Id',
];
const PREFLIGHT_SECONDS = 600;

const COMMON: cors.CorsOptions = { exposedHeaders: EXPOSED_HEADERS, maxAge: PREFLIGHT_SECONDS };
const FROM_ANYWHERE: cors.CorsOptions = {
  ...COMMON,
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: READ_HEADERS,
};

/** The back office, accounts, and login are never open to other sites. */
const CLOSED = /^\/api\/(admin|account|auth)\//;

/** Whether pages of any site may read a path: all of `/v1`, and the GET routes of `/api` that need no credential. */
function openReads(routes: readonly Route[]): (path: string) => boolean {
  const matchers = routes
    .filter(({ method, access, path }) => method === 'get' && access === 'anyone' && !path.startsWith('/v1/'))
    .filter(({ path }) => !CLOSED.test(path))
    .map(({ path }) => pathMatcher(path));
  return (path) => path.startsWith('/v1/') || matchers.some((matches) => matches(path));
}

/** Answers preflights, and sets the CORS headers of responses. */
export function corsRules(routes: readonly Route[], allowedOrigins: readonly string[]): RequestHandler {
  const isOpenRead = openReads(routes);
  const fromListed: cors.CorsOptions = { ...COMMON, origin: [...allowedOrigins], allowedHeaders: ALL_HEADERS };
  const rulesOf = (request: Request): cors.CorsOptions => {
    const asked = request.headers['access-control-request-method'];
    const method = request.method === 'OPTIONS' ? asked : request.method;
    if ((method === 'GET' || method === 'HEAD') && isOpenRead(request.path)) return FROM_ANYWHERE;
    return fromListed;
  };
  const apply = cors((request: Request, done) => done(null, rulesOf(request)));
  return (request, response, next) => {
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
    // Browsers send an origin for modules of their own site too.
    if (request.headers.origin === undefined || request.path.startsWith(`${ASSETS}/`)) return next();
    if (request.method === 'OPTIONS' && !isPreflight) return next();
    if (isPreflight) response.set(request.context.headers);
    apply(request, response, (error) => {
      // The headers of the context overwrite those of the response.
      if (response.hasHeader('vary')) request.context.headers.Vary = `${request.context.headers.Vary}, Origin`;
      next(error);
    });
  };
}
