/** Tiingo and EODHD when they refuse, break off, correct, or send what cannot be read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requireDay } from '../../../engine/market/dates.ts';
import { eodhd } from '../../../jobs/providers/eodhd.ts';
import { MirrorProvider } from '../../../jobs/providers/mirror.ts';
import { openProvider } from '../../../jobs/providers/providers.ts';
import { tiingo } from '../../../jobs/providers/tiingo.ts';
import { describePlan } from '../../../ops/commands/sync-commands.ts';
import { readConfig } from '../../../ops/config.ts';
import { providerSettings } from '../../../ops/settings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { emptyMarket, loadFolder } from '../../support/folder-load.ts';
import { HistoryServer, VENDOR_KEY, type VendorFault } from '../../support/history-server.ts';
import { runSyncJob } from '../../support/market-folder.ts';
import { VENDOR_MARKET } from '../../support/vendor-market.ts';

const NOW = Date.parse('2024-08-19T16:00:00Z');
const VENDORS = { tiingo, eodhd } as const;
type VendorId = keyof typeof VENDORS;
const HISTORY = {
  tiingo: (symbol: string) => `/tiingo/daily/${symbol}/prices`,
  eodhd: (symbol: string) => `/api/eod/${symbol}.US`,
} as const;

const LIST = { tiingo: '/docs/tiingo/daily/supported_tickers.zip', eodhd: '/api/exchange-symbol-list/US' } as const;

let vendor: HistoryServer;
let database: TestDatabase;
let cacheDir: string;

beforeAll(async () => {
  [vendor, database] = await Promise.all([HistoryServer.start(), createTestDatabase()]);
});
afterAll(async () => {
  vendor.stop();
  await database.drop();
});
beforeEach(async () => {
  vendor.reset();
  vendor.market = VENDOR_MARKET;
  cacheDir = mkdtempSync(join(tmpdir(), 'market-test-'));
  await emptyMarket(database.pool);
});
afterEach(() => rmSync(cacheDir, { recursive: true }));

const open = (id: VendorId, more: object = {}, apiKey = VENDOR_KEY) =>
  new MirrorProvider(VENDORS[id]({ baseUrl: vendor.baseUrl, apiKey, retryMs: 1 }), {
    from: requireDay('2024-07-08'),
    cacheDir,
    now: () => NOW,
    ...more,
  });
const bars = async () =>
  Object.fromEntries(
    (
      await database.pool.query<{ symbol: string; count: number }>(
        `select i.symbol, count(*)::int as count from daily_bars d join instruments i on i.id = d.instrument_id group by 1`,
      )
    ).rows.map(({ symbol, count }) => [symbol, count]),
  );
const ALL_BARS = { SPY: 30, AAPL: 30, 'BRK.B': 30, GONE: 15 };
/** Answers the first calls of a path with a fault. */
function fail(path: string, fault: VendorFault, times = Infinity): void {
  let failed = 0;
  vendor.intercept = (call) => (call.path === path && failed++ < times ? fault : undefined);
}
const askedFor = (path: string) => vendor.calls.filter((call) => call.path === path);

describe.each(['tiingo', 'eodhd'] as const)('%s', (id) => {
  const path = HISTORY[id]('AAPL');

  it('accounts for every record: loaded, rejected with its text, or left out with the reason', async () => {
    vendor.extra[path] = [{ date: '2024-07-09', open: 'much' }, 'nonsense', { date: '2024-07-13', close: 1 }];
    vendor.extra['/api/splits/AAPL.US'] = [{ date: '2024-07-30', split: 'four' }];
    vendor.extra['/api/exchange-symbol-list/US'] = [{ Code: 7 }];
    vendor.extraLines = [
      'TSX,TSX,Stock,CAD,2020-01-02,2024-08-16',
      'FUND,NYSE,Mutual Fund,USD,2020-01-02,2024-08-16',
      'x',
    ];
    const { files, bars: job } = await loadFolder(database.pool, open(id));
    const account = files.get('bars/AAPL.csv');
    const rejected = account?.rejectedLines.map(({ text }) => text).join('\n');
    expect(rejected).toContain('2024-07-09,');
    expect(rejected).toContain('nonsense');
    if (id === 'eodhd') expect(rejected).toContain('""split"":""four""');
    // Another day than a session, and a price that is none, are faults; a record without any price is no bar.
    expect(account).toMatchObject({ header: 1, loaded: 30, rejected: id === 'eodhd' ? 4 : 3 });
    expect(job).toMatchObject({ status: 'ok' });
    expect(await bars()).toEqual(ALL_BARS);
    const { rows } = await database.pool.query(
      `select by_reason, lines from file_readings where path = 'symbols.csv' order by sync_job_id limit 1`,
    );
    const lists = { tiingo: { other_market: 1, other_type: 1, unreadable: 1 }, eodhd: { unreadable: 2 } };
    const lines = { tiingo: 8, eodhd: 7 };
    expect(rows[0]).toEqual({ by_reason: lists[id], lines: lines[id] });
    // EODHD has a list of those that trade, and one of the others.
    expect(askedFor(LIST[id])).toHaveLength(id === 'eodhd' ? 2 : 1);
  });

  it('accounts for every record of a load of some days', async () => {
    const provider = open(id);
    await loadFolder(database.pool, provider);
    const part = { start: '2024-08-12', end: '2024-08-16', venue_mode: 'consolidated' } as const;
    const job = await runSyncJob(database.pool, provider, 'daily_bars', part);
    const { rows } = await database.pool.query(
      `select header, loaded, by_reason from file_readings where sync_job_id = $1 and path = 'bars/AAPL.csv'`,
      [job.id],
    );
    expect(rows).toMatchObject([{ header: 1, loaded: 5, by_reason: { not_requested: 25 } }]);
  });

  it.each<[string, VendorFault]>([
    ['a limit', { status: 429, body: 'Too many', headers: { 'retry-after': '0' } }],
    ['an error', { status: 503, body: '<html>' }],
    ['half an answer', 'half'],
    ['a closed connection', 'drop'],
    ['an answer that is none', { status: 200, body: 'Error: something' }],
  ])('asks again after %s', async (_, fault) => {
    fail(path, fault, 1);
    const { symbols, bars: job } = await loadFolder(database.pool, open(id));
    expect([symbols.status, job.status]).toEqual(['ok', 'ok']);
    expect(await bars()).toEqual(ALL_BARS);
  });

  it('goes on after a limit with what it lacks', async () => {
    const limit = { status: 429, body: 'Too many', headers: { 'retry-after': '0' } };
    for (const fault of [limit, { status: 200, body: 'Error: You have run over your hourly request allocation.' }]) {
      fail(HISTORY[id]('BRK-B'), fault);
      const job = await runSyncJob(database.pool, open(id), 'symbols');
      expect(job).toMatchObject({ status: 'failed' });
      expect(job.error).toContain('BRK-B');
    }
    vendor.intercept = () => undefined;
    vendor.calls.length = 0;
    const { bars: job } = await loadFolder(database.pool, open(id));
    expect(job.status).toBe('ok');
    expect(askedFor(path)).toEqual([]);
    expect(askedFor(HISTORY[id]('BRK-B'))).toHaveLength(1);
    expect(await bars()).toEqual(ALL_BARS);
  });

  it('loads the others when one history can never be read, names it, and loads it by a retry', async () => {
    fail(path, 'half');
    const provider = open(id);
    const { symbols, bars: job } = await loadFolder(database.pool, provider);
    expect(symbols.status).toBe('ok');
    expect(job.status).toBe('failed');
    const { rows } = await database.pool.query('select error from sync_units');
    expect(rows[0].error).toBe(`not loaded: bars/AAPL.csv: ${path}: the answer cannot be read`);
    expect(await bars()).toEqual({ ...ALL_BARS, AAPL: undefined });
    vendor.intercept = () => undefined;
    expect((await runSyncJob(database.pool, provider, 'daily_bars')).status).toBe('ok');
    expect(await bars()).toEqual(ALL_BARS);
  });

  it('sends nothing more after a refused key, and tells no key', async () => {
    const job = await runSyncJob(database.pool, open(id, {}, 'a-secret-key'), 'symbols');
    expect(job.error).toMatch(new RegExp(`: 401; ${id.toUpperCase()}_API_KEY is refused$`));
    expect(JSON.stringify(job)).not.toContain('a-secret-key');
    const provider = open(id, {}, 'a-secret-key');
    await expect(provider.publishedSessions('consolidated')).rejects.toThrow('401');
    vendor.calls.length = 0;
    await expect(provider.publishedSessions('consolidated')).rejects.toThrow('401');
    expect(vendor.calls).toEqual([]);
  });

  it('asks only for the newest days the next day, takes their corrections, and nothing of what is delisted', async () => {
    await loadFolder(database.pool, open(id));
    vendor.calls.length = 0;
    const first = open(id);
    await first.publishedSessions('consolidated');
    await first.publishedSessions('consolidated');
    expect(vendor.calls.filter(({ path: asked }) => asked === HISTORY[id]('SPY'))).toHaveLength(1);
    vendor.calls.length = 0;
    vendor.market = VENDOR_MARKET.map((one) =>
      one.isDelisted
        ? one
        : {
            ...one,
            bars: [
              ...one.bars.map((bar) => (bar.date === '2024-08-15' ? { ...bar, volume: 77 } : bar)),
              { ...one.bars[0], date: '2024-08-19' },
            ],
          },
    );
    const tomorrow = open(id, { now: () => NOW + 86_400_000 });
    for (const jobType of ['symbols', 'adjustments'] as const) {
      expect((await runSyncJob(database.pool, tomorrow, jobType)).status).toBe('ok');
    }
    const day = { start: '2024-08-19', end: '2024-08-19' };
    const job = await runSyncJob(database.pool, tomorrow, 'daily_bars', day);
    expect(job).toMatchObject({ status: 'ok', rows_written: 3 });
    expect(await bars()).toEqual({ SPY: 31, AAPL: 31, 'BRK.B': 31, GONE: 15 });
    expect(askedFor(HISTORY[id]('GONE'))).toEqual([]);
    const [asked] = askedFor(path);
    expect([asked.query.startDate ?? asked.query.from, askedFor(path).length]).toEqual(['2024-08-06', 1]);
    const again = { start: '2024-08-15', end: '2024-08-15' };
    await runSyncJob(database.pool, tomorrow, 'daily_bars', again);
    const { rows } = await database.pool.query(`select distinct volume from daily_bars where day = '2024-08-15'`);
    expect(rows).toEqual([{ volume: 77 }]);
    const { rows: events } = await database.pool.query('select count(*)::int as count from adjustments');
    expect(events).toEqual([{ count: 4 }]);
  });

  it('takes only the symbols that are asked for, tells those it lacks, and lists an instrument without a history', async () => {
    vendor.intercept = (call) => (call.path === path ? { status: 404, body: 'Not found' } : undefined);
    const { bars: job, files } = await loadFolder(database.pool, open(id, { symbols: ['BRK.B', 'AAPL', 'NONE'] }));
    expect(job.status).toBe('ok');
    expect(await bars()).toEqual({ 'BRK.B': 30 });
    expect(files.get('bars/AAPL.csv')).toMatchObject({ lines: 1, loaded: 0, reason: expect.any(String) });
    const { rows } = await database.pool.query(`select told, by_reason from file_readings where path = 'symbols.csv'`);
    expect(rows[0]).toEqual({ told: ["the vendor's list has no NONE"], by_reason: { not_requested: 2 } });
    const { rows: instruments } = await database.pool.query('select symbol from instruments order by 1');
    expect(instruments).toEqual([{ symbol: 'AAPL' }, { symbol: 'BRK.B' }]);
  });

  it('is opened by its variables, and shows a dry run without reading histories', async () => {
    const name = id.toUpperCase();
    const config = readConfig({
      PROVIDER: id,
      [`${name}_API_KEY`]: VENDOR_KEY,
      [`${name}_BASE_URL`]: vendor.baseUrl,
      HISTORY_FROM: '2024-07-08',
      FIXED_NOW: '2024-08-19T16:00:00Z',
      DATA_DIR: cacheDir,
    });
    const provider = await openProvider(providerSettings(config), () => NOW);
    expect(await provider.publishedSessions('consolidated')).toEqual({
      first: requireDay('2024-07-08'),
      newest: requireDay('2024-08-16'),
    });
    expect(() => readConfig({ PROVIDER: id })).toThrow(`${name}_API_KEY: is required when PROVIDER is ${id}`);
    vendor.calls.length = 0;
    const plan = await describePlan({ config, pool: database.pool, now: () => NOW }, 'daily_bars', {});
    expect(plan).toContain('2024-07-08 … 2024-08-16');
    expect(askedFor(path)).toEqual([]);
  });
});

it('keeps the two holders of a symbol apart that EODHD marks', async () => {
  const [spy, , , gone] = VENDOR_MARKET;
  const later = spy.bars.filter(({ date }) => date > '2024-07-30');
  vendor.market = [spy, { ...gone, symbol: 'GONE_old' }, { ...gone, isDelisted: false, name: 'New Co', bars: later }];
  await loadFolder(database.pool, open('eodhd'));
  const { rows } = await database.pool.query(
    'select symbol, name, listed_on, delisted_on from instruments order by symbol',
  );
  expect(rows.slice(0, 2)).toEqual([
    { symbol: 'GONE', name: 'New Co', listed_on: '2024-07-31', delisted_on: null },
    { symbol: 'GONE-202407', name: 'Gone Co', listed_on: '2024-07-08', delisted_on: '2024-07-26' },
  ]);
  expect(await bars()).toEqual({ SPY: 30, GONE: later.length, 'GONE-202407': 15 });
});
