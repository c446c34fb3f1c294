/** The largest call that each route accepts, from the interface description; and the worst that each refuses. */

import type { Route } from '../../api/call/route.ts';
import { COMMON_BODY } from '../../api/http/input/body.ts';
import { ROUTES } from '../../api/routes.ts';
import { required } from '../../engine/util/values.ts';
import { DESCRIPTION } from './description.ts';
import { longSymbol } from './long-market.ts';

export interface LargeCall {
  /** Method and path template. */
  readonly route: string;
  readonly kind: 'largest' | 'refused';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A reference to a part of the description: `#/components/<kind>/<name>`. */
interface Reference {
  readonly $ref?: string;
}

interface Schema extends Reference {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly example?: unknown;
}

interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface RequestBody extends Reference {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
}

// The document is plain JSON; what is read of it here follows from the specification of OpenAPI.
const document = JSON.parse(DESCRIPTION) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

/** The part itself, for a reference to it. */
function resolved<T extends Reference>(part: T): T {
  if (!part.$ref) return part;
  const [kind, name] = part.$ref.split('/').slice(-2);
  // A reference stands where the part itself may stand.
  return resolved(document.components[kind][name] as T);
}

/** Schema of the JSON body of a route; null: it takes none, or a file. */
function bodySchemaOf({ path, method }: Route): Schema | null {
  const { requestBody } = document.paths[path][method];
  const json = requestBody && resolved(requestBody).content['application/json'];
  return json ? resolved(json.schema) : null;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '1990-01-02',
  'date-time': '2026-05-29T12:00:00Z',
  email: `${'a'.repeat(60)}@example.com`,
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com/',
};

/** Nearly as long or as many as the schema allows. */
function largest(schema: Schema): unknown {
  if (schema.$ref) return largest(resolved(schema));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.at(-1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return largest(choices.find(({ type }) => type === 'array') ?? choices[0]);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(largest));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, largest(field)]));
  }
  if (type === 'array') {
    const { items = {}, maxItems = 20 } = schema;
    return Array.from({ length: maxItems }, () => largest(items));
  }
  if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1_000, Number.MAX_SAFE_INTEGER);
  if (type === 'boolean') return true;
  return schema.example ?? FORMATS[schema.format ?? ''] ?? 'x'.repeat(schema.maxLength ?? 60);
}

const symbolsUpTo = (count: number) => Array.from({ length: count }, (_, i) => longSymbol(i));

/** Checks that no schema can express: the names exist, and together they stay within the limits. */
function knownBodies(symbols: number): Readonly<Record<string, object>> {
  const conditions = Array.from({ length: 20 }, (_, i) => {
    return { field: 'volatility_pct', op: 'gt', period: 252 - i, value: 0 };
  });
  const values = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);
  // A little less than what fits in the body: the answer of the check is that of 138,000 bars.
  const line = '2026-05-29,100.25,101.5,99.75,100.5,12345678\n';
  const bars = Buffer.from(`Date,Open,High,Low,Close,Volume\n${line.repeat(138_000)}`).toString('base64');
  const optimize = { grid: { fast_period: values(50, 2), slow_period: values(100, 60) }, strategy: 'sma_cross' };
  return {
    '/v1/batch': { symbols: symbolsUpTo(symbols), type: 'kline', days: 10_000, adjust: 'qfq' },
    '/v1/screener': { conditions, limit: 500 },
    '/v1/optimize': { symbol: longSymbol(0), ...optimize },
    '/v1/backtest': { symbol: longSymbol(0), start: '1990-01-02' },
    '/api/backtest': { symbol: longSymbol(0), start: '1990-01-02' },
    '/api/backtest/run': { symbol: longSymbol(0), range: { start: '1990-01-02' } },
    '/api/admin/data/export': { symbols: symbolsUpTo(50), start: '2021-06-01', end: '2026-05-29', adjust: 'qfq' },
    '/api/admin/sync': { job_type: 'symbols' },
    '/api/admin/data/files/check': { files: [{ name: 'AAA.csv', content: bars }] },
  };
}

/** Parameters that name what exists. */
const KNOWN: Readonly<Record<string, string>> = { symbol: longSymbol(0), market: 'US', country: 'US', q: 'o' };

function callOf(route: Route, bodies: Readonly<Record<string, object>>): LargeCall {
  const operation = document.paths[route.path][route.method];
  const textOf = (name: string, schema: Schema) =>
    encodeURIComponent(String(KNOWN[name] ?? (/_?id$/.test(name) && schema.format !== 'uuid' ? 1 : largest(schema))));
  const parameters = (operation.parameters ?? []).map(resolved);
  let path = route.path;
  for (const { name, schema } of parameters.filter((one) => one.in === 'path')) {
    path = path.replace(`{${name}}`, textOf(name, schema));
  }
  const query = parameters
    .filter((one) => one.in === 'query' && !['start', 'end', 'from', 'to', 'lang', 'locale'].includes(one.name))
    .map(({ name, schema }) => `${name}=${textOf(name, schema)}`);
  const schema = bodySchemaOf(route);
  return {
    route: `${route.method.toUpperCase()} ${route.path}`,
    kind: 'largest',
    method: route.method.toUpperCase(),
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: schema ? { 'content-type': 'application/json' } : {},
    body: schema ? JSON.stringify(bodies[route.path] ?? largest(schema)) : null,
  };
}

const MARGIN_BYTES = 200;

/** Bodies that reach a route's limits and are invalid throughout. */
function wrongBodies(route: Route): string[] {
  const { maxBytes, maxValues } = route.bodyLimits ?? COMMON_BODY;
  const names = Object.keys(bodySchemaOf(route)?.properties ?? {});
  const room = maxBytes - MARGIN_BYTES;
  const count = Math.min(maxValues - 10, Math.floor(room / 10));
  const unknown = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
  const list = (item: unknown) => Array.from({ length: Math.floor(count / Math.max(1, names.length)) - 1 }, () => item);
  const eachAs = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  const long = (text: string) => text.repeat(Math.floor(room / Math.max(1, names.length) / text.length / 2) - 20);
  return [
    unknown,
    { params: unknown, conditions: unknown, grid: unknown },
    eachAs(list(1)),
    eachAs(list(null)),
    ...['a', ' ', 'a.', '-a', '@a.', '1 '].map((text) => eachAs(long(text))),
  ].map((body) => JSON.stringify(body));
}

/** Headers and query as long as the server takes them. */
const LONG_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'accept-language': 'zh-Hant-HK;q=0.5,'.repeat(55) },
  { 'accept-language': 'a-b;q=0.1,'.repeat(1_300) },
  { 'x-forwarded-for': '10.0.0.1,'.repeat(1_600) },
  { 'x-request-id': 'a'.repeat(14_000) },
  { authorization: `Bearer ${'a.'.repeat(7_000)}` },
  { 'if-none-match': '"a",'.repeat(3_500) },
  { 'accept-encoding': 'a;q=0.1,'.repeat(1_700) },
  { range: `bytes=${'0-1,'.repeat(3_400)}` },
];
const LONG_QUERIES = [
  `?${'a&'.repeat(6_500)}`,
  `?${Array.from({ length: 1_800 }, (_, i) => `k${i}=1`).join('&')}`,
  `?lang=${'a-'.repeat(6_500)}`,
  `?days=${'9'.repeat(13_000)}`,
];

/** The account of the caller must outlive the calls. */
const TRIED = ROUTES.filter(({ method, path }) => !(method === 'delete' && path === '/api/auth/me'));

/** Every call that is tried; `symbols` are those of the long market. */
export function largeCalls(symbols: number): LargeCall[] {
  const bodies = knownBodies(symbols);
  const kline = required(ROUTES.find(({ path }) => path === '/v1/kline/{symbol}'));
  const plain: LargeCall = { ...callOf(kline, bodies), kind: 'refused', path: `/v1/kline/${longSymbol(0)}?days=5` };
  return [
    ...TRIED.map((route) => callOf(route, bodies)),
    ...TRIED.filter(({ bodySchema, bodyTypes }) => bodySchema && !bodyTypes).flatMap((route) => {
      const call = callOf(route, bodies);
      return wrongBodies(route).map((body): LargeCall => ({ ...call, kind: 'refused', body }));
    }),
    ...LONG_HEADERS.map((headers): LargeCall => ({ ...plain, headers, route: 'any route: long headers' })),
    ...LONG_QUERIES.map(
      (query): LargeCall => ({ ...plain, path: `/v1/kline/LONG0${query}`, route: 'any route: long query' }),
    ),
  ];
}
