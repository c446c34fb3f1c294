/** The real HTTP stack over a loaded market. Every response is checked against the interface description. */

import type { RequestListener } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pino, { type Logger } from 'pino';
import supertest, { type Response } from 'supertest';
import type { AdminSessions, Caller } from '../../api/access/caller.ts';
import type { PlanCode } from '../../api/access/plans.ts';
import type { Route } from '../../api/call/route.ts';
import { ARROW_STREAM } from '../../api/http/answer/arrow.ts';
import type { MarketView } from '../../api/market/market-view.ts';
import { ROUTES } from '../../api/routes.ts';
import { createApp } from '../../api/server/app.ts';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts, openServices, type Services } from '../../api/server/services.ts';
import type { TableFileSource } from '../../api/tables/objects.ts';
import { checkPool } from '../../db/pool.ts';
import type { Timeouts } from '../../db/session-limits.ts';
import type { DistributionMode } from '../../engine/market/calendar.ts';
import { required } from '../../engine/util/values.ts';
import type { Provider } from '../../jobs/providers/provider.ts';
import type { ProviderId } from '../../jobs/providers/providers.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { TestDatabase } from './database.ts';
import { deadline } from './deadlines.ts';
import { DESCRIPTION } from './description.ts';
import { NOON_2026_06_01 } from './market-folder.ts';

interface DescribedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

const document = JSON.parse(DESCRIPTION) as {
  paths: Record<string, Record<string, { description?: string; responses: Record<string, DescribedResponse> }>>;
  components: { responses: Record<string, DescribedResponse> };
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
// A test of the description checks that it is one.
ajv.addSchema({ $id: 'api', ...document }, undefined, undefined, false);

const pointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

const validators = new Map<string, ValidateFunction>();

function validatorOf(template: string, method: string, status: number): ValidateFunction {
  const { $ref } = document.paths[template][method].responses[status];
  const response = $ref?.split('/').slice(1) ?? ['paths', template, method, 'responses', String(status)];
  const path = [...response, 'content', 'application/json', 'schema'].map(pointer).join('/');
  let validate = validators.get(path);
  if (!validate) {
    validate = ajv.compile({ $ref: `api#/${path}` });
    validators.set(path, validate);
  }
  return validate;
}

/** Throws unless the response matches the description of its path, method, and status. */
export function assertDescribed(method: string, path: string, response: Response): void {
  if (!response.headers['x-request-id']) throw new Error(`${method} ${path}: no X-Request-Id`);
  const pathname = path.split('?')[0];
  const template = Object.keys(document.paths).find((t) =>
    new RegExp(`^${t.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const operation = template && document.paths[template][method];
  if (!template || !operation) return;
  if (response.status === 405) return;
  const answer = operation.responses[response.status];
  const described = answer?.$ref ? document.components.responses[required(answer.$ref.split('/').at(-1))] : answer;
  if (!described) throw new Error(`${method} ${path}: status ${response.status} is not described`);
  if (response.status === 304) return;
  const type = response.headers['content-type'].split(';')[0];
  // A further content type would widen what generated clients take the answer for: there only the text names it.
  const isNamed = described.content?.[type] !== undefined || operation.description?.includes(type);
  if (!isNamed) throw new Error(`${method} ${path}: content type ${type} is not described`);
  if (type !== 'application/json') return;
  const validate = validatorOf(template, method, response.status);
  if (!validate(response.body)) throw new Error(`${method} ${path}: ${ajv.errorsText(validate.errors)}`);
}

type Headers = Record<string, string>;

export interface TestApi {
  readonly app: RequestListener;
  /** The same service with other routes. */
  appOf(routes: readonly Route<Services>[]): RequestListener;
  readonly services: Services;
  readonly market: MarketView;
  get(path: string, headers?: Headers): Promise<Response>;
  post(path: string, body: unknown, headers?: Headers): Promise<Response>;
  patch(path: string, body: unknown, headers?: Headers): Promise<Response>;
  put(path: string, body: unknown, headers?: Headers): Promise<Response>;
  delete(path: string, body?: unknown, headers?: Headers): Promise<Response>;
  close(): Promise<void>;
}

/** Answers of these are kept as bytes in `body`, unless they are JSON. */
const isFile = (path: string) =>
  /\/api\/admin\/data\/(export$|exports\/\d+\/download)|\.parquet(\?|$)|\/v1\/files\/.|\/v1\/sql$|\/comparisons\/\d+\/download$|\/data-export\/file$|\/articles\/[^/]+\/cover(\?|$)|format=parquet$/.test(
    path,
  );

function asBytes(response: Response, done: (error: Error | null, body: unknown) => void): void {
  const isJson = response.headers['content-type']?.startsWith('application/json');
  buffer(response as unknown as Readable).then(
    (bytes) => done(null, isJson ? JSON.parse(bytes.toString()) : bytes),
    (error) => done(error, null),
  );
}

export interface TestApiOptions {
  readonly database: Pick<TestDatabase, 'url'>;
  readonly provider: Provider;
  readonly mode?: DistributionMode;
  /** Default: noon in New York on 2026-06-01. */
  readonly now?: () => number;
  /** Plan of all callers, who do not reach its limits by accident, unless callers are real. */
  readonly plan?: PlanCode;
  /** Whether callers are identified by their credentials, as in the service. */
  readonly realCallers?: boolean;
  readonly staleSessions?: number;
  readonly log?: Logger;
  readonly storage?: ObjectStorage;
  /** Default: bucket. */
  readonly tableFiles?: TableFileSource;
  readonly backtestWaitMs?: number;
  readonly corsOrigins?: readonly string[];
  /** Default: any. */
  readonly adminSessions?: AdminSessions;
  /** Default: none. */
  readonly otherProviders?: readonly ProviderId[];
  /** Default: none. */
  readonly webhookNetworks?: readonly string[];
  /** Default: those of the system. */
  readonly nameServers?: readonly string[];
  /** Default: http://test. */
  readonly publicApiBase?: string;
  /** Default: 1. */
  readonly rateLimitFactor?: number;
  /** Default: as long as this machine needs. Tests of a database that is away give those of the service. */
  readonly timeouts?: DatabaseTimeouts;
}

const patient = (timeouts: Timeouts): Timeouts => ({
  ...timeouts,
  connectMs: deadline(timeouts.connectMs),
  statementMs: deadline(timeouts.statementMs),
  commitMs: deadline(timeouts.commitMs),
  lockMs: deadline(timeouts.lockMs),
  transactionIdleMs: deadline(timeouts.transactionIdleMs),
});

/** A machine that is only slow is no outage. */
const PATIENT_TIMEOUTS: DatabaseTimeouts = {
  calls: patient(DATABASE_TIMEOUTS.calls),
  counters: patient(DATABASE_TIMEOUTS.counters),
  long: patient(DATABASE_TIMEOUTS.long),
};

export const TEST_SECRETS = {
  accessTokenKey: 'access-token-key-of-the-tests-0123456789',
  loginCodeKey: 'login-code-key-of-the-tests',
  identifierKey: 'identifier-key-of-the-tests',
};

export async function openTestApi(options: TestApiOptions): Promise<TestApi> {
  const { database, provider, mode = 'eod_only', now = () => NOON_2026_06_01, plan = 'enterprise' } = options;
  const services = await openServices({
    url: database.url,
    provider,
    otherProviders: options.otherProviders ?? [],
    mode,
    now,
    ...TEST_SECRETS,
    log: options.log ?? pino({ level: 'silent' }),
    databasePool: 10,
    seriesCacheBytes: 1 << 24,
    responseCacheBytes: 1 << 22,
    staleSessions: options.staleSessions ?? 3,
    storage: options.storage ?? openStorage({ folder: required(process.env.TEST_OBJECTS) }),
    tableFiles: options.tableFiles ?? 'bucket',
    backtestWaitMs: options.backtestWaitMs ?? deadline(20_000),
    adminSessions: options.adminSessions ?? 'any',
    webhookNetworks: options.webhookNetworks ?? [],
    nameServers: options.nameServers,
    publicApiBase: options.publicApiBase ?? 'http://test',
    rateLimitFactor: options.rateLimitFactor,
    timeouts: options.timeouts ?? PATIENT_TIMEOUTS,
  });
  let calls = 0;
  const identify = async (): Promise<Caller> => ({ kind: 'guest', counter: `test:${calls++}`, plan });
  const appOf = (routes: readonly Route<Services>[]) =>
    createApp(options.realCallers ? services : { ...services, identify }, {
      defaultLocale: 'en',
      trustProxy: true,
      corsOrigins: options.corsOrigins,
      routes,
      description: document,
      checks: { database: () => checkPool(services.pool), broken: async () => {} },
    });
  const app = appOf(ROUTES);
  const checked = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    headers?: Headers,
    body?: unknown,
  ) => {
    // The bytes of a file are read as they come, which nothing decompresses.
    const readsBytes = isFile(path) || headers?.accept === ARROW_STREAM;
    const sent = supertest(app)
      [method](path)
      .set({ ...(readsBytes && { 'accept-encoding': 'identity' }), ...headers });
    if (readsBytes) sent.buffer(true).parse(asBytes);
    const response = await (body === undefined ? sent : sent.send(body as object));
    assertDescribed(method, path, response);
    return response;
  };
  return {
    app,
    appOf,
    services,
    market: services.market,
    get: (path, headers) => checked('get', path, headers),
    post: (path, body, headers) => checked('post', path, { 'content-type': 'application/json', ...headers }, body),
    patch: (path, body, headers) => checked('patch', path, headers, body),
    put: (path, body, headers) => checked('put', path, headers, body),
    delete: (path, body, headers) => checked('delete', path, headers, body),
    close: () => services.close(),
  };
}
