/** Responses in the interface description: success, files, queued work, and every failure of a route. */
import { readFileSync } from 'node:fs';
import type { ZodOpenApiLinksObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { ErrorCode } from '../../engine/util/errors.ts';
import type { Route } from '../call/route.ts';
import { z } from '../http/input/fields.ts';
import { definitionOf, unwrapped } from '../http/input/problems.ts';
import { LOCALES } from '../http/language/locale.ts';
import { errorsByStatus, failureExample, hasDetailsOfRoute } from './errors.ts';
import { type Components, dataName, nameSchema, pascalCase, type Reference, refer } from './parameters.ts';

/** The links of an answer with `data` of a schema, if any: `GET /v1/my/watches` → `GET /v1/my/watches/{watch_id}`. */
function linksOf(route: Route, data: z.ZodType, routes: readonly Route[]): ZodOpenApiLinksObject | undefined {
  const links = routes.flatMap((target) => {
    const parameters = linkedParameters(route, data, target.path);
    return parameters ? [[target.operationId, { operationId: target.operationId, parameters }]] : [];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

/** The parameters of a path from a call and its answer; null where the answer does not name just what the path needs more. */
function linkedParameters(route: Route, data: z.ZodType, path: string): Record<string, string> | null {
  const isBelow = path.startsWith(route.path);
  // A search for symbols leads to the data of each.
  if (!isBelow && !(route.access === 'anyone' && path.endsWith('/{symbol}'))) return null;
  const rest = isBelow ? path.slice(route.path.length) : path;
  const [name, ...others] = parametersIn(rest);
  if (name === undefined || others.length > 0) return null;
  // The `id` of an answer is that of what is next in the path, which may have the plural: `/v1/backtest`, `/v1/backtests/{backtest_id}`.
  const isNext = rest.startsWith(`/{${name}}`) || rest.startsWith(`s/{${name}}`);
  const place = placeOf(data, isNext && name.endsWith('_id') ? [name, 'id'] : [name]);
  if (place === undefined || (!isBelow && !place.startsWith('items'))) return null;
  const known = parametersIn(isBelow ? route.path : '').map((given) => [given, `$request.path.${given}`]);
  return Object.fromEntries([...known, [name, `$response.body#/data/${place}`]]);
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** Where an answer, or the first item of a list, has a field of one of the names. */
function placeOf(data: z.ZodType, names: readonly string[]): string | undefined {
  const fields = shapeOf(data);
  const { element } = fields.items ? definitionOf(unwrapped(fields.items)) : {};
  const ofItems = element ? shapeOf(element) : {};
  const own = names.find((name) => name in fields);
  const ofItem = names.find((name) => name in ofItems);
  return own ?? (ofItem && `items/0/${ofItem}`);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return definitionOf(unwrapped(schema)).shape ?? {};
}

/** Operation → status → `data` of the envelope, or the text of a file. Long lists are shortened. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const RECORDED_ANSWERS = new URL('examples.json', import.meta.url);

const recorded: RecordedAnswers = JSON.parse(readFileSync(RECORDED_ANSWERS, 'utf8'));

/** The recorded answer of an operation with a status; undefined if there is none. */
export function exampleOf(operationId: string, status: number): unknown {
  return recorded[operationId]?.[status];
}

const validationProblem = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).meta({ example: ['query', 'days'] }),
    msg: z.string(),
    type: z.string(),
    position: z
      .object({ from: z.int().min(0), to: z.int().min(0) })
      .optional()
      .meta({ description: 'The position in the text of a rule: characters `from` (included) to `to` (excluded)' }),
    found: z.string().optional().meta({ description: 'The text of the rule at that position' }),
    expected: z.array(z.string()).optional().meta({
      description: 'What is expected there: signs, names, or `number`, `name`, `$parameter`, `ticker`, `end`',
    }),
  })
  .meta({ id: 'RequestProblem' });

/** The envelope of every answer of 2xx, to which `data` is added. */
const success = z.object({ code: z.literal(0), message: z.literal('ok') }).meta({ id: 'Success' });

const failure = z.object({
  code: z.int().meta({ description: 'Equals the HTTP status' }),
  message: z.string().meta({ description: 'In the negotiated language' }),
  data: z.null(),
  key: z.string().meta({ description: 'Stable and machine-readable', example: 'error.symbol_not_found' }),
  detail: z.array(validationProblem).optional().meta({ description: 'The fields of the request with problems' }),
});

const FAILURE = failure.meta({ id: 'Failure' });
/** The envelopes of statuses with more fields. */
const FAILURES: Readonly<Record<number, z.ZodType>> = {
  422: failure.extend({ detail: z.array(validationProblem) }).meta({ id: 'HTTPValidationError' }),
  429: failure.extend({ retry_after: z.int().min(1) }).meta({ id: 'RateLimited' }),
};

const text = { type: 'string' as const };
const integer = { type: 'integer' as const };

const HEADERS = {
  'X-Request-Id': { description: "The caller's own id if it sent a valid one, else a new one", schema: text },
  'Content-Language': { schema: { ...text, enum: [...LOCALES] } },
  'X-RateLimit-Limit': { description: 'Calls per window', schema: integer },
  'X-RateLimit-Remaining': { description: 'Calls left in the window', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix seconds at which the window is empty again', schema: integer },
  ETag: { description: 'Identifies the content, for `If-None-Match`', schema: text },
  'Cache-Control': {
    description: '`private`, with the time for which the answer may be used without revalidation',
    schema: text,
  },
  Vary: { schema: text },
  'Idempotent-Replayed': { description: '`true` when the answer is that of an earlier call', schema: text },
  Location: { description: 'The URL of the created job', schema: text },
  'WWW-Authenticate': { description: '`Bearer`, with `error="invalid_token"` for a refused credential', schema: text },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: integer },
};
type HeaderName = keyof typeof HEADERS;

/** Headers of every answer. They are described only at responses where callers use them, and in the introduction for all. */
const ALWAYS = [
  'X-Request-Id',
  'Content-Language',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[];
const OF_CACHEABLE = ['ETag', 'Cache-Control', 'Vary'] as const satisfies readonly HeaderName[];

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

type Responses = Record<string, ZodOpenApiResponseObject | Reference>;

/** Every response of a route by status. Answers link to others of `routes`. */
export function responsesOf(components: Components, route: Route, routes: readonly Route[]): Responses {
  return {
    ...successes(components, route, routes),
    ...notModified(components, route),
    ...failures(components, route),
  };
}

function headersNamed(components: Components, names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, refer(components, 'headers', pascalCase(name), HEADERS[name])]));
}

function failures(components: Components, route: Route): Responses {
  const byStatus = [...errorsByStatus(route)].map(([status, codes]) => {
    const response = failureResponse(components, route, status, codes);
    return [status, refer(components, 'responses', failureName(components, response), response)];
  });
  return Object.fromEntries(byStatus);
}

/** `NotFound`, `NotFound2`: most routes have the same responses, whose short names take little room. */
function failureName({ failures, responses }: Components, response: { readonly description: string }): string {
  const text = JSON.stringify(response);
  const name = failures.get(text) ?? freeName(pascalCase(response.description), responses);
  failures.set(text, name);
  return name;
}

function freeName(word: string, taken: object): string {
  const count = Object.keys(taken).filter((name) => name.replace(/\d+$/, '') === word).length;
  return count === 0 ? word : `${word}${count + 1}`;
}

function failureResponse(components: Components, route: Route, status: number, codes: readonly ErrorCode[]) {
  const examples = codes.map((code) => {
    const example = () => ({ value: failureExample(route, code) });
    if (hasDetailsOfRoute(route, code)) return [code, example()];
    return [code, refer(components, 'examples', code, components.examples[code] ?? example())];
  });
  return {
    description: STATUS_NAMES[status],
    ...(status === 401 && { headers: headersNamed(components, ['WWW-Authenticate']) }),
    ...(status === 429 && { headers: headersNamed(components, [...ALWAYS, 'Retry-After']) }),
    content: {
      'application/json': {
        schema: FAILURES[status] ?? FAILURE,
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function successes(components: Components, route: Route, routes: readonly Route[]): Responses {
  const { successStatus = 200, dataSchema, acceptedSchema, fileTypes, alsoAnswers = [], isResumable, caching } = route;
  const replayed: readonly HeaderName[] = route.takesIdempotencyKey ? ['Idempotent-Replayed'] : [];
  const answers: Responses = {};
  const named = (...names: readonly HeaderName[]) =>
    names.length === 0 ? {} : { headers: headersNamed(components, names) };
  if (fileTypes) {
    const content = Object.fromEntries(fileTypes.map((type) => [type, fileContent(route, type)]));
    answers[successStatus] = { description: 'The file', content };
    if (isResumable) answers[206] = { description: 'The part that `Range` asks for', content };
  } else {
    answers[successStatus] = {
      description: 'Success',
      ...named(...(caching ? OF_CACHEABLE : replayed)),
      content: {
        ...jsonContent(components, route, dataSchema, successStatus),
        ...Object.fromEntries(alsoAnswers.map((type) => [type, { schema: text }])),
      },
      links: linksOf(route, dataSchema, routes),
    };
  }
  if (acceptedSchema) {
    answers[202] = {
      description: 'Queued, not done yet',
      ...named(...replayed, 'Location'),
      content: jsonContent(components, route, acceptedSchema, 202),
      links: linksOf(route, acceptedSchema, routes),
    };
  }
  return answers;
}

function jsonContent(components: Components, { operationId }: Route, schema: z.ZodType, status: number) {
  const data = nameSchema(components, schema, dataName(operationId, schema));
  const recorded = exampleOf(operationId, status);
  // Answers of the same data share an example: those of all operations would be a quarter of the description.
  const name = data.meta()?.id ?? operationId;
  const example = { value: { code: 0, message: 'ok', data: recorded } };
  return {
    'application/json': {
      schema: z.intersection(success, z.object({ data })),
      ...(recorded !== undefined && { examples: { answer: refer(components, 'examples', name, example) } }),
    },
  };
}

function fileContent({ operationId, dataSchema }: Route, type: string) {
  const example = type.startsWith('text/') ? exampleOf(operationId, 200) : undefined;
  return { schema: dataSchema, ...(example === undefined ? {} : { example }) };
}

function notModified(components: Components, { caching, isResumable }: Route): Responses {
  if (!caching && !isResumable) return {};
  const response = {
    description: 'The content has not changed since `If-None-Match`; counts as a call',
    headers: headersNamed(components, [...ALWAYS, ...OF_CACHEABLE]),
  };
  return { 304: refer(components, 'responses', 'NotModified', response) };
}
