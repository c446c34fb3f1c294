/**
 * A database that accepts connections and does not answer, or whose rows are locked: an error within five seconds.
 *
 * @waits
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { DATABASE_TIMEOUTS } from '../../../api/server/services.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { createPool, transaction } from '../../../db/pool.ts';
import { VENUE_BASIS_CODE } from '../../../engine/market/venue-basis.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addAdmin, newAddress, signUp } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline, LEAST_FACTOR } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

/** Five seconds, longer on a machine that is slow. */
const LONGEST_MS = deadline(5_000) / LEAST_FACTOR;
const NOW = Date.parse('2026-06-03T16:00:00Z');
let database: TestDatabase;
let proxy: TcpProxy;
let api: TestApi;
/** A symbol whose bars no call has asked for before, and its newest close. */
let unread: string;
let closeOfUnread: number;

beforeAll(async () => {
  const provider = new SampleProvider({ symbols: 50, now: () => NOW });
  database = await createSampleDatabase(provider);
  proxy = await TcpProxy.start(Number(new URL(database.url).port));
  api = await openTestApi({
    database: { url: proxy.through(database.url) },
    provider,
    now: () => NOW,
    realCallers: true,
    timeouts: DATABASE_TIMEOUTS,
  });
  const item = api.market.directory.items.filter(({ instrument }) => instrument.delistedOn === null)[20];
  unread = item.qualified;
  const { rows } = await database.pool.query<{ close: number }>(
    `select close from daily_bars where instrument_id = $1 and basis = $2 and day <= '2026-06-02' order by day desc limit 1`,
    [item.id, VENUE_BASIS_CODE.consolidated],
  );
  closeOfUnread = rows[0].close;
});
afterAll(async () => {
  await api.close();
  proxy.close();
  await database.drop();
});
afterEach(async () => {
  proxy.thaw();
  await eventually(
    async () => api.services.limiter.isLocal,
    (isLocal) => !isLocal,
  );
});

async function timed(call: Promise<Response>): Promise<{ status: number; key: unknown; ms: number }> {
  const start = performance.now();
  const { status, body } = await call;
  return { status, key: body.key, ms: performance.now() - start };
}

const AWAY = { status: 503, key: 'error.unavailable' };

describe('a database that falls silent', () => {
  // The first test, because a reconnected listener clears the known callers.
  it('leaves reads from memory to known callers, each within the calls that the process knows to be left', async () => {
    const person = await signUp(api);
    const reads = () => [
      api.get('/v1/quote/ACRX', person.program),
      api.get('/v1/kline/ACRX?days=3', person.console),
      api.get('/v1/static/ACRX', person.program),
      api.get('/v1/symbols?q=ACRX', person.program),
      api.post('/v1/batch', { symbols: ['ACRX', 'MTMX'], type: 'quote' }, person.program),
      api.get('/v1/strategies'),
    ];
    const before = (await Promise.all(reads())).map(({ status, body }) => [status, body.data]);
    expect(before.map(([status]) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    proxy.freeze();
    await timed(api.get('/v1/quote/ACRX'));
    expect((await Promise.all(reads())).map(({ status, body }) => [status, body.data])).toEqual(before);
    // Calls do not wait for a newer answer than the one in memory.
    const strategies = [];
    for (let i = 0; i < 4; i++) strategies.push(await timed(api.get('/v1/strategies')));
    expect(strategies.filter(({ status, ms }) => status !== 200 || ms > deadline(1_000) / LEAST_FACTOR)).toEqual([]);
    const ready = await api.get('/readyz');
    expect([ready.status, ready.body.status, ready.body.checks.serving]).toEqual([200, 'degraded', 'ok']);
    expect((await api.get('/metrics')).text).toMatch(/^rate_limits_local 1$/m);
    const first = await api.get(`/v1/quote/${unread}`);
    expect([first.status, first.body.data.symbol, first.body.data.last]).toEqual([200, unread, closeOfUnread]);
    const batch = await api.post('/v1/batch', { symbols: [unread, 'BRVA'], type: 'quote' }, person.program);
    expect([batch.body.data.succeeded, batch.body.data.results[unread]]).toEqual([2, first.body.data]);

    const quote = async () => {
      const { status, headers } = await api.get('/v1/quote/ACRX', person.program);
      return [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    // One was counted before the outage, and one during it.
    for (let left = 57; left >= 0; left--) expect(await quote()).toEqual([200, '60', String(left)]);
    expect(await quote()).toEqual([429, '60', '0']);

    proxy.thaw();
    await eventually(
      async () => (await api.get('/metrics')).text,
      (text) => /^rate_limits_local 0$/m.test(text),
    );
    // The shared row now counts the calls during the outage.
    expect(await quote()).toEqual([429, '60', '0']);
  });

  it('fails every call that needs it within five seconds, and calls succeed once it answers again', async () => {
    const person = await signUp(api);
    const admin = await addAdmin(api);
    const calls = () => [
      api.get('/v1/quote/ACRX', person.program),
      api.get('/v1/kline/ACRX?days=3', person.console),
      api.get(`/v1/kline/${unread}`),
      api.post('/v1/batch', { symbols: ['ACRX', unread], type: 'kline' }),
      api.post('/v1/backtest', { symbol: 'ACRX', strategy: 'sma_cross' }),
      api.get('/v1/backtests', person.program),
      api.get('/api/articles'),
      api.post('/api/auth/request-code', { email: 'somebody@example.com' }),
      api.get('/api/admin/data/coverage', admin.console),
      api.get('/api/admin/stats/overview?days=365', admin.console),
      api.get('/api/admin/users', admin.console),
    ];
    proxy.freeze();
    const ready = timed(api.get('/readyz'));
    for (const outcome of await Promise.all(calls().map(timed))) {
      expect(outcome).toMatchObject(AWAY);
      expect(outcome.ms).toBeLessThan(LONGEST_MS);
    }
    expect((await ready).ms).toBeLessThan(LONGEST_MS);
    proxy.thaw();
    await eventually(
      async () => (await api.get('/v1/quote/ACRX', { 'x-forwarded-for': newAddress() })).status,
      (status) => status === 200,
    );
    expect((await api.get('/api/admin/data/coverage', admin.console)).status).toBe(200);
  });

  it('fails many concurrent calls in time, including those that wait for a connection', async () => {
    proxy.freeze();
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => timed(api.get(`/v1/kline/${unread}`, { 'x-forwarded-for': newAddress() }))),
    );
    expect(outcomes.filter(({ status }) => status !== 503)).toEqual([]);
    expect(Math.max(...outcomes.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS);
    // The connections of the pool are half-open now, and new ones hang as well.
    const later = await Promise.all(Array.from({ length: 20 }, () => timed(api.get(`/v1/kline/${unread}`))));
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS);
  });

  it('is told by /readyz also when only new connections fail', async () => {
    const person = await signUp(api);
    const isReady = async () => (await api.get('/readyz')).body;
    await eventually(isReady, ({ status }) => status === 'ok');
    proxy.freezeNewOnes();
    const { pool } = api.services;
    // All open connections are in use, those of other work once it has ended, so that a call needs another one.
    await eventually(
      async () => pool.totalCount - pool.idleCount,
      (busy) => busy === 0,
    );
    const taken = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
    try {
      expect(await timed(api.get('/v1/backtests', person.program))).toMatchObject(AWAY);
    } finally {
      // The API ends only with all of them.
      for (const connection of taken) connection.release();
    }
    await eventually(isReady, ({ status, checks }) => status === 'degraded' && checks.database === 'failed');
    proxy.thaw();
    await eventually(isReady, ({ status }) => status === 'ok');
  });

  it('does not prevent a reload of the market: the next connection is tried', async () => {
    const { cacheVersion } = api.market;
    proxy.freeze();
    await transaction(database.pool, (connection) => bumpDataVersion(connection, 'bars'));
    proxy.thawForNewOnes();
    await eventually(
      async () => api.market.cacheVersion,
      (now) => now !== cacheVersion,
    );
  });
});

describe('a lock of another transaction', () => {
  it('is waited for, and then reported', async () => {
    const person = await signUp(api);
    const other = createPool({ url: database.url, max: 1, applicationName: 'test' });
    const connection = await other.connect();
    try {
      await connection.query('begin');
      await connection.query('lock table users in access exclusive mode');
      for (const call of [
        () => api.get('/v1/quote/ACRX', person.program),
        () => api.patch('/api/auth/me', { nickname: 'New' }, person.console),
      ]) {
        const outcome = await timed(call());
        expect(outcome).toMatchObject(AWAY);
        expect(outcome.ms).toBeLessThan(LONGEST_MS);
      }
    } finally {
      await connection.query('rollback');
      connection.release();
      await other.end();
    }
    expect((await api.get('/v1/quote/ACRX', person.program)).status).toBe(200);
  });

  it('on a row does not block anything else', async () => {
    const [person, neighbour] = [await signUp(api), await signUp(api)];
    await transaction(database.pool, async (connection) => {
      await connection.query('select from users where id = $1 for update', [person.id]);
      const outcome = await timed(api.patch('/api/auth/me', { nickname: 'New' }, person.console));
      expect(outcome).toMatchObject(AWAY);
      expect(outcome.ms).toBeLessThan(LONGEST_MS);
      expect((await api.patch('/api/auth/me', { nickname: 'New' }, neighbour.console)).status).toBe(200);
    });
  });
});
