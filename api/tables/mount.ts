/**
 * `/iceberg`: the market as Iceberg tables. `/iceberg/v1` is a read-only Iceberg REST catalog, in its own words and errors;
 * `/iceberg/objects` serves the files of tables in the protocol of S3, for readers of an installation without a bucket.
 */
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ServiceError } from '../../engine/util/errors.ts';
import { FOLDER_BUCKET } from '../../storage/folder.ts';
import { TABLES_PREFIX } from '../../storage/keys.ts';
import { authorize } from '../access/authorize.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { Identify } from '../access/identify.ts';
import { assertPlanHas } from '../access/plans.ts';
import { type Limiter, type LimitRule, limitRefusals, planRule } from '../access/rate-limit.ts';
import type { Observe } from '../access/request-context.ts';
import { StoredFileReply } from '../http/answer/reply.ts';
import { beginResponse, sendReply } from '../http/answer/respond.ts';
import { errorBody, toServiceError } from '../http/errors/error-body.ts';
import * as catalog from './catalog.ts';
import { CatalogError, typeOfStatus } from './catalog-error.ts';

export interface Services extends catalog.CatalogServices {
  readonly log: Logger;
  readonly identify: Identify;
  readonly limiter: Limiter;
  readonly publicApiBase: string;
}

const CATALOG = '/iceberg/v1';
const OBJECTS = '/iceberg/objects';

/** Reads of the files of tables in a minute. An engine reads a file in many parts, so they do not count as calls of the plan. */
const OBJECT_READS: LimitRule = { category: 'table_reads', limit: 20_000, windowSeconds: 60 };

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
  get('/namespaces/{namespace}/tables', ({ request }) => catalog.listTables(services, pathOf(request, 'namespace')));
  get('/namespaces/{namespace}/tables/{table}', (call) => loadTable(services, call));
  get('/namespaces/{namespace}/views', ({ request }) => catalog.listViews(pathOf(request, 'namespace')));
  get('/namespaces/{namespace}/views/{view}', ({ request }) =>
    catalog.loadView(services, pathOf(request, 'namespace'), pathOf(request, 'view')),
  );
  const metrics = '/namespaces/{namespace}/tables/{table}/metrics';
  app.post(
    `${CATALOG}${metrics.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    answer(metrics, async ({ request }) => {
      await catalog.findTable(services, pathOf(request, 'namespace'), pathOf(request, 'table'));
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
  app.get(`${OBJECTS}/:bucket/*key`, async (request, response) => sendObject(services, observe, request, response));
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

function memberOf(caller: Awaited<ReturnType<Identify>>): AccountCaller {
  authorize('member', caller, 'any');
  if (caller.kind === 'guest') throw new ServiceError('login_required');
  return caller;
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

async function loadTable(services: Services, { request, response }: CatalogCall): Promise<unknown> {
  const parsed = loadQuery.safeParse(request.query);
  if (!parsed.success)
    throw new CatalogError(400, 'BadRequestException', 'snapshots is all or refs, snapshot is an id');
  const pointer = await catalog.findTable(services, pathOf(request, 'namespace'), pathOf(request, 'table'));
  if (request.method === 'HEAD') return null;
  const { snapshots, snapshot } = parsed.data;
  const etag = `"${pointer.tableUuid}-${pointer.version}-${snapshots}${snapshot === null ? '' : `-${snapshot}`}"`;
  request.context.headers.ETag = etag;
  response.set('ETag', etag);
  // Unlike Express, also when the client asks proxies for a fresh answer, as those of catalogs do.
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag))
    return void beginResponse(request, response, 304).end();
  return catalog.loadTable(services, pointer, parsed.data, accessConfig(services, request));
}

/** How the caller reads the files: from this service with the own key, or from the bucket with the reader's credentials. */
function accessConfig({ storage, publicApiBase }: Services, request: Request): Readonly<Record<string, string>> {
  const isServed = storage.locationOf('').startsWith(`s3://${FOLDER_BUCKET}/`);
  if (!isServed) return {};
  const key = keyOf(request);
  if (key === null) return {};
  return {
    's3.endpoint': `${publicApiBase}${OBJECTS}`,
    's3.region': 'us-east-1',
    's3.path-style-access': 'true',
    's3.force-virtual-addressing': 'false',
    's3.access-key-id': 'market-data',
    's3.secret-access-key': 'market-data',
    's3.session-token': key,
  };
}

/** The credential with which the caller came. */
function keyOf({ headers }: Request): string | null {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : (/^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null);
}

/** Sends a file of a table, or the part in `Range`. The session token of the S3 client is the key of the caller. */
async function sendObject(services: Services, observe: Observe, request: Request, response: Response): Promise<void> {
  const { context, params, headers } = request;
  context.route = `${OBJECTS}/{key}`;
  const token = textOf(headers['x-amz-security-token']);
  if (token === undefined) throw new ServiceError('login_required');
  headers[token.startsWith('md_') ? 'x-api-key' : 'authorization'] = token.startsWith('md_')
    ? token
    : `Bearer ${token}`;
  if (token.startsWith('md_')) delete headers.authorization;
  const caller = memberOf(await services.identify(request));
  context.caller = caller;
  await services.limiter.enforce(caller, OBJECT_READS, context);
  assertPlanHas(caller, 'market_files');
  const key = [params.key].flat().join('/');
  const isOfTables = params.bucket === FOLDER_BUCKET && key.startsWith(TABLES_PREFIX) && !key.includes('..');
  const bytes = isOfTables ? await services.storage.size(key) : null;
  if (bytes === null) throw new ServiceError('not_found');
  const file = {
    name: key.slice(key.lastIndexOf('/') + 1),
    contentType: 'application/octet-stream',
    bytes,
    // Objects are never replaced, except for hints, which catalogs do not read.
    checksum: `${key.slice(key.lastIndexOf('/') + 1)}-${bytes}`,
    open: async (range: { start: number; end: number }) => {
      const content = await services.storage.get(key, range);
      if (!content) throw new ServiceError('not_found');
      return content;
    },
  };
  observe(request, await sendReply(request, response, { status: 200, body: new StoredFileReply(file) }));
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

/** The codes of S3 that clients act on. */
const S3_CODES: Readonly<Record<number, string>> = {
  401: 'AccessDenied',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  416: 'InvalidRange',
  429: 'SlowDown',
};

function sendObjectError(request: Request, response: Response, { status, message }: CatalogError): void {
  const text = message.replaceAll(/[<>&]/g, ' ');
  // S3 has no 401, and its clients do not expect one.
  const sent = status === 401 ? 403 : status;
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${S3_CODES[status] ?? 'InternalError'}</Code><Message>${text}</Message></Error>`;
  beginResponse(request, response, sent).type('application/xml').send(xml);
}
