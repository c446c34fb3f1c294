/**
 * Sends thousands of calls to every route of the interface description, with valid, nearly valid, and hostile input. Every
 * answer matches the description, comes soon, and is not a 5xx, and memory does not grow.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import type { Caller } from '../../../api/access/caller.ts';
import { createApp } from '../../../api/server/app.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { toError } from '../../../engine/util/errors.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin } from '../../support/accounts.ts';
import { assertDescribed, openTestApi, type TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { cases } from '../../support/extent.ts';
import { hostileValue, type JsonSchema, nearlyValidValue, validValue } from '../../support/json-schema-arbitrary.ts';
import { createWrittenDatabase } from '../../support/written-market.ts';

const SEED = 20_261_121;
const CALLS = cases(3_000, 10_000);
const AT_ONCE = 8;
const SLOWEST_MS = deadline(10_000);
const NOW = Date.parse('2026-06-03T16:00:00Z');

let database: TestDatabase;
let api: TestApi;
let server: Server;
let folder: string;
/** Errors that the server logs about itself. */
const logged: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  database = await createWrittenDatabase(provider, folder, [NOW]);
  const storage = openStorage({ folder });
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  api = await openTestApi({ database, provider, storage, log, now: () => NOW, backtestWaitMs: 1, realCallers: true });
  const { id } = await addAdmin(api);
  let calls = 0;
  // An administrator without limits, so that every handler is reached.
  const identify = async (): Promise<Caller> => ({
    kind: 'session',
    counter: `fuzz:${calls++}`,
    plan: 'enterprise',
    loginMethod: 'password',
    account: { userId: id, email: 'fuzz@example.com', plan: 'enterprise', planExpiresAt: null, isAdmin: true },
  });
  const app = createApp(
    { ...api.services, identify },
    {
      defaultLocale: 'en',
      trustProxy: true,
      description: document,
      checks: {},
    },
  );
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  agent.destroy();
  server.close();
  await api.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly required?: boolean;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface FuzzCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const document = JSON.parse(DESCRIPTION) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, JsonSchema>>;
};

/** Returns schemas with resolved references. */
function resolved(schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(resolved) as unknown as JsonSchema;
  if (typeof schema !== 'object' || schema === null) return schema as JsonSchema;
  const { $ref } = schema as { $ref?: string };
  if ($ref) {
    const [kind, name] = $ref.split('/').slice(-2);
    return resolved(document.components[kind][name]);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)])) as JsonSchema;
}

/** Encodes a value for a URL; hostile values that are not strings are written as JSON. */
const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const urlPart = (value: unknown) => {
  const raw = asText(value).slice(0, 2_000);
  // Some arrive encoded wrongly, as broken clients send them.
  return /^%/.test(raw) ? raw.replaceAll(/[^\x21-\x7e]|[/?#]/g, '') : encodeURIComponent(raw.toWellFormed());
};

/** Encodes a value for a header, because clients refuse to send line breaks and characters outside Latin-1. */
const headerText = (value: unknown) =>
  asText(value)
    .slice(0, 2_000)
    .replaceAll(/[^\x20-\xff]|\x7f/g, '');

const anyOf = (schema: JsonSchema) =>
  fc.oneof(
    { arbitrary: validValue(schema), weight: 4 },
    { arbitrary: nearlyValidValue(schema), weight: 2 },
    { arbitrary: hostileValue, weight: 2 },
  );

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { 'accept-language': 'zh-TW,zh;q=0.9,en;q=nonsense' },
  { 'accept-language': 'x'.repeat(3_000) },
  { 'x-request-id': 'a b' },
  { 'x-client-kind': 'robot', 'x-visitor-id': '<>' },
  { prefer: 'respond-async, wait=0' },
  { range: 'bytes=5-1,-3' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-7' },
  { 'content-encoding': 'br' },
];

const JSON_TYPE = 'application/json';
const jsonOf = (value: unknown) => JSON.stringify(value) ?? '';
/** A file with rows that are right, nearly so, or anything. */
const fileContent = fc
  .array(fc.oneof(fc.constantFrom('ACRX,2024-01-02,1', 'ACRX,2024-01-02,', 'x,y,z', '"'), fc.string()), {
    maxLength: 20,
  })
  .map((rows) => ['symbol,date,value', ...rows].join('\n'));

function callOf(method: string, template: string, operation: Operation): fc.Arbitrary<FuzzCall> {
  const parameters = (operation.parameters ?? []).map((one) => resolved(one) as unknown as Parameter);
  const [[type, media] = [JSON_TYPE, null]] = Object.entries(operation.requestBody?.content ?? {});
  const values = fc.tuple(
    ...parameters.map(({ schema, example, required }) =>
      fc.option(anyOf({ ...schema, example }), { nil: undefined, freq: required ? 20 : 2 }),
    ),
  );
  const body = media
    ? fc.oneof(
        { arbitrary: type === JSON_TYPE ? anyOf(resolved(media.schema)).map(jsonOf) : fileContent, weight: 9 },
        {
          arbitrary: fc.constantFrom('{', '[', 'null', '"', '{"a":1}}', '\u0000', '[1e999]', '{"a":"\\ud800"}'),
          weight: 1,
        },
      )
    : fc.constant(null);
  return fc
    .tuple(values, body, fc.constantFrom(...HEADERS), fc.constantFrom(method, method, method, method, 'put', 'head'))
    .map(([given, json, headers, verb]) => {
      let path = template;
      const query: string[] = [];
      const named: Record<string, string> = {};
      parameters.forEach((parameter, i) => {
        const value = given[i];
        if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, urlPart(value ?? '') || '%20');
        else if (value === undefined) return;
        else if (parameter.in === 'header') named[parameter.name] = headerText(value);
        else query.push(`${parameter.name}=${urlPart(value)}`);
      });
      return {
        method: verb,
        path: query.length > 0 ? `${path}?${query.join('&')}` : path,
        body: json,
        headers: { ...(json === null ? {} : { 'content-type': type }), ...named, ...headers },
      };
    });
}

/** Returns calls that cycle through all routes, the same for the same seed. */
function calls(count: number): FuzzCall[] {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(method, path, operation)),
  );
  const each = routes.map((arbitrary, i) =>
    fc.sample(arbitrary, { seed: SEED + i, numRuns: Math.ceil(count / routes.length) }),
  );
  return Array.from({ length: count }, (_, i) => each[i % each.length][Math.floor(i / each.length)]);
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

let addresses = 0;

async function send({ method, path, body, headers }: FuzzCall): Promise<Answer> {
  const port = portOf(server);
  addresses++;
  // From many addresses, so that the limit of public reads does not answer instead.
  const from = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = httpRequest({
    agent,
    port,
    host: '127.0.0.1',
    path,
    method: method.toUpperCase(),
    headers: { ...length, 'x-forwarded-for': from, ...headers },
    timeout: SLOWEST_MS,
  });
  sent.on('timeout', () => sent.destroy(new Error(`no answer within ${SLOWEST_MS} ms`)));
  sent.end(body ?? undefined);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

/** Whether the answer waits for the screen of a past day or for an example, which no worker computes here. */
const needsWorker = ({ path, body }: FuzzCall, status: number, content: string) =>
  (body?.includes('"screen"') === true && content.includes('error.snapshot_unavailable')) ||
  (status === 503 && /^\/v1\/\w+\/example\b/.test(path));

/** Returns the problem of an answer; null if there is none. */
function faultOf(call: FuzzCall, { status, headers, text: content }: Answer): string | null {
  if (status >= 500 && !needsWorker(call, status, content)) return `status ${status}: ${content.slice(0, 300)}`;
  if (call.method === 'head' || status === 304) return null;
  const type = String(headers['content-type']);
  try {
    const body = type.startsWith('application/json') ? JSON.parse(content) : content;
    if (type.startsWith('application/json') && body.code !== (status < 300 ? 0 : status))
      return `code ${body.code} with status ${status}`;
    assertDescribed(call.method, call.path, { status, headers, body } as never);
    return null;
  } catch (error) {
    return toError(error).message;
  }
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

it(`answers ${CALLS} random calls as described, in time, and without an internal error`, async () => {
  const all = calls(CALLS);
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  let heapAfterWarmUp = 0;
  let next = 0;
  const caller = async () => {
    while (next < all.length && faults.length < 20) {
      const at = next++;
      if (at === CALLS / 4) heapAfterWarmUp = heapMb();
      const call = all[at];
      const answer = await send(call).catch((error: Error) => error);
      const fault = answer instanceof Error ? answer.message : faultOf(call, answer);
      if (!(answer instanceof Error)) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (fault) faults.push(`${call.method} ${call.path.slice(0, 300)} ${call.body?.slice(0, 500) ?? ''}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  // The log says why.
  expect({ faults, logged: faults.length > 0 ? logged : [] }).toEqual({ faults: [], logged: [] });
  // Enough input must be valid to reach handlers, and enough invalid to be refused.
  expect(statuses.get(200)).toBeGreaterThan(CALLS / 10);
  expect(statuses.get(422)).toBeGreaterThan(CALLS / 20);
  await api.services.accessLog.flush();
  expect(heapMb() - heapAfterWarmUp).toBeLessThan(30);
});
