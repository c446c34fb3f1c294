import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { NewestBars } from '../../../api/market/bars-in-memory.ts';
import { findInstrument } from '../../../api/market/directory.ts';
import { selectSeries } from '../../../db/market/bars.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { EMPTY_SERIES, sliceByDay, sliceSeries } from '../../../engine/market/series.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

const day = requireDay;

/** SPLT: 100 a share until a 4:1 split on 2026-05-27, then 25; a close rises by 1 (old) or 0.25 (new) each session. */
const SESSIONS = sessionsBetween(day('2024-07-01'), day('2026-05-29'));
const EX_DAY = day('2026-05-27');
const closeOn = (d: number) => (d < EX_DAY ? 100 + SESSIONS.indexOf(d) : (100 + SESSIONS.indexOf(d)) / 4);
const barOn = (d: number) =>
  `SPLT,${formatDay(d)},${closeOn(d)},${closeOn(d) + 1},${closeOn(d) - 1},${closeOn(d)},${d < EX_DAY ? 1000 : 4000}`;

let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let guest: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv':
      'symbol,name,asset_type,primary_venue,listed_on,delisted_on,is_popular,lot_size,previous_symbols\n' +
      'SPLT,Splitter Inc.,stock,NYSE,2010-01-04,,true,100,\n' +
      'BRK.B,Crédit & Café Holdings,stock,NYSE,1996-05-09,,false,10,\n' +
      'GONE,Gone Corp.,stock,NASDAQ,2001-01-02,2025-03-31,false,100,\n' +
      'NEWCO,Renamed Co.,etf,BATS,2015-01-02,,false,100,OLDCO:2026-05-26\n' +
      'EMPTY,Never Traded,warrant,BATS,2015-01-02,,false,100,\n',
    'adjustments.csv':
      'symbol,ex_date,kind,factor\nSPLT,2026-05-27,split,0.25\nSPLT,2026-06-01,split,0.5\nSPLT,2025-01-02,cash_dividend,0.9\n',
    'daily/consolidated/all.csv':
      `${BARS_HEADER}${SESSIONS.map(barOn).join('\n')}\n` +
      'GONE,2025-03-28,2,2,2,2,5\nGONE,2025-03-31,1,1.5,0.5,1,7\nBRK.B,2026-05-29,500,510.125,490,505.5,123\n' +
      'OLDCO,2026-05-26,10,11,9,10,1\nNEWCO,2026-05-27,10,11,9,10.5,1\n',
    'daily/primary_session/all.csv': `${BARS_HEADER}SPLT,2024-06-28,99,100,98,99,10\n`,
  });
  await loadEverything(database.pool, folder.provider());
  api = await openTestApi({ database, provider: folder.provider() });
  guest = await openTestApi({ database, provider: folder.provider(), plan: 'guest' });
});
afterAll(async () => {
  await Promise.all([api.close(), guest.close()]);
  await database.drop();
  folder.remove();
});

describe('the bars of quotes', () => {
  it('are the two newest rows of every instrument through a day, or not in memory', async () => {
    const newest = await NewestBars.read(database.pool);
    const ids = api.market.directory.items.map(({ id }) => id);
    const rows = await selectSeries(database.pool, ids, 'consolidated');
    for (const through of [
      '2025-03-28',
      '2025-03-31',
      '2026-05-26',
      '2026-05-27',
      '2026-05-28',
      '2026-05-29',
      '2026-06-02',
    ]) {
      for (const id of [...ids, 0, Math.max(...ids) + 1]) {
        const bars = sliceByDay(rows.get(id) ?? EMPTY_SERIES, 0, day(through));
        const inMemory = newest.of(id, day(through));
        const last = sliceSeries(bars, Math.max(0, bars.length - 2), bars.length);
        if (inMemory || through >= '2026-05-28') expect([through, id, inMemory]).toEqual([through, id, last]);
      }
    }
    const [split, gone] = ['SPLT', 'GONE'].map((symbol) => findInstrument(api.market.directory, symbol).id);
    expect(newest.of(split, day('2026-05-27'))).toBeNull();
    expect(newest.of(gone, day('2025-03-28'))).toHaveLength(1);
  });
});

describe('GET /v1/quote/{symbol}', () => {
  it('serves the newest distributable bar', async () => {
    const { body } = await api.get('/v1/quote/splt');
    expect(body).toEqual({
      code: 0,
      message: 'ok',
      data: {
        symbol: 'SPLT.US',
        name: 'Splitter Inc.',
        market: 'US',
        currency: 'USD',
        last: closeOn(day('2026-05-29')),
        open: closeOn(day('2026-05-29')),
        high: closeOn(day('2026-05-29')) + 1,
        low: closeOn(day('2026-05-29')) - 1,
        prev_close: closeOn(day('2026-05-28')),
        change: 0.25,
        change_pct: Math.round(1e4 * 100 * (0.25 / closeOn(day('2026-05-28')))) / 1e4,
        volume: 4000,
        ts: '2026-05-29T16:00:00-04:00',
        as_of: '2026-05-29',
        delayed: true,
        venue_mode: 'consolidated',
        venue_mode_label: 'All trading venues',
        timeliness: {
          mode: 'eod_only',
          delayed: true,
          delay_minutes: null,
          label: 'End of day, available from the day after the session (T+1)',
          max_date: '2026-05-29',
        },
        source: 'eod',
      },
    });
  });

  it('keeps the dot of a share class, and serves delisted and renamed instruments', async () => {
    expect((await api.get('/v1/quote/brk.b.us')).body.data).toMatchObject({
      symbol: 'BRK.B.US',
      last: 505.5,
      prev_close: null,
      change_pct: null,
    });
    expect((await api.get('/v1/quote/GONE')).body.data).toMatchObject({
      as_of: '2025-03-31',
      last: 1,
      change_pct: -50,
    });
    expect((await api.get('/v1/quote/OLDCO.US')).body.data).toMatchObject({
      symbol: 'NEWCO.US',
      last: 10.5,
      prev_close: 10,
    });
  });

  it('adjusts the close before a split to the new share count', async () => {
    const atSplit = await openTestApi({
      database,
      provider: folder.provider(),
      now: () => Date.parse('2026-05-28T12:00:00Z'),
    });
    const { data } = (await atSplit.get('/v1/quote/SPLT')).body;
    expect([data.as_of, data.last, data.prev_close]).toEqual([
      '2026-05-27',
      closeOn(EX_DAY),
      closeOn(day('2026-05-26')) / 4,
    ]);
    await atSplit.close();
  });

  it.each([
    ['/v1/quote/NOPE', 404, 'error.symbol_not_found', 'Unknown symbol: NOPE.US.'],
    ['/v1/quote/EMPTY', 404, 'error.no_quote', 'EMPTY.US has no quote: no consolidated daily bar is available.'],
    ['/v1/quote/AAPL.HK', 400, 'error.market_not_open', 'The market HK is planned but not open yet. Open: US.'],
    ['/v1/quote/%20', 400, 'error.invalid_symbol', undefined],
    ['/v1/quote/A%2FB', 400, 'error.invalid_symbol', undefined],
    [`/v1/quote/${'A'.repeat(65)}`, 422, 'error.validation_failed', undefined],
    ['/v1/quote/%E0%A4%A', 400, 'error.invalid_request', undefined],
    ['/v1/quotes/AAPL', 404, 'error.not_found', undefined],
    ['/V1/quote/AAPL', 404, 'error.not_found', undefined],
  ])('%s → %i %s', async (path, status, key, message) => {
    const response = await api.get(path);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ code: status, data: null, key, ...(message ? { message } : {}) });
    expect(response.headers['x-request-id']).toBeTruthy();
  });
});

describe('a quote of an instrument whose history is in memory', () => {
  it.each(['SPLT', 'BRK.B', 'GONE', 'NEWCO'])('is the same for %s as one read from the database', async (symbol) => {
    const fresh = await openTestApi({ database, provider: folder.provider() });
    const first = await fresh.get(`/v1/quote/${symbol}`);
    fresh.services.responseCache.clear();
    const kline = await fresh.get(`/v1/kline/${symbol}?days=5`);
    const second = await fresh.get(`/v1/quote/${symbol}`);
    await fresh.close();
    expect([first.status, kline.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
  });
});

describe('T+1', () => {
  const asOf = async (now: string, mode: 'eod_only' | 'realtime' = 'eod_only') => {
    const view = await openTestApi({ database, provider: folder.provider(), now: () => Date.parse(now), mode });
    const [quote, kline, fixed, meta] = await Promise.all([
      view.get('/v1/quote/SPLT'),
      view.get('/v1/kline/SPLT?days=1'),
      view.get('/v1/static/SPLT'),
      view.get('/api/meta'),
    ]);
    await view.close();
    const { data } = meta.body;
    return new Set([
      quote.body.data.as_of,
      kline.body.data.end,
      kline.body.data.as_of,
      fixed.body.data.history_end,
      data.timeliness.max_date,
      data.data_range.end,
    ]);
  };

  it('holds a session back until midnight in New York, on every endpoint', async () => {
    expect(await asOf('2026-05-29T03:59:59Z')).toEqual(new Set(['2026-05-27']));
    expect(await asOf('2026-05-29T04:00:00Z')).toEqual(new Set(['2026-05-28']));
    expect(await asOf('2026-05-30T03:59:59Z')).toEqual(new Set(['2026-05-28']));
    expect(await asOf('2026-05-30T04:00:00Z')).toEqual(new Set(['2026-05-29']));
  });

  it('does not apply in real time', async () => {
    expect(await asOf('2026-05-29T23:59:59Z', 'realtime')).toEqual(new Set(['2026-05-29']));
  });

  it('moves at midnight while the process runs, also for cached answers', async () => {
    let now = Date.parse('2026-05-29T03:59:59Z');
    const view = await openTestApi({ database, provider: folder.provider(), now: () => now });
    expect((await view.get('/v1/quote/SPLT')).body.data.as_of).toBe('2026-05-27');
    now += 1000;
    expect((await view.get('/v1/quote/SPLT')).body.data.as_of).toBe('2026-05-28');
    await view.close();
  });
});

describe('GET /v1/kline/{symbol}', () => {
  const kline = async (query: string, from = api) => (await from.get(`/v1/kline/SPLT?${query}`)).body.data;

  it('serves the newest 250 bars, as loaded', async () => {
    const data = await kline('');
    expect(data).toMatchObject({
      count: 250,
      period: 'day',
      adjust: 'none',
      adjust_applied: false,
      limited_by_plan: false,
      end: '2026-05-29',
    });
    expect(data.bars).toHaveLength(250);
    for (const bar of data.bars) expect(bar.close).toBe(closeOn(day(bar.ts)));
    expect(data.start).toBe(data.bars[0].ts);
  });

  it('prefers start to days, clamps end, and includes both', async () => {
    const data = await kline('start=2026-05-26&end=2031-01-01&days=1');
    expect(data.bars.map((b: { ts: string }) => b.ts)).toEqual([
      '2026-05-26',
      '2026-05-27',
      '2026-05-28',
      '2026-05-29',
    ]);
    expect(await kline('start=2026-05-30')).toMatchObject({
      count: 0,
      start: null,
      end: null,
      bars: [],
      adjust_applied: false,
    });
    expect((await kline('end=2026-05-26&days=2')).bars).toHaveLength(2);
  });

  it('adjusts for the past split, not for the future one, and equally for any range', async () => {
    const all = await kline('adjust=qfq&days=10000');
    expect(all.adjust_applied).toBe(true);
    for (const bar of all.bars) {
      const d = day(bar.ts);
      expect(bar.close).toBeCloseTo(d < EX_DAY ? closeOn(d) / 4 : closeOn(d), 6);
      expect(bar.volume).toBe(4000);
    }
    const part = await kline('adjust=qfq&start=2026-05-20&end=2026-05-22');
    expect(part.adjust_applied).toBe(true);
    expect(part.bars).toEqual(all.bars.filter((b: { ts: string }) => b.ts >= '2026-05-20' && b.ts <= '2026-05-22'));
    expect(await kline('adjust=qfq&start=2026-05-27')).toMatchObject({ adjust_applied: false });
  });

  it('resamples after adjusting, counting days in periods', async () => {
    const weeks = await kline('period=week&adjust=qfq&days=3');
    expect(weeks.bars.map((b: { ts: string }) => b.ts)).toEqual(['2026-05-15', '2026-05-22', '2026-05-29']);
    const daily = await kline('adjust=qfq&start=2026-05-26');
    expect(weeks.bars[2]).toEqual({
      ts: '2026-05-29',
      open: daily.bars[0].open,
      high: Math.max(...daily.bars.map((b: { high: number }) => b.high)),
      low: Math.min(...daily.bars.map((b: { low: number }) => b.low)),
      close: daily.bars[3].close,
      volume: 16_000,
    });
    expect((await kline('period=month&days=2')).bars.map((b: { ts: string }) => b.ts)).toEqual([
      '2026-04-30',
      '2026-05-29',
    ]);
  });

  it('says that a week was adjusted when only its first days were', async () => {
    expect(await kline('period=week&adjust=qfq&days=1')).toMatchObject({ start: '2026-05-29', adjust_applied: true });
    expect(await kline('period=week&adjust=qfq&start=2026-05-27')).toMatchObject({ adjust_applied: false });
  });

  it("limits a guest to the plan's 730 days and says so", async () => {
    const limited = await kline('days=10000', guest);
    expect(limited).toMatchObject({ limited_by_plan: false, start: '2024-07-01' });
    expect((await kline('start=2020-01-01', guest)).limited_by_plan).toBe(false);
    expect((await kline('start=2024-07-01', guest)).limited_by_plan).toBe(false);
    expect((await kline('', guest)).limited_by_plan).toBe(false);
  });

  it('says why bars begin after the requested start, and where older ones are', async () => {
    const whole = { truncated: false, reason_codes: [], hints: [] };
    expect(await kline('')).toMatchObject({ data_range: { ...whole, requested_start: null }, notes: [] });
    expect(await kline('start=2024-07-01')).toMatchObject({
      data_range: { ...whole, requested_start: '2024-07-01', actual_start: '2024-07-01' },
      notes: [],
    });
    expect(await kline('start=2020-01-01')).toMatchObject({
      data_range: {
        requested_start: '2020-01-01',
        actual_start: '2024-07-01',
        truncated: true,
        reason_codes: ['before_data_start'],
        hints: ['The range starts before the data. The first bar is on 2024-07-01.'],
      },
      notes: [{ code: 'older_bars_in_backtests', level: 'info', message: expect.any(String) }],
    });
    expect((await kline('start=2001-01-01')).data_range.reason_codes).toEqual(['before_listing']);
    const gone = await api.get('/v1/kline/GONE?start=2002-01-01&lang=zh-TW');
    expect(gone.body.data).toMatchObject({
      data_range: { actual_start: '2025-03-28', hints: ['起始日期早於資料起點，實際自2025-03-28開始。'] },
      notes: [],
    });
  });

  it('has no bars for an instrument without consolidated ones', async () => {
    expect((await api.get('/v1/kline/EMPTY')).body.data).toMatchObject({ count: 0, bars: [], start: null });
    expect((await api.get('/v1/kline/EMPTY?start=2024-07-01')).body.data.data_range).toEqual({
      prices: 'as_traded',
      requested_start: '2024-07-01',
      actual_start: null,
      truncated: true,
      reason_codes: ['before_data_start'],
      hints: ['EMPTY.US has no consolidated bars.'],
    });
    expect((await api.get('/v1/static/EMPTY')).body.data).toMatchObject({ history_start: null, history_end: null });
  });

  it.each([
    ['period=hour', 400, 'error.invalid_period'],
    ['adjust=hfq', 400, 'error.invalid_adjust'],
    ['start=2026-02-30', 400, 'error.invalid_date'],
    ['end=yesterday', 400, 'error.invalid_date'],
    ['start=2026-05-02&end=2026-05-01', 400, 'error.invalid_date_range'],
    ['days=0', 422, 'error.validation_failed'],
    ['days=10001', 422, 'error.validation_failed'],
    ['days=abc', 422, 'error.validation_failed'],
    ['days=1.5', 422, 'error.validation_failed'],
    ['days=', 422, 'error.validation_failed'],
    ['days=1&days=2', 422, 'error.validation_failed'],
    ['period=hour&days=0', 422, 'error.validation_failed'],
  ])('?%s → %i %s', async (query, status, key) => {
    const response = await api.get(`/v1/kline/SPLT?${query}`);
    expect([response.status, response.body.key]).toEqual([status, key]);
    if (status === 422)
      expect(response.body.detail[0]).toMatchObject({
        loc: ['query', 'days'],
        msg: expect.any(String),
        type: expect.any(String),
      });
  });
});

describe('GET /v1/static/{symbol}', () => {
  it('returns facts, history, and delisting', async () => {
    expect((await api.get('/v1/static/GONE?lang=zh-TW')).body.data).toMatchObject({
      symbol: 'GONE.US',
      raw_symbol: 'GONE',
      is_delisted: true,
      status: 'delisted',
      delisted_on: '2025-03-31',
      history_start: '2025-03-28',
      history_end: '2025-03-31',
      note: '已於2025-03-31下市。',
    });
    expect((await api.get('/v1/static/NEWCO')).body.data).toMatchObject({
      asset_type: 'etf',
      note: null,
      previous_symbols: [{ symbol: 'OLDCO.US', last_day: '2026-05-26' }],
    });
  });
});

describe('GET /v1/symbols', () => {
  const search = async (query: string) => (await api.get(`/v1/symbols?${query}`)).body.data;

  it('finds by ticker, former ticker, and name without accents', async () => {
    expect((await search('q=brk')).items[0].symbol).toBe('BRK.B.US');
    expect((await search('q=oldco')).items[0].symbol).toBe('NEWCO.US');
    expect((await search('q=credit')).items[0].symbol).toBe('BRK.B.US');
    expect((await search('q=CAFÉ')).items[0].symbol).toBe('BRK.B.US');
    expect(await search('q=corp&limit=1')).toMatchObject({ total: 1, count: 1, query: 'corp', market: 'US' });
    expect(await search('q=zzzz')).toMatchObject({ total: 0, count: 0, items: [] });
  });

  it('shows popular symbols without a query', async () => {
    expect((await search('')).items.map((i: { symbol: string }) => i.symbol)).toEqual(['SPLT.US']);
  });

  it.each([
    ['market=HK', 400, 'error.market_not_open'],
    ['market=XX', 400, 'error.invalid_market'],
    ['limit=101', 422, 'error.validation_failed'],
    [`q=${'x'.repeat(101)}`, 422, 'error.validation_failed'],
  ])('?%s → %i %s', async (query, status, key) => {
    const response = await api.get(`/v1/symbols?${query}`);
    expect([response.status, response.body.key]).toEqual([status, key]);
  });
});

describe('POST /v1/batch', () => {
  it('counts distinct symbols, serves what the single endpoints serve, and lists failures separately', async () => {
    const { body } = await api.post('/v1/batch', { symbols: ['splt', 'SPLT.US', 'nope', 'GONE', 'a b', 'X.HK'] });
    expect(body.data).toMatchObject({
      type: 'quote',
      requested: 5,
      succeeded: 2,
      failed: 3,
      distribution_mode: 'eod_only',
    });
    expect(body.data.results['SPLT.US']).toEqual((await api.get('/v1/quote/SPLT')).body.data);
    expect(body.data.errors).toEqual([
      { symbol: 'NOPE.US', code: 404, message: 'Unknown symbol: NOPE.US.' },
      { symbol: 'a b', code: 400, message: expect.stringContaining('"a b" is not a valid symbol') },
      { symbol: 'X.HK', code: 400, message: expect.stringContaining('HK') },
    ]);
    const kline = await api.post('/v1/batch', {
      symbols: ['SPLT'],
      type: 'kline',
      period: 'week',
      adjust: 'qfq',
      days: 2,
    });
    expect(kline.body.data.results['SPLT.US']).toEqual(
      (await api.get('/v1/kline/SPLT?period=week&adjust=qfq&days=2')).body.data,
    );
    const fixed = await api.post('/v1/batch', { symbols: ['SPLT'], type: 'static' });
    expect(fixed.body.data.results['SPLT.US']).toEqual((await api.get('/v1/static/SPLT')).body.data);
  });

  it("refuses more distinct symbols than the plan's cap", async () => {
    const symbols = Array.from({ length: 26 }, (_, i) => `S${i}`);
    const response = await guest.post('/v1/batch', { symbols });
    expect([response.status, response.body.message]).toEqual([
      400,
      'The plan Guest allows 25 symbols in one batch, and the request has 26.',
    ]);
    expect(
      (await guest.post('/v1/batch', { symbols: symbols.slice(1).flatMap((s) => [s, s.toLowerCase()]) })).status,
    ).toBe(200);
  });

  it.each([
    [{}, 422, ['body', 'symbols']],
    [{ symbols: [] }, 422, ['body', 'symbols']],
    [{ symbols: 'SPLT' }, 422, ['body', 'symbols']],
    [{ symbols: [1] }, 422, ['body', 'symbols', 0]],
    [{ symbols: ['x'.repeat(65)] }, 422, ['body', 'symbols', 0]],
    [{ symbols: ['SPLT'], type: 'candles' }, 422, ['body', 'type']],
    [{ symbols: ['SPLT'], days: '5' }, 422, ['body', 'days']],
    [[], 422, ['body']],
    ['"text"', 422, ['body']],
    ['12', 422, ['body']],
    ['null', 422, ['body']],
  ])('%j → %i at %j', async (body, status, loc) => {
    const response = await api.post('/v1/batch', body);
    expect([response.status, response.body.detail?.[0].loc]).toEqual([status, loc]);
  });

  it.each([
    ['{"symbols":', 'application/json', 400, 'error.body_not_json'],
    ['symbols=SPLT', 'application/x-www-form-urlencoded', 415, 'error.unsupported_media_type'],
    ['<x/>', 'text/xml', 415, 'error.unsupported_media_type'],
    [
      JSON.stringify({ symbols: ['SPLT'], pad: 'x'.repeat(1024 * 1024) }),
      'application/json',
      413,
      'error.body_too_large',
    ],
    [JSON.stringify({ symbols: ['SPLT'], period: 'hour' }), 'application/json', 400, 'error.invalid_period'],
  ])('refuses a body of another kind (%#)', async (body, type, status, key) => {
    const response = await api.post('/v1/batch', body, { 'content-type': type });
    expect([response.status, response.body.key]).toEqual([status, key]);
  });
});

interface Operation {
  readonly parameters: readonly object[];
  readonly requestBody?: object;
}
const SAMPLE_TICKER = /ACRX|BRVA|LUMA|TMRK|MTMX/;

describe('request examples', () => {
  it('use symbols of the loaded market, and work', async () => {
    const { body: document } = await supertest(api.app).get('/openapi.json');
    const requests = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ parameters, requestBody }) => [parameters, requestBody]),
    );
    const { parameters, schemas } = document.components;
    expect(JSON.stringify([requests, parameters])).not.toMatch(SAMPLE_TICKER);
    expect(document.paths['/v1/quote/{symbol}'].get.parameters).toContainEqual({
      $ref: '#/components/parameters/Symbol',
    });
    expect(parameters.Symbol).toMatchObject({ name: 'symbol', example: 'SPLT.US' });
    const { example } = document.paths['/v1/batch'].post.requestBody.content['application/json'];
    const batch = await api.post('/v1/batch', example);
    expect([batch.status, batch.body.data.succeeded]).toEqual([200, 2]);
    expect(JSON.stringify(schemas)).not.toMatch(SAMPLE_TICKER);
    expect(schemas.Quote.properties.symbol.example).toBe('SPLT.US');
  });
});
