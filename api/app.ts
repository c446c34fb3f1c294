/** The Express application: every route of the table, documentation, health, and one place for errors. */
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { MarketStats } from '../db/market-stats.ts';
import type { Pool } from '../db/pool.ts';
import { ServiceError } from '../engine/errors.ts';
import type { Provider } from '../jobs/providers/provider.ts';
import { handlersOf } from './dispatch.ts';
import { mountDocs } from './docs.ts';
import { ERROR_STATUS, errorBody, toServiceError } from './errors.ts';
import { mountHealth, type ReadinessChecks } from './health.ts';
import type { Identify } from './identity.ts';
import { chooseLocale, type Locale } from './locale.ts';
import type { MarketView } from './market/market-view.ts';
import { createMetrics } from './metrics.ts';
import { buildOpenApi } from './openapi.ts';
import { Limiter, type LimitRule } from './rate-limit.ts';
import { createContext, sendJson } from './request-context.ts';
import { ROUTES } from './routes.ts';
import { TimedCache } from './timed-cache.ts';

/** What handlers work with. */
export interface Services {
  readonly pool: Pool;
  readonly market: MarketView;
  readonly provider: Provider;
  readonly now: () => number;
  readonly log: Logger;
  readonly identify: Identify;
  readonly publicApiBase: string;
  readonly limiter: Limiter;
  readonly publicRule: LimitRule;
  readonly statsCache: TimedCache<MarketStats & { generated_at: string }>;
  /** Ready-made answers by what they depend on. */
  readonly bodies: LRUCache<string, Buffer>;
  /** Tells log and metrics of a finished request. */
  readonly observe: (request: Request, status: number) => void;
}

export interface AppOptions
  extends Pick<Services, 'pool' | 'market' | 'provider' | 'now' | 'log' | 'identify' | 'publicApiBase'> {
  readonly defaultLocale: Locale;
  readonly responseCacheBytes: number;
  readonly publicReadsPerMinute: number;
  /** Express's `trust proxy`: whose X-Forwarded-For is believed. */
  readonly trustProxy: string | number | boolean;
  readonly isMetricsPublic: boolean;
  readonly checks: ReadinessChecks;
}

const STATS_MAX_AGE_MS = 60_000;
const SLOW_MS = 1_000;

export function createApp(options: AppOptions): Express {
  const { pool, market, log, defaultLocale, checks, isMetricsPublic, publicApiBase } = options;
  const metrics = createMetrics(pool, market);
  const services: Services = {
    ...options,
    limiter: new Limiter(pool),
    publicRule: { category: 'public', limit: options.publicReadsPerMinute, windowSeconds: 60 },
    statsCache: new TimedCache(STATS_MAX_AGE_MS),
    bodies: new LRUCache({
      maxSize: Math.max(1, options.responseCacheBytes),
      sizeCalculation: (body) => body.length + 200,
    }),
    observe: (request, status) => {
      const { startedAt, requestId, route } = request.context;
      const ms = performance.now() - startedAt;
      metrics.observe(request, status, ms / 1000);
      // A failure has been logged with its cause where it was answered.
      const level = ms > SLOW_MS ? 'warn' : 'debug';
      if (!log.isLevelEnabled(level)) return;
      log[level]({ requestId, method: request.method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    },
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', options.trustProxy);
  app.use((request, _response, next) => {
    const lang = request.url.includes('lang=') ? request.query.lang : undefined;
    const locale = chooseLocale(
      typeof lang === 'string' ? lang : undefined,
      request.headers['accept-language'],
      defaultLocale,
    );
    request.context = createContext(request, locale);
    next();
  });
  for (const route of ROUTES) app[route.method](expressPath(route.path), ...handlersOf(route, services));
  for (const [path, routes] of Map.groupBy(ROUTES, (route) => route.path)) {
    const allowed = routes
      .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
      .join(', ');
    app.all(expressPath(path), (request) => {
      request.context.headers.Allow = allowed;
      throw new ServiceError('method_not_allowed', { method: request.method, allowed });
    });
  }
  mountHealth(app, { checks, metrics, isMetricsPublic, log });
  mountDocs(app, buildOpenApi(ROUTES, publicApiBase));
  app.use(() => {
    throw new ServiceError('not_found');
  });
  app.use(errorHandler(services));
  return app;
}

/** `/v1/quote/{symbol}` → `/v1/quote/:symbol`. */
function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

function errorHandler({ log, observe }: Services): ErrorRequestHandler {
  return (thrown, request, response, _next) => {
    const error = toServiceError(thrown);
    const status = ERROR_STATUS[error.code];
    const { context } = request;
    if (status >= 500) {
      const { requestId, route } = context;
      log.error({ err: error.cause ?? error, requestId, method: request.method, route }, `answered ${status}`);
    }
    if (status === 503) context.headers['Retry-After'] = 1;
    if (response.headersSent) return void response.destroy();
    sendJson(request, response, status, JSON.stringify(errorBody(error, context.locale)));
    observe(request, status);
  };
}
