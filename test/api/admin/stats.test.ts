/** Statistics match the records that they are counted from. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertAccessBatch, type RequestGroup } from '../../../db/log/access-batch.ts';
import { CLIENT_KINDS, deleteOldAccessRecords } from '../../../db/log/access-records.ts';
import { deleteOldPageVisitors } from '../../../db/log/visit-counts.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { removeOldAccess } from '../../../jobs/worker/cleanup.ts';
import { addAdmin, addPerson, type Person, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { runSyncJob } from '../../support/market-folder.ts';

const NOW = Date.parse('2024-09-04T00:30:00Z');
const DAY = 86_400_000;
let database: TestDatabase;
let api: TestApi;
let admin: Person;

const COUNTED = 'daily_access, page_visitors, daily_page_visitors, visitors, visiting_users, access_records';

beforeAll(async () => {
  database = await createTestDatabase();
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  await runSyncJob(database.pool, provider, 'symbols');
  await runSyncJob(database.pool, provider, 'daily_bars', { venue_mode: 'consolidated', start: '2024-08-20' });
  api = await openTestApi({ database, provider, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
});
beforeEach(async () => {
  admin = await addAdmin(api);
  await api.services.accessLog.flush();
  await database.pool.query(`truncate ${COUNTED}`);
  await database.pool.query('delete from backtests');
});

const get = async (path: string) => (await api.get(`/api/admin/stats/${path}`, admin.console)).body.data;

interface ServedRequest extends Omit<RequestGroup, 'at' | 'durationMs'> {
  readonly at: number;
  readonly durationMs: number;
}

function record(daysAgo: number, more: Partial<ServedRequest> = {}): ServedRequest {
  return {
    at: NOW - daysAgo * DAY,
    visitor: 'visitor-1',
    userId: null,
    clientKind: 'web',
    method: 'GET',
    path: '/v1/quote/{symbol}',
    isPage: false,
    referrer: null,
    status: 200,
    durationMs: 10,
    country: null,
    apiKeyId: null,
    isOnlyCounted: false,
    isUsage: false,
    isUse: true,
    ...more,
  };
}

const view = (daysAgo: number, visitor: string, path = '/') =>
  record(daysAgo, { visitor, path, isPage: true, method: 'POST' });
const write = (requests: ServedRequest[]) =>
  insertAccessBatch(
    database.pool,
    requests.map((request) => alike([request])),
  );
const alike = (requests: readonly ServedRequest[]): RequestGroup => ({
  ...requests[0],
  at: requests.map(({ at }) => at),
  durationMs: requests.map(({ durationMs }) => durationMs),
});

describe('GET /api/admin/stats/timeseries', () => {
  it('has one entry per UTC day, today included, with 0 for days without values', async () => {
    await write([view(0, 'a'), view(0, 'a'), view(0, 'b'), view(2, 'a'), view(3, 'c'), record(0)]);
    const pv = await get('timeseries?days=4');
    expect(pv).toEqual({
      metric: 'pv',
      days: 4,
      total: 5,
      items: [
        { date: '2024-09-01', value: 1 },
        { date: '2024-09-02', value: 1 },
        { date: '2024-09-03', value: 0 },
        { date: '2024-09-04', value: 3 },
      ],
    });
    const uv = await get('timeseries?days=4&metric=uv');
    expect([uv.total, uv.items.map(({ value }: { value: number }) => value)]).toEqual([4, [1, 1, 0, 2]]);
    expect((await get('timeseries')).items).toHaveLength(90);
    expect((await get('timeseries?days=365')).items).toHaveLength(365);
    expect((await get('timeseries?days=1&metric=uv')).items).toEqual([{ date: '2024-09-04', value: 2 }]);
  });

  it('separates days at midnight UTC', async () => {
    const midnight = Date.parse('2024-09-04T00:00:00Z');
    await write([
      { ...view(0, 'a'), at: midnight - 1 },
      { ...view(0, 'a'), at: midnight },
    ]);
    expect((await get('timeseries?days=2')).items.map(({ value }: { value: number }) => value)).toEqual([1, 1]);
  });

  it('counts registrations, kept backtests, and calls of the API', async () => {
    const person = await addPerson(api);
    const insert = `insert into backtests (user_id, created_at, is_cached, summary) values ($1, $2, false, '{}')`;
    for (const daysAgo of [0, 0, 5, 40]) {
      await database.pool.query(insert, [person.id, new Date(NOW - daysAgo * DAY)]);
    }
    await database.pool.query(`update users set created_at = $1 where id = $2`, [new Date(NOW - 3 * DAY), person.id]);
    await write([record(1), record(1, { status: 404 }), record(0, { path: '/api/meta' }), view(0, 'a', '/v1/fake')]);
    const backtests = await get('timeseries?metric=backtests&days=30');
    expect([backtests.total, backtests.items.at(-1).value, backtests.items.at(-6).value]).toEqual([3, 2, 1]);
    expect((await get('timeseries?metric=users&days=7')).items.at(-4).value).toBe(1);
    const calls = await get('timeseries?metric=api_calls&days=3');
    expect(calls.items.map(({ value }: { value: number }) => value)).toEqual([0, 2, 0]);
  });

  it.each(['metric=mood', 'days=0', 'days=366', 'days=x'])('refuses %s', async (query) => {
    const { status } = await api.get(`/api/admin/stats/timeseries?${query}`, admin.console);
    expect(status).toBe(422);
  });
});

describe('GET /api/admin/stats/clients', () => {
  it('always has six kinds, and distinguishes visitors and accounts', async () => {
    const person = await addPerson(api);
    await write([
      record(0, { clientKind: 'sdk', visitor: '#1' }),
      record(1, { clientKind: 'sdk', visitor: '#1' }),
      record(1, { clientKind: 'sdk', visitor: '#2', userId: person.id }),
      record(9, { clientKind: 'sdk', visitor: '#3', userId: admin.id }),
      record(0, { clientKind: 'mcp', visitor: '#1', userId: person.id }),
    ]);
    const { days, items } = await get('clients?days=7');
    expect([days, items.map(({ kind }: { kind: string }) => kind)]).toEqual([7, [...CLIENT_KINDS]]);
    const of = (kind: string) => items.find((item: { kind: string }) => item.kind === kind);
    expect(of('sdk')).toMatchObject({ visits: 3, unique_visitors: 2, unique_users: 1 });
    expect(of('mcp')).toMatchObject({ visits: 1, unique_visitors: 1, unique_users: 1 });
    expect(of('bot')).toEqual({ kind: 'bot', visits: 0, unique_visitors: 0, unique_users: 0, top_paths: [] });
    const longer = (await get('clients?days=10')).items.find((item: { kind: string }) => item.kind === 'sdk');
    expect(longer).toMatchObject({ visits: 4, unique_visitors: 3, unique_users: 2 });
  });
});

describe('GET /api/admin/stats/overview', () => {
  it('sums everything up', async () => {
    const person = await addPerson(api);
    await write([
      view(0, 'a', '/articles'),
      view(1, 'a', '/'),
      view(1, 'b', '/'),
      record(0, { userId: person.id }),
      record(0, { status: 429, path: '/v1/kline/{symbol}' }),
      record(50, { userId: admin.id }),
      ...['/v1/backtest', '/api/backtest/run'].map((path, i) =>
        record(0, { method: 'POST', path, durationMs: 100 * (i + 1) }),
      ),
      record(0, { method: 'POST', path: '/v1/backtest', status: 202, durationMs: 9999 }),
      record(0, { method: 'POST', path: '/v1/backtest', status: 400, durationMs: 9999 }),
      ...Array.from({ length: 7 }, (_, i) => view(3, 'b', `/p${i}`)),
    ]);
    const data = await get('overview?lang=zh-CN');
    expect(data.days).toBe(30);
    expect(data.users).toMatchObject({ active: 1, new: data.users.total });
    expect(data.visits).toMatchObject({ pv: 10, uv: 2 });
    expect(data.backtests).toMatchObject({
      total: 0,
      avg_duration_ms: 150,
      latency_note: expect.stringContaining('访客'),
    });
    expect(data.api).toMatchObject({ calls: 5, errors: 2 });
    expect(data.api.top_endpoints[0]).toEqual({ method: 'POST', endpoint: '/v1/backtest', calls: 3, errors: 1 });
    for (const { trend } of [data.users, data.visits, data.backtests, data.api]) expect(trend).toHaveLength(30);
    const web = data.clients.find((item: { kind: string }) => item.kind === 'web');
    expect(web.top_paths).toHaveLength(5);
    expect(data.clients).toHaveLength(6);
    expect(data.data).toMatchObject({ symbols: 46, daily_bars: expect.any(Number), first_date: '2024-08-20' });
    expect((await get('overview?days=1')).users.trend).toHaveLength(1);
  });

  it('has no duration without samples', async () => {
    expect((await get('overview')).backtests).toMatchObject({ avg_duration_ms: null, latency_note: null });
  });
});

describe('the daily counts', () => {
  /** Every figure, computed from the access records themselves. */
  async function recounted(): Promise<unknown> {
    const { rows } = await database.pool.query(
      `with r as (select (at at time zone 'UTC')::date as day, * from access_calls)
       select (select count(*) from r where is_page) as pv,
         (select count(distinct visitor) from r where is_page) as uv,
         (select count(distinct (day, visitor)) from r where is_page) as uv_days,
         (select count(distinct user_id) from r) as active,
         (select count(*) from r where path like '/v1/%' and not is_page) as calls`,
    );
    return rows[0];
  }

  async function added(): Promise<unknown> {
    const { visits, users, api: calls } = await get('overview?days=365');
    const { total } = await get('timeseries?metric=uv&days=365');
    return { pv: visits.pv, uv: visits.uv, uv_days: total, active: users.active, calls: calls.calls };
  }

  it('match the access records, with concurrent and late batches', async () => {
    const people = [await addPerson(api), await addPerson(api)];
    const batches = Array.from({ length: 12 }, (_, batch) =>
      Array.from({ length: 40 }, (_, i) => {
        const n = batch * 40 + i;
        const daysAgo = n % 4;
        const userId = n % 3 === 0 ? people[n % 2].id : null;
        return n % 2
          ? { ...view(daysAgo, `visitor-${n % 11}`), userId }
          : record(daysAgo, { visitor: `#${n % 7}`, userId, clientKind: CLIENT_KINDS[n % 6] });
      }),
    );
    // Rows that are not written in order would deadlock.
    await Promise.all(batches.map(write));
    const often = record(1, { userId: people[0].id, path: '/v1/often' });
    await insertAccessBatch(database.pool, [
      alike([often, { ...often, at: often.at + 7, durationMs: 3 }, { ...often, at: often.at + 9 }]),
    ]);
    await deleteOldPageVisitors(database.pool, new Date(NOW));
    // These calls are recorded too, with the next batch.
    const expected = await recounted();
    expect({ ...((await added()) as object), active: 0 }).toEqual({ ...(expected as object), active: 0 });
  });

  it('outlive the access records, and are deleted after 400 days', async () => {
    const person = await addPerson(api);
    const days = [0, 29, 31, 89, 91, 364, 399, 402];
    await write(days.flatMap((day) => [view(day, `visitor-${day}`), record(day, { userId: person.id })]));
    await write([record(100, { method: 'POST', path: '/v1/backtest', durationMs: 70 })]);
    // These calls are counted too, as calls of programs.
    const read = async () => {
      const { visits, backtests, clients } = await get('overview?days=365');
      return { visits, backtests, web: clients.find(({ kind }: { kind: string }) => kind === 'web') };
    };
    const before = await read();
    expect(before).toMatchObject({ visits: { pv: 6 }, backtests: { avg_duration_ms: 70 } });
    const kept = async (table: string, day: string) =>
      (await database.pool.query(`select count(*)::int as n, min(${day})::text as first from ${table}`)).rows[0];
    const remove = (accessRecordDays: number) =>
      removeOldAccess(database.pool, NOW, { accessRecordDays, signal: new AbortController().signal });
    await remove(90);
    await api.services.accessLog.flush();
    const { rows } = await database.pool.query(
      `select distinct ($1::date - (at at time zone 'UTC')::date) as days from access_records order by 1`,
      [new Date(NOW).toISOString()],
    );
    expect(rows.map((row) => row.days)).toEqual([0, 29, 31, 89]);
    expect(await read()).toEqual(before);
    expect(await kept('daily_access', 'day')).toMatchObject({ first: '2023-08-02' });
    expect(await kept('visitors', 'last_day')).toMatchObject({ first: '2023-08-02' });
    await remove(30);
    const { rowCount } = await database.pool.query(`select from access_records where at < $1`, [
      new Date(NOW - 30 * DAY),
    ]);
    expect(rowCount).toBe(0);
    expect(await read()).toEqual(before);
  });

  it('are deleted in bounded steps that can be stopped', async () => {
    await database.pool.query(
      `insert into access_records (at, visitor, client_kind, method, path, is_page, status, duration_ms)
       select $1, 'v', 'api', 'GET', '/', false, 200, 1 from generate_series(1, 12000)`,
      [new Date(NOW - 200 * DAY)],
    );
    const left = async () => (await database.pool.query('select count(*)::int as n from access_records')).rows[0].n;
    expect(await deleteOldAccessRecords(database.pool, new Date(NOW - 90 * DAY))).toBe(5_000);
    await removeOldAccess(database.pool, NOW, { accessRecordDays: 90, signal: AbortSignal.abort() });
    expect(await left()).toBe(7_000);
    await removeOldAccess(database.pool, NOW, { accessRecordDays: 90, signal: new AbortController().signal });
    expect(await left()).toBe(0);
  });

  it('no longer have the browsers of an account that is deleted', async () => {
    const person = await signUp(api);
    const browser = { 'user-agent': 'Mozilla/5.0 Firefox/140', 'x-visitor-id': 'browser-of-person' };
    await api.post('/api/visits', { path: '/articles?utm=1#top' }, browser);
    await api.post('/api/visits', { path: '/' }, { ...browser, ...person.console });
    await api.services.accessLog.flush();
    const { rows } = await database.pool.query(`select distinct path from daily_access where is_page order by 1`);
    expect(rows.map(({ path }) => path)).toEqual(['/', '/articles']);
    const seen = async () =>
      (await database.pool.query(`select from visitors where visitor = 'browser-of-person'`)).rowCount;
    expect(await seen()).toBe(2);
    await api.delete('/api/auth/me', { email: person.email }, person.console);
    expect(await seen()).toBe(0);
  });
});
