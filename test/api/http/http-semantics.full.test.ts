/** Compression, conditional requests, and calls from the pages of other sites. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildOpenApi } from '../../../api/docs/openapi.ts';
import { ROUTES } from '../../../api/routes.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addPerson, changeAccess, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { installPythonClient } from '../../support/python-client.ts';

let now = Date.parse('2024-09-04T16:00:00Z');
const python = await installPythonClient();
const LISTED = 'https://app.example.com';
let database: TestDatabase;
let api: TestApi;
let server: Server;
let person: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => now });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated' });
  api = await openTestApi({ database, provider, now: () => now, realCallers: true, corsOrigins: [LISTED] });
  person = await addPerson(api);
  server = createServer(api.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await api.close();
  await database.drop();
});

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Returns the answer as sent: nothing is decompressed, and no header is added. */
async function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Raw> {
  const sent = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    path,
    method,
    agent: false,
    headers: { 'x-forwarded-for': newAddress(), ...headers },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

const LONG = '/v1/kline/ACRX?days=250';

describe('compression', () => {
  it('uses the encoding that the caller prefers, for JSON above 1 KiB', async () => {
    const plain = await raw(LONG);
    expect([plain.headers['content-encoding'], plain.bytes.length > 1024]).toEqual([undefined, true]);
    for (const [accepted, encoding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['br;q=0.5, gzip;q=0.8', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
      ['identity, gzip;q=0.9', undefined, (bytes: Buffer) => bytes],
      ['deflate, identity', 'deflate', inflateSync],
      ['gzip;q=0', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      for (let time = 0; time < 2; time++) {
        const { headers, bytes } = await raw(LONG, { 'accept-encoding': accepted });
        expect(headers['content-encoding']).toBe(encoding);
        expect(headers['content-length']).toBe(encoding ? undefined : String(bytes.length));
        expect(decode(bytes).equals(plain.bytes)).toBe(true);
        expect(headers.vary).toContain('Accept-Encoding');
        if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      }
    }
    const short = await raw('/v1/quote/ACRX', { 'accept-encoding': 'br' });
    expect([short.bytes.length < 1024, short.headers['content-encoding']]).toEqual([true, undefined]);
  });

  it('applies to answers that are not cached, and to errors', async () => {
    const strategies = await raw('/v1/strategies', { 'accept-encoding': 'gzip' });
    expect(JSON.parse(gunzipSync(strategies.bytes).toString()).code).toBe(0);
    const query = Array.from({ length: 30 }, (_, i) => `unknown_parameter_${i}=1`).join('&');
    const failure = await raw(`/v1/quote/ACRX?${query}`, { 'accept-encoding': 'br' });
    expect(failure.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(failure.bytes).toString()).detail).toHaveLength(20);
  });

  it('applies to streamed answers', async () => {
    const body = JSON.stringify({ symbols: ['ACRX', 'MTMX'], type: 'kline' });
    const batch = (encoding: string) =>
      raw('/v1/batch', { 'accept-encoding': encoding, 'content-type': 'application/json' }, 'POST', body);
    const plain = await batch('identity');
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await batch(encoding);
      expect([headers['content-encoding'], decode(bytes).equals(plain.bytes)]).toEqual([encoding, true]);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    }
  });
});

describe('an answer that callers may cache', () => {
  it.each([
    ['/v1/quote/ACRX', 300],
    [LONG, 300],
    ['/v1/static/ACRX', 300],
    ['/v1/symbols?q=ac', 300],
    ['/v1/strategies', 300],
    ['/api/backtest/strategies', 300],
    ['/api/plans', 300],
    ['/api/screener/presets', 300],
    ['/api/articles', 300],
    ['/api/meta', 0],
    ['/openapi.json', 300],
    ['/openapi-full.json', 300],
  ])('%s names its content, and is not sent again while it is right', async (path, maxAge) => {
    const first = await raw(path);
    expect(first.status).toBe(200);
    expect(first.headers['cache-control']).toBe(`private, max-age=${maxAge}`);
    // Candles are also a stream of Arrow.
    const type = path.startsWith('/v1/kline') ? 'Accept, ' : '';
    expect(first.headers.vary).toBe(`${type}Authorization, X-API-Key, Accept-Language, Accept-Encoding`);
    const etag = first.headers.etag as string;
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await raw(path, { 'if-none-match': known, 'accept-encoding': 'br' });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect([again.headers.etag, again.headers['cache-control'], again.headers.vary]).toEqual([
        etag,
        first.headers['cache-control'],
        first.headers.vary,
      ]);
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      expect(again.headers['content-length']).toBeUndefined();
    }
    expect((await raw(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('counts as a call if it is answered with 304, with its own headers', async () => {
    const from = { 'x-forwarded-for': newAddress() };
    const first = await raw('/v1/quote/ACRX', from);
    const again = await raw('/v1/quote/ACRX', { ...from, 'if-none-match': first.headers.etag as string });
    expect([again.status, Number(again.headers['x-ratelimit-remaining'])]).toEqual([
      304,
      Number(first.headers['x-ratelimit-remaining']) - 1,
    ]);
    const head = await raw('/v1/quote/ACRX', { 'if-none-match': first.headers.etag as string }, 'HEAD');
    expect(head.status).toBe(304);
  });

  it('has another ETag in another language, and when the data changes', async () => {
    const tag = async (headers: Record<string, string> = {}) => (await raw('/v1/quote/ACRX', headers)).headers.etag;
    const before = await tag();
    expect(await tag({ 'accept-language': 'zh-CN' })).not.toBe(before);
    expect(await tag({ 'accept-encoding': 'br' })).toBe(before);
    await database.pool.query("update instruments set name = 'Renamed' where symbol = 'ACRX'");
    await bumpDataVersion(database.pool, 'symbols');
    await eventually(tag, (etag) => etag !== before);
    expect((await raw('/v1/quote/ACRX', { 'if-none-match': before as string })).status).toBe(200);
  });

  it('expires at midnight in New York', async () => {
    const noon = now;
    now = Date.parse('2024-09-05T03:59:10.5Z');
    expect((await raw('/v1/quote/ACRX')).headers['cache-control']).toBe('private, max-age=49');
    now = noon;
  });

  it('is never a failure, data of an account, or the state of a job', async () => {
    for (const path of ['/v1/quote/NOPE', '/v1/quote/ACRX?x=1', '/v1/backtests', '/api/auth/me']) {
      const { headers } = await raw(path, person.program);
      expect([path, headers['cache-control'], headers.etag]).toEqual([path, 'no-store', undefined]);
    }
    const kept = ROUTES.filter(({ caching }) => caching);
    expect(kept.filter(({ method, access }) => method !== 'get' || access !== 'anyone')).toEqual([]);
    expect(kept.filter(({ path }) => /jobs|intraday/.test(path))).toEqual([]);
  });

  it('has the same headers for HEAD as for GET', async () => {
    const get = await raw(LONG);
    const head = await raw(LONG, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
    const missing = await raw('/v1/quote/NOPE', {}, 'HEAD');
    expect([missing.status, missing.bytes.length, missing.headers['x-request-id'] === undefined]).toEqual([
      404,
      0,
      false,
    ]);
  });
});

describe('a page of another site', () => {
  const OTHER = 'https://other.example.org';
  const preflight = (path: string, origin: string, method: string, headers?: string) =>
    raw(
      path,
      {
        origin,
        'access-control-request-method': method,
        ...(headers ? { 'access-control-request-headers': headers } : {}),
      },
      'OPTIONS',
    );
  const allowed = ({ headers }: Raw) => headers['access-control-allow-origin'];

  it('may read market data and public reads by GET, from any origin, without credentials', async () => {
    for (const path of ['/v1/quote/ACRX', '/v1/backtests', '/v1/nowhere', '/api/meta', '/api/articles/x']) {
      const answer = await raw(path, { origin: OTHER });
      expect([path, allowed(answer)]).toEqual([path, '*']);
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      const exposed = answer.headers['access-control-expose-headers'];
      for (const name of ['X-RateLimit-Remaining', 'ETag', 'X-Request-Id', 'Retry-After'])
        expect(exposed).toContain(name);
      expect(answer.headers.vary).not.toContain('Origin');
      const asked = await preflight(path, OTHER, 'GET', 'x-api-key,authorization,if-none-match,accept-language');
      expect([asked.status, allowed(asked)]).toEqual([204, '*']);
      expect(asked.headers['access-control-allow-headers']?.toLowerCase()).toBe(
        'x-api-key,authorization,if-none-match,accept-language,x-request-id',
      );
      expect(asked.headers['access-control-allow-methods']).toBe('GET,HEAD');
      expect(asked.headers['x-request-id']).toBeTruthy();
    }
  });

  it('may call everything else only from a listed origin', async () => {
    for (const [path, method] of [
      ['/v1/backtest', 'POST'],
      ['/api/auth/me', 'GET'],
      ['/api/account/keys', 'GET'],
      ['/api/admin/users', 'GET'],
      ['/api/backtest/history', 'GET'],
      ['/api/auth/verify', 'POST'],
      ['/api/account/keys/1', 'DELETE'],
    ]) {
      const refused = await preflight(path, OTHER, method);
      expect([path, allowed(refused), refused.headers.vary]).toEqual([
        path,
        undefined,
        expect.stringContaining('Origin'),
      ]);
      const welcome = await preflight(path, LISTED, method, 'idempotency-key');
      expect([path, welcome.status, allowed(welcome)]).toEqual([path, 204, LISTED]);
      expect(welcome.headers['access-control-allow-headers']).toContain('Idempotency-Key');
      expect(welcome.headers['access-control-allow-methods']).toContain(method);
    }
    const read = await raw('/api/auth/me', { origin: LISTED, ...person.program });
    expect([read.status, allowed(read), read.headers.vary]).toEqual([200, LISTED, expect.stringContaining('Origin')]);
    expect(allowed(await raw('/api/auth/me', { origin: OTHER, ...person.program }))).toBeUndefined();
  });

  it('may read errors too, and OPTIONS alone is not a method of a route', async () => {
    const failure = await raw('/v1/quote/NOPE', { origin: OTHER, 'x-api-key': 'md_bad' });
    expect([failure.status, allowed(failure)]).toEqual([401, '*']);
    expect((await raw('/v1/quote/ACRX', {}, 'OPTIONS')).status).toBe(405);
    expect((await raw('/v1/quote/ACRX', { origin: OTHER }, 'OPTIONS')).status).toBe(405);
    expect(allowed(await raw('/v1/quote/ACRX'))).toBeUndefined();
  });
});

describe('a cached answer', () => {
  const CHANGING = new Set(['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset']);
  const lasting = ({ status, headers, bytes }: Raw) => ({
    status,
    headers: Object.entries(headers).filter(([name]) => !CHANGING.has(name)),
    bytes: bytes.toString('base64'),
  });

  async function callOften(times: number, path: string, headers: Record<string, string>) {
    const answers: Raw[] = [];
    for (let i = 0; i < times; i++) answers.push(await raw(path, headers));
    return answers;
  }

  it.each([
    ['/v1/quote/ACRX', {}],
    ['/v1/quote/ACRX', { 'accept-language': 'zh-CN' }],
    ['/v1/kline/ACRX?days=250', { 'accept-encoding': 'gzip' }],
    ['/v1/kline/ACRX?days=250', {}],
  ])('to %s with %j is the same each time, and counts as a call', async (path, headers) => {
    const caller = await addPerson(api);
    const answers = await callOften(12, path, { ...caller.program, ...headers });
    for (const answer of answers) expect(lasting(answer)).toEqual(lasting(answers[0]));
    const left = answers.map((answer) => Number(answer.headers['x-ratelimit-remaining']));
    expect(left).toEqual(left.map((_, i) => left[0] - i));
    await api.services.accessLog.flush();
    const { rows } = await database.pool.query(
      `select (select count(*)::int from access_calls where user_id = $1) as records,
         (select sum(calls)::int from daily_usage where user_id = $1) as usage`,
      [caller.id],
    );
    expect(rows).toEqual([{ records: 12, usage: 12 }]);
  });

  it('is refused to callers without access', async () => {
    const caller = await addPerson(api);
    const answers = await callOften(10, '/v1/quote/ACRX', caller.program);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await changeAccess(api, caller.id, { status: 'banned' });
    expect((await raw('/v1/quote/ACRX', caller.program)).status).toBe(401);
  });

  it('counts against the limit', async () => {
    const guest = { 'x-forwarded-for': newAddress() };
    const answers = await callOften(40, '/v1/quote/ACRX', guest);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.slice(30).map(({ status }) => status)).toEqual(Array(10).fill(429));
  });
});

describe('a deprecated operation', () => {
  const LINK = 'https://market.example.com/docs#quotes';
  const deprecated = { since: '2026-11-22', sunset: '2027-06-01', link: LINK };
  const routes = ROUTES.map((route) => (route.operationId === 'getQuote' ? { ...route, deprecated } : route));
  let app: Server;
  let url: string;

  beforeAll(async () => {
    app = createServer(api.appOf(routes)).listen(0, '127.0.0.1');
    await once(app, 'listening');
    url = `http://127.0.0.1:${portOf(app)}`;
  });
  afterAll(() => void app.close());

  it('says so in each of its answers, including refusals, but not in others', async () => {
    const often = Array(6).fill('/v1/quote/ACRX');
    for (const path of [...often, '/v1/quote/NOBODY', '/v1/quote/ACRX?lnag=en']) {
      const { headers } = await fetch(`${url}${path}`, { headers: person.program });
      expect([path, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
        path,
        '@1795305600',
        'Tue, 01 Jun 2027 00:00:00 GMT',
        `<${LINK}>; rel="deprecation"; type="text/html"`,
      ]);
    }
    const { headers } = await fetch(`${url}/v1/kline/ACRX`);
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
  });

  it('is marked in the interface description', () => {
    const { paths } = JSON.parse(JSON.stringify(buildOpenApi(routes, 'http://test')));
    const { deprecated: isMarked, description } = paths['/v1/quote/{symbol}'].get;
    expect([isMarked, description]).toEqual([
      true,
      expect.stringContaining(
        `Deprecated since 2026-11-22; it may be removed from 2027-06-01 on. [What to use instead](${LINK})`,
      ),
    ]);
    expect(paths['/v1/kline/{symbol}'].get.deprecated).toBeUndefined();
  });

  it('causes one warning of the TypeScript client', async () => {
    const code = `
import { openClient } from '${new URL('../../../api/clients/typescript/index.ts', import.meta.url)}';
const client = openClient({ url: '${url}' });
for (const symbol of ['ACRX', 'BRVA']) await client.quote(symbol);
await client.kline('ACRX');`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    expect(stderr.match(/DeprecationWarning: .*/g)).toEqual([
      `DeprecationWarning: GET /v1/quote/{symbol} is deprecated; it may be removed after Tue, 01 Jun 2027 00:00:00 GMT: ${LINK}`,
    ]);
  });

  (python ? it : it.skip)('is told once by the Python client', async () => {
    const code = `
import warnings
from market_data import Client
with warnings.catch_warnings(record=True) as told, Client() as client:
    warnings.simplefilter("always")
    for _ in range(2):
        client.quote("ACRX")
    client.symbols("acr")
print([str(one.message) for one in told])`;
    const printed = await python?.run(['-c', code], { MARKET_API_URL: url, MARKET_API_KEY: '' });
    expect(printed).toBe(
      `['GET /v1/quote/ACRX is deprecated; it may be removed after Tue, 01 Jun 2027 00:00:00 GMT: ${LINK}']\n`,
    );
  });
});
