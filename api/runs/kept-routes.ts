/** The routes of kept runs, the same for each kind: read, delete, share, and export one. */
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { localeOf } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, idField, localeField, z } from '../http/input/fields.ts';
import { exportKept } from './export.ts';
import { history, historyQuery } from './history.ts';
import { keptResult, removeKept, sharedResult, shareKept } from './keep.ts';
import { historySchema, sharingSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';

interface KeptRuns {
  readonly kind: KeptKind;
  /** The noun in operation ids: `Backtest`. */
  readonly noun: string;
  /** The long parts of a result, which a full answer has and which can be exported. */
  readonly parts: readonly [ResultPart, ...ResultPart[]];
  readonly dataSchema: z.ZodType;
}

/** A route of accounts: its name and address, and who may call it. */
interface KeptRoute {
  readonly operationId: string;
  readonly path: string;
  readonly tag: string;
  readonly access: 'member' | 'console';
}

const localeQuery = z.object({ locale: localeField });
const slugPath = z.object({ slug: z.string().min(6).max(32).meta({ example: 'p7Xk2mQ9' }) });

/** The path of a kept run, and the run that it names. */
export function keptPath(kind: KeptKind) {
  const name = `${kind}_id`;
  return {
    pathSchema: z.object({ [name]: idField }),
    keptOf: (path: Readonly<Record<string, number>>) => ({ kind, id: path[name] }),
  };
}

/** Shares a kept run, or revokes the link. */
export function shareRoute(kind: KeptKind, route: KeptRoute): Route<Services> {
  const { pathSchema, keptOf } = keptPath(kind);
  return defineRoute({
    ...route,
    pathSchema,
    method: 'post',
    takesIdempotencyKey: true,
    summary: `Share a ${kind} by a link, or revoke the link`,
    description: `The slug never changes: sharing a ${kind} again gives the same link.`,
    limit: 'account',
    bodySchema: z.strictObject({ shared: z.boolean().default(true) }),
    bodyExample: { shared: true },
    dataSchema: sharingSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => shareKept(call, keptOf(path), body.shared),
  });
}

/** Lists the kept runs of an account. */
export function historyRoute(route: KeptRoute): Route<Services> {
  return defineRoute({
    ...route,
    method: 'get',
    summary: 'List kept backtests, newest first',
    limit: 'account',
    querySchema: historyQuery,
    queryAliases: { size: 'page_size' },
    dataSchema: historySchema,
    errors: ['invalid_symbol', 'market_not_open', 'invalid_strategy', 'invalid_date', 'invalid_date_range'],
    handle: ({ query, ...call }) => history(call, query),
  });
}

/** The routes of the web application. */
export function keptRoutes({ kind, noun, parts, dataSchema }: KeptRuns): readonly Route<Services>[] {
  const tag = `Web ${kind}s`;
  const { pathSchema, keptOf } = keptPath(kind);
  const onePath = `/api/${kind}/{${kind}_id}`;
  return [
    defineRoute({
      operationId: `getShared${noun}`,
      method: 'get',
      path: `/api/${kind}/shared/{slug}`,
      tag,
      summary: `Get a shared ${kind}`,
      access: 'anyone',
      limit: 'public',
      pathSchema: slugPath,
      querySchema: localeQuery,
      caching: 'revalidated',
      dataSchema,
      errors: ['not_found'],
      handle: ({ path: { slug }, query, ...call }) => sharedResult(call, { kind, slug }, localeOf(query, call.context)),
    }),
    defineRoute({
      operationId: `getWeb${noun}`,
      method: 'get',
      path: onePath,
      tag,
      summary: `Get a kept ${kind} with all its data`,
      access: 'console',
      limit: 'account',
      pathSchema,
      querySchema: localeQuery,
      dataSchema,
      errors: ['not_found'],
      handle: ({ path, query, ...call }) => keptResult(call, keptOf(path), parts, localeOf(query, call.context)),
    }),
    defineRoute({
      operationId: `delete${noun}`,
      method: 'delete',
      path: onePath,
      tag,
      summary: `Delete a kept ${kind}`,
      access: 'console',
      limit: 'account',
      pathSchema,
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => removeKept(call, keptOf(path)),
    }),
    shareRoute(kind, { operationId: `shareWeb${noun}`, path: `${onePath}/share`, tag, access: 'console' }),
    defineRoute({
      operationId: `export${noun}`,
      method: 'get',
      path: `${onePath}/export`,
      tag,
      summary: `Export a part of a kept ${kind} as a CSV or Parquet file`,
      access: 'console',
      limit: 'account',
      pathSchema,
      querySchema: z.object({
        kind: z.enum(parts).default('trades').meta({ description: 'The rows of the file' }),
        format: z.string().max(20).default('csv').meta({ description: '`csv` or `parquet`' }),
        locale: localeField,
      }),
      fileTypes: ['text/csv', 'application/vnd.apache.parquet'],
      dataSchema: z.string(),
      errors: ['not_found', 'invalid_format'],
      handle: ({ path, query, ...call }) => exportKept(call, keptOf(path), query, localeOf(query, call.context)),
    }),
  ];
}
