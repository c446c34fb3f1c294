/** Access records are collected off the request path, in order and without loss. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { AccessLog, type ServedRequest } from '../../../api/access/access-log.ts';
import type { Caller } from '../../../api/access/caller.ts';
import { countryName, NO_COUNTRIES, openCountries, packagedCountries } from '../../../api/access/countries.ts';
import { clientKindOf, hashClient, visitorOf } from '../../../api/access/web-client.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { selectLatestAccess } from '../../../db/log/access-records.ts';
import type { Pool } from '../../../db/pool.ts';
import { MS_PER_DAY } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { FAULTS, whileConnectionsFail } from '../../support/faults.ts';
import { endProcess, startProcess } from '../../support/processes.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  api = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

/** A caller with a key; all of them have the same counter. */
function callerOf(userId: number, apiKeyId: number): Caller {
  const account = { userId, email: 'ada@example.com', plan: 'free', planExpiresAt: null, isAdmin: false } as const;
  const rights = { scopes: [], isGrant: false, expiresAt: null };
  return { kind: 'key', counter: 'key:one', plan: 'free', apiKeyId, account, ...rights };
}

describe('a client', () => {
  it.each([
    [undefined, FIREFOX, 'web'],
    [undefined, 'curl/8.5.0', 'api'],
    [undefined, 'python-requests/2.32', 'api'],
    [undefined, '', 'api'],
    [undefined, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
    [undefined, 'GPTBot/1.1', 'bot'],
    [undefined, 'market-data-sdk/1.0 (node)', 'sdk'],
    [undefined, 'some-mcp-server/0.3', 'mcp'],
    ['skill', FIREFOX, 'skill'],
    ['MCP', 'curl/8.5.0', 'mcp'],
    ['nonsense', 'curl/8.5.0', 'api'],
  ])('named %s with user agent %s is of kind %s', (named, userAgent, kind) => {
    expect(clientKindOf(named, userAgent)).toBe(kind);
  });

  it('is identified by its own id if it is a browser, otherwise by a keyed hash of IP address and user agent', () => {
    const hash = hashClient('key', '203.0.113.1', 'curl/8.5.0');
    expect(hash).not.toContain('203.0.113.1');
    expect(hashClient('key', '203.0.113.1', 'curl/8.5.0')).toBe(hash);
    expect(hashClient('key', '203.0.113.2', 'curl/8.5.0')).not.toBe(hash);
    expect(hashClient('key', '203.0.113.1', 'curl/8.6.0')).not.toBe(hash);
    expect(hashClient('another key', '203.0.113.1', 'curl/8.5.0')).not.toBe(hash);
    expect(visitorOf('api', 'browser-0001', hash)).toBe(hash);
    expect(visitorOf('web', 'browser-0001', hash)).toBe('browser-0001');
    expect(visitorOf('web', "x'; drop", hash)).toBe(hash);
    expect(visitorOf('web', undefined, hash)).toBe(hash);
  });

  it('has a country, unless its address is private', async () => {
    const countryOf = await openCountries({ warn: (text) => expect(text).toBe('nothing') });
    const addresses = ['8.8.8.8', '114.114.114.114', '168.95.1.1', '10.0.0.1', '127.0.0.1', '::1', null];
    expect(addresses.map(countryOf)).toEqual(['US', 'CN', 'TW', null, null, null, null]);
    expect((['en', 'zh-CN', 'zh-TW'] as const).map((locale) => countryName('KR', locale))).toEqual([
      'South Korea',
      '韩国',
      '南韓',
    ]);
    expect(countryName(null, 'en')).toBeNull();
  });
});

it('a client has no country if the package of countries is not installed, which is logged', async () => {
  const lines: string[] = [];
  const countryOf = await openCountries({ warn: (line) => lines.push(line) }, packagedCountries('/nowhere.js'));
  expect(['8.8.8.8', '10.0.0.1', null].map(countryOf)).toEqual([null, null, null]);
  expect(lines).toEqual([NO_COUNTRIES]);
});

describe('an access record', () => {
  const newest = async (count: number) => {
    await api.services.accessLog.flush();
    const { rows } = await database.pool.query(
      `select at, visitor, user_id, client_kind, method, path, is_page, referrer, status, country
       from access_calls order by id desc limit $1`,
      [count],
    );
    return rows.reverse();
  };

  it('is written for every request, with its path template and without its query', async () => {
    const person = await signUp(api);
    const from = { 'x-forwarded-for': '8.8.8.8', 'user-agent': 'curl/8.5.0' };
    await api.get('/v1/quote/SECRET?lang=en', { ...from, ...person.program });
    await api.get('/v1/quote/ACRX?lang=zh-CN', from);
    const records = await newest(2);
    expect(records[0]).toMatchObject({
      at: new Date(NOW),
      user_id: person.id,
      client_kind: 'api',
      method: 'GET',
      path: '/v1/quote/{symbol}',
      is_page: false,
      referrer: null,
      status: 404,
      country: 'US',
      visitor: expect.stringMatching(/^#.{22}$/),
    });
    expect(records[1]).toMatchObject({ path: '/v1/quote/{symbol}', user_id: null });
  });

  it('shares a row with others of its batch that differ only in their times', async () => {
    const { pool } = database;
    const person = await signUp(api);
    let clock = NOW;
    const { log } = api.services;
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => clock });
    const caller = callerOf(person.id, 1);
    const context = { ip: '10.0.0.1', caller, category: null, pageView: null, isOnlyCounted: false };
    const serve = (route: string, status: number, ms: number) => {
      clock += 10;
      accessLog.record({ method: 'GET', headers: {}, context: { ...context, route } }, status, ms);
    };
    for (let i = 1; i <= 3; i++) {
      serve('/often', 200, i);
      serve('/seldom', 404, 10 * i);
    }
    serve('/often', 500, 0.125);
    await accessLog.close();
    const { rows } = await pool.query(
      `select path, status, duration_ms, earlier_ms_ago, earlier_duration_ms from access_records
       where user_id = $1 and at > $2 order by path, status`,
      [person.id, new Date(NOW)],
    );
    expect(rows).toEqual([
      { path: '/often', status: 200, duration_ms: 3, earlier_ms_ago: [20, 40], earlier_duration_ms: [2, 1] },
      { path: '/often', status: 500, duration_ms: 0.125, earlier_ms_ago: null, earlier_duration_ms: null },
      { path: '/seldom', status: 404, duration_ms: 30, earlier_ms_ago: [20, 40], earlier_duration_ms: [20, 10] },
    ]);
    const latest = await selectLatestAccess(pool, person.id, 4);
    expect(latest.map(({ at, durationMs }) => [at.getTime() - NOW, durationMs])).toEqual([
      [70, 0.125],
      [60, 30],
      [50, 3],
      [40, 20],
    ]);
  });

  it('does not share a row with others that differ in anything else', async () => {
    const { pool } = database;
    const [person, another] = [await signUp(api), await signUp(api)];
    let clock = NOW;
    const { log } = api.services;
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => clock });
    const context: ServedRequest['context'] = {
      ip: '10.0.0.1',
      route: '/one',
      caller: callerOf(person.id, 1),
      category: null,
      pageView: { path: '/', referrer: null },
      isOnlyCounted: false,
    };
    const one = { request: { method: 'GET', headers: {}, context }, status: 200, ms: 0 };
    const withContext = (change: Partial<ServedRequest['context']>) => ({
      ...one,
      request: { ...one.request, context: { ...context, ...change } },
    });
    const withHeaders = (headers: IncomingHttpHeaders) => ({ ...one, request: { ...one.request, headers } });
    const others = [
      withContext({ ip: '10.0.0.2' }),
      withContext({ ip: undefined }),
      withContext({ route: '/other' }),
      withContext({ caller: callerOf(person.id, 2) }),
      withContext({ caller: callerOf(another.id, 1) }),
      withContext({ category: 'quote' }),
      withContext({ pageView: null }),
      withContext({ pageView: { path: '/plans', referrer: null } }),
      withContext({ pageView: { path: '/', referrer: 'https://example.com/' } }),
      withHeaders({ 'user-agent': 'curl/8.5.0' }),
      withHeaders({ 'x-client-kind': 'skill' }),
      withHeaders({ 'x-visitor-id': 'browser-0001' }),
      { ...one, request: { ...one.request, method: 'HEAD' } },
      { ...one, status: 404 },
      { ...one, ms: MS_PER_DAY },
    ];
    for (const [i, other] of others.entries()) {
      const from = NOW + 2 * i * MS_PER_DAY;
      for (const { request, status, ms } of [one, other, one, other]) {
        clock = from + ms;
        accessLog.record(request, status, 1);
      }
      await accessLog.flush();
      const { rows } = await pool.query(
        `select cardinality(earlier_ms_ago) as earlier from access_records
         where user_id = any ($1) and at >= $2 and at < $2::timestamptz + interval '2 days'`,
        [[person.id, another.id], new Date(from)],
      );
      expect([i, rows]).toEqual([i, [{ earlier: 1 }, { earlier: 1 }]]);
    }
    await accessLog.close();
  });

  it('is not lost if a caller makes more kinds of requests at a time than there are open rows', async () => {
    const { pool } = database;
    const { log } = api.services;
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => NOW });
    const context = { ip: '10.0.0.1', caller: null, category: null, pageView: null, isOnlyCounted: false };
    const routes = Array.from({ length: 40 }, (_, i) => `/many/${i}`);
    for (let turn = 0; turn < 3; turn++) {
      for (const route of routes)
        accessLog.record({ method: 'GET', headers: {}, context: { ...context, route } }, 200, 1);
    }
    await accessLog.close();
    const { rows } = await pool.query(
      `select count(*)::int as calls, count(distinct path)::int as paths from access_calls where path like '/many/%'`,
    );
    expect(rows).toEqual([{ calls: 120, paths: 40 }]);
  });

  it('sets the last use of its key to the minute, and the kinds of client of its account', async () => {
    const { pool } = database;
    const person = await signUp(api);
    const key = await pool.query<{ id: number }>('select id from api_keys where user_id = $1', [person.id]);
    const [{ id: apiKeyId }] = key.rows;
    let clock = NOW;
    const { log } = api.services;
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => clock });
    const caller = callerOf(person.id, apiKeyId);
    const context = { ip: '10.0.0.1', route: '/used', caller, category: null, pageView: null };
    const used = async (seconds: number, kind: string, isOnlyCounted = false) => {
      clock = NOW + 1000 * seconds;
      const headers = { 'x-client-kind': kind };
      accessLog.record({ method: 'GET', headers, context: { ...context, isOnlyCounted } }, 200, 1);
      await accessLog.flush();
      const { rows } = await pool.query(
        `select extract(epoch from last_used_at)::float8 - $2 as at,
           array(select client_kind from visiting_users where user_id = $3 order by 1) as kinds
         from api_keys where id = $1`,
        [apiKeyId, NOW / 1000, person.id],
      );
      return [rows[0].at, rows[0].kinds];
    };
    expect(await used(100, 'api', true)).toEqual([100, []]);
    expect(await used(110, 'api')).toEqual([110, ['api']]);
    expect(await used(159, 'api')).toEqual([110, ['api']]);
    expect(await used(159.5, 'mcp')).toEqual([159.5, ['api', 'mcp']]);
    expect(await used(160, 'api')).toEqual([160, ['api', 'mcp']]);
    // The clock is set back.
    expect(await used(40, 'skill')).toEqual([160, ['api', 'mcp', 'skill']]);
    await accessLog.close();
  });

  it('of a page view has the page as its path', async () => {
    const browser = { 'user-agent': FIREFOX, 'x-visitor-id': 'browser-0001' };
    const visit = (body: unknown) => api.post('/api/visits', body, browser);
    const seen = await visit({ path: '/articles/what-is-a-gap', referrer: 'https://example.com/?q=gap' });
    expect([seen.status, seen.body.data]).toEqual([201, { recorded: true }]);
    expect(await newest(1)).toMatchObject([
      {
        visitor: 'browser-0001',
        client_kind: 'web',
        path: '/articles/{slug}',
        is_page: true,
        status: 201,
        referrer: 'https://example.com/?q=gap',
      },
    ]);
    for (const bad of [
      {},
      { path: 'no slash' },
      { path: `/${'x'.repeat(500)}` },
      { path: '/a\u0000' },
      { path: '/a', referrer: 7 },
    ]) {
      expect((await visit(bad)).status).toBe(422);
    }
  });

  it('of a page that the site does not have has the path "other"', async () => {
    const seen = async (path: string) => {
      await api.post('/api/visits', { path }, { 'user-agent': FIREFOX });
      return (await newest(1))[0].path;
    };
    expect(await seen('/')).toBe('/');
    expect(await seen('/articles/?page=2')).toBe('/articles');
    expect(await seen('/s/BRK.B.US')).toBe('/s/{symbol}');
    expect(await seen('/admin/ops')).toBe('/admin/{page}');
    // Express answers this address with the page too.
    expect(await seen('/Articles')).toBe('/articles');
    for (const made of ['/made-up-1', '/articles/a/b', '/s/', '/%2e%2e']) {
      expect([made, await seen(made)]).toEqual([made, 'other']);
    }
  });

  it('waits until an unavailable database is back', async () => {
    let isUnreachable = true;
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    const pool = {
      connect: () => (isUnreachable ? away() : database.pool.connect()),
      query: (...args: [string]) => (isUnreachable ? away() : database.pool.query(...args)),
    } as unknown as Pool;
    const log = pino({ level: 'silent' });
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => NOW });
    const context = {
      ip: '10.0.0.1',
      route: '/waiting',
      caller: null,
      category: null,
      pageView: null,
      isOnlyCounted: false,
    };
    const request = { headers: {}, method: 'GET', context };
    for (let i = 0; i < 3; i++) accessLog.record(request, 200, 1);
    await accessLog.flush();
    expect(accessLog.lost).toBe(0);
    isUnreachable = false;
    await accessLog.close();
    const { rows } = await database.pool.query(`select count(*)::int as n from access_calls where path = '/waiting'`);
    expect(rows).toEqual([{ n: 3 }]);
    expect(accessLog.lost).toBe(0);
  });

  it('is counted as lost, and logged, if memory cannot hold it until the database is back', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const { pool } = database;
    const accessLog = new AccessLog({ pool, log, countryOf: () => null, identifierKey: 'key', now: () => NOW });
    const context = {
      ip: '10.0.0.1',
      route: '/lost',
      caller: null,
      category: null,
      pageView: null,
      isOnlyCounted: true,
    };
    const request = { headers: {}, method: 'GET', context };
    for (let i = 0; i < 51_000; i++) accessLog.record(request, 200, 1);
    await whileConnectionsFail(required(FAULTS.get('EHOSTUNREACH')), () => accessLog.flush());
    expect([accessLog.lost, lines]).toEqual([1_000, []]);
    await accessLog.close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'access records were lost', records: 1_000 }]);
    expect((await api.get('/metrics')).text).toMatch(/^access_records_lost_total 0$/m);
    const { rows } = await pool.query(`select sum(calls)::int as calls from daily_access where path = '/lost'`);
    expect(rows).toEqual([{ calls: 50_000 }]);
  });
});

describe('an API process', () => {
  it('writes every record before it shuts down, and those older than a second even if it is killed', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const port = portOf(probe);
    probe.close();
    const directory = mkdtempSync(join(tmpdir(), 'market-api-'));
    const start = () =>
      startProcess('api', {
        DATABASE_URL: database.url,
        DATA_DIR: directory,
        PORT: String(port),
        SAMPLE_SYMBOLS: '50',
      });
    const call = (agent: string) =>
      fetch(`http://127.0.0.1:${port}/api/plans`, {
        headers: { 'user-agent': agent, 'x-client-kind': 'sdk', connection: 'close' },
      });
    const count = async () => {
      const { rows } = await database.pool.query(
        `select count(*)::int as n from access_calls where client_kind = 'sdk'`,
      );
      return rows[0].n;
    };
    const first = await start();
    await Promise.all(Array.from({ length: 50 }, () => call('graceful')));
    expect(await endProcess(first, 'SIGTERM')).toBe(0);
    expect(await count()).toBe(50);
    const second = await start();
    await Promise.all(Array.from({ length: 50 }, () => call('killed')));
    await eventually(count, (n) => n === 100);
    await endProcess(second, 'SIGKILL');
    expect(await count()).toBe(100);
    rmSync(directory, { recursive: true });
  });
});
