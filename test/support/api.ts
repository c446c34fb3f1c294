/** The real HTTP stack over a loaded market; every response is checked against our own interface description. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Express, Request } from 'express';
import pino from 'pino';
import supertest, { type Response } from 'supertest';
import { createApp } from '../../api/app.ts';
import { identifyGuest } from '../../api/identity.ts';
import { type DistributionMode, MarketView } from '../../api/market/market-view.ts';
import { buildOpenApi } from '../../api/openapi.ts';
import type { PlanCode } from '../../api/plans.ts';
import type { Identity } from '../../api/request-context.ts';
import { ROUTES } from '../../api/routes.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import type { TestDatabase } from './database.ts';
import { NOON_2026_06_01 } from './market-folder.ts';

const document = buildOpenApi(ROUTES, 'http://test') as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'api', ...document });

const pointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Throws unless the response is what the description promises for its path, method and status. */
export function assertDescribed(method: string, path: string, response: Response): void {
  if (!response.headers['x-request-id']) throw new Error(`${method} ${path}: no X-Request-Id`);
  const pathname = path.split('?')[0];
  const template = Object.keys(document.paths).find((t) =>
    new RegExp(`^${t.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const operation = template && document.paths[template][method];
  if (!template || !operation) return;
  if (response.status === 405) return;
  if (!operation.responses[response.status])
    throw new Error(`${method} ${path}: status ${response.status} is not described`);
  const parts = [
    'paths',
    template,
    method,
    'responses',
    String(response.status),
    'content',
    'application/json',
    'schema',
  ];
  const validate = ajv.compile({ $ref: `api#/${parts.map(pointer).join('/')}` });
  if (!validate(response.body)) throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)}`);
}

export interface TestApi {
  readonly app: Express;
  readonly market: MarketView;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  readonly database: Pick<TestDatabase, 'url' | 'pool'>;
  readonly provider: Provider;
  readonly mode?: DistributionMode;
  /** Default: noon in New York on 2026-06-01. */
  readonly now?: () => number;
  /** Callers have this plan and, unless `asGuest`, never reach a limit by accident. */
  readonly plan?: PlanCode;
  readonly asGuest?: boolean;
  readonly staleSessions?: number;
}

export async function openTestApi(options: TestApiOptions): Promise<TestApi> {
  const { database, provider, mode = 'eod_only', now = () => NOON_2026_06_01, plan = 'enterprise' } = options;
  const log = pino({ level: 'silent' });
  const { url, pool } = database;
  const market = await MarketView.open({
    ...{ url, pool, now, mode, log, seriesCacheBytes: 1 << 24 },
    staleSessions: options.staleSessions ?? 3,
  });
  let calls = 0;
  const identify = async (_request: Request): Promise<Identity> => ({ key: `test:${calls++}`, plan });
  const app = createApp({
    ...{ pool, market, provider, now, log },
    identify: options.asGuest ? identifyGuest : identify,
    publicApiBase: 'http://test',
    defaultLocale: 'en',
    responseCacheBytes: 1 << 22,
    publicReadsPerMinute: 300,
    trustProxy: true,
    isMetricsPublic: false,
    checks: { database: () => pool.query('select 1'), broken: async () => {} },
  });
  const checked = async (method: string, path: string, sent: supertest.Test) => {
    const response = await sent;
    assertDescribed(method, path, response);
    return response;
  };
  return {
    app,
    market,
    get: (path, headers = {}) => checked('get', path, supertest(app).get(path).set(headers)),
    post: (path, body, headers = {}) =>
      checked(
        'post',
        path,
        supertest(app)
          .post(path)
          .set({ 'content-type': 'application/json', ...headers })
          .send(body as object),
      ),
    close: () => market.close(),
  };
}
