/**
 * The interface description, made from the schemas, limits, and errors of the routes. Served as `/openapi.json`, and with example
 * answers as `/openapi-full.json`.
 */
import type { Express } from 'express';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiOverride } from 'zod-openapi';
import type { Access } from '../access/caller.ts';
import { PLAN_CODES, PLANS, RATE_CATEGORIES, WINDOW_SECONDS } from '../access/plans.ts';
import { BACK_OFFICE_RULE } from '../access/rate-limit.ts';
import type { Deprecation, Route } from '../call/route.ts';
import { CacheableJson, weakEtag } from '../http/answer/reply.ts';
import { sendCacheable } from '../http/answer/respond.ts';
import { COMMON_BODY, MAX_BODY_DEPTH } from '../http/input/body.ts';
import type { Directory } from '../market/directory.ts';
import { type MarketOfExamples, textsOf } from '../market/example-symbols.ts';
import { DESCRIPTION_VERSION } from '../meta/version.ts';
import { allowNulls } from './null-fields.ts';
import { bySimilarity } from './order-schemas.ts';
import { type Components, headersOf, parametersOf, requestBodyOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import { shareParameters } from './shared-parameters.ts';

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
under every common spelling of their share class: BRK.B, BRK-B, BRK/B, and BRK B. A figure of an answer that is not defined is \`null\`.
A body has at most ${COMMON_BODY.maxBytes / 1024} KiB, ${COMMON_BODY.maxValues} keys and list items, and ${MAX_BODY_DEPTH} levels, unless its operation says otherwise.

**Compression and caching.** JSON above 1 KiB is compressed as \`Accept-Encoding\` prefers (br, gzip). Data that rarely changes
carries \`ETag\` and \`Cache-Control: private\`; a matching \`If-None-Match\` is answered with 304, which counts as a call.

**Browsers.** Pages of any site may send GET requests to \`/v1\` and to the public part of \`/api\`. Everything else is open only
to pages of the sites that the operator lists.

**Idempotency.** A POST that creates something for an account takes \`Idempotency-Key\`, so that it can be repeated safely.

**Deprecation.** A deprecated operation answers with \`Deprecation\` (since when), \`Sunset\` (until when), and a \`Link\` to what to use instead.

**Rate limits.** Calls are counted per caller and category in sliding windows, and the \`X-RateLimit-*\` headers say what is
left. The counters of a key belong to its slot, 1 to \`api_keys_max\`: a new key takes the lowest free slot of its account with
the counters of that slot. Keys beyond the number of the plan share the last slot. Every 429 has \`Retry-After\` and the headers
of the counter that refused the call. Answers of 401, and of 404 for paths that do not exist, are limited to 120 a minute per
address; more of them are answered with 429. Calls of the back office have one limit: ${BACK_OFFICE_RULE.limit} a minute.
An installation may multiply all limits; \`/api/plans\` has those in force. Thousands of backtests are several times as fast
with \`include_statistics: false\`, or as one sweep or optimization.
Calls per window by rate category and plan (0: not available):

${limitsTable()}

**Iceberg.** \`/iceberg/v1\` is a read-only catalog of Apache Iceberg tables with the same bars: \`GET /iceberg/v1/config\` lists its calls, which
have the answers and errors of the Iceberg REST catalog. Its token is an API key, and its calls are of the category \`account\`.

**Examples.** Symbols in request examples exist in the market of this service. \`/openapi-full.json\` has example answers, too, which
come from the synthetic sample market. Their lists are shortened, and of several with the same fields only the first has an item;
their ids, digests, and instants are stand-ins.

Data and results are for research only and are not investment advice.`;

/** The limits of a route as text. */
function limitText({ limit }: Route): string {
  if (limit === 'public') return 'Counted per address, outside the plans.';
  if (limit === 'back_office') return 'Counted per account, outside the plans.';
  return `Rate category \`${limit}\`.`;
}

/** Access as text and as security requirements. An empty requirement means that no credential is needed. */
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
  return `Deprecated since ${since}; it may be removed from ${sunset} on. [What to use instead](${link}).`;
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

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key; `Authorization: Bearer <API key>` is the same',
  },
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const;

/** The OpenAPI 3.1 document of the given routes. */
export function buildOpenApi(routes: readonly Route[], publicApiBase: string): object {
  const components: Components = {
    parameters: {},
    headers: {},
    responses: {},
    examples: {},
    named: new Map(),
    failures: new Map(),
  };
  const { named: _, failures: __, ...parts } = components;
  const paths: Record<string, Partial<Record<Route['method'], ZodOpenApiOperationObject>>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(components, route, routes) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Market data and backtesting',
        version: DESCRIPTION_VERSION,
        description: INTRODUCTION,
        license: {
          name: 'For research only; the operator of the service sets the terms',
          url: `${publicApiBase}/docs`,
        },
      },
      servers: [{ url: publicApiBase }],
      paths,
      components: { ...parts, securitySchemes: SECURITY_SCHEMES },
    },
    { override: simplify },
  );
  allowNulls(document);
  shareParameters(document);
  const { schemas = {}, examples, ...shared } = document.components ?? {};
  return { ...document, components: { ...shared, schemas: bySimilarity(schemas), examples } };
}

function operationOf(components: Components, route: Route, routes: readonly Route[]): ZodOpenApiOperationObject {
  const { operationId, tag, summary, deprecated, access } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: describe(route),
    ...(deprecated && { deprecated: true }),
    security: ACCESS[access].security.map((requirement) => ({ ...requirement })),
    parameters: headersOf(components, route),
    requestParams: parametersOf(route),
    requestBody: requestBodyOf(components, route),
    responses: responsesOf(components, route, routes),
  };
}

/** Removes what zod adds to a schema and readers do not need. */
const simplify: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  // Every integer is safe.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // A pattern repeats its format, and every key is a string.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  delete jsonSchema.propertyNames;
  // Some generators of clients read lengths of lists, but not the schema `false`.
  if (jsonSchema.prefixItems && jsonSchema.items === false) {
    delete jsonSchema.items;
    jsonSchema.minItems = jsonSchema.maxItems = jsonSchema.prefixItems.length;
  }
  // Answers of later versions may have more fields.
  const { def } = zodSchema._zod;
  if (io === 'output' && def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
};

/** The example of a search: the start of a ticker of the sample market. */
const SAMPLE_QUERY = 'acr';
const QUERY_LENGTH = 3;

/** The document with symbols of the market in its examples, except in those of answers, whose figures are the sample market's. */
function withSymbolsOf(market: MarketOfExamples, document: object): object {
  const textOf = textsOf(market);
  const query = textOf('ACRX').slice(0, QUERY_LENGTH).toLowerCase();
  return withExamples(document, (text) => (text === SAMPLE_QUERY ? query : textOf(text)));
}

function withExamples(part: object, change: (text: string) => string): object {
  return mapMembers(part, (name, value) => {
    if (name === 'example') return withTexts(value, change);
    return name === 'responses' || !isObject(value) ? value : withExamples(value, change);
  });
}

function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  return isObject(value) ? mapMembers(value, (_, one) => withTexts(one, change)) : value;
}

function mapMembers(part: object, change: (name: string, value: unknown) => unknown): object {
  if (Array.isArray(part)) return part.map((one) => change('', one));
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, change(name, one)]));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const MAX_AGE_S = 300;

/** The document without example answers, which are a sixth of its bytes. */
export function withoutAnswers(document: object): object {
  return mapMembers(document, (name, value) => {
    if (!isObject(value)) return value;
    if (name !== 'examples') return withoutAnswers(value);
    return 'answer' in value ? undefined : mapMembers(value, (of, example) => (isAnswer(of) ? undefined : example));
  });
}

/** Answers have the names of their data, and failures those of their keys. */
const isAnswer = (name: string) => /^[A-Z]/.test(name);

/** The document with the symbols of a market. */
function documentFor(market: MarketOfExamples, openApi: object): CacheableJson {
  const bytes = Buffer.from(JSON.stringify(withSymbolsOf(market, openApi)));
  return new CacheableJson(bytes, weakEtag(bytes), MAX_AGE_S);
}

/** Serves the description at an address, with the symbols of the market as it is. */
function mountDocument(app: Express, path: string, description: object, market: MarketOfExamples): void {
  const documents = new WeakMap<Directory, CacheableJson>();
  const documentNow = () => {
    const { directory } = market;
    const document = documents.get(directory) ?? documentFor(market, description);
    documents.set(directory, document);
    return document;
  };
  app.get(path, async (request, response) => {
    request.context.headers['Content-Language'] = 'en';
    await sendCacheable(request, response, documentNow());
  });
}

export function mountOpenApi(app: Express, description: object, market: MarketOfExamples): void {
  mountDocument(app, '/openapi.json', withoutAnswers(description), market);
  mountDocument(app, '/openapi-full.json', description, market);
}
