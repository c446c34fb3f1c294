/** The interface description, from the routes that serve: their schemas, limits and errors. */
import { OpenAPIRegistry, OpenApiGeneratorV31, type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import type { ErrorCode } from '../engine/errors.ts';
import type { Access } from './access/authorize.ts';
import { type BodyLimits, COMMON_BODY, MAX_BODY_DEPTH } from './body.ts';
import { ERROR_STATUS } from './errors.ts';
import { z } from './fields.ts';
import { LOCALES } from './locale.ts';
import { PLAN_CODES, PLANS, WINDOW_SECONDS } from './plans.ts';
import { BACK_OFFICE_RULE } from './rate-limit.ts';
import type { Route } from './route.ts';
import { API_VERSION } from './version.ts';

/** Errors that any route can give. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_credential',
  'validation_failed',
  'rate_limited',
  'internal',
  'database_unavailable',
];

const BODY_ERRORS: readonly ErrorCode[] = [
  'body_not_json',
  'body_too_deep',
  'body_too_large',
  'body_too_many_values',
  'unsupported_media_type',
];

const validationProblem = z.object({
  loc: z.array(z.union([z.string(), z.int()])).openapi({ example: ['query', 'days'] }),
  msg: z.string(),
  type: z.string(),
});

const failure = z.object({
  code: z.int().openapi({ description: 'Equals the HTTP status' }),
  message: z.string().openapi({ description: 'In the language served' }),
  data: z.null(),
  key: z.string().openapi({ description: 'Stable and machine-readable', example: 'error.symbol_not_found' }),
  detail: z.array(validationProblem).optional().openapi({ description: 'The fields of the request that are wrong' }),
});

const HEADERS = {
  'X-Request-Id': {
    description: "The caller's own id when it sent one, else a new one",
    schema: { type: 'string' as const },
  },
  'Content-Language': { schema: { type: 'string' as const, enum: [...LOCALES] } },
  'X-RateLimit-Limit': { description: 'Calls per window', schema: { type: 'integer' as const } },
  'X-RateLimit-Remaining': { description: 'Calls left in the window', schema: { type: 'integer' as const } },
  'X-RateLimit-Reset': {
    description: 'Unix seconds at which the window is empty again',
    schema: { type: 'integer' as const },
  },
};

const INTRODUCTION = `Daily US equity and ETF market data.

Every response is an envelope \`{code, message, data}\`: \`code\` is 0 on success and the HTTP status on failure, \`key\`
names a failure for programs. The language of messages follows \`?lang=\` or \`Accept-Language\` (en, zh-CN, zh-TW).
Callers are guests (counted per address), API keys (\`X-API-Key\` or \`Authorization: Bearer\`, counted per key) or signed in
at the console by an access token. A credential that is sent and not valid is always refused with 401.
Names of query parameters and body fields that are not known are refused with 422. In a body, \`null\` for an optional field
means that it is absent, or clears it where the field says so. A date is taken where an instant is expected.
Symbols are found under every common spelling of their share class: BRK.B, BRK-B, BRK/B and BRK B.
JSON above 1 KiB is compressed as \`Accept-Encoding\` allows (br, gzip). Reads of what changes rarely carry \`ETag\` and
\`Cache-Control: private\`; \`If-None-Match\` is answered 304, which counts as a call.
Pages of any site may read \`/v1\` and the public \`/api\` reads by GET; everything else only those that the operator lists.
A POST of an account that creates something takes \`Idempotency-Key\`, so that it can be sent again without harm.
Calls are counted per caller and category in sliding windows; the headers \`X-RateLimit-*\` say what is left. The counters of
a key belong to its slot, 1 to \`api_keys_max\`: a new key takes the lowest free slot of its account and the counters as they
are. Keys beyond the number of the plan share the last slot. Every 429 has \`Retry-After\` and the headers of the counter that
refused. Answers of 401, and of 404 for paths that do not exist, are limited to 120 a minute per address; beyond that they are 429.
Data and results are for research only and are no investment advice.`;

/** Limits of a route's category, in words, from the plan table. */
function limitText({ limit }: Route): string {
  if (limit === 'public') return 'Counted per address, outside the plans.';
  if (limit === 'back_office') return `Counted per account, outside the plans: ${BACK_OFFICE_RULE.limit} a minute.`;
  const perPlan = PLAN_CODES.map((plan) => `${plan} ${PLANS[plan].limits[limit]}`).join(', ');
  return `Rate category \`${limit}\`, calls per ${WINDOW_SECONDS[limit]} s: ${perPlan} (0: not available).`;
}

/** Who may call, in words and as security requirements; the empty one means that no credential is needed. */
const ACCESS = {
  anyone: {
    text: 'No credential is needed; one that is sent must be valid.',
    security: [{}, { apiKey: [] }, { accessToken: [] }],
  },
  member: { text: 'Needs an API key or an access token.', security: [{ apiKey: [] }, { accessToken: [] }] },
  console: { text: 'Needs an access token.', security: [{ accessToken: [] }] },
  admin: {
    text:
      "Needs an administrator's access token; where the service runs with `ADMIN_SESSIONS=password`, one of a session that " +
      'began with `POST /api/auth/admin-login` (else 403 `error.admin_login_required`).',
    security: [{ accessToken: [] }],
  },
} as const satisfies Record<Access, { text: string; security: readonly Record<string, string[]>[] }>;

function errorsOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [...COMMON_ERRORS, ...route.errors];
  if (route.access !== 'anyone') codes.push('login_required');
  if (route.access === 'admin') codes.push('admin_required', 'admin_login_required');
  if (route.limit !== 'public' && route.limit !== 'back_office') codes.push('plan_capability');
  if (route.isResumable) codes.push('range_not_satisfiable');
  if (route.takesIdempotencyKey) codes.push('idempotency_in_progress', 'idempotency_mismatch');
  if (route.bodySchema) codes.push(...BODY_ERRORS);
  return [...new Set(codes)].sort();
}

function requestBody(schema: z.ZodType, { maxBytes, maxValues }: BodyLimits = COMMON_BODY) {
  const size = `${maxBytes / 1024} KiB`;
  return {
    required: true,
    description: `At most ${size}, ${maxValues} keys and list items, and ${MAX_BODY_DEPTH} levels; otherwise 413`,
    content: { 'application/json': { schema } },
  };
}

function failureResponses(route: Route, schemas: Record<'failure' | 'limited' | 'invalid', z.ZodType>) {
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schema = status === 429 ? schemas.limited : status === 422 ? schemas.invalid : schemas.failure;
      const description = codes.map((code) => `\`error.${code}\``).join(', ');
      const headers =
        status === 429 || status === 503
          ? { ...HEADERS, 'Retry-After': { schema: { type: 'integer' as const } } }
          : HEADERS;
      return [status, { description, headers, content: { 'application/json': { schema } } }];
    }),
  );
}

const KEPT_HEADERS = {
  ...HEADERS,
  ETag: { description: 'Names the content; send it as `If-None-Match`', schema: { type: 'string' as const } },
  'Cache-Control': {
    description: '`private` and how long it may be used unasked',
    schema: { type: 'string' as const },
  },
  Vary: { schema: { type: 'string' as const } },
};

const REPLAYED_HEADER = {
  'Idempotent-Replayed': {
    description: '`true` when the answer is that of an earlier call',
    schema: { type: 'string' as const },
  },
};

function notModifiedResponse({ caching }: Route): Record<string, ResponseConfig> {
  if (!caching) return {};
  return { 304: { description: 'What `If-None-Match` names is still right; counts as a call', headers: KEPT_HEADERS } };
}

const ifNoneMatch = z.string().optional().openapi({ description: 'The `ETag` of an answer that the caller has kept' });
const idempotencyKey = z
  .string()
  .min(1)
  .max(128)
  .optional()
  .openapi({
    description:
      'Of one order, printable characters: a call with the same key, method and path within 24 hours is answered as the ' +
      'first one was, with `Idempotent-Replayed: true`, and does nothing more. Only answers of 2xx up to 32 MiB are kept, ' +
      '256 MiB per account. Ignored for guests.',
  });

/** Headers of a request that mean something to the route. */
function headersOf({ caching, takesIdempotencyKey }: Route): z.ZodObject | undefined {
  if (caching) return z.object({ 'If-None-Match': ifNoneMatch });
  return takesIdempotencyKey ? z.object({ 'Idempotency-Key': idempotencyKey }) : undefined;
}

const envelope = (data: z.ZodType) => z.object({ code: z.literal(0), message: z.literal('ok'), data });

function successResponse({ fileTypes, dataSchema, caching, takesIdempotencyKey }: Route) {
  if (fileTypes) return fileResponse('The file', fileTypes, dataSchema);
  const headers = caching ? KEPT_HEADERS : takesIdempotencyKey ? { ...HEADERS, ...REPLAYED_HEADER } : HEADERS;
  return {
    description: 'Success',
    headers,
    content: { 'application/json': { schema: envelope(dataSchema) } },
  };
}

function fileResponse(description: string, fileTypes: readonly string[], schema: z.ZodType) {
  return { description, headers: HEADERS, content: Object.fromEntries(fileTypes.map((type) => [type, { schema }])) };
}

function partResponse({ isResumable, fileTypes = [], dataSchema }: Route): Record<string, ResponseConfig> {
  return isResumable ? { 206: fileResponse('The part that `Range` asks for', fileTypes, dataSchema) } : {};
}

function acceptedResponse({ acceptedSchema, takesIdempotencyKey }: Route): Record<string, ResponseConfig> {
  if (!acceptedSchema) return {};
  const replayed = takesIdempotencyKey ? REPLAYED_HEADER : {};
  const headers = {
    ...HEADERS,
    ...replayed,
    Location: { description: 'Where to ask for it', schema: { type: 'string' as const } },
  };
  const content = { 'application/json': { schema: envelope(acceptedSchema) } };
  return { 202: { description: 'Queued, not done yet', headers, content } };
}

const languageQuery = z.object({
  lang: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: 'Language: en, zh-CN, zh-TW and their aliases; wins over Accept-Language' }),
});

function describe(route: Route): string {
  const aliases = Object.entries(route.queryAliases ?? {})
    .map(([alias, name]) => `\`${alias}\` is another name for \`${name}\`.`)
    .join(' ');
  return [route.description, aliases, ACCESS[route.access].text, limitText(route)].filter(Boolean).join('\n\n');
}

/** The OpenAPI 3.1 document of the given routes. */
export function buildOpenApi(routes: readonly Route[], publicApiBase: string): object {
  const registry = new OpenAPIRegistry();
  const schemas = {
    failure: registry.register('Failure', failure),
    limited: registry.register('RateLimited', failure.extend({ retry_after: z.int().min(1) })),
    invalid: registry.register('HTTPValidationError', failure.extend({ detail: z.array(validationProblem) })),
  };
  registry.registerComponent('securitySchemes', 'apiKey', {
    ...{ type: 'apiKey', in: 'header', name: 'X-API-Key' },
    description: 'An API key; `Authorization: Bearer <API key>` is the same',
  });
  registry.registerComponent('securitySchemes', 'accessToken', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  for (const route of routes) {
    const query = route.querySchema ? route.querySchema.extend(languageQuery.shape) : languageQuery;
    registry.registerPath({
      method: route.method,
      path: route.path,
      tags: [route.tag],
      summary: route.summary,
      description: describe(route),
      security: ACCESS[route.access].security.map((requirement) => ({ ...requirement })),
      request: {
        params: route.pathSchema,
        query,
        headers: headersOf(route),
        body: route.bodySchema && requestBody(route.bodySchema, route.bodyLimits),
      },
      responses: {
        [route.successStatus ?? 200]: successResponse(route),
        ...acceptedResponse(route),
        ...partResponse(route),
        ...notModifiedResponse(route),
        ...failureResponses(route, schemas),
      },
    });
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Market data and backtesting', version: API_VERSION, description: INTRODUCTION },
    servers: [{ url: publicApiBase }],
  });
}
