/** Streamed answers: a few at a time, callers in turn, and no faster than the client reads. */

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FairSemaphore, withPermit } from '../../../api/http/fair-semaphore.ts';
import { portOf } from '../../../api/server/port-of.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

const limits = { atOnce: 1, maxWaiting: 3, maxWaitingPerCaller: 2 };

describe('permits', () => {
  it('go to callers in turn, in the order of arrival', async () => {
    const semaphore = new FairSemaphore(limits);
    const first = await semaphore.acquire('busy');
    const order: string[] = [];
    const work = async (caller: string) => {
      const permit = await semaphore.acquire(caller);
      order.push(caller);
      permit.release();
    };
    const waiting = [work('busy'), work('busy'), work('other')];
    first.release();
    await Promise.all(waiting);
    expect(order).toEqual(['busy', 'other', 'busy']);
  });

  it('are refused if too many calls wait, in total or of one caller', async () => {
    const semaphore = new FairSemaphore(limits);
    const first = await semaphore.acquire('a');
    const waiting = [semaphore.acquire('a'), semaphore.acquire('a')];
    await expect(semaphore.acquire('a')).rejects.toMatchObject({ code: 'server_busy' });
    waiting.push(semaphore.acquire('b'));
    await expect(semaphore.acquire('c')).rejects.toMatchObject({ code: 'server_busy' });
    first.release();
    await Promise.all(waiting.map(async (permit) => (await permit).release()));
    (await semaphore.acquire('c')).release();
  });

  it('skip a caller who has disconnected', async () => {
    const semaphore = new FairSemaphore(limits);
    const first = await semaphore.acquire('a');
    const gone = new AbortController();
    const left = semaphore.acquire('b', gone.signal);
    const next = semaphore.acquire('c');
    gone.abort();
    await expect(left).rejects.toThrow();
    first.release();
    (await next).release();
  });

  it('that are released twice count once', async () => {
    const semaphore = new FairSemaphore(limits);
    const first = await semaphore.acquire('a');
    first.release();
    first.release();
    const second = await semaphore.acquire('b');
    const third = semaphore.acquire('c');
    expect(await Promise.race([third.then(() => 'entered'), Promise.resolve('waits')])).toBe('waits');
    second.release();
    (await third).release();
  });

  it('are released while a reader is slow, and acquired again', async () => {
    const semaphore = new FairSemaphore(limits);
    async function* numbers() {
      yield 1;
      yield 2;
    }
    const slow = withPermit(semaphore, 'slow', new AbortController().signal, numbers());
    await slow.next();
    const other = await semaphore.acquire('other');
    const second = slow.next();
    expect(await Promise.race([second.then(() => 'went on'), Promise.resolve('waits')])).toBe('waits');
    other.release();
    expect(await second).toEqual({ value: 2, done: false });
    await slow.return(undefined);
    (await semaphore.acquire('last')).release();
  });
});

describe('a large batch', () => {
  const SYMBOLS = Array.from({ length: 30 }, (_, i) => `LONG${i}`);
  const SESSIONS = sessionsBetween(requireDay('2015-01-02'), requireDay('2026-05-29'));
  const body = JSON.stringify({ symbols: SYMBOLS, type: 'kline', days: 10_000 });
  let database: TestDatabase;
  let folder: MarketFolder;
  let api: TestApi;
  let server: Server;

  beforeAll(async () => {
    database = await createTestDatabase();
    const rows = SYMBOLS.map((symbol, i) =>
      SESSIONS.map(
        (day) => `${symbol},${formatDay(day)},${100 + i},${101.25 + i},${99.5 + i},${100.75 + i},123456`,
      ).join('\n'),
    );
    folder = createMarketFolder({
      'symbols.csv': `symbol,listed_on\n${SYMBOLS.map((symbol) => `${symbol},2015-01-02`).join('\n')}\n`,
      'daily/consolidated/all.csv': `${BARS_HEADER}${rows.join('\n')}\n`,
    });
    await loadEverything(database.pool, folder.provider());
    api = await openTestApi({ database, provider: folder.provider() });
    server = createServer(api.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await api.close();
    await database.drop();
    folder.remove();
  });

  /** Sends the batch; the caller reads its answer. */
  async function send() {
    const port = portOf(server);
    const headers = { 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', path: '/v1/batch', method: 'POST', headers, agent: false });
    sent.end(body);
    const [response] = await once(sent, 'response');
    return response;
  }

  it('has the data of the single endpoint, in more than one piece', async () => {
    const response = await send();
    expect([response.statusCode, response.headers['content-length']]).toEqual([200, undefined]);
    const { code, data } = (await json(response)) as { code: number; data: Record<string, unknown> };
    expect([code, data.requested, data.succeeded, data.failed]).toEqual([0, 30, 30, 0]);
    const results = data.results as Record<string, unknown>;
    expect(Object.keys(results)).toEqual(SYMBOLS.map((symbol) => `${symbol}.US`));
    expect(results['LONG7.US']).toEqual((await api.get('/v1/kline/LONG7?days=10000')).body.data);
    expect((results['LONG7.US'] as { count: number }).count).toBe(SESSIONS.length);
  });

  it('of readers who do not read blocks nobody, and releases its permit when they disconnect', async () => {
    const idle = [await send(), await send()];
    const other = JSON.parse(await text(await send()));
    expect(other.data.succeeded).toBe(30);
    for (const response of idle) response.destroy();
    await eventually(
      async () => (await text(await send())).length,
      (length) => length > 1_000_000,
    );
  });

  it('is refused with an error if too many callers wait', async () => {
    const acquire = () => api.services.largeAnswers.acquire('somebody');
    const permits = [await acquire(), await acquire()];
    const waiting = Array.from({ length: 10 }, acquire);
    const others = Array.from({ length: 90 }, (_, i) => api.services.largeAnswers.acquire(`caller ${i}`));
    const response = await api.post('/v1/batch', JSON.parse(body));
    expect([response.status, response.body.key]).toEqual([503, 'error.server_busy']);
    for (const permit of permits) permit.release();
    await Promise.all([...waiting, ...others].map(async (permit) => (await permit).release()));
  });

  it('whose data fails breaks the connection instead of ending like a complete answer', async () => {
    const { market } = api.services;
    const series = market.series.bind(market);
    market.series = async (item) => {
      if (item.symbol === 'LONG20') throw Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
      return series(item);
    };
    try {
      const response = await send();
      expect(response.statusCode).toBe(200);
      await expect(text(response)).rejects.toThrow('aborted');
    } finally {
      market.series = series;
    }
  });
});
