/**
 * `/iceberg`: the market, and kept runs of the caller, as Iceberg tables. `/iceberg/v1` is a read-only Iceberg REST catalog, in its own words and errors;
 * `/iceberg/objects` serves the files of tables in the protocol of S3, for readers of an installation without a bucket.
 */
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { z } from 'zod';
import { refusedLoad } from '../../jobs/contracts/load.ts';
import { frozenLake } from '../../jobs/tables/ducklake.ts';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas } from '../access/plans.ts';
import { limitRefusals, planRule } from '../access/rate-limit.ts';
import type { Observe } from '../access/request-context.ts';
import { FileReply } from '../http/answer/reply.ts';
import { beginResponse, sendReply } from '../http/answer/respond.ts';
import { errorBody, toServiceError } from '../http/errors/error-body.ts';
import * as catalog from './catalog.ts';
import { CatalogError, typeOfStatus } from './catalog-error.ts';
import { memberOf, OBJECTS, objectAccess, type Services, sendObject, sendObjectError } from './objects.ts';

const CATALOG = '/iceberg/v1';

/** A call of the catalog. */
interface CatalogCall {
  readonly request: Request;
  readonly response: Response;
  readonly caller: AccountCaller;
}

export function mountTables(app: Express, services: Services, observe: Observe): void {
  const answer =
    (route: string, handle: (call: CatalogCall) => unknown): RequestHandler =>
    async (request, response) => {
      const caller = await admit(services, request, `${CATALOG}${route}`);
      sendAnswer(request, response, await handle({ request, response, caller }));
      observe(request, response.statusCode);
    };
  const get = (route: string, handle: (call: CatalogCall) => unknown) =>
    app.get(`${CATALOG}${route.replaceAll(/\{(\w+)\}/g, ':$1')}`, answer(route, handle));

  app.post(
    `${CATALOG}/oauth/tokens`,
    express.urlencoded({ extended: false, limit: '4kb' }),
    tokenHandler(services, observe),
  );
  get('/config', catalog.catalogConfig);
  get('/namespaces', ({ request }) => catalog.listNamespaces(textOf(request.query.parent)));
  get('/namespaces/{namespace}', ({ request }) => catalog.getNamespace(pathOf(request, 'namespace')));
  get('/namespaces/{namespace}/tables', ({ request, caller }) =>
    catalog.listTables(services, caller.account.userId, pathOf(request, 'namespace')),
  );
  get('/namespaces/{namespace}/tables/{table}', (call) => loadTable(services, call));
  get('/market.ducklake', (call) => sendFrozenLake(services, call));
  get('/namespaces/{namespace}/views', ({ request }) => catalog.listViews(pathOf(request, 'namespace')));
  get('/namespaces/{namespace}/views/{view}', ({ request }) =>
    catalog.loadView(services, pathOf(request, 'namespace'), pathOf(request, 'view')),
  );
  const metrics = '/namespaces/{namespace}/tables/{table}/metrics';
  app.post(
    `${CATALOG}${metrics.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    answer(metrics, async (call) => {
      await findTable(services, call);
      return undefined;
    }),
  );
  app.all(`${CATALOG}/*rest`, async (request) => {
    await admit(services, request, `${CATALOG}/{rest}`);
    if (request.method === 'GET' || request.method === 'HEAD') {
      throw new CatalogError(404, 'NotFoundException', `No such call: ${request.method} ${request.path}`);
    }
    throw new CatalogError(403, 'ForbiddenException', 'The catalog is read-only');
  });
  app.get(`${OBJECTS}/:bucket/*key`, async (request, response) => {
    observe(request, await sendObject(services, request, response));
  });
  app.use(CATALOG, catalogErrors(services, observe, sendCatalogError));
  app.use(OBJECTS, catalogErrors(services, observe, sendObjectError));
}

/** Identifies the caller of the catalog, and counts the call. */
async function admit(services: Services, request: Request, route: string): Promise<AccountCaller> {
  const { context } = request;
  context.route = route;
  const caller = await services.identify(request);
  context.caller = caller;
  const member = memberOf(caller);
  await services.limiter.enforce(caller, planRule(caller, 'account'), context);
  context.category = 'account';
  assertPlanHas(member, 'market_files');
  return member;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function pathOf({ params }: Request, name: string): string {
  return String(params[name]);
}

/** Sends an answer as JSON, or 204 for none. HEAD asks only whether there is one. */
function sendAnswer(request: Request, response: Response, answer: unknown): void {
  if (response.headersSent) return;
  if (answer === undefined || request.method === 'HEAD') beginResponse(request, response, 204).end();
  else beginResponse(request, response, 200).type('json').send(JSON.stringify(answer));
}

const tokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().max(200).optional(),
  client_secret: z.string().max(200),
});

/** An API key is the secret of a client, and its token too: clients send it as they would send any other token. */
function tokenHandler(services: Services, observe: Observe): RequestHandler {
  return async (request, response) => {
    const { context } = request;
    context.route = `${CATALOG}/oauth/tokens`;
    const parsed = tokenRequest.safeParse(request.body);
    if (!parsed.success) {
      beginResponse(request, response, 400)
        .type('json')
        .send(JSON.stringify({ error: 'unsupported_grant_type' }));
      return void observe(request, 400);
    }
    const { client_secret: secret } = parsed.data;
    request.headers['x-api-key'] = secret;
    delete request.headers.authorization;
    const caller = await services.identify(request);
    context.caller = caller;
    await services.limiter.enforce(caller, planRule(caller, 'account'), context);
    const token = { access_token: secret, token_type: 'bearer', expires_in: 3_600 };
    const issued = { ...token, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    beginResponse(request, response, 200).type('json').send(JSON.stringify(issued));
    observe(request, 200);
  };
}

const loadQuery = z.object({
  snapshots: z.enum(['all', 'refs']).default('all'),
  snapshot: z.coerce.number().int().min(0).nullable().default(null),
});

const findTable = (services: Services, { request, caller }: CatalogCall) =>
  catalog.findTable(services, caller.account.userId, pathOf(request, 'namespace'), pathOf(request, 'table'));

async function loadTable(services: Services, call: CatalogCall): Promise<unknown> {
  const { request, response } = call;
  const parsed = loadQuery.safeParse(request.query);
  if (!parsed.success)
    throw new CatalogError(400, 'BadRequestException', 'snapshots is all or refs, snapshot is an id');
  const table = await findTable(services, call);
  if (request.method === 'HEAD') return null;
  const { snapshots, snapshot } = parsed.data;
  const etag = `"${table.tag}-${snapshots}${snapshot === null ? '' : `-${snapshot}`}"`;
  request.context.headers.ETag = etag;
  response.set('ETag', etag);
  // Unlike Express, also when the client asks proxies for a fresh answer, as those of catalogs do.
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag))
    return void beginResponse(request, response, 304).end();
  return catalog.loadTable(services, table, parsed.data, objectAccess(services, request, table));
}

const frozenQuery = loadQuery.pick({ snapshot: true });

/** The files of all tables as one file for DuckDB. */
async function sendFrozenLake(services: Services, { request, response }: CatalogCall): Promise<void> {
  const parsed = frozenQuery.safeParse(request.query);
  if (!parsed.success) throw new CatalogError(400, 'BadRequestException', 'snapshot is an id');
  const content = await frozenLake(services, parsed.data.snapshot);
  if (!content) {
    const { value, first, last } = await refusedLoad(services.pool, parsed.data.snapshot ?? 0);
    const kept = `loads from ${first} to ${last} are kept`;
    throw new CatalogError(404, 'NoSuchSnapshotException', `Snapshot ${value} is unknown or has expired: ${kept}`);
  }
  const body = new FileReply('market.ducklake', 'application/octet-stream', content);
  await sendReply(request, response, { status: 200, body });
}

type SendError = (request: Request, response: Response, error: CatalogError) => void;

function catalogErrors(services: Services, observe: Observe, send: SendError): ErrorRequestHandler {
  return async (thrown, request, response, _next) => {
    const { context } = request;
    const error = thrown instanceof CatalogError ? thrown : await refusalOf(services, request, thrown);
    if (error.status >= 500) {
      services.log.error(
        { err: thrown, requestId: context.requestId, route: context.route },
        `answered ${error.status}`,
      );
    }
    context.headers['Cache-Control'] = 'no-store';
    if (response.headersSent) return void response.destroy();
    send(request, response, error);
    observe(request, error.status);
  };
}

async function refusalOf(services: Services, request: Request, thrown: unknown): Promise<CatalogError> {
  const { context } = request;
  const error = await limitRefusals(services, request, toServiceError(thrown));
  const { code: status, message } = errorBody(error, context.locale);
  // Clients of catalogs send their credential only after 401.
  const code = error.code === 'login_required' ? 401 : status;
  if (code === 401) context.headers['WWW-Authenticate'] = 'Bearer realm="market data"';
  if (code === 429) context.headers['Retry-After'] = error.details.seconds;
  return new CatalogError(code, typeOfStatus(code), message);
}

function sendCatalogError(request: Request, response: Response, { status, type, message }: CatalogError): void {
  const body = { error: { message, type, code: status } };
  beginResponse(request, response, status).type('json').send(JSON.stringify(body));
}
