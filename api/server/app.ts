/** The Express application: all routes, the documentation, health, and the one error handler. */
import { constants as zlib } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { ServiceError } from '../../engine/util/errors.ts';
import { limitRefusals } from '../access/rate-limit.ts';
import { createContext, type Observe, type ObservedRequest, type RequestContext } from '../access/request-context.ts';
import { ActionFailure, recordFailure } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { createResponder, type StepServices } from '../call/steps.ts';
import { buildOpenApi, mountOpenApi } from '../docs/openapi.ts';
import { sendJson, sendReply } from '../http/answer/respond.ts';
import { errorBody, isFailure, toServiceError } from '../http/errors/error-body.ts';
import { allowLongBody, bodyReader, COMMON_BODY } from '../http/input/body.ts';
import { chooseLocale } from '../http/language/choose-locale.ts';
import type { Locale } from '../http/language/locale.ts';
import { toExpressPath } from '../http/path-template.ts';
import { mountMcp } from '../mcp/mount.ts';
import { RESOURCE_METADATA_PATH, USUAL_SCOPES } from '../oauth/addresses.ts';
import { mountOAuth } from '../oauth/mount.ts';
import { ROUTES } from '../routes.ts';
import { mountSite } from '../site/mount.ts';
import { mountTables } from '../tables/mount.ts';
import { corsRules } from './cors.ts';
import { mountHealth, type ReadinessChecks } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { ProcessGroup } from './process-group.ts';
import { answerUnrouted } from './raw-answers.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  readonly defaultLocale: Locale;
  /** Express's `trust proxy`: the proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: string | number | boolean;
  /** Sites whose pages may call every route. Pages of any site may read market data. */
  readonly corsOrigins?: readonly string[];
  /** Metrics that are served on a separate port. Without them, `/metrics` is served here. */
  readonly metrics?: Metrics;
  readonly checks: ReadinessChecks;
  /** Default: every route of the API. */
  readonly routes?: readonly Route<Services>[];
  /** The OpenAPI document. Default: it is made, which takes half a second. */
  readonly description?: object;
  /** Spans that the collector of traces did not take. Default: none is traced. */
  readonly droppedSpans?: () => number;
  /** Whether mails of this installation go to a folder, as the sign-in page then says. Default: false. */
  readonly isMailLocal?: boolean;
  /** The processes with which this one shares its port. Default: it shares it with none. */
  readonly group?: ProcessGroup | null;
  /** False once the process is shutting down. Default: always true. */
  readonly isServing?: () => boolean;
}

const SLOW_MS = 1_000;
const MAX_WAIT_S = 30;

/** How long the caller asked to wait for a change, in milliseconds. */
const askedWaitMs = ({ query }: ObservedRequest) => 1_000 * Math.min(MAX_WAIT_S, Number(query?.wait) || 0);

/** Levels at which a megabyte of JSON takes a few milliseconds; each stream needs about 256 KiB. */
const COMPRESSION = {
  chunkSize: 64 * 1024,
  brotli: { chunkSize: 64 * 1024, params: { [zlib.BROTLI_PARAM_QUALITY]: 4, [zlib.BROTLI_PARAM_LGWIN]: 18 } },
};

export function createApp(services: Services, options: AppOptions): Express {
  const { market, log, accessLog, publicApiBase } = services;
  const { defaultLocale, checks, group = null, isServing = () => true, routes = ROUTES } = options;
  const metrics = options.metrics ?? createMetrics(services, options);
  const observe: Observe = (request, status) => {
    const { startedAt, waitedMs, requestId, route } = request.context;
    const ms = performance.now() - startedAt;
    metrics.observe(request, status, ms / 1000);
    accessLog.record(request, status, ms);
    // Failures are logged with their cause by the error handler.
    const level = ms - waitedMs > SLOW_MS + askedWaitMs(request) ? 'warn' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    log[level]({ requestId, method: request.method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy);
  app.use((request, _response, next) => {
    request.context = newContext(request, defaultLocale);
    if (request.headers.host === undefined && request.httpVersion === '1.1') throw new ServiceError('invalid_request');
    next();
  });
  app.use(compression({ ...COMPRESSION, filter: isCompressed }));
  app.use(corsRules(routes, options.corsOrigins ?? []));
  for (const ofPath of groupByPath(routes)) {
    const atPath = app.route(expressPath(ofPath[0]));
    for (const route of ofPath) atPath[route.method](createHandler(route, services, observe));
    const allowed = ofPath
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .join(', ');
    atPath.all((request) => {
      request.context.headers.Allow = allowed;
      throw new ServiceError('method_not_allowed', { method: request.method, allowed });
    });
  }
  mountHealth(app, { checks, isServing, group, metrics, hasMetrics: !options.metrics, log });
  mountOpenApi(app, options.description ?? buildOpenApi(ROUTES, publicApiBase), market);
  mountMcp(app, services, { routes, observe, corsOrigins: options.corsOrigins ?? [] });
  mountOAuth(app, services, observe);
  mountTables(app, services, observe);
  const site = mountSite(app, services, { ...options, routes });
  app.use(async (request, response) => {
    if (!(await site.answerNotFound(request, response))) throw new ServiceError('not_found');
  });
  app.use(errorHandler(services, observe, defaultLocale));
  app.use(lastErrorHandler(services, defaultLocale));
  return app;
}

/** The routes of each path. Paths without parameters come first, so that none of them matches a parameter of another path. */
function groupByPath(routes: readonly Route<Services>[]): Route<Services>[][] {
  const groups = [...Map.groupBy(routes, ({ path }) => path)];
  const hasParameter = (path: string) => Number(path.includes('{'));
  return groups.toSorted(([one], [other]) => hasParameter(one) - hasParameter(other)).map(([, ofPath]) => ofPath);
}

/** Files are not compressed: `Range` refers to their bytes, and most are compressed already. Nor are events, which would wait in a buffer. */
function isCompressed(request: Request, response: Response): boolean {
  const isEvents = String(response.getHeader('Content-Type')).startsWith('text/event-stream');
  return !response.hasHeader('Content-Disposition') && !isEvents && compression.filter(request, response);
}

function newContext(request: Request, defaultLocale: Locale): RequestContext {
  const locale = chooseLocale(langOf(request.url), request.headers['accept-language'], defaultLocale);
  return createContext(request, locale, defaultLocale);
}

/** Parsed without Express, whose parser throws for some targets before the language of the error is known. */
function langOf(url: string): string | undefined {
  if (!url.includes('lang=')) return undefined;
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('lang') ?? undefined;
}

/** `/v1/quote/{symbol}` → `/v1/quote/:symbol`, and `/v1/files/{path}` → `/v1/files/*path` for a deep path. */
function expressPath({ path, hasDeepPath = false }: Pick<Route, 'path' | 'hasDeepPath'>): string {
  return toExpressPath(hasDeepPath ? path.replace(/\{(\w+)\}$/, '*$1') : path);
}

/** How to authenticate (RFC 9110), and what the credential of the call lacks (RFC 6750); to assistants, where (RFC 9728). */
function challengeOf({ code, details }: ServiceError, { takesGrants }: RequestContext, publicApiBase: string): string {
  const parts = ['realm="market data"'];
  if (code === 'invalid_credential') parts.push('error="invalid_token"');
  if (code === 'scope_missing') parts.push('error="insufficient_scope"', `scope="${details.scope}"`);
  if (code === 'grant_required') parts.push(`scope="${USUAL_SCOPES}"`);
  if (takesGrants) parts.push(`resource_metadata="${new URL(RESOURCE_METADATA_PATH, publicApiBase).href}"`);
  return `Bearer ${parts.join(', ')}`;
}

function errorHandler(services: Services, observe: Observe, defaultLocale: Locale): ErrorRequestHandler {
  const { log } = services;
  return async (thrown, request, response, _next) => {
    // Express refuses some targets before any handler runs.
    request.context ??= newContext(request, defaultLocale);
    const { context } = request;
    const action = thrown instanceof ActionFailure ? thrown : null;
    const error = await limitRefusals(services, request, toServiceError(action ? action.cause : thrown));
    const body = errorBody(error, context.locale);
    const status = body.code;
    if (isFailure(error)) {
      const { requestId, route } = context;
      log.error({ err: error.cause ?? error, requestId, method: request.method, route }, `answered ${status}`);
    }
    await recordFailure(services, action?.intent ?? context.intent, error);
    context.headers['Content-Language'] = context.locale;
    context.headers['Cache-Control'] = 'no-store';
    if (status === 401 || error.code === 'scope_missing')
      context.headers['WWW-Authenticate'] = challengeOf(error, context, services.publicApiBase);
    if (status === 429) context.headers['Retry-After'] = error.details.seconds;
    if (response.headersSent) return void response.destroy();
    sendJson(request, response, status, JSON.stringify(body));
    observe(request, status);
  };
}

/** Answers requests for which the error handler itself failed. */
function lastErrorHandler({ log }: Services, locale: Locale): ErrorRequestHandler {
  return (error, request, response, _next) => {
    log.error({ err: error, method: request.method }, 'an error could not be answered');
    answerUnrouted(request, response, new ServiceError('internal'), locale);
  };
}

/** The Express handler of a route. */
function createHandler<S extends StepServices>(route: Route<S>, services: S, observe: Observe): RequestHandler {
  const respond = createResponder(route, services, observe);
  const takesJson = route.bodySchema && !route.bodyTypes;
  const readBody = takesJson && bodyReader(route.bodyLimits ?? COMMON_BODY, route.isForgiving ?? false);
  return (request, response) =>
    respond(request, {
      receive: async () => {
        if (readBody) await readBody(request, response);
        if (route.bodyTypes) {
          allowLongBody(request);
          request.body = request;
        }
        return request;
      },
      send: (reply) => sendReply(request, response, reply),
    });
}
