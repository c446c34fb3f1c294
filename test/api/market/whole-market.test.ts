import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableFromIPC } from 'apache-arrow';
import { replaceAdjustments } from '../../../db/market/adjustments.ts';
import { saveFindings } from '../../../db/market/findings.ts';
import { transaction } from '../../../db/pool.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { BARS_HEADER, createMarketFolder, loadEverything, type MarketFolder } from '../../support/market-folder.ts';

const ARROW = 'application/vnd.apache.arrow.stream';
const as = (type: string) => ({ accept: type });

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
      'GONE,Gone Corp.,stock,NASDAQ,2001-01-02,2026-05-28,false,100,\n' +
      'NEWCO,Renamed Co.,etf,BATS,2015-01-02,,false,100,OLDCO:2026-05-26\n',
    'adjustments.csv': 'symbol,ex_date,kind,factor\nSPLT,2026-05-27,split,0.25\nGONE,2026-05-28,cash_dividend,0.9\n',
    'daily/consolidated/all.csv':
      `${BARS_HEADER}SPLT,2024-07-01,90,91,89,90.25,500\nSPLT,2026-05-26,100,101,99,100.5,1000\n` +
      'SPLT,2026-05-27,25,26,24,25.125,4000\nGONE,2026-05-27,2,2,2,2,5\nGONE,2026-05-28,1,1.5,0.5,1,7\n' +
      'OLDCO,2026-05-26,10,11,9,10,1\nNEWCO,2026-05-27,10,11,9,10.5,1\nSPLT,2026-05-29,25,26,24,25.5,4100\n',
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

const dataOf = async (path: string, to = api) => (await to.get(path)).body.data;

describe('the calendar', () => {
  it('has sessions, half days, and the reasons of closures', async () => {
    const { now, next_open, sessions, holidays } = await dataOf('/v1/calendar?start=2025-11-26&end=2025-11-30', guest);
    expect([now, next_open]).toEqual(['2026-06-01T16:00:00.000Z', '2026-06-02T09:30:00-04:00']);
    expect(sessions).toEqual([
      { date: '2025-11-26', open: '2025-11-26T09:30:00-05:00', close: '2025-11-26T16:00:00-05:00', half_day: false },
      { date: '2025-11-28', open: '2025-11-28T09:30:00-05:00', close: '2025-11-28T13:00:00-05:00', half_day: true },
    ]);
    expect(holidays).toEqual([{ date: '2025-11-27', name: 'Thanksgiving Day' }]);
    const { holidays: early } = await dataOf('/v1/calendar?start=2001-09-01&end=2002-01-31');
    expect(early.map(({ date, name }: { date: string; name: string }) => [date, name])).toEqual([
      ['2001-09-03', 'Labor Day'],
      ...[11, 12, 13, 14].map((day) => [`2001-09-${day}`, 'September 11 attacks']),
      ['2001-11-22', 'Thanksgiving Day'],
      ['2001-12-25', 'Christmas Day'],
      ['2002-01-01', "New Year's Day"],
      ['2002-01-21', 'Martin Luther King Jr. Day'],
    ]);
  });

  it('begins today, is public, and is bounded before it is walked', async () => {
    const { sessions } = await dataOf('/v1/calendar', guest);
    expect([sessions[0].date, sessions.at(-1).date, sessions.length]).toEqual(['2026-06-01', '2026-08-28', 63]);
    const { status, body } = await api.get('/v1/calendar?start=2000-01-01&end=9999-12-31');
    expect([status, body.detail[0]]).toMatchObject([
      422,
      { loc: ['query', 'end'], msg: 'expected 2000-01-01 to 2010-01-08' },
    ]);
    expect((await api.get('/v1/calendar?start=1970-12-31')).status).toBe(422);
    expect((await api.get('/v1/calendar?start=2026-02-02&end=2026-02-01')).body.key).toBe('error.invalid_date_range');
  });
});

describe('the bars of a session', () => {
  const BARS = [
    ['OLDCO.US', 'NEWCO.US', 10, 11, 9, 10, 1],
    ['SPLT.US', 'SPLT.US', 100, 101, 99, 100.5, 1000],
  ];

  it('are as traded, under the symbols of the day', async () => {
    const data = await dataOf('/v1/market/2026-05-26');
    expect(data).toMatchObject({ date: '2026-05-26', venue_mode: 'consolidated', count: 2 });
    expect(data.bars.map((bar: object) => Object.values(bar))).toEqual(BARS);
  });

  it('are the same as CSV and as Arrow', async () => {
    const csv = await api.get('/v1/market/2026-05-26', as('text/csv'));
    expect([csv.headers['content-type'], csv.headers.vary]).toEqual([
      expect.stringContaining('text/csv'),
      expect.stringContaining('Accept'),
    ]);
    const [head, ...lines] = csv.text.trim().split('\r\n');
    expect(head).toBe('symbol,current_symbol,open,high,low,close,volume');
    expect(lines).toEqual(BARS.map((bar) => bar.join(',')));
    const table = tableFromIPC((await api.get('/v1/market/2026-05-26', as(ARROW))).body);
    expect([table.numRows, table.schema.metadata.get('date')]).toEqual([2, '2026-05-26']);
    expect(
      table
        .toArray()
        .map((row) => Object.values(row.toJSON()).map((one) => (typeof one === 'bigint' ? Number(one) : one))),
    ).toEqual(BARS);
    // The cached JSON is not sent in their place.
    expect((await api.get('/v1/market/2026-05-26', as('text/csv'))).text).toBe(csv.text);
  });

  it('are refused where there are none, where they may not be told, and where the plan ends', async () => {
    const keyOf = async (date: string, to = api) => (await to.get(`/v1/market/${date}`)).body;
    expect(await keyOf('2026-05-25')).toMatchObject({
      code: 400,
      key: 'error.no_data_on_day',
      message: expect.stringContaining('2024-07-01'),
    });
    expect(await keyOf('2026-06-01')).toMatchObject({ code: 400, key: 'error.session_not_distributable' });
    expect(await keyOf('yesterday')).toMatchObject({ code: 400, key: 'error.invalid_date' });
    expect((await dataOf('/v1/market/2024-07-01')).count).toBe(1);
    expect(await keyOf('2024-05-28', guest)).toMatchObject({ code: 400, key: 'error.quota_exceeded' });
    expect((await dataOf('/v1/market/2024-07-01', guest)).count).toBe(1);
  });
});

describe('candles as Arrow', () => {
  it('are those of JSON, which is not cached in their place', async () => {
    const path = '/v1/kline/SPLT?adjust=qfq';
    const { bars, ...head } = await dataOf(path);
    const { body, headers } = await api.get(path, as(ARROW));
    const table = tableFromIPC(body);
    expect(headers['content-type']).toBe(ARROW);
    expect(JSON.parse(table.schema.metadata.get('candles') ?? '')).toEqual(head);
    expect(table.getChild('close')?.toArray()).toEqual(Float64Array.from(bars, (bar: { close: number }) => bar.close));
    expect(Array.from(table.getChild('volume')?.toArray(), Number)).toEqual(
      bars.map((bar: { volume: number }) => bar.volume),
    );
    expect(Array.from(table.getChild('ts') ?? [], (ts) => new Date(ts).toISOString().slice(0, 10))).toEqual(
      bars.map((bar: { ts: string }) => bar.ts),
    );
    expect((await api.get(path, as('application/json, */*'))).body.data.bars).toEqual(bars);
  });

  it('of many symbols are one stream, with the unknown ones in its metadata', async () => {
    const body = { symbols: ['SPLT', 'NONE', 'NEWCO.US'], type: 'kline', days: 2 };
    const table = tableFromIPC((await api.post('/v1/batch', body, as(ARROW))).body);
    expect([...(table.getChild('symbol') ?? [])]).toEqual(['SPLT.US', 'SPLT.US', 'NEWCO.US', 'NEWCO.US']);
    expect([...(table.getChild('close') ?? [])]).toEqual([25.125, 25.5, 10, 10.5]);
    expect(JSON.parse(table.schema.metadata.get('errors') ?? '')).toEqual([
      { symbol: 'NONE.US', code: 404, message: expect.stringContaining('NONE') },
    ]);
    const none = tableFromIPC((await api.post('/v1/batch', { ...body, symbols: ['NONE'] }, as(ARROW))).body);
    expect([none.numRows, none.schema.names]).toEqual([0, ['symbol', 'ts', 'open', 'high', 'low', 'close', 'volume']]);
    expect((await api.post('/v1/batch', { ...body, type: 'quote' }, as(ARROW))).body.data.succeeded).toBe(2);
  });
});

describe('events of the whole market', () => {
  const eventsAt = async (query: string) =>
    (await dataOf(`/v1/events?${query}`)).items.map((one: Record<string, unknown>) => Object.values(one));
  const SPLIT = ['SPLT.US', 'split', '2026-05-27', 0.25, null, []];

  it('have the amounts of dividends and the doubts about them, in pages', async () => {
    await transaction(database.pool, (connection) => {
      const id = api.market.directory.bySymbol.get('SPLT')?.id ?? 0;
      const finding = { instrumentId: id, kind: 'contradicted', day: requireDay('2026-05-27'), details: {} } as const;
      return saveFindings(connection, [finding], new Date());
    });
    const doubted = [...SPLIT.slice(0, 5), ['contradicted']];
    const found = await eventually(
      () => eventsAt('start=2026-01-01'),
      ([first]) => first[5].length > 0,
    );
    expect(found).toEqual([doubted, ['GONE.US', 'cash_dividend', '2026-05-28', 0.9, 0.2, []]]);
    const page = await dataOf('/v1/events?size=1&page=2');
    expect([page.total, page.items[0].symbol]).toEqual([2, 'GONE.US']);
    expect(await eventsAt('end=2026-05-27')).toEqual([doubted]);
  });

  it('are as they were known on a day, before later corrections and ex-dates', async () => {
    const id = (symbol: string) => api.market.directory.bySymbol.get(symbol)?.id ?? 0;
    const rows = [
      { instrumentId: id('SPLT'), eventKey: 'corrected', kind: 'split', exDay: requireDay('2026-05-27'), factor: 0.2 },
      { instrumentId: id('NEWCO'), eventKey: 'late', kind: 'spin_off', exDay: requireDay('2026-05-26'), factor: 0.5 },
    ] as const;
    await database.pool.query(`insert into sync_watermarks (job_type, through) values ('adjustments', '2026-05-29')`);
    await transaction(database.pool, (connection) =>
      replaceAdjustments(connection, rows, { syncJobId: null, at: new Date('2026-05-30T05:00:00Z') }),
    );
    const now = await eventually(
      () => eventsAt(''),
      (all) => all[0][0] === 'NEWCO.US',
    );
    expect(now.map(([symbol, kind, , factor]: unknown[]) => [symbol, kind, factor])).toEqual([
      ['NEWCO.US', 'spin_off', 0.5],
      ['SPLT.US', 'split', 0.2],
    ]);
    const then = async (day: string) =>
      (await eventsAt(`known_at=${day}`)).map(([symbol, , , factor]: unknown[]) => [symbol, factor]);
    expect(await then('2026-05-28')).toEqual([
      ['SPLT.US', 0.25],
      ['GONE.US', 0.9],
    ]);
    expect(await then('2026-05-27')).toEqual([['SPLT.US', 0.25]]);
    expect(await then('2026-05-29')).toEqual([
      ['SPLT.US', 0.25],
      ['GONE.US', 0.9],
    ]);
    expect((await api.get('/v1/events?known_at=2026-06-01')).body.key).toBe('error.session_not_distributable');
    expect((await api.get('/v1/events?start=2026-02-02&end=2026-02-01')).body.key).toBe('error.invalid_date_range');
  });
});

it('changes of symbols are listings, delistings, and renames', async () => {
  const { items } = await dataOf('/v1/symbols/changes?start=2015-01-01');
  expect(items).toEqual([
    { date: '2015-01-02', symbol: 'NEWCO.US', kind: 'listed', was: null, became: null },
    { date: '2026-05-27', symbol: 'NEWCO.US', kind: 'symbol_changed', was: 'OLDCO.US', became: 'NEWCO.US' },
    { date: '2026-05-28', symbol: 'GONE.US', kind: 'delisted', was: null, became: null },
  ]);
  const page = await dataOf('/v1/symbols/changes?size=2&page=2&end=2015-12-31');
  expect([page.total, page.items.map((one: { symbol: string }) => one.symbol)]).toEqual([3, ['NEWCO.US']]);
});
