/** The interface description, made from the routes that serve: their schemas, limits, and errors. */

import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { Access } from '../../access/authorize.ts';
import { PLAN_CODES, PLANS, RATE_CATEGORIES, WINDOW_SECONDS } from '../../limits/plans.ts';
import { BACK_OFFICE_RULE } from '../../limits/rate-limit.ts';
import { DESCRIPTION_VERSION } from '../../version.ts';
import { COMMON_BODY, MAX_BODY_DEPTH } from '../input/body.ts';
import { definitionOf } from '../input/problems.ts';
import type { Deprecation, Route } from '../route.ts';
import { openAnswerExamples } from './answer-examples.ts';
import {
  dataNames,
  openShelf,
  type ParameterPart,
  pascalCase,
  type Reference,
  type SchemaPart,
  type Shelf,
  tidyParameter,
} from './components.ts';
import { headersOf, queryOf, requestBodyOf, withDefaults } from './parameters.ts';
import { ENVELOPES, type ResponseShelves, responsesOf, successEnvelope } from './responses.ts';
import { bySimilarity } from './similarity.ts';

/** The limits of every rate category as a table of Markdown. */
function limitsTable(): string {
  const categories = RATE_CATEGORIES.map((category) => {
    const limits = PLAN_CODES.map((plan) => PLANS[plan].limits[category]);
    return [category, ...limits, `${WINDOW_SECONDS[category]} s`];
  });
  const rows = [['category', ...PLAN_CODES, 'window'], ['', ...PLAN_CODES, ''].map(() => '--'), ...categories];
  return rows.map((cells) => `|${cells.join('|')}|`).join('\n');
}

const INTRODUCTION = `Daily US equity and ETF market data.

**Answers.** Every response is an envelope \`{code, message, data}\`. \`code\` is 0 on success and the HTTP status on failure;
\`key\` names a failure for programs. Every answer has \`X-Request-Id\` and \`Content-Language\`. The language of messages follows \`?lang=\` or \`Accept-Language\` (en, zh-CN, zh-TW).

**Callers.** A caller is a guest (counted per address), an API key (\`X-API-Key\` or \`Authorization: Bearer\`, counted per key),
or an account that is signed in at the console (an access token). An invalid credential is always refused with 401.
When the service runs with \`ADMIN_SESSIONS=password\`, calls of the back office need a login session that began with
\`POST /api/auth/admin-login\` (otherwise 403 \`error.admin_login_required\`).

**Requests.** Unknown query parameters and body fields are refused with 422. In a body, \`null\` for an optional field means that
the field is absent, or clears it where the field says so. A date is accepted where an instant is expected. Symbols are found
under every common spelling of their share class: BRK.B, BRK-B, BRK/B, and BRK B.
A body has at most ${COMMON_BODY.maxBytes / 1024} KiB, ${COMMON_BODY.maxValues} keys and list items, and ${MAX_BODY_DEPTH} levels, unless its operation says otherwise.

**Compression and caching.** JSON above 1 KiB is compressed as \`Accept-Encoding\` prefers (br, gzip). Data that rarely changes
carries \`ETag\` and \`Cache-Control: private\`; a matching \`If-None-Match\` is answered with 304, which counts as a call.

**Browsers.** Pages of any site may send GET requests to \`/v1\` and to the public part of \`/api\`. Everything else is open only
to pages of the sites that the operator lists.

**Idempotency.** A POST that creates something for an account takes \`Idempotency-Key\`, so that it can safely be sent again.

**Deprecation.** An operation that will go answers with \`Deprecation\` (since when), \`Sunset\` (until when), and a \`Link\` to what to use instead.

**Rate limits.** Calls are counted per caller and category in sliding windows, and the \`X-RateLimit-*\` headers tell what is
left. The counters of a key belong to its slot, 1 to \`api_keys_max\`: a new key takes the lowest free slot of its account with
the counters of that slot. Keys beyond the number of the plan share the last slot. Every 429 has \`Retry-After\` and the headers
of the counter that refused the call. Answers of 401, and of 404 for paths that do not exist, are limited to 120 a minute per
address; more of them are answered with 429. Calls of the back office have one limit: ${BACK_OFFICE_RULE.limit} a minute.
Calls per window by rate category and plan (0: not available):

${limitsTable()}

**Examples.** Symbols in request examples exist in the market of this service. Example answers come from the synthetic sample
market; their long lists are shortened, and their ids, digests, and instants are stand-ins.

Data and results are for research only and are not investment advice.`;

/** The limits of a route as text. */
function limitText({ limit }: Route): string {
  if (limit === 'public') return 'Counted per address, outside the plans.';
  if (limit === 'back_office') return 'Counted per account, outside the plans.';
  return `Rate category \`${limit}\`.`;
}

/** Access as text and as security requirements. The empty requirement means that no credential is needed. */
const ACCESS = {
  anyone: {
    text: '',
    security: [{}, { apiKey: [] }, { accessToken: [] }],
  },
  member: { text: 'Requires an API key or an access token.', security: [{ apiKey: [] }, { accessToken: [] }] },
  console: { text: 'Requires an access token.', security: [{ accessToken: [] }] },
  admin: { text: "Requires an administrator's access token.", security: [{ accessToken: [] }] },
} as const satisfies Record<Access, { text: string; security: readonly Record<string, string[]>[] }>;

function deprecationText({ since, sunset, link }: Deprecation): string {
  return `Deprecated since ${since}; it may be gone from ${sunset} on. [What to use instead](${link}).`;
}

function describe(route: Route): string {
  const aliases = Object.entries(route.queryAliases ?? {})
    .map(([alias, name]) => `\`${alias}\` is another name for \`${name}\`.`)
    .join(' ');
  const deprecation = route.deprecated && deprecationText(route.deprecated);
  return [deprecation, route.description, aliases, ACCESS[route.access].text, limitText(route)]
    .filter(Boolean)
    .join('\n\n');
}

/** An operation as the generator writes it. */
interface Operation {
  parameters: (ParameterPart | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reference & { readonly content?: Content }>>;
}
type Content = Record<string, { schema: object }>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Record<string, Readonly<Record<string, object>>>;
}

function isParameter(part: ParameterPart | Reference): part is ParameterPart {
  return 'name' in part;
}

/** The OpenAPI 3.1 document of the given routes. */
export function buildOpenApi(routes: readonly Route[], publicApiBase: string): object {
  const shelves = { responses: openShelf('responses'), headers: openShelf('headers'), examples: openShelf('examples') };
  const answers = openAnswerExamples(shelves.examples);
  const document = generate(routes, publicApiBase, { ...shelves, answers });
  const { components } = document;
  const parameters = openShelf('parameters');
  const schemas = openShelf('schemas', components.schemas);
  for (const route of routes) nameParts(route, document.paths[route.path][route.method], parameters, schemas);
  document.components = { securitySchemes: components.securitySchemes };
  // In the order that compresses best.
  const { responses, examples, headers } = shelves;
  for (const [kind, { parts }] of Object.entries({ responses, examples, schemas, parameters, headers }))
    document.components[kind] = bySimilarity(parts);
  return document;
}

function generate(routes: readonly Route[], publicApiBase: string, shelves: ResponseShelves): Document {
  const registry = new OpenAPIRegistry();
  for (const [name, schema] of Object.entries(ENVELOPES)) registry.register(name, schema);
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key; `Authorization: Bearer <API key>` is the same',
  });
  registry.registerComponent('securitySchemes', 'accessToken', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  for (const route of routes) {
    registry.registerPath({
      operationId: route.operationId,
      method: route.method,
      path: route.path,
      tags: [route.tag],
      summary: route.summary,
      description: describe(route),
      deprecated: route.deprecated && true,
      security: ACCESS[route.access].security.map((requirement) => ({ ...requirement })),
      request: {
        params: route.pathSchema,
        query: queryOf(route),
        headers: headersOf(route),
        body: requestBodyOf(route),
      },
      responses: responsesOf(route, shelves),
    });
  }
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Market data and backtesting',
      version: DESCRIPTION_VERSION,
      description: INTRODUCTION,
      license: { name: 'For research only; the operator of the service sets the terms', url: `${publicApiBase}/docs` },
    },
    servers: [{ url: publicApiBase }],
  });
  return JSON.parse(JSON.stringify(document), mended);
}

/**
 * Mends what the generator writes: the flag of a regular expression as part of it, and a reference with a description as an
 * intersection of two schemas.
 */
function mended(key: string, value: unknown): unknown {
  if (key === 'pattern' && typeof value === 'string') return value.replace(/\/u$/, '');
  return annotatedReference(value) ?? value;
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['default', 'description', 'example']);

function annotatedReference(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || !('allOf' in value) || !Array.isArray(value.allOf))
    return undefined;
  const [reference, annotations, ...others] = value.allOf;
  const isReference = reference?.$ref !== undefined && others.length === 0 && Object.keys(value).length === 1;
  if (!isReference || !Object.keys(annotations ?? {}).every((key) => ANNOTATIONS.has(key))) return undefined;
  return { ...reference, ...annotations };
}

/** Gives names to the parameters and schemas of an operation. */
function nameParts(route: Route, operation: Operation, parameters: Shelf, schemas: Shelf): void {
  const { operationId, bodySchema } = route;
  const ofOperation = pascalCase(operationId);
  const { shape: query = {} } = definitionOf(queryOf(route));
  operation.parameters = operation.parameters.filter(isParameter).map((one) => {
    const schema = one.in === 'query' ? withDefaults(query[one.name], one.schema) : one.schema;
    const name = pascalCase(one.name);
    return parameters.share(tidyParameter({ ...one, schema }), name, `${ofOperation}${name}`);
  });
  const body = operation.requestBody?.content['application/json'];
  if (body) body.schema = schemas.share(withDefaults(bodySchema, body.schema), `${ofOperation}Request`);
  for (const { content } of Object.values(operation.responses)) {
    const answer = content?.['application/json'];
    if (answer) answer.schema = successEnvelope(namedData(operationId, answer.schema, schemas));
  }
}

function namedData(operationId: string, { $ref, ...data }: SchemaPart, schemas: Shelf): Reference {
  return $ref === undefined ? schemas.share(data, ...dataNames(operationId, data)) : { $ref };
}
