/** The Databento adapter against a local server that speaks the vendor's protocol, including all its failures. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from '../../../db/pool.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { DatabentoProvider } from '../../../jobs/providers/databento/databento-provider.ts';
import { tickerOf } from '../../../jobs/providers/databento/definitions.ts';
import { dueCorrections, readSyncState } from '../../../jobs/sync/due-syncs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DatabentoServer, type StubBar, type StubFault } from '../../support/databento-server.ts';
import { loadEverything, runSyncJob } from '../../support/market-folder.ts';

const SESSIONS = sessionsBetween(dayOf(2024, 7, 1), dayOf(2024, 7, 31)).map(formatDay);
const SYMBOLS = ['AAPL', 'BRK.B', 'AAC+', 'MSFT', 'NVDA'];

const bar = (symbol: string, date: string, i: number): StubBar => ({
  symbol,
  date,
  volume: 1000 + i,
  prices: [10 + i, 11.123456789 + i, 9 + i, 10.5 + i],
});
const BARS = SESSIONS.flatMap((date, d) => SYMBOLS.map((symbol, i) => bar(symbol, date, d * 10 + i)));

const MASTER = [
  {
    listing_id: 'L-1',
    listing_status: 'L',
    listing_date: '1980-12-12',
    delisting_date: null,
    issuer_name: 'Apple Inc',
    security_type: 'EQS',
    primary_exchange: 'USNASD',
    exchange: 'USNASD',
    operating_mic: 'XNAS',
    symbol: 'AAPL',
    nasdaq_symbol: 'AAPL',
    trading_currency: 'USD',
    lot_size: 100,
  },
  {
    listing_id: 'L-2',
    listing_status: 'L',
    listing_date: '1980-12-12',
    issuer_name: 'Apple Inc',
    security_type: 'EQS',
    primary_exchange: 'USNASD',
    exchange: 'USBATS',
    operating_mic: 'BATS',
    symbol: 'AAPL',
    nasdaq_symbol: 'AAPL',
  },
  {
    listing_id: 'L-3',
    listing_status: 'L',
    issuer_name: 'Berkshire',
    security_type: 'EQS',
    operating_mic: 'XNYS',
    symbol: 'BRK B',
    nasdaq_symbol: null,
    lot_size: 1,
  },
  {
    listing_id: 'L-4',
    listing_status: 'D',
    listing_date: '2020-01-02',
    delisting_date: '2024-07-10',
    issuer_name: 'Gone',
    security_type: 'WAR',
    operating_mic: 'XNYS',
    symbol: 'AAC WS',
    nasdaq_symbol: 'AAC+',
  },
  {
    listing_id: 'L-5',
    listing_status: 'L',
    issuer_name: 'Microsoft',
    security_type: 'ETF',
    operating_mic: 'XNAS',
    nasdaq_symbol: 'MSFT',
  },
  {
    listing_id: 'L-6',
    listing_status: 'L',
    issuer_name: 'Nvidia',
    security_type: 'XXX',
    operating_mic: 'XXXX',
    nasdaq_symbol: 'NVDA',
  },
];
const factor = (more: object) => ({
  event_id: 'E-1',
  event: 'FSPLT',
  status: 'A',
  ex_date: '2024-07-15',
  factor: 0.25,
  option: 1,
  symbol: 'AAPL',
  nasdaq_symbol: 'AAPL',
  primary_exchange: 'USNASD',
  exchange: 'USNASD',
  ...more,
});
const FACTORS = [
  factor({ option: 2, factor: 0.5 }),
  factor({}),
  factor({ exchange: 'USBATS' }),
  factor({ event_id: 'E-2', status: 'R', ex_date: '2024-07-16' }),
  factor({ event_id: 'E-3', status: 'P', ex_date: '2024-07-17' }),
  factor({ event_id: 'E-4', event: 'DIV', ex_date: '2024-07-18', factor: 0.99 }),
  factor({ event_id: 'E-5', event: 'RTS', ex_date: '2024-07-19' }),
  // As rows were years ago.
  { event_id: 3287361, event_type: 'RSPLT', nasdaq_symbol: 'MSFT', ex_date: '2024-07-22', factor: 10 },
  factor({ event_id: 'E-6', ex_date: 'soon' }),
];

let stub: DatabentoServer;
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  stub = await DatabentoServer.start();
});
afterAll(() => stub.stop());
beforeEach(async () => {
  Object.assign(stub, {
    bars: BARS,
    range: { start: '2024-07-01', end: '2024-08-01' },
    mapsSymbols: true,
    costPerRow: 0,
    pending: [],
    changedOn: {},
  });
  stub.reference = { master: MASTER, factors: FACTORS };
  stub.intercept = () => undefined;
  stub.calls.length = 0;
  database = await createTestDatabase();
  pool = database.pool;
});
afterEach(() => database.drop());

const provider = (more: object = {}) => new DatabentoProvider({ ...stub.settings, ...more });
const loadBars = (range: { start?: string; end?: string } = {}) => runSyncJob(pool, provider(), 'daily_bars', range);
const countBars = async () => (await pool.query('select count(*) from daily_bars')).rows[0].count;
const formsOf = (method: string) => stub.calls.filter((call) => call.method === method).map(({ form }) => form);

/** Answers the first calls of a method with a fault. */
function failFirst(times: number, method: string, fault: StubFault): void {
  let failed = 0;
  stub.intercept = (call) => (call.method === method && failed++ < times ? fault : undefined);
}

const refusal = (status: number, name: string, message: string, payload: object = {}): StubFault => ({
  status,
  body: JSON.stringify({ detail: { case: name, message, status_code: status, payload } }),
});

describe('a load from Databento', () => {
  it('loads instruments, events, and bars unchanged', async () => {
    await loadEverything(pool, provider());
    const { rows: instruments } = await pool.query(
      'select ticker, name, asset_type, primary_venue, listed_on, delisted_on, lot_size from instruments order by ticker',
    );
    expect(instruments).toEqual([
      {
        ticker: 'AAC.WS',
        name: 'Gone',
        asset_type: 'warrant',
        primary_venue: 'NYSE',
        listed_on: '2020-01-02',
        delisted_on: '2024-07-10',
        lot_size: 100,
      },
      {
        ticker: 'AAPL',
        name: 'Apple Inc',
        asset_type: 'stock',
        primary_venue: 'NASDAQ',
        listed_on: '1980-12-12',
        delisted_on: null,
        lot_size: 100,
      },
      {
        ticker: 'BRK.B',
        name: 'Berkshire',
        asset_type: 'stock',
        primary_venue: 'NYSE',
        listed_on: null,
        delisted_on: null,
        lot_size: 1,
      },
      {
        ticker: 'MSFT',
        name: 'Microsoft',
        asset_type: 'etf',
        primary_venue: 'NASDAQ',
        listed_on: null,
        delisted_on: null,
        lot_size: 100,
      },
      {
        ticker: 'NVDA',
        name: 'Nvidia',
        asset_type: 'other',
        primary_venue: 'XXXX',
        listed_on: null,
        delisted_on: null,
        lot_size: 100,
      },
    ]);
    const { rows: events } = await pool.query(
      'select i.ticker, a.ex_date, a.kind, a.factor from adjustments a join instruments i on i.id = a.instrument_id order by a.ex_date',
    );
    expect(events).toEqual([
      { ticker: 'AAPL', ex_date: '2024-07-15', kind: 'split', factor: 0.25 },
      { ticker: 'AAPL', ex_date: '2024-07-18', kind: 'cash_dividend', factor: 0.99 },
      { ticker: 'MSFT', ex_date: '2024-07-22', kind: 'reverse_split', factor: 10 },
    ]);
    const { rows } = await pool.query(
      `select open, high, low, close, volume from daily_bars d join instruments i on i.id = d.instrument_id
       where i.ticker = 'NVDA' and d.day = '2024-07-02'`,
    );
    expect(rows).toEqual([{ open: 24, high: 25.123456789, low: 23, close: 24.5, volume: 1014 }]);
    const { rows: accounts } = await pool.query(
      `select path, lines - header - blank - loaded - repeated - rejected - left_out as missing, loaded, by_reason
       from file_readings order by path`,
    );
    const left = { other_option: 1, other_listing: 1, does_not_apply: 2, other_action: 1, unreadable: 1 };
    const [factors, master, ...bars] = accounts;
    expect(factors).toEqual({ path: 'adjustment_factors.get_range', missing: 0, loaded: 3, by_reason: left });
    expect(master).toMatchObject({ path: 'security_master.get_last', missing: 0, loaded: 5 });
    expect(bars).toEqual([
      { path: 'timeseries.get_range 2024-07-01..2024-07-31', missing: 0, loaded: BARS.length, by_reason: {} },
    ]);
  });

  it('requests many sessions by month and few by day, with every parameter, and nothing twice', async () => {
    await loadEverything(pool, provider());
    const asked = formsOf('timeseries.get_range');
    expect(asked).toEqual([
      {
        dataset: 'EQUS.SUMMARY',
        schema: 'ohlcv-1d',
        symbols: 'ALL_SYMBOLS',
        stype_in: 'raw_symbol',
        stype_out: 'instrument_id',
        start: '2024-07-01',
        end: '2024-08-01',
        encoding: 'csv',
        compression: 'zstd',
        pretty_px: 'true',
        pretty_ts: 'true',
        map_symbols: 'true',
      },
    ]);
    stub.calls.length = 0;
    expect((await loadBars({ start: '2024-07-08', end: '2024-07-09' })).status).toBe('ok');
    expect(formsOf('timeseries.get_range').map(({ start, end }) => `${start} ${end}`)).toEqual([
      ...['2024-07-08 2024-07-09', '2024-07-09 2024-07-10'],
    ]);
    // The same again changes nothing.
    expect(await countBars()).toBe(BARS.length);
  });

  it('rejects rows that are not bars', async () => {
    stub.bars = [
      ...BARS,
      ...Array.from({ length: 3 }, (_, i) => ({ ...bar(`ZZ${i}`, '2024-07-02', i), prices: null })),
    ];
    stub.reference = { master: null, factors: null };
    await runSyncJob(pool, provider(), 'symbols');
    const job = await loadBars();
    expect(job).toMatchObject({ status: 'failed', error: expect.stringContaining('are malformed') });
    expect(job.error).toMatch(/timeseries.get_range 2024-\S+:\d+: /);
  });

  it('is repeated for a session that was changed afterwards, which records revisions', async () => {
    await loadEverything(pool, provider());
    const due = async () => {
      const published = required(await provider().publishedSessions('consolidated'));
      const ranges = [
        { venueBasis: 'consolidated' as const, firstSession: published.first, newestSession: published.newest },
      ];
      return dueCorrections(pool, provider(), await readSyncState(pool, ranges), 3);
    };
    expect(await due()).toEqual([]);
    stub.bars = BARS.map((one) => ({ ...one, volume: one.symbol === 'AAPL' ? one.volume + 1 : one.volume }));
    // The first of them is too old to be looked at.
    stub.changedOn = { '2024-07-02': '2024-08-05', '2024-07-30': '2024-08-05', '2024-07-31': '2024-08-06' };
    const [correction, ...others] = await due();
    expect([correction.spec, others]).toEqual([
      { venue_mode: 'consolidated', start: '2024-07-30', end: '2024-07-30' },
      [],
    ]);
    await runSyncJob(pool, provider(), 'daily_bars', correction.spec);
    const { rows } = await pool.query(
      `select r.day, i.ticker, (became ->> 'volume')::int - (was ->> 'volume')::int as more
       from revisions r join instruments i on i.id = r.instrument_id`,
    );
    expect(rows).toEqual([{ day: '2024-07-30', ticker: 'AAPL', more: 1 }]);
    expect((await due()).map(({ spec }) => spec)).toMatchObject([{ start: '2024-07-31' }]);
  });

  it('reads symbols from the definitions if the answer has none', async () => {
    stub.mapsSymbols = false;
    await loadEverything(pool, provider());
    expect(await countBars()).toBeGreaterThan(90);
    const { rows } = await pool.query(
      `select close from daily_bars d join instruments i on i.id = d.instrument_id where i.ticker = 'MSFT' and d.day = '2024-07-31'`,
    );
    expect(rows).toEqual([{ close: 10.5 + (SESSIONS.length - 1) * 10 + 3 }]);
  });
});

describe('a load without the reference subscriptions', () => {
  it('takes instruments from definitions, and has no events', async () => {
    stub.reference = { master: null, factors: null };
    await loadEverything(pool, provider());
    const { rows } = await pool.query(
      'select ticker, asset_type, primary_venue, name from instruments order by ticker',
    );
    expect(rows.map(({ ticker }) => ticker)).toEqual(['AAC.WS', 'AAPL', 'BRK.B', 'MSFT', 'NVDA']);
    expect(rows[1]).toEqual({ ticker: 'AAPL', asset_type: 'stock', primary_venue: 'NASDAQ', name: 'AAPL' });
    expect((await pool.query('select count(*) from adjustments')).rows[0].count).toBe(0);
    expect(await countBars()).toBe(BARS.length);
  });
});

describe('a range that is only partly available', () => {
  it('is cut to the available days', async () => {
    await runSyncJob(pool, provider(), 'symbols');
    stub.range = { start: '2024-07-02', end: '2024-07-09' };
    const batches = await Array.fromAsync(
      provider().dailyBars(
        'consolidated',
        { key: '', start: dayOf(2024, 7, 1), end: dayOf(2024, 7, 31), isClipped: false, weight: 31, parts: [] },
        new AbortController().signal,
      ),
    );
    const days = new Set(batches.flatMap(({ day, count }) => [...day.subarray(0, count)].map(formatDay)));
    expect([...days].sort()).toEqual(['2024-07-02', '2024-07-03', '2024-07-05', '2024-07-08']);
  });

  it('is refused with the available days when none of its days is available', async () => {
    const job = await loadBars({ start: '2024-06-03', end: '2024-06-28' });
    expect(job).toMatchObject({
      status: 'failed',
      error:
        'Databento US Equities Summary has bars from 2024-07-01 to 2024-07-31 (consolidated), none from 2024-06-03 to 2024-06-28',
    });
    expect((await runSyncJob(pool, provider(), 'daily_bars', { venue_mode: 'single_venue' })).error).toBe(
      'Databento US Equities Summary has no bars on the venue basis single_venue',
    );
  });

  it('is cut before the days that need a live license', async () => {
    failFirst(
      1,
      'metadata.get_record_count',
      refusal(
        403,
        'license_not_found_unauthorized',
        'A live data license is required to access EQUS.SUMMARY data after 2024-07-30T00:00:00+00:00',
      ),
    );
    await runSyncJob(pool, provider(), 'symbols');
    await loadBars({ start: '2024-07-30', end: '2024-07-30' });
    expect(formsOf('timeseries.get_range').filter(({ schema }) => schema === 'ohlcv-1d')).toEqual([]);
  });

  it('ends with the newest session before the exclusive end of the dataset', async () => {
    expect(await provider().publishedSessions('consolidated')).toEqual({
      first: dayOf(2024, 7, 1),
      newest: dayOf(2024, 7, 31),
    });
    stub.range = { start: '2024-07-01', end: '2024-07-08' };
    expect((await provider().publishedSessions('consolidated'))?.newest).toBe(dayOf(2024, 7, 5));
    expect(await provider().publishedSessions('primary_session')).toBeNull();
    // A session that the vendor still prepares would be loaded with holes.
    stub.pending = ['2024-07-03', '2024-07-05'];
    expect((await provider().publishedSessions('consolidated'))?.newest).toBe(dayOf(2024, 7, 2));
  });
});

describe('a failure of Databento', () => {
  beforeEach(async () => {
    await runSyncJob(pool, provider(), 'symbols');
  });

  it.each<[string, StubFault]>([
    ['429', { status: 429, body: '{"detail":"Too many requests"}', headers: { 'retry-after': '0.01' } }],
    ['500', { status: 500, body: '{"detail":"Internal"}' }],
    ['502 as HTML', { status: 502, body: '<html><body>Bad gateway</body></html>' }],
    ['503', { status: 503, body: '' }],
    ['504', { status: 504, body: '<h1>timeout</h1>' }],
    ['a broken connection', 'drop'],
  ])('that is transient is retried: %s', async (_, fault) => {
    failFirst(2, 'timeseries.get_range', fault);
    expect((await loadBars()).status).toBe('ok');
    expect(formsOf('timeseries.get_range')).toHaveLength(3);
  });

  it.each<[string, StubFault, RegExp]>([
    ['a cut line', 'cut_line', /in the middle of a line/],
    ['a cut frame', 'cut_frame', /broke off/],
    ['fewer rows than were counted', 'fewer_rows', /\d+ of \d+ records arrived/],
    ['a header alone', 'header_only', /0 of \d+ records arrived/],
    ['500 again and again', { status: 500, body: 'no' }, /timeseries.get_range: 500/],
  ])('during an answer loads nothing, and the job is retried: %s', async (_, fault, message) => {
    failFirst(Infinity, 'timeseries.get_range', fault);
    const job = await loadBars();
    expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(message) });
    expect(await countBars()).toBe(0);
    stub.intercept = () => undefined;
    expect((await loadBars()).status).toBe('ok');
  });

  it.each<[string, StubFault, RegExp]>([
    [
      'no money',
      refusal(402, 'account_insufficient_funds', 'Of ada@x.org'),
      /402 account_insufficient_funds \(r[^@]*$/,
    ],
    ['a proxy', { status: 400, body: '<p>ada@x.org may not</p>' }, /get_range: 400 \(r[^@]*$/],
    ['a locked account', refusal(403, 'auth_account_locked', 'Locked'), /403 auth_account_locked/],
    ['a bad request', refusal(400, 'symbology_invalid_request', 'Bad'), /400 symbology_invalid_request/],
    ['a schema that is not there', refusal(422, 'dataset_unavailable_range', 'No'), /422 dataset_unavailable_range/],
  ])('that is permanent fails the job at once: %s', async (_, fault, message) => {
    failFirst(Infinity, 'timeseries.get_range', fault);
    const job = await loadBars();
    expect(job).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringMatching(message) });
    expect(job.error).toMatch(/request [0-9a-f-]{36}/);
    expect(formsOf('timeseries.get_range')).toHaveLength(1);
  });

  it('of the key or the payment stops all calls for a while', async () => {
    const broke = provider();
    failFirst(1, 'metadata.get_cost', refusal(402, 'account_insufficient_funds', 'Insufficient funds'));
    const range = [dayOf(2024, 7, 1), dayOf(2024, 7, 2)] as const;
    await expect(broke.estimateCost('consolidated', ...range)).rejects.toThrow('402');
    const { length } = stub.calls;
    await expect(broke.publishedSessions('consolidated')).rejects.toThrow('402');
    expect(stub.calls).toHaveLength(length);
    const wrongKey = provider({ apiKey: 'db-wrong' });
    await expect(wrongKey.publishedSessions('consolidated')).rejects.toThrow(
      /401 auth_authentication_failed \(request [0-9a-f-]{36}\); DATABENTO_API_KEY is refused$/,
    );
  });

  it('of a server that does not answer is reported', async () => {
    const silent = provider({ baseUrl: 'http://127.0.0.1:9' });
    await expect(silent.publishedSessions('consolidated')).rejects.toMatchObject({ isTransient: true });
  });
});

describe('the cost of a load', () => {
  it('is checked before anything is bought, and a load that costs too much is refused', async () => {
    await runSyncJob(pool, provider(), 'symbols');
    stub.costPerRow = 1;
    stub.calls.length = 0;
    const job = await loadBars();
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/charges \$110.00 for this load, more than MAX_LOAD_COST_USD \(\$50\)/),
    });
    expect(formsOf('timeseries.get_range')).toEqual([]);
    expect((await loadBars({ start: '2024-07-01', end: '2024-07-02' })).status).toBe('ok');
  });
});

it('maps symbols of both conventions to one form', () => {
  const symbols = ['BRK.B', 'BRK B', 'AAC WS', 'AAC+', 'XYZ U', 'XYZ=', 'XYZ RT', 'XYZ^', 'BAC PRL', '', 'a/b'];
  expect(symbols.map(tickerOf)).toEqual([
    ...['BRK.B', 'BRK.B', 'AAC.WS', 'AAC.WS', 'XYZ.U', 'XYZ.U', 'XYZ.RT', 'XYZ.RT', 'BAC-L', null, null],
  ]);
});
