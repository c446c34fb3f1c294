/** Rules of every route: envelope, languages, request ids, limits, errors, description, documentation, health. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import supertest from 'supertest';
import { callerAddress } from '../../../api/access/caller.ts';
import { PLAN_CODES, PLANS, RATE_CATEGORIES } from '../../../api/access/plans.ts';
import { chooseLocale } from '../../../api/http/language/choose-locale.ts';
import { matchLocale } from '../../../api/http/language/locale.ts';
import { startEmbeddedPostgres } from '../../../db/embedded-postgres.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { saveProviderRanges } from '../../../db/market/loaded-sessions.ts';
import { migrate } from '../../../db/migrate.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { dayOf, requireDay } from '../../../engine/market/dates.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { declareQueues } from '../../../jobs/queue/boss.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DESCRIPTION } from '../../support/description.ts';
import { eventually } from '../../support/eventually.ts';
import { runSyncJob } from '../../support/market-folder.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
let database: TestDatabase;
let provider: SampleProvider;
let api: TestApi;
let guest: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated' });
  api = await openTestApi({ database, provider, now: () => NOW });
  guest = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await Promise.all([api.close(), guest.close()]);
  await database.drop();
});

describe('languages', () => {
  it.each([
    ['zh-TW', undefined, 'zh-TW'],
    ['zh-Hant', undefined, 'zh-TW'],
    ['zh_HK', undefined, 'zh-TW'],
    ['zh-MO', 'en', 'zh-TW'],
    ['zh', undefined, 'zh-CN'],
    ['zh-Hans-HK', undefined, 'zh-CN'],
    ['zh-SG', undefined, 'zh-CN'],
    ['en-GB', 'zh-TW', 'en'],
    ['fr', 'zh-TW', 'en'],
    ['%%%', undefined, 'en'],
    [undefined, 'fr, zh-TW;q=0.3, zh-CN;q=0.8', 'zh-CN'],
    [undefined, 'zh-Hant-HK,en;q=0.9', 'zh-TW'],
    [undefined, 'zh;q=0, en', 'en'],
    [undefined, '*', 'en'],
    [undefined, ';;;,,,q=', 'en'],
    [undefined, 'x'.repeat(5000), 'en'],
  ])('lang=%s with Accept-Language %s is %s', (lang, header, expected) => {
    expect(chooseLocale(lang, header, 'en')).toBe(expected);
  });

  it('are reported in Content-Language and used for messages, validation included', async () => {
    const response = await api.get('/v1/kline/ACRX?days=0', { 'accept-language': 'zh-TW,zh;q=0.9' });
    expect(response.headers['content-language']).toBe('zh-TW');
    expect(response.body.message).toMatch(/請求不符合約定.*query\.days/);
    expect((await api.get('/v1/quote/NOPE?lang=zh')).body.message).toBe('代码NOPE.US不存在。');
    expect(matchLocale('yue')).toBe('zh-TW');
  });
});

describe('request ids', () => {
  it('are taken from the caller if they are valid, and replaced otherwise, on errors too', async () => {
    expect((await api.get('/v1/quote/ACRX', { 'x-request-id': 'my-id.0001' })).headers['x-request-id']).toBe(
      'my-id.0001',
    );
    for (const bad of ['short', 'x'.repeat(129), 'bad id with spaces']) {
      const response = await api.get('/v1/nowhere', { 'x-request-id': bad });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('a guest', () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip });

  it('is limited per address and category, exactly, over two processes, with headers', async () => {
    const other = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
    const calls = Array.from({ length: 37 }, (_, i) =>
      (i % 2 ? guest : other).get('/v1/quote/ACRX', from('198.51.100.7')),
    );
    const responses = await Promise.all(calls);
    const passed = responses.filter((r) => r.status === 200);
    expect(passed).toHaveLength(PLANS.guest.limits.quote);
    expect(passed[0].headers['x-ratelimit-limit']).toBe('30');
    const refused = responses.find((r) => r.status === 429);
    expect(refused?.body).toMatchObject({
      code: 429,
      key: 'error.rate_limited',
      data: null,
      retry_after: expect.any(Number),
    });
    expect(Number(refused?.headers['retry-after'])).toBe(refused?.body.retry_after);
    expect(refused?.headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(refused?.headers['x-ratelimit-reset'])).toBeGreaterThan(NOW / 1000);
    expect((await guest.get('/v1/static/ACRX', from('198.51.100.7'))).status).toBe(200);
    expect((await guest.get('/v1/quote/ACRX', from('198.51.100.8'))).status).toBe(200);
    await other.close();
  });

  it('is identified by IPv4 address or IPv6 network', () => {
    expect(callerAddress('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(callerAddress('2001:db8:1:2:3:4:5:6')).toBe(callerAddress('2001:db8:1:2::1'));
    expect(callerAddress('2001:db8:1:2::1')).not.toBe(callerAddress('2001:db8:1:3::1'));
    expect(callerAddress(undefined)).toBe('unknown');
  });

  it('is never a caller with an invalid credential', async () => {
    const credentials: Record<string, string>[] = [
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'md_0' },
      { authorization: '' },
    ];
    for (const headers of credentials) {
      const response = await guest.get('/v1/quote/ACRX', { ...headers, ...from('198.51.100.9') });
      expect([response.status, response.body.key]).toEqual([401, 'error.invalid_credential']);
    }
  });

  it('has a separate limit for public reads', async () => {
    const { headers } = await guest.get('/api/plans', from('198.51.100.10'));
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['300', '299']);
  });
});

describe('GET /v1/intraday/{symbol}', () => {
  const open = (mode: 'delayed' | 'realtime', now: string, plan: 'guest' | 'free' = 'free') => {
    const clock = () => Date.parse(now);
    return openTestApi({ database, provider: new SampleProvider({ symbols: 50, now: clock }), mode, now: clock, plan });
  };

  it('is closed under eod_only for everybody', async () => {
    for (const caller of [api, guest]) {
      const response = await caller.get('/v1/intraday/ACRX');
      expect([response.status, response.body.key]).toEqual([403, 'error.intraday_not_provided']);
    }
  });

  it('is not part of the guest plan', async () => {
    const delayed = await open('delayed', '2024-09-04T15:00:00Z', 'guest');
    const response = await delayed.get('/v1/intraday/ACRX');
    expect([response.status, response.body.key]).toEqual([403, 'error.plan_capability']);
    await delayed.close();
  });

  it('holds back the last 15 minutes if delayed, and nothing in real time', async () => {
    // 11:00 in New York: 90 minutes after the bell.
    const [delayed, realtime] = [
      await open('delayed', '2024-09-04T15:00:00Z'),
      await open('realtime', '2024-09-04T15:00:00Z'),
    ];
    const late = (await delayed.get('/v1/intraday/acrx')).body.data;
    expect(late).toMatchObject({
      symbol: 'ACRX.US',
      date: '2024-09-04',
      interval: '1m',
      count: 75,
      delayed: true,
      venue_mode: 'single_venue',
    });
    expect(late.timeliness).toMatchObject({ mode: 'delayed', delay_minutes: 15 });
    expect(late.bars[74].ts).toBe('2024-09-04T10:44:00-04:00');
    const live = (await realtime.get('/v1/intraday/acrx?interval=30m')).body.data;
    expect(live).toMatchObject({ count: 3, delayed: false });
    expect(live.bars.map((b: { ts: string }) => b.ts.slice(11, 16))).toEqual(['09:30', '10:00', '10:30']);
    const yesterday = (await realtime.get('/v1/intraday/acrx?date=2024-09-03&interval=60m')).body.data;
    expect(yesterday.count).toBe(7);
    expect((await realtime.get('/v1/intraday/acrx?date=2024-09-02')).body.data.count).toBe(0);
    const tomorrow = await realtime.get('/v1/intraday/acrx?date=2024-09-05');
    expect([tomorrow.status, tomorrow.body.key]).toEqual([400, 'error.session_not_distributable']);
    expect((await realtime.get('/v1/intraday/acrx?interval=2m')).body.key).toBe('error.invalid_interval');
    await Promise.all([delayed.close(), realtime.close()]);
  });

  it('serves the previous session until today has bars', async () => {
    const early = await open('delayed', '2024-09-04T13:40:00Z');
    expect((await early.get('/v1/intraday/ACRX')).body.data).toMatchObject({ date: '2024-09-03', count: 390 });
    await early.close();
  });

  it('answers 502 if the provider fails', async () => {
    const clock = () => Date.parse('2024-09-04T15:00:00Z');
    const broken = new SampleProvider({ symbols: 50, now: clock });
    broken.minuteBars = async () => {
      throw new (await import('../../../jobs/providers/provider.ts')).ProviderError('line is down');
    };
    const view = await openTestApi({ database, provider: broken, mode: 'realtime', now: clock });
    const response = await view.get('/v1/intraday/ACRX');
    expect([response.status, response.body.key]).toEqual([502, 'error.upstream_unavailable']);
    expect(JSON.stringify(response.body)).not.toContain('line is down');
    await view.close();
  });
});

describe('staleness', () => {
  const publish = (newest: string) =>
    saveProviderRanges(
      database.pool,
      'sample',
      [{ venueBasis: 'consolidated', firstSession: dayOf(2024, 7, 1), newestSession: requireDay(newest) }],
      new Date(NOW),
    );

  it('refuses quotes if published sessions are missing for too long, also cached ones', async () => {
    const view = await openTestApi({
      database,
      provider,
      now: () => Date.parse('2024-09-20T16:00:00Z'),
      staleSessions: 3,
    });
    expect((await view.get('/v1/quote/ACRX')).status).toBe(200);
    await publish('2024-09-06');
    await seen(view, (version) => version > 0);
    expect((await view.get('/v1/quote/ACRX')).status).toBe(200);
    await publish('2024-09-09');
    await seen(view, (version) => version > 1);
    const stale = await view.get('/v1/quote/ACRX');
    expect([stale.status, stale.body.key]).toEqual([502, 'error.upstream_unavailable']);
    for (const query of ['', '?start=2024-08-01', '?end=2024-09-09']) {
      const { status, body } = await view.get(`/v1/kline/ACRX${query}`);
      expect([query, status, body.key]).toEqual([query, 502, 'error.upstream_unavailable']);
    }
    expect((await view.get('/v1/kline/ACRX?end=2024-09-03')).status).toBe(200);
    for (const type of ['quote', 'kline']) {
      expect((await view.post('/v1/batch', { symbols: ['ACRX'], type })).body.data.errors[0]).toMatchObject({
        symbol: 'ACRX.US',
        code: 502,
      });
    }
    await view.close();
  });

  it('does not count what may not be distributed yet', async () => {
    await publish('2024-09-09');
    const view = await openTestApi({
      database,
      provider,
      now: () => Date.parse('2024-09-09T20:00:00Z'),
      staleSessions: 3,
    });
    expect((await view.get('/v1/quote/ACRX')).status).toBe(200);
    await view.close();
  });
});

/** Waits until a view has loaded a change (`cacheVersion` counts them). */
async function seen(view: TestApi, isSeen: (generation: number) => boolean): Promise<void> {
  await eventually(async () => Number(view.market.cacheVersion.split(':')[0]), isSeen);
}

describe('two API processes', () => {
  it('both serve a new load as soon as it is committed', async () => {
    const other = await openTestApi({ database, provider, now: () => NOW });
    const before = (await other.get('/v1/quote/MTMX')).body.data.last;
    const generation = Number(other.market.cacheVersion.split(':')[0]);
    await database.pool.query(`update daily_bars set close = close + 1, high = high + 1 where day = '2024-09-03'`);
    await database.pool.query(`update bar_blocks set data = null`);
    expect((await other.get('/v1/quote/MTMX')).body.data.last).toBe(before);
    await bumpDataVersion(database.pool, 'bars');
    await seen(other, (g) => g > generation);
    expect((await other.get('/v1/quote/MTMX')).body.data.last).toBeCloseTo(before + 1, 6);
    await other.close();
  });
});

describe('/api', () => {
  it('serves the plans from the one table', async () => {
    const { data } = (await api.get('/api/plans')).body;
    expect(data.plans.map((p: { code: string }) => p.code)).toEqual([...PLAN_CODES]);
    for (const plan of data.plans) {
      expect(plan.quotas).toEqual(PLANS[plan.code as 'guest'].quotas);
      for (const category of RATE_CATEGORIES)
        expect(plan.rate_limits[category].limit).toBe(PLANS[plan.code as 'guest'].limits[category]);
    }
    expect(data.plans[0].rate_limits.optimize.window_seconds).toBe(3600);
  });

  it('describes itself', async () => {
    expect((await api.get('/api/meta')).body.data).toMatchObject({
      distribution_mode: 'eod_only',
      markets: ['US'],
      planned_markets: ['HK', 'CN'],
      public_api_base: 'http://test',
      data_source: { provider: 'sample', synthetic: true },
      data_range: { start: '2024-07-01', end: '2024-09-03' },
    });
  });

  it('caches its counts for a minute', async () => {
    const first = (await api.get('/api/stats')).body.data;
    expect(first).toMatchObject({
      symbols: expect.any(Number),
      cached: false,
      first_date: '2024-07-01',
      last_date: '2024-09-03',
    });
    expect((await api.get('/api/stats')).body.data).toEqual({ ...first, cached: true });
  });
});

describe('the interface description', () => {
  const document = JSON.parse(DESCRIPTION);

  it('is served unchanged', async () => {
    const served = await supertest(api.app).get('/openapi-full.json');
    expect(served.body).toEqual(document);
    expect(served.body).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } });
  });

  it('is also served without example answers, but with those of failures', async () => {
    const { body } = await supertest(api.app).get('/openapi.json');
    const { examples, ...parts } = document.components;
    expect(body.components).toMatchObject(parts);
    expect(Object.keys(body.components.examples)).toEqual(
      Object.keys(examples).filter((name) => name === name.toLowerCase()),
    );
    expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
    expect(JSON.stringify(body)).not.toContain('"answer":');
  });

  it('names the limits of the plan table', () => {
    const { info, paths } = document as {
      info: { description: string };
      paths: Record<string, { get: { description: string } }>;
    };
    expect(paths['/v1/quote/{symbol}'].get.description).toContain('Rate category `quote`');
    expect(info.description).toContain('|quote|30|60|300|3000|60 s|');
  });

  it('has a page that loads nothing from other hosts', async () => {
    const page = await supertest(api.app).get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('<link rel="icon"');
  });
});

describe('methods, health, and metrics', () => {
  it('lists the methods of a path', async () => {
    const response = await supertest(api.app).delete('/v1/quote/ACRX');
    expect([response.status, response.headers.allow, response.body.key]).toEqual([
      405,
      'GET, HEAD',
      'error.method_not_allowed',
    ]);
    const head = await supertest(api.app).head('/v1/quote/ACRX');
    expect([head.status, head.text]).toEqual([200, undefined]);
  });

  it('answers health checks outside the envelope', async () => {
    expect((await supertest(api.app).get('/healthz')).body).toEqual({ status: 'ok' });
    expect((await supertest(api.app).get('/readyz')).body).toEqual({
      status: 'ok',
      checks: { serving: 'ok', database: 'ok', broken: 'ok' },
    });
  });

  it.each([
    ['/healthz', 'zh-TW'],
    ['/readyz', 'zh-TW'],
    ['/metrics', 'zh-TW'],
    ['/v1/nowhere', 'zh-TW'],
    // It is written in English for every reader.
    ['/openapi.json', 'en'],
    ['/openapi-full.json', 'en'],
  ])('names the request and the language on %s', async (path, language) => {
    const { headers } = await supertest(api.app)
      .get(path)
      .set({ 'x-request-id': 'my-id.0002', 'accept-language': 'zh-TW' });
    expect([headers['x-request-id'], headers['content-language']]).toEqual(['my-id.0002', language]);
  });

  it('counts requests for Prometheus by path template, for loopback only', async () => {
    const { text } = await supertest(api.app).get('/metrics');
    expect(text).toMatch(/http_requests_total\{route="\/v1\/quote\/\{symbol\}",method="GET",status="200"\} \d+/);
    expect(text).toContain('queue_jobs');
    expect(text).not.toContain('ACRX');
  });

  it('reads the totals of sweeps once for all metrics of a scrape', async () => {
    const queries = jest.spyOn(pg.Pool.prototype, 'query');
    try {
      const { text } = await supertest(api.app).get('/metrics');
      expect(text).toMatch(/^sweep_cells_left 0$/m);
      expect(text).toMatch(/^sweep_cells_per_second 0$/m);
      const statements = queries.mock.calls.map(([query]) => JSON.stringify(query));
      expect(statements.filter((statement) => statement.includes('as \\"cellsLeft\\"'))).toHaveLength(1);
    } finally {
      queries.mockRestore();
    }
  });
});

/** Commits changes until the view has loaded one: its listener may still be reconnecting. */
async function untilChangesAreHeard(view: TestApi, pool: Pool): Promise<void> {
  const before = view.market.cacheVersion;
  await eventually(
    async () => {
      await bumpDataVersion(pool, 'bars');
      return view.market.cacheVersion;
    },
    (stamp) => stamp !== before,
  );
}

describe('without a database', () => {
  it('answers 503 without Retry-After, and recovers when the database is back', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'market-away-'));
    const log = pino({ level: 'silent' });
    let server = await startEmbeddedPostgres(directory, log);
    await migrate(server.url);
    await declareQueues(server.url);
    const pool = createPool({ url: server.url, max: 3, applicationName: 'test' });
    const view = await openTestApi({ database: server, provider, now: () => NOW });
    try {
      expect((await view.get('/api/stats')).status).toBe(200);
      expect((await view.get('/v1/quote/NOPE')).status).toBe(404);
      await server.stop();
      // The state in memory is still served.
      expect((await view.get('/v1/quote/NOPE')).status).toBe(404);
      for (const response of [await view.get('/api/articles'), await view.get('/api/articles')]) {
        const { status, body, headers } = response;
        expect([status, body.key, headers['retry-after']]).toEqual([503, 'error.unavailable', undefined]);
        expect(JSON.stringify(body)).not.toMatch(/postgres|\.ts|127\.0\.0\.1/);
      }
      expect((await supertest(view.app).get('/healthz')).status).toBe(200);
      expect((await supertest(view.app).get('/readyz')).body.checks.database).toBe('failed');
      expect((await supertest(view.app).get('/metrics')).text).toContain('database_pool_connections');
      server = await startEmbeddedPostgres(directory, log, server.port);
      expect((await view.get('/v1/quote/NOPE')).status).toBe(404);
      // It is notified of new data again, too.
      await untilChangesAreHeard(view, pool);
    } finally {
      await view.close();
      await pool.end();
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
