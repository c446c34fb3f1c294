/** The calls of the Iceberg REST catalog. The description does not list these routes: they answer in the words of its protocol. */
import { z } from 'zod';
import type { AccountCaller } from '../access/caller.ts';
import { assertPlanHas } from '../access/plans.ts';
import { type Call, type Route, routesWith } from '../call/route.ts';
import { JsonStream } from '../http/answer/reply.ts';
import { withPermit } from '../http/fair-semaphore.ts';
import * as catalog from './catalog.ts';
import { CatalogError } from './catalog.ts';
import { objectAccess, type Services } from './objects.ts';

export const CATALOG = '/iceberg/v1';
const NAMESPACE = `${CATALOG}/namespaces/{namespace}`;
const TABLE = `${NAMESPACE}/tables/{table}`;
const VIEW = `${NAMESPACE}/views/{view}`;

const defineRoute = routesWith<Services>();

const pathSchema = z.object({
  namespace: z.string().default(''),
  table: z.string().default(''),
  view: z.string().default(''),
  /** Method and path. */
  target: z.string(),
  /** The key or token of the caller. */
  credential: z.string().nullable(),
});

interface CatalogCall<Q = unknown> extends Call<z.output<typeof pathSchema>, Q, unknown, Services, AccountCaller> {}

/** Answers a call of the catalog. Reads have an ETag. */
function answering<Q extends z.ZodType = z.ZodUndefined>(
  method: 'get' | 'post',
  path: string,
  handle: (call: CatalogCall<z.output<Q>>) => unknown,
  querySchema?: Q,
): Route<Services> {
  return defineRoute({
    operationId: path,
    method,
    path,
    tag: 'Iceberg',
    summary: path,
    access: 'member',
    limit: 'account',
    isBare: true,
    caching: method === 'get' ? 'revalidated' : undefined,
    pathSchema,
    querySchema,
    dataSchema: z.unknown(),
    errors: [],
    handle: (call) => {
      assertPlanHas(call.caller, 'market_files');
      return handle(call);
    },
  });
}

const loadQuery = z.object({
  snapshots: z.enum(['all', 'refs']).default('all'),
  snapshot: z.coerce.number().int().min(0).nullable().default(null),
});
const parentQuery = z.object({ parent: z.string().optional() });

const findTable = ({ services, caller, path }: CatalogCall) =>
  catalog.findTable(services, caller.account.userId, path.namespace, path.table);

/** A table is read only for callers that do not have this version of it. */
async function loadTable(call: CatalogCall<z.output<typeof loadQuery>>): Promise<JsonStream> {
  const { services, caller, context, query, path } = call;
  const table = await findTable(call);
  const access = objectAccess(services, path.credential, table);
  async function* content() {
    yield JSON.stringify(await catalog.loadTable(services, table, query, access));
  }
  const { snapshots, snapshot } = query;
  const pieces = withPermit(services.largeAnswers, caller.counter, context.abortSignal(), content());
  return new JsonStream(pieces, `${table.tag}-${snapshots}${snapshot === null ? '' : `-${snapshot}`}`, true);
}

export const CATALOG_ROUTES: readonly Route<Services>[] = [
  answering('get', `${CATALOG}/config`, catalog.catalogConfig),
  answering('get', `${CATALOG}/namespaces`, ({ query }) => catalog.listNamespaces(query.parent), parentQuery),
  answering('get', NAMESPACE, ({ path }) => catalog.getNamespace(path.namespace)),
  answering('get', `${NAMESPACE}/tables`, ({ services, caller, path }) =>
    catalog.listTables(services, caller.account.userId, path.namespace),
  ),
  answering('get', TABLE, loadTable, loadQuery),
  answering('get', `${NAMESPACE}/views`, ({ path }) => catalog.listViews(path.namespace)),
  answering('get', VIEW, ({ services, path }) => catalog.loadView(services, path.namespace, path.view)),
  answering('post', `${TABLE}/metrics`, async (call) => {
    await findTable(call);
    return null;
  }),
];

/** For every other path and method. */
export const ANY_CALL = answering('post', `${CATALOG}/{rest}`, ({ path: { target } }) => {
  if (/^(GET|HEAD) /.test(target)) throw new CatalogError(404, 'NotFoundException', `No such call: ${target}`);
  throw new CatalogError(403, 'ForbiddenException', 'The catalog is read-only');
});

/** The key of a client is its token. */
export const TOKEN_ROUTE = defineRoute({
  operationId: 'catalogToken',
  method: 'post',
  path: `${CATALOG}/oauth/tokens`,
  tag: 'Iceberg',
  summary: 'Get a token',
  access: 'member',
  limit: 'account',
  isBare: true,
  pathSchema,
  dataSchema: z.unknown(),
  errors: [],
  handle: ({ path: { credential } }) => ({
    access_token: credential,
    token_type: 'bearer',
    expires_in: 3_600,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  }),
});
