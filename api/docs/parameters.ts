/** Request parameters and bodies in the interface description. */
import type { GlobalMeta } from 'zod';
import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { CLIENT_KINDS } from '../../db/log/access-records.ts';
import { fromKeys } from '../../engine/util/values.ts';
import type { Route } from '../call/route.ts';
import type { BodyLimits } from '../http/input/body.ts';
import { z } from '../http/input/fields.ts';
import { definitionOf } from '../http/input/problems.ts';

export interface Reference {
  readonly $ref: string;
}

type Kind = 'examples' | 'headers' | 'parameters' | 'responses';
export interface Components extends Required<Pick<ZodOpenApiComponentsObject, Kind>> {
  /** The schemas without an id, each with the named schema that replaces it. */
  readonly named: Map<z.ZodType, z.ZodType>;
  /** The name of each response that is a component, by its JSON. */
  readonly failures: Map<string, string>;
}

/** `If-None-Match`, `backtest_id`, `getQuote` → `IfNoneMatch`, `BacktestId`, `GetQuote`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[-_ ])([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Makes the part a component, unless one of its name exists, and returns a reference. */
export function refer<K extends Kind>(
  components: Components,
  kind: K,
  name: string,
  part: Components[K][string],
): Reference {
  const named: Record<string, unknown> = components[kind];
  named[name] ??= part;
  return { $ref: `#/components/${kind}/${name}` };
}

/** The schema with a name, which makes it a component. */
export function nameSchema({ named }: Components, schema: z.ZodType, name: string): z.ZodType {
  if (schema.meta()?.id !== undefined) return schema;
  const known = named.get(schema) ?? schema.meta({ id: name });
  named.set(schema, known);
  return known;
}

const READ_VERB = /^(get|list|search)(?=[A-Z])/;

/** A name for the `data` of an operation: `UserList` for a page of `User`, `Usage` for `getUsage`. */
export function dataName(operationId: string, schema: z.ZodType): string {
  const { total, items } = definitionOf(schema).shape ?? {};
  const item = total && items && definitionOf(items).element;
  const itemName = item?.meta()?.id;
  if (itemName !== undefined) return `${itemName}List`;
  return READ_VERB.test(operationId) ? operationId.replace(READ_VERB, '') : `${pascalCase(operationId)}Data`;
}

const language = z.string().optional().meta({
  description: 'Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language',
});

/** The parameters of a route, including `lang`, which every route accepts. */
export function parametersOf({ pathSchema, querySchema }: Route) {
  return {
    ...(pathSchema && { path: z.object(asParameters(pathSchema.shape)) }),
    query: z.object(asParameters({ ...querySchema?.shape, lang: language })),
  };
}

/** Descriptions of the parameters of paths: parameter → what it names. */
const OF_PATHS: Readonly<Record<string, string>> = {
  backtest_id: 'A kept backtest',
  forward_id: 'A forward record of the account',
  date: 'A session, YYYY-MM-DD',
  delivery_id: 'A delivery of a webhook',
  drawing_id: 'A drawing',
  entry_id: 'An entry of the audit log',
  export_id: 'An export',
  id: 'An id from the list',
  job_id: 'A job, as the answer 202 names it',
  key_id: 'An API key',
  grant_id: 'What an assistant was granted',
  request_id: 'The request of an assistant',
  load: 'A load, as revisions name it',
  portfolio_id: 'A kept portfolio',
  outcomes_id: 'A kept run of outcomes',
  preset: 'A ready-made screen',
  queue: 'A queue of jobs',
  slug: 'The name in the address',
  strategy_id: 'An own strategy',
  sweep_id: 'A sweep',
  study_id: 'A factor study',
  table: 'A table with its namespace',
  user_id: 'An account',
  watch_id: 'A watch',
  webhook_id: 'A webhook',
};

/** Fields as parameters: a description and an example belong to the parameter, not to its schema. */
function asParameters(fields: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  const parameters = Object.entries(fields).map(([name, field]) => {
    const { description = OF_PATHS[name], example } = annotationsOf(field);
    return [name, field.meta({ description: undefined, example: undefined, param: { description, example } })];
  });
  return Object.fromEntries(parameters);
}

/** The metadata of a field, with that of the schema inside it for optional fields and defaults. */
function annotationsOf(field: z.ZodType): GlobalMeta {
  const { innerType } = definitionOf(field);
  return { ...(innerType && annotationsOf(innerType)), ...field.meta() };
}

/** The request headers that routes read, besides credentials. */
const HEADERS = {
  'If-None-Match': { description: 'The `ETag` of an answer that the caller has cached' },
  'Idempotency-Key': {
    minLength: 1,
    maxLength: 128,
    description:
      'Printable characters that identify a request. A call with the same key, method, and path within 24 hours has no further ' +
      'effect and gets the first answer again, with `Idempotent-Replayed: true`. Answers of 2xx up to 32 MiB are stored, ' +
      '256 MiB per account. Ignored for guests.',
  },
  Prefer: {
    description: '`respond-async`: answer at once with 202 and the queued job, instead of waiting for its result',
  },
  'Last-Event-ID': {
    description: 'The `id` of the last event that the caller has: what followed is sent first, for 24 hours',
  },
  'If-Match': { description: 'The `ETag` that the file must have; 412 if it has another' },
  Range: { description: 'The part of the file to send, such as `bytes=1000-`' },
  'If-Range': {
    description: 'The `ETag` of the part that the caller has. If the file has changed, all of it is sent',
  },
  'X-Client-Kind': {
    description: `Kind of the client, for statistics: ${CLIENT_KINDS.join(', ')}. Otherwise guessed from \`User-Agent\``,
  },
  'X-Visitor-Id': {
    description:
      'A random id that a browser stores, to count visitors: 8 to 64 letters, digits, `-`, and `_`. Only for the client ' +
      'kind `web`',
  },
} as const;
type HeaderName = keyof typeof HEADERS;

/** References to the headers that a route reads. */
export function headersOf(components: Components, route: Route): Reference[] {
  const { caching, takesIdempotencyKey, takesPrefer, isResumable } = route;
  const names: readonly HeaderName[] = [
    ...(caching || isResumable ? ['If-None-Match' as const] : []),
    ...(takesIdempotencyKey ? ['Idempotency-Key' as const] : []),
    ...(route.isStream ? ['Last-Event-ID' as const] : []),
    ...(takesPrefer ? ['Prefer' as const] : []),
    ...(isResumable ? (['If-Match', 'Range', 'If-Range'] as const) : []),
    'X-Client-Kind',
    'X-Visitor-Id',
  ];
  return names.map((name) => {
    const { description, ...size } = HEADERS[name];
    const schema = { type: 'string' as const, ...size };
    return refer(components, 'parameters', pascalCase(name), { in: 'header', name, description, schema });
  });
}

/** The body of a route. It is optional if an empty one is valid. */
export function requestBodyOf(components: Components, route: Route) {
  const { operationId, bodySchema, bodyExample, bodyLimits, bodyTypes } = route;
  if (bodySchema && bodyTypes) return { required: true, content: fromKeys(bodyTypes, () => ({ schema: bodySchema })) };
  if (!bodySchema) return undefined;
  const schema = nameSchema(components, bodySchema, `${pascalCase(operationId)}Request`);
  return {
    required: !bodySchema.safeParse({}).success,
    description: bodyLimits && sizeText(bodyLimits),
    content: { 'application/json': { schema, example: bodyExample } },
  };
}

function sizeText({ maxBytes, maxValues }: BodyLimits): string {
  return `At most ${maxBytes / 1024} KiB, and ${maxValues} keys and list items`;
}
