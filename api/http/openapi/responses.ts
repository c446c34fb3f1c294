/** Responses in the interface description: success, files, queued work, and every failure of a route. */
import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from '../input/fields.ts';
import { LOCALES } from '../language/locale.ts';
import type { Route } from '../route.ts';
import type { AnswerExamples } from './answer-examples.ts';
import { pascalCase, type Reference, type Shelf } from './components.ts';
import { errorsByStatus, failureExample } from './errors.ts';
import { exampleOf } from './examples.ts';

const validationProblem = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).openapi({ example: ['query', 'days'] }),
    msg: z.string(),
    type: z.string(),
    position: z
      .object({ from: z.int().min(0), to: z.int().min(0) })
      .optional()
      .openapi({ description: 'Where in the text of a rule: characters `from` (included) to `to` (excluded)' }),
    found: z.string().optional().openapi({ description: 'The text of a rule at that place' }),
    expected: z
      .array(z.string())
      .optional()
      .openapi({ description: 'What could stand there: signs, names, or `number`, `name`, `$parameter`, `end`' }),
  })
  .openapi('RequestProblem');

/** Every answer of 2xx is this envelope with `data`. */
const success = z.object({ code: z.literal(0), message: z.literal('ok') });

const failure = z.object({
  code: z.int().openapi({ description: 'Equals the HTTP status' }),
  message: z.string().openapi({ description: 'In the negotiated language' }),
  data: z.null(),
  key: z.string().openapi({ description: 'Stable and machine-readable', example: 'error.symbol_not_found' }),
  detail: z.array(validationProblem).optional().openapi({ description: 'The fields of the request with problems' }),
});

/** The envelopes of answers by component name. */
export const ENVELOPES = {
  Success: success,
  Failure: failure,
  RateLimited: failure.extend({ retry_after: z.int().min(1) }),
  HTTPValidationError: failure.extend({ detail: z.array(validationProblem) }),
} as const;

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
} as const;
type HeaderName = keyof typeof HEADERS;

/** Headers of every answer. They are described where a caller acts on them; the introduction names them for all. */
const ALWAYS = [
  'X-Request-Id',
  'Content-Language',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[];
const OF_KEPT = ['ETag', 'Cache-Control', 'Vary'] as const satisfies readonly HeaderName[];

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

/** More sets of errors than any status has. */
const MAX_OF_STATUS = 100;

export interface ResponseShelves {
  readonly responses: Shelf;
  readonly headers: Shelf;
  readonly examples: Shelf;
  readonly answers: AnswerExamples;
}

type Responses = Record<string, ResponseConfig | Reference>;

const schemaNamed = (name: keyof typeof ENVELOPES): Reference => ({ $ref: `#/components/schemas/${name}` });

/** Every response of a route by status. */
export function responsesOf(route: Route, shelves: ResponseShelves): Responses {
  return {
    ...successes(route, shelves),
    ...notModified(route, shelves),
    ...failures(route, shelves),
  };
}

function headersNamed(shelf: Shelf, ...names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, shelf.share(HEADERS[name], pascalCase(name))]));
}

function failures(route: Route, { responses, headers, examples }: ResponseShelves): Responses {
  const byStatus = [...errorsByStatus(route)].map(([status, codes]) => {
    const schema = schemaNamed(status === 429 ? 'RateLimited' : status === 422 ? 'HTTPValidationError' : 'Failure');
    const bodies = codes.map((code) => {
      const example = { value: failureExample(route, code) };
      return [code, examples.share(example, code, `${code}_${route.operationId}`)];
    });
    const response = {
      description: STATUS_NAMES[status],
      ...(status === 401 && { headers: headersNamed(headers, 'WWW-Authenticate') }),
      ...(status === 429 && { headers: headersNamed(headers, ...ALWAYS, 'Retry-After') }),
      content: { 'application/json': { schema, examples: Object.fromEntries(bodies) } },
    };
    const names = numbered(pascalCase(STATUS_NAMES[status]));
    return [status, responses.share(response, ...(codes.length === 1 ? [pascalCase(codes[0]), ...names] : names))];
  });
  return Object.fromEntries(byStatus);
}

/** `BadRequest`, `BadRequest2`, …: many operations share a response, so that none gives it a name. */
function numbered(name: string): string[] {
  return [name, ...Array.from({ length: MAX_OF_STATUS - 1 }, (_, i) => `${name}${i + 2}`)];
}

/** `data` joins the envelope once its schema has a name. */
export function successEnvelope(data: Reference) {
  return { allOf: [schemaNamed('Success'), { type: 'object', properties: { data }, required: ['data'] }] };
}

function successes(route: Route, shelves: ResponseShelves): Responses {
  const { successStatus = 200, dataSchema, acceptedSchema, fileTypes, alsoAnswers = [], isResumable, caching } = route;
  const replayed: HeaderName[] = route.takesIdempotencyKey ? ['Idempotent-Replayed'] : [];
  const answers: Responses = {};
  const named = (...names: readonly HeaderName[]) =>
    names.length === 0 ? {} : { headers: headersNamed(shelves.headers, ...names) };
  if (fileTypes) {
    const content = Object.fromEntries(fileTypes.map((type) => [type, fileContent(route, type)]));
    answers[successStatus] = { description: 'The file', content };
    if (isResumable) answers[206] = { description: 'The part that `Range` asks for', content };
  } else {
    answers[successStatus] = {
      description: 'Success',
      ...named(...(caching ? OF_KEPT : replayed)),
      content: {
        ...jsonContent(route, dataSchema, successStatus, shelves),
        ...Object.fromEntries(alsoAnswers.map((type) => [type, { schema: text }])),
      },
    };
  }
  if (acceptedSchema) {
    answers[202] = {
      description: 'Queued, not done yet',
      ...named(...replayed, 'Location'),
      content: jsonContent(route, acceptedSchema, 202, shelves),
    };
  }
  return answers;
}

function jsonContent({ operationId }: Route, schema: z.ZodType, status: number, { answers }: ResponseShelves) {
  const example = answers.of(operationId, schema, status);
  return { 'application/json': example ? { schema, examples: { example } } : { schema } };
}

function fileContent({ operationId, dataSchema }: Route, type: string) {
  const example = type === 'text/csv' ? exampleOf(operationId, 200) : undefined;
  return { schema: dataSchema, ...(example === undefined ? {} : { example }) };
}

function notModified({ caching, isResumable }: Route, { responses, headers }: ResponseShelves): Responses {
  if (!caching && !isResumable) return {};
  const description = 'What `If-None-Match` names is still right; counts as a call';
  return {
    304: responses.share({ description, headers: headersNamed(headers, ...ALWAYS, ...OF_KEPT) }, 'NotModified'),
  };
}
