/** Databento's history: sessions rebuilt from the minutes of listing venues, and renames. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { DatabentoProvider } from '../../../jobs/providers/databento/databento-provider.ts';
import { describePlan } from '../../../ops/commands/sync-commands.ts';
import { readConfig } from '../../../ops/config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DatabentoServer, type StubMinute, type StubStatistic } from '../../support/databento-server.ts';
import { runSyncJob } from '../../support/market-folder.ts';

const DAY = '2024-06-28';
/** Winter: its evening is on the next day in UTC. */
const WINTER = '2024-01-12';

const listing = (id: string, ticker: string, mic: string, more: object = {}) => ({
  listing_id: id,
  listing_status: 'L',
  issuer_name: ticker,
  security_type: 'EQS',
  operating_mic: mic,
  nasdaq_symbol: ticker,
  ...more,
});
const MASTER = [
  listing('L-1', 'AAPL', 'XNAS'),
  listing('L-2', 'BRK.B', 'XNYS', { nasdaq_symbol: null, symbol: 'BRK B' }),
  listing('L-3', 'META', 'XNAS'),
  listing('L-4', 'SPY', 'ARCX', { security_type: 'ETF' }),
  listing('L-5', 'GONE', 'XNAS', { listing_status: 'D', delisting_date: '2024-07-10' }),
];
const record = (id: string, ticker: string, effective: string, more: object = {}) => ({
  listing_id: id,
  ts_effective: `${effective}T00:00:00.000000000Z`,
  ts_record: `${effective}T10:00:00.000000000Z`,
  nasdaq_symbol: ticker,
  ...more,
});
/** Not in the order of time. */
const HISTORY = [
  record('L-3', 'META', '2022-06-09'),
  record('L-3', 'FB', '2012-05-18'),
  record('L-3', 'FB', '2015-01-02'),
  // Corrected on the day itself.
  record('L-1', 'APPL', '2019-03-01'),
  record('L-1', 'AAPL', '2019-03-01', { ts_record: '2019-03-02T10:00:00.000000000Z' }),
  record('L-1', 'AAPL', '1980-12-12'),
  // A ticker that it has had twice.
  record('L-4', 'SPY', '1993-01-29'),
  record('L-4', 'SPDR', '2010-05-03'),
  record('L-4', 'SPY', '2011-05-02'),
  // Another venue, another listing, and a row that is not a record.
  record('L-2', 'BRKB', '2018-01-02', { primary_exchange: 'USNYSE', exchange: 'USBATS' }),
  { listing_id: 'L-2', ts_effective: null },
];

const minute = (
  dataset: string,
  symbol: string,
  at: string,
  prices: StubMinute['prices'],
  volume: number,
): StubMinute => ({
  dataset,
  symbol,
  at: `${at}:00Z`,
  prices,
  volume,
});
const statistic = (dataset: string, symbol: string, at: string, price: number | null, more = {}): StubStatistic => ({
  dataset,
  symbol,
  at: `${at}:00Z`,
  type: 11,
  price,
  ...more,
});
const MINUTES = [
  minute('XNAS.ITCH', 'AAPL', `${DAY}T08:00`, [215.5, 215.9, 215.4, 215.8], 100),
  minute('XNAS.ITCH', 'AAPL', `${DAY}T13:30`, [215.77, 216.07, 215.6, 215.7], 1_000),
  minute('XNAS.ITCH', 'AAPL', `${DAY}T19:59`, [210.5, 210.9, 210.3, 210.65], 2_000),
  minute('XNAS.ITCH', 'AAPL', `${DAY}T23:59`, [211.123456789, 211.2, 210.9, 211.1], 50),
  // At the wrong venue, outside the hours, and of an unknown ticker.
  minute('XNYS.PILLAR', 'AAPL', `${DAY}T13:30`, [1, 999, 1, 1], 9),
  minute('XNAS.ITCH', 'AAPL', `${DAY}T07:59`, [1, 999, 1, 1], 9),
  minute('XNAS.ITCH', 'AAPL', '2024-06-29T00:00', [1, 999, 1, 1], 9),
  minute('XNAS.ITCH', 'NOBODY', `${DAY}T13:30`, [1, 1, 1, 1], 9),
  minute('XNYS.PILLAR', 'BRK B', `${DAY}T14:00`, [404, 404.5, 403.25, 404.25], 20),
  minute('XNYS.PILLAR', 'BRK B', `${DAY}T19:30`, [405, 407, 404, 406.5], 10),
  minute('ARCX.PILLAR', 'SPY', `${DAY}T15:00`, [544, 546, 543, 545], 30),
  minute('XNAS.ITCH', 'FB', '2022-06-08T14:00', [195, 196, 194, 195.5], 40),
  minute('XNAS.ITCH', 'META', '2022-06-09T14:00', [185, 186, 184, 185.5], 41),
  minute('XNAS.ITCH', 'AAPL', `${WINTER}T09:00`, [186, 187, 185.5, 186.5], 60),
  minute('XNAS.ITCH', 'AAPL', `${WINTER}T20:59`, [186.5, 186.75, 186.25, 186.5], 61),
  minute('XNAS.ITCH', 'AAPL', '2024-01-13T00:59', [185, 185.25, 184.75, 185], 62),
];
const STATISTICS = [
  statistic('XNAS.ITCH', 'AAPL', `${DAY}T20:00`, 210.6),
  statistic('XNAS.ITCH', 'AAPL', `${DAY}T20:05`, 210.62),
  statistic('XNAS.ITCH', 'AAPL', `${DAY}T13:30`, 215.77, { type: 1 }),
  statistic('XNYS.PILLAR', 'BRK B', `${DAY}T20:01`, 406.8),
  statistic('XNYS.PILLAR', 'BRK B', `${DAY}T20:02`, 406.9, { isDeleted: true }),
  statistic('ARCX.PILLAR', 'SPY', `${DAY}T20:00`, 544.22),
  statistic('XNAS.ITCH', 'AAPL', `${WINTER}T21:00`, 185.92),
];

let stub: DatabentoServer;
let database: TestDatabase;

beforeAll(async () => {
  [stub, database] = await Promise.all([DatabentoServer.start(), createTestDatabase()]);
});
afterAll(async () => {
  stub.stop();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query(
    'truncate instruments, previous_tickers, adjustments, daily_bars, bar_blocks, bar_seals, loaded_sessions, sync_jobs cascade',
  );
  Object.assign(stub, { minutes: MINUTES, statistics: STATISTICS, history: HISTORY, mapsSymbols: true, costPerRow: 0 });
  stub.reference = { master: MASTER, factors: [] };
  stub.venueRange = { start: '2018-05-01', end: '2024-08-01' };
  stub.intercept = () => undefined;
  stub.calls.length = 0;
});

const FROM = requireDay('2022-06-01');
const provider = (primarySessionFrom: number | null = FROM) =>
  new DatabentoProvider({ ...stub.settings, primarySessionFrom });
const load = (start: string, end = start) =>
  runSyncJob(database.pool, provider(), 'daily_bars', { start, end, venue_mode: 'primary_session' });
const loadSymbols = () => runSyncJob(database.pool, provider(), 'symbols');

async function storedBars(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select i.symbol, d.day, d.open, d.high, d.low, d.close, d.volume from daily_bars d join instruments i on i.id = d.instrument_id
     where d.basis = 3 order by i.symbol, d.day`,
  );
  return rows;
}

describe('sessions of listing venues', () => {
  const APPLE = { symbol: 'AAPL', day: DAY, open: 215.5, high: 216.07, low: 210.3, close: 210.62, volume: 3_150 };
  const REBUILT = [
    APPLE,
    // Without a valid official close: the last regular minute.
    { symbol: 'BRK.B', day: DAY, open: 404, high: 407, low: 403.25, close: 406.5, volume: 30 },
    { symbol: 'SPY', day: DAY, open: 544, high: 546, low: 543, close: 544.22, volume: 30 },
  ];

  it('count the minutes of the venue that lists the instrument, extended hours included, with its official close', async () => {
    await loadSymbols();
    expect(await load(DAY)).toMatchObject({ status: 'ok', rows_rejected_by_reason: { unknown_instrument: 1 } });
    expect(await storedBars()).toEqual(REBUILT);
    const { rows } = await database.pool.query('select sources from sync_units');
    expect(rows[0].sources.map(({ name }: { name: string }) => name)).toEqual([
      `XNAS.ITCH ohlcv-1m ${DAY}`,
      `XNAS.ITCH statistics ${DAY}`,
      `XNYS.PILLAR ohlcv-1m ${DAY}`,
      `XNYS.PILLAR statistics ${DAY}`,
      `ARCX.PILLAR ohlcv-1m ${DAY}`,
      `ARCX.PILLAR statistics ${DAY}`,
    ]);
    expect(await load(WINTER)).toMatchObject({ status: 'ok' });
    expect((await storedBars())[0]).toEqual({
      ...APPLE,
      day: WINTER,
      open: 186,
      high: 187,
      low: 184.75,
      close: 185.92,
      volume: 183,
    });
  });

  it('follow a renamed instrument', async () => {
    await loadSymbols();
    expect((await load('2022-06-08', '2022-06-09')).status).toBe('ok');
    expect(await storedBars()).toEqual([
      { symbol: 'META', day: '2022-06-08', open: 195, high: 196, low: 194, close: 195.5, volume: 40 },
      { symbol: 'META', day: '2022-06-09', open: 185, high: 186, low: 184, close: 185.5, volume: 41 },
    ]);
  });

  it('are the same when answers have no symbols', async () => {
    await loadSymbols();
    stub.mapsSymbols = false;
    expect((await load(DAY)).status).toBe('ok');
    expect(await storedBars()).toEqual(REBUILT);
  });

  it('are published from the configured day to the last one before consolidated bars, or not at all', async () => {
    const newest = requireDay(DAY);
    expect(await provider().publishedSessions('primary_session')).toEqual({ first: FROM, newest });
    expect(await provider(0).publishedSessions('primary_session')).toEqual({ first: requireDay('2018-05-01'), newest });
    expect(await provider(null).publishedSessions('primary_session')).toBeNull();
    expect(await provider(newest + 1).publishedSessions('primary_session')).toBeNull();
  });

  it('are not loaded when an answer breaks off, and are complete after the next attempt', async () => {
    await loadSymbols();
    stub.intercept = ({ method, form }) =>
      method === 'timeseries.get_range' && form.dataset === 'ARCX.PILLAR' ? 'fewer_rows' : undefined;
    expect(await load(DAY)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('0 of 1 records arrived'),
    });
    expect(await storedBars()).toEqual([]);
    stub.intercept = () => undefined;
    expect((await load(DAY)).status).toBe('ok');
    expect(await storedBars()).toEqual(REBUILT);
  });

  it('have their cost checked before they are bought, and a dry run shows what would be read', async () => {
    await loadSymbols();
    stub.costPerRow = 4;
    stub.calls.length = 0;
    expect(await load(DAY)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/charges \$\d\d\.00 for this load, more than MAX_LOAD_COST_USD \(\$50\)/),
    });
    const { apiKey, baseUrl } = stub.settings;
    const config = readConfig({
      PROVIDER: 'databento',
      DATABENTO_API_KEY: apiKey,
      DATABENTO_BASE_URL: baseUrl,
      PRIMARY_SESSION_FROM: '2022-06-01',
    });
    const spec = { start: DAY, end: DAY, venue_mode: 'primary_session' } as const;
    const plan = await describePlan({ config, pool: database.pool, now: Date.now }, 'daily_bars', spec);
    expect(plan.split('\n')[1].split(/ {2,}/)).toEqual([
      ...['primary_session', `${DAY} … ${DAY}`, '1', '0', '1', '20', '1 KB', expect.stringMatching(/^\$\d\d\.00$/)],
    ]);
    expect(stub.calls.filter(({ method }) => method === 'timeseries.get_range')).toEqual([]);
    expect(await describePlan({ config, pool: database.pool, now: Date.now }, 'symbols', {})).toBe(
      'symbols: the whole list is read, in pages: security_master.get_last, security_master.get_range',
    );
  });
});

it('finds earlier tickers in the history of the security master', async () => {
  await loadSymbols();
  const { rows } = await database.pool.query(
    `select i.symbol, p.ticker, p.last_day from previous_tickers p join instruments i on i.id = p.instrument_id
     order by i.symbol, p.last_day`,
  );
  expect(rows).toEqual([
    { symbol: 'META', ticker: 'FB', last_day: '2022-06-08' },
    { symbol: 'SPY', ticker: 'SPY', last_day: '2010-05-02' },
    { symbol: 'SPY', ticker: 'SPDR', last_day: '2011-05-01' },
  ]);
  const forms = stub.calls.filter(({ method }) => method === 'security_master.get_range').map(({ form }) => form);
  expect(forms).toEqual([
    {
      symbols: 'ALL_SYMBOLS',
      stype_in: 'raw_symbol',
      countries: 'US',
      compression: 'zstd',
      index: 'ts_effective',
      start: '2005-01-01',
    },
  ]);
});
