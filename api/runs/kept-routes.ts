/** The routes of kept runs, the same for each kind: read, share, delete, and export one, and what is found of it later. */
import type { KeptKind } from '../../db/runs/kept-runs.ts';
import type { ResultPart } from '../../db/runs/run-results.ts';
import { RUN_KINDS } from '../../jobs/contracts/run-kinds.ts';
import { localeOf } from '../access/request-context.ts';
import type { Route } from '../call/route.ts';
import { deletedSchema, localeField, queryFlag, z } from '../http/input/fields.ts';
import { type EvidenceOffer, evidenceRoutes } from './evidence-routes.ts';
import { type ExportedColumns, exportKept, type KeptRows } from './export.ts';
import { history, historyQuery, labelBody, labelKept } from './history.ts';
import { keptPath, keptResult, removeKept, type ShowKept, sharedResult, shareKept } from './keep.ts';
import { historyItemSchema, historySchema, sharingSchema } from './schemas.ts';
import { defineRoute, type Services } from './services.ts';
import { tearSheetRoutes } from './tear-sheet-routes.ts';

/** A part of an answer that a caller may leave out. */
interface Included {
  readonly parts: readonly ResultPart[];
  /** Whether a kept result includes it unless a caller says otherwise. */
  readonly isUsual: boolean;
  /** Its name in descriptions: `the trades`. */
  readonly words: string;
}

/** The API of the kept runs of a kind. */
export interface KeptOffer {
  readonly kind: KeptKind;
  /** The noun in operation ids: `Backtest`. */
  readonly noun: string;
  readonly dataSchema: z.ZodType;
  readonly include: Readonly<Record<string, Included>>;
  readonly columns: ExportedColumns;
  /** The rows of an exported part; absent: those of the long part of its name. */
  readonly rows?: KeptRows;
  /** How a kept result is answered; absent: with its figures and long parts. */
  readonly show?: ShowKept;
  readonly evidence: EvidenceOffer;
  readonly hasTearSheet: boolean;
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

/** The parts of a result that an answer has; those that no caller can leave out are always there. */
export function includedParts(
  { kind, include }: Pick<KeptOffer, 'kind' | 'include'>,
  wanted: readonly string[],
): readonly ResultPart[] {
  const left = Object.entries(include).flatMap(([name, { parts }]) => (wanted.includes(name) ? [] : parts));
  return RUN_KINDS[kind].kept.parts.filter((part) => !left.includes(part));
}

function keptRoute(tag: string, offer: KeptOffer): Route<Services> {
  const { kind, noun, dataSchema, include, show } = offer;
  const { path, name, pathSchema, keptOf } = keptPath(kind);
  const flags = Object.entries(include).map(([name, { isUsual, words }]) => {
    return [`include_${name}`, queryFlag(isUsual).meta({ description: `Whether the answer includes ${words}` })];
  });
  return defineRoute({
    operationId: `get${noun}`,
    method: 'get',
    path,
    tag,
    summary: `Get a kept ${name}`,
    access: 'member',
    limit: 'account',
    pathSchema,
    querySchema: z.object({ ...Object.fromEntries(flags), locale: localeField }),
    dataSchema,
    errors: ['not_found'],
    handle: ({ path, query, ...call }) => {
      const flags: Readonly<Record<string, unknown>> = query;
      const wanted = Object.keys(include).filter((name) => flags[`include_${name}`]);
      return keptResult(call, keptOf(path), includedParts(offer, wanted), localeOf(query, call.context), show);
    },
  });
}

/** Shares a kept run, or revokes the link. */
function shareRoute(kind: KeptKind, route: KeptRoute): Route<Services> {
  const { name, pathSchema, keptOf } = keptPath(kind);
  return defineRoute({
    ...route,
    pathSchema,
    method: 'post',
    takesIdempotencyKey: true,
    summary: `Share a ${name} by a link, or revoke the link`,
    description: `The slug never changes: sharing a ${name} again gives the same link.`,
    limit: 'account',
    bodySchema: z.strictObject({ shared: z.boolean().default(true) }),
    bodyExample: { shared: true },
    dataSchema: sharingSchema,
    errors: ['not_found'],
    handle: ({ path, body, ...call }) => shareKept(call, keptOf(path), body.shared),
  });
}

/** Names and tags a kept run. */
function updateRoute({ kind, noun }: KeptOffer, tag: string): Route<Services> {
  const { path, name, pathSchema, keptOf } = keptPath(kind);
  return defineRoute({
    operationId: `update${noun}`,
    method: 'patch',
    path,
    tag,
    summary: `Name or tag a kept ${name}`,
    description: 'What the body leaves out stays.',
    access: 'member',
    limit: 'account',
    pathSchema,
    bodySchema: labelBody,
    bodyExample: { name: 'First idea', tags: ['trend'] },
    dataSchema: historyItemSchema,
    errors: ['not_found'],
    handle: ({ path, body, services, caller }) => labelKept(services.pool, caller.account.userId, keptOf(path), body),
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

/** The routes of the kept runs of a kind. */
export function keptRoutes(tag: string, offer: KeptOffer): readonly Route<Services>[] {
  const { kind, noun } = offer;
  const { path } = keptPath(kind);
  return [
    keptRoute(tag, offer),
    updateRoute(offer, tag),
    shareRoute(kind, { operationId: `share${noun}`, path: `${path}/share`, tag, access: 'member' }),
    ...evidenceRoutes(kind, offer.evidence),
    ...(offer.hasTearSheet ? tearSheetRoutes(kind, noun) : []),
    ...consoleRoutes(offer),
  ];
}

/** The routes of the web application. */
function consoleRoutes({ kind, noun, dataSchema, show, ...offer }: KeptOffer): readonly Route<Services>[] {
  const { name, pathSchema, keptOf } = keptPath(kind);
  const { parts, path } = RUN_KINDS[kind].kept;
  const tag = path.replace('/v1/', 'Web ');
  const common = { tag, access: 'console', limit: 'account' } as const;
  const onePath = `/api/${kind}/{${kind}_id}`;
  const exported = Object.keys(offer.columns);
  return [
    defineRoute({
      operationId: `getShared${noun}`,
      method: 'get',
      path: `/api/${kind}/shared/{slug}`,
      tag,
      summary: `Get a shared ${name}`,
      access: 'anyone',
      limit: 'public',
      pathSchema: slugPath,
      querySchema: localeQuery,
      caching: 'revalidated',
      dataSchema,
      errors: ['not_found'],
      handle: ({ path: { slug }, query, ...call }) =>
        sharedResult(call, { kind, slug }, localeOf(query, call.context), show),
    }),
    defineRoute({
      ...common,
      operationId: `getWeb${noun}`,
      method: 'get',
      path: onePath,
      summary: `Get a kept ${name} with all its data`,
      pathSchema,
      querySchema: localeQuery,
      dataSchema,
      errors: ['not_found'],
      handle: ({ path, query, ...call }) => keptResult(call, keptOf(path), parts, localeOf(query, call.context), show),
    }),
    defineRoute({
      ...common,
      operationId: `delete${noun}`,
      method: 'delete',
      path: onePath,
      summary: `Delete a kept ${name}`,
      pathSchema,
      dataSchema: deletedSchema,
      errors: ['not_found'],
      handle: ({ path, ...call }) => removeKept(call, keptOf(path)),
    }),
    shareRoute(kind, { operationId: `shareWeb${noun}`, path: `${onePath}/share`, tag, access: 'console' }),
    defineRoute({
      ...common,
      operationId: `export${noun}`,
      method: 'get',
      path: `${onePath}/export`,
      summary: `Export a part of a kept ${name} as a CSV or Parquet file`,
      pathSchema,
      querySchema: z.object({
        kind: z.enum(exported).default(exported[0]).meta({ description: 'The rows of the file' }),
        format: z.string().max(20).default('csv').meta({ description: '`csv` or `parquet`' }),
        locale: localeField,
      }),
      fileTypes: ['text/csv', 'application/vnd.apache.parquet'],
      dataSchema: z.string(),
      errors: ['not_found', 'invalid_format'],
      handle: ({ path, query, ...call }) =>
        exportKept(
          call,
          keptOf(path),
          { ...query, ...offer, hasReceipt: offer.evidence.receipt !== undefined },
          localeOf(query, call.context),
        ),
    }),
  ];
}
