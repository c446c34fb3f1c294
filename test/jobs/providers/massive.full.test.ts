/** The Massive adapter against a local server for its REST API and its flat files, including all their failures. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { transaction } from '../../../db/pool.ts';
import { dayOf, requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { MassiveProvider } from '../../../jobs/providers/massive/massive-provider.ts';
import { tickerOf, vendorTickerOf } from '../../../jobs/providers/massive/reference.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { syncDailyBars } from '../../../jobs/sync/daily-bars.ts';
import { enqueueSync } from '../../../jobs/sync/enqueue.ts';
import { runSync } from '../../../jobs/sync/run.ts';
import { scheduleDueSyncs } from '../../../jobs/worker/scheduler.ts';
import { describePlan } from '../../../ops/commands/sync-commands.ts';
import { readConfig } from '../../../ops/config.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { loadEverything, runSyncJob } from '../../support/market-folder.ts';
import { dayKey, MassiveServer, minuteKey, type RestFault, windowStart } from '../../support/massive-server.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import type { S3Fault } from '../../support/s3-server.ts';
import { untilSyncJob } from '../../support/sync-jobs.ts';

const NOW = '2024-07-08T16:00:00Z';
/** Before a holiday, which has no file; the third is an early close. */
const SESSIONS = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-05'] as const;
const [FIRST, SECOND, THIRD, FOURTH] = SESSIONS;

/** [vendor's ticker, date, open, high, low, close, volume], then where it belongs and which volume is stored. */
type Row = readonly [string, string, number, number, number, number, string, string, number];
const ROWS: readonly Row[] = [
  ['AAPL', FIRST, 212.09, 217.51, 211.92, 216.75, '60402929', 'AAPL', 60_402_929],
  ['AAPL', SECOND, 216.15, 220.38, 215.1, 220.27, '58046178.613', 'AAPL', 58_046_179],
  ['AAPL', THIRD, 55.0001, 55.55, 54.9999, 55.1234, '0', 'AAPL', 0],
  ['BRK.B', FIRST, 407.8, 412.5, 406.05, 408.77, '4044810', 'BRK.B', 4_044_810],
  ['BACpL', FIRST, 1190.5, 1195, 1188.25, 1193.02, '5102', 'BAC-L', 5_102],
  ['XYZ.WS', FOURTH, 0.0123, 0.0123, 0.0101, 0.0101, '912', 'XYZ.WS', 912],
  // Renamed: the files have the ticker of the day.
  ['FB', FIRST, 500, 510, 499, 505.5, '11', 'META', 11],
  ['FB', SECOND, 505, 511, 504, 506.25, '12', 'META', 12],
  ['META', THIRD, 506, 512, 505, 507.75, '13', 'META', 13],
  // A reused ticker: delisted, then listed again.
  ['QIL', FIRST, 1, 1.5, 0.5, 1.25, '21', 'QIL-202407', 21],
  ['QIL', SECOND, 30, 31, 29, 30.5, '22', 'QIL', 22],
  // A ticker that another instrument took over when it was renamed.
  ['SNK', FIRST, 2, 2.5, 1.5, 2.25, '31', 'SNK-202407', 31],
  ['SNKY', SECOND, 40, 41, 39, 40.5, '32', 'SNK', 32],
  ['SNK', THIRD, 41, 42, 40, 41.5, '33', 'SNK', 33],
];

const line = ([ticker, date, open, high, low, close, volume]: Row, start = windowStart(date)) =>
  [ticker, volume, open, close, high, low, start, 7].join(',');
const linesOf = (date: string) => ROWS.filter((row) => row[1] === date).map((row) => line(row));
const listed = (ticker: string, more: object = {}) => ({
  ticker,
  name: `${ticker} Inc.`,
  market: 'stocks',
  locale: 'us',
  primary_exchange: 'XNAS',
  type: 'CS',
  active: true,
  currency_name: 'usd',
  composite_figi: `BBG-${ticker}`,
  ...more,
});
const gone = (ticker: string, date: string, more: object = {}) =>
  listed(ticker, { active: false, delisted_utc: `${date}T00:00:00Z`, ...more });

const TICKERS = [
  listed('AAPL'),
  listed('BACpL', { type: 'PFD', primary_exchange: 'XNYS', composite_figi: undefined }),
  listed('BRK.B', { primary_exchange: 'XNYS', name: null }),
  listed('META'),
  listed('QIL', { type: 'ETF' }),
  listed('SNK'),
  listed('XYZ.WS', { type: 'WARRANT', primary_exchange: 'XASE' }),
  listed('ABCpAw'),
  { ticker: 7, active: true },
  gone('FB', SECOND, { composite_figi: 'BBG-META' }),
  gone('QIL', FIRST, { composite_figi: 'BBG-QIL-1' }),
  gone('SNK', FIRST, { composite_figi: undefined }),
  gone('SNKY', SECOND, { composite_figi: 'BBG-SNK' }),
];
const split = (ticker: string, date: string, type: string, from: number, to: number) => ({
  id: `S-${ticker}-${date}`,
  ticker,
  execution_date: date,
  adjustment_type: type,
  split_from: from,
  split_to: to,
  historical_adjustment_factor: 0.0357,
});
const SPLITS = [
  split('AAPL', THIRD, 'forward_split', 1, 4),
  split('BRK.B', SECOND, 'reverse_split', 10, 1),
  split('BACpL', FOURTH, 'stock_dividend', 100, 105),
  split('AAPL', FIRST, 'something_new', 1, 2),
  split('META', FIRST, 'forward_split', 0, 2),
];
const dividend = (ticker: string, date: string, cash: number, factor: number | null) => ({
  id: `D-${ticker}-${date}-${cash}`,
  ticker,
  cash_amount: cash,
  currency: 'USD',
  ex_dividend_date: date,
  historical_adjustment_factor: factor,
  split_adjusted_cash_amount: cash,
});
const DIVIDENDS = [
  dividend('AAPL', SECOND, 0.25, 0.988),
  dividend('AAPL', FOURTH, 0.27, 0.995),
  // A regular and a special one.
  dividend('META', THIRD, 1, 0.96),
  dividend('META', THIRD, 3, 0.96),
  dividend('FB', FIRST, 0.5, null),
];

let massive: MassiveServer;
let database: TestDatabase;

beforeAll(async () => {
  [massive, database] = await Promise.all([MassiveServer.start(), createTestDatabase()]);
});
afterAll(async () => {
  massive.stop();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query(
    'truncate instruments, previous_tickers, adjustments, daily_bars, bar_blocks, bar_seals, loaded_sessions, sync_jobs cascade',
  );
  massive.reset();
  massive.rows = {
    '/v3/reference/tickers': TICKERS,
    '/stocks/v1/splits': SPLITS,
    '/stocks/v1/dividends': DIVIDENDS,
  };
  for (const date of SESSIONS) massive.putFile(dayKey(date), linesOf(date));
});

const provider = (more: object = {}) => new MassiveProvider({ ...massive.settings, ...more }, () => Date.parse(NOW));
const load = (jobType: 'symbols' | 'adjustments' | 'daily_bars', given = provider(), request = {}) =>
  runSyncJob(database.pool, given, jobType, request);
const filesRead = () =>
  massive.bucket.calls.filter(({ operation }) => operation === 'GetObject').map(({ key }) => key.slice(-17, -7));

async function storedBars(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select i.symbol, d.day, d.open, d.high, d.low, d.close, d.volume from daily_bars d join instruments i on i.id = d.instrument_id
     order by i.symbol, d.day`,
  );
  return rows;
}
/** Accounts of the answers that were read last; throws when a record is in none. */
async function accounts(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select distinct on (path) path, lines, header, blank, loaded, repeated, rejected, left_out, by_reason
     from file_readings order by path, sync_job_id desc`,
  );
  return rows.map(({ header, blank, repeated, rejected, left_out, ...shown }) => {
    expect(header + blank + shown.loaded + repeated + rejected + left_out).toBe(shown.lines);
    return shown;
  });
}
const expectedBars = (sessions: readonly string[] = SESSIONS) =>
  ROWS.filter(([, date]) => sessions.includes(date))
    .map(([, day, open, high, low, close, , symbol, volume]) => ({ symbol, day, open, high, low, close, volume }))
    .sort((a, b) => (`${a.symbol} ${a.day}` < `${b.symbol} ${b.day}` ? -1 : 1));

/** Answers the first calls for a file with a fault. */
function failFile(date: string, fault: S3Fault, times = Infinity): void {
  let failed = 0;
  massive.bucket.intercept = ({ operation, key }) =>
    operation === 'GetObject' && key === dayKey(date) && failed++ < times ? fault : undefined;
}

describe('a load from Massive', () => {
  it('equals the files and lists exactly, with renames, reused tickers, and splits', async () => {
    await loadEverything(database.pool, provider());
    expect(await storedBars()).toEqual(expectedBars());
    const { rows: instruments } = await database.pool.query(
      `select symbol, provider_key as key, name, asset_type as type, primary_venue as venue, listed_on, delisted_on
       from instruments order by symbol`,
    );
    const stock = { type: 'stock', venue: 'NASDAQ', listed_on: null, delisted_on: null };
    expect(instruments).toEqual([
      { ...stock, symbol: 'AAPL', key: 'figi:BBG-AAPL', name: 'AAPL Inc.' },
      { ...stock, symbol: 'BAC-L', key: 'ticker:BAC-L', name: 'BACpL Inc.', type: 'preferred', venue: 'NYSE' },
      { ...stock, symbol: 'BRK.B', key: 'figi:BBG-BRK.B', name: 'BRK.B', venue: 'NYSE' },
      { ...stock, symbol: 'META', key: 'figi:BBG-META', name: 'META Inc.' },
      { ...stock, symbol: 'QIL', key: 'figi:BBG-QIL', name: 'QIL Inc.', type: 'etf', listed_on: SECOND },
      { ...stock, symbol: 'QIL-202407', key: 'figi:BBG-QIL-1', name: 'QIL Inc.', delisted_on: FIRST },
      { ...stock, symbol: 'SNK', key: 'figi:BBG-SNK', name: 'SNK Inc.' },
      { ...stock, symbol: 'SNK-202407', key: `ticker:SNK@${FIRST}`, name: 'SNK Inc.', delisted_on: FIRST },
      {
        ...stock,
        symbol: 'XYZ.WS',
        key: 'figi:BBG-XYZ.WS',
        name: 'XYZ.WS Inc.',
        type: 'warrant',
        venue: 'NYSEAMERICAN',
      },
    ]);
    const { rows: events } = await database.pool.query(
      'select i.symbol, a.ex_date, a.kind, a.factor from adjustments a join instruments i on i.id = a.instrument_id order by 1, 2, 4',
    );
    expect(events).toEqual([
      { symbol: 'AAPL', ex_date: SECOND, kind: 'cash_dividend', factor: 0.988 / 0.995 },
      { symbol: 'AAPL', ex_date: THIRD, kind: 'split', factor: 0.25 },
      { symbol: 'AAPL', ex_date: FOURTH, kind: 'cash_dividend', factor: 0.995 },
      { symbol: 'BAC-L', ex_date: FOURTH, kind: 'stock_dividend', factor: 100 / 105 },
      { symbol: 'BRK.B', ex_date: SECOND, kind: 'reverse_split', factor: 10 },
      { symbol: 'META', ex_date: THIRD, kind: 'cash_dividend', factor: 0.96 ** 0.75 },
      { symbol: 'META', ex_date: THIRD, kind: 'cash_dividend', factor: 0.96 ** 0.25 },
    ]);
    const { rows: rejected } = await database.pool.query('select reason, source from rejected_rows order by 1, 2');
    expect(rejected).toEqual([
      { reason: 'bad_kind', source: '/stocks/v1/splits:4' },
      { reason: 'bad_symbol', source: '/v3/reference/tickers:8' },
      { reason: 'no_factor', source: '/stocks/v1/dividends:5' },
      { reason: 'unreadable', source: '/stocks/v1/splits:5' },
      { reason: 'unreadable', source: '/v3/reference/tickers:9' },
    ]);
    expect(await accounts()).toEqual([
      { path: '/stocks/v1/dividends', lines: 5, loaded: 4, by_reason: { no_factor: 1 } },
      { path: '/stocks/v1/splits', lines: 5, loaded: 3, by_reason: { bad_kind: 1, unreadable: 1 } },
      { path: '/v3/reference/tickers', lines: 13, loaded: 11, by_reason: { bad_symbol: 1, unreadable: 1 } },
      ...SESSIONS.map((date) => {
        const loaded = linesOf(date).length;
        return { path: dayKey(date), lines: loaded + 1, loaded, by_reason: {} };
      }),
    ]);
    const before = await storedBars();
    expect((await load('daily_bars')).rows_written).toBe(ROWS.length);
    expect(await storedBars()).toEqual(before);
  });

  it('reads only the files of its range, with paged listing, and records their digests', async () => {
    massive.bucket.pageSize = 2;
    await load('symbols');
    const job = await load('daily_bars', provider(), { start: SECOND, end: THIRD });
    expect(job.status).toBe('ok');
    expect(filesRead()).toEqual([SECOND, THIRD]);
    const { rows } = await database.pool.query('select sources from sync_units order by unit');
    const bytes = (date: string) => required(massive.bucket.objects.get(dayKey(date))).length;
    expect(rows.map(({ sources }) => sources)).toEqual(
      [SECOND, THIRD].map((date) => [
        {
          name: dayKey(date),
          bytes: bytes(date),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          version: expect.stringMatching(/^"[0-9a-f]{32}"$/),
        },
      ]),
    );
  });

  it('rejects rows: any number of unknown tickers, and others up to 1 % of a file', async () => {
    const [, ...rest] = line(ROWS[0]).split(',');
    const unknown = ['ZVZZT', 'ABCpAw', 'aapl'].map((ticker) => [ticker, ...rest].join(','));
    massive.putFile(dayKey(FIRST), [...linesOf(FIRST), ...unknown]);
    massive.putFile(dayKey(SECOND), [...linesOf(SECOND), ...linesOf(FIRST)]);
    massive.putFile(
      dayKey(THIRD),
      linesOf(THIRD).map((row) => row.replace('000000000,7', '000,7')),
    );
    massive.putFile(dayKey(FOURTH), [...linesOf(FOURTH), ...linesOf(FOURTH)]);
    await load('symbols');
    const job = await load('daily_bars');
    expect(job).toMatchObject({
      status: 'failed',
      rows_rejected_by_reason: { unknown_instrument: 3, other_day_than_file: 9, duplicate: 1 },
    });
    expect(job.error).toMatch(/^3 of 4 units could not be loaded whole/);
    expect(await storedBars()).toEqual(expectedBars([FIRST]));
    expect(await accounts()).toMatchObject([
      { by_reason: { bad_symbol: 1, unreadable: 1 } },
      { path: dayKey(FIRST), loaded: 6, by_reason: { unknown_instrument: 3 } },
      { path: dayKey(SECOND), loaded: 0, by_reason: { other_day_than_file: 6, file_not_loaded: 4 } },
      { path: dayKey(THIRD), loaded: 0, by_reason: { other_day_than_file: 3 } },
      { path: dayKey(FOURTH), loaded: 0, by_reason: { duplicate: 1, file_not_loaded: 1 } },
    ]);
    // A quote that does not close costs its own line only.
    massive.putFile(dayKey(FIRST), [
      ...linesOf(FIRST),
      ...Array.from({ length: 700 }, () => unknown[0]),
      `"${unknown[1]}`,
    ]);
    expect(await load('daily_bars', provider(), { start: FIRST, end: FIRST })).toMatchObject({ status: 'ok' });
    expect((await accounts()).slice(1, 2)).toMatchObject([
      { loaded: 6, by_reason: { unknown_instrument: 700, unreadable: 1 } },
    ]);
  });
});

describe('a worker that is killed while it reads a file', () => {
  it('is replaced by another one, which reads only the files that were not loaded', async () => {
    await load('symbols');
    const boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
    const folder = mkdtempSync(join(tmpdir(), 'market-test-'));
    const env = { ...massive.environment, DATABASE_URL: database.url, DATA_DIR: folder, FIXED_NOW: NOW };
    const reached = Promise.withResolvers<void>();
    massive.bucket.intercept = ({ operation, key }) => {
      if (operation !== 'GetObject' || key !== dayKey(THIRD)) return undefined;
      reached.resolve();
      return 'hang';
    };
    const wanted = { jobType: 'daily_bars', spec: {}, requestedBy: 'test' } as const;
    const id = required(await transaction(database.pool, (connection) => enqueueSync(connection, boss, wanted)));
    const killed = await startProcess('worker', env);
    await reached.promise;
    expect(await storedBars()).toEqual(expectedBars([FIRST, SECOND]));
    await endProcess(killed, 'SIGKILL');
    massive.bucket.intercept = () => undefined;
    const worker = await startProcess('worker', env);
    await untilSyncJob(database, id, ({ status }) => status === 'ok');
    await endProcess(worker, 'SIGTERM');
    rmSync(folder, { recursive: true });
    await boss.stop({ graceful: false });
    expect(await storedBars()).toEqual(expectedBars());
    expect(filesRead()).toEqual([FIRST, SECOND, THIRD, THIRD, FOURTH]);
  });
});

it('loads a file that is published again, and records its changes as revisions', async () => {
  const boss = await openBoss({ url: database.url, log: pino({ level: 'silent' }) });
  const given = provider();
  const { pool } = database;
  await load('symbols', given, { through: FOURTH });
  await load('adjustments', given, { through: FOURTH });
  await load('daily_bars', given);
  let at = Date.parse(NOW);
  const options = { pool, boss, provider: given, log: pino({ level: 'silent' }), revisitedSessions: 3 };
  const poll = () => scheduleDueSyncs({ ...options, now: () => at });
  expect(await poll()).toBe(0);
  const correct = (date: string) =>
    massive.putFile(
      dayKey(date),
      linesOf(date).map((row) => row.replace('220.27', '220.28')),
    );
  correct(SECOND);
  // Too old to be looked at.
  massive.putFile(dayKey(FIRST), linesOf(FIRST).slice(1));
  expect(await poll()).toBe(0);
  at += 3_600_000;
  massive.bucket.calls.length = 0;
  expect(await poll()).toBe(1);
  // One at a time.
  expect(await poll()).toBe(0);
  const { rows } = await pool.query('select id, request from sync_jobs order by id desc limit 1');
  expect(rows[0].request).toEqual({ venue_mode: 'consolidated', start: SECOND, end: SECOND });
  await runSync(testJobContext({ pool, provider: async () => given }), rows[0].id, syncDailyBars);
  expect(filesRead()).toEqual([SECOND]);
  const { rows: revisions } = await pool.query(
    `select day, was ->> 'close' as was, became ->> 'close' as became from revisions`,
  );
  expect(revisions).toEqual([{ day: SECOND, was: '220.27', became: '220.28' }]);
  expect(await poll()).toBe(0);
  await boss.stop({ graceful: false });
});

describe('a plan of Massive', () => {
  it('has its first day found by binary search, and earlier days are not requested', async () => {
    massive.bucket.intercept = ({ operation, key }) =>
      operation === 'HeadObject' && key < dayKey(SECOND) ? { status: 403, code: 'AccessDenied' } : undefined;
    const late = provider();
    const range = { first: requireDay(SECOND), newest: requireDay(FOURTH) };
    expect(await late.publishedSessions('consolidated')).toEqual(range);
    massive.bucket.calls.length = 0;
    massive.putFile(dayKey('2024-07-08'), linesOf(FOURTH));
    expect((await late.publishedSessions('consolidated'))?.newest).toBe(dayOf(2024, 7, 8));
    expect(massive.bucket.calls.map(({ operation }) => operation)).toEqual(['ListObjectsV2']);
    massive.bucket.intercept = ({ operation }) =>
      operation === 'HeadObject' ? { status: 403, code: 'AccessDenied' } : undefined;
    expect(await provider().publishedSessions('consolidated')).toBeNull();
  });
});

describe('minutes', () => {
  const JUNE = '2024-06-28';
  const PRIMARY = { primarySessionFrom: requireDay('2024-06-27') };
  const minute = (ticker: string, hour: number, at: number, prices: readonly number[], volume: number | string) => {
    const [open, high, low, close] = prices;
    return [ticker, volume, open, close, high, low, windowStart(JUNE, hour, at), 3].join(',');
  };
  beforeEach(() => {
    massive.putFile(minuteKey(JUNE), [
      minute('AAPL', 4, 0, [215.5, 215.9, 215.4, 215.8], 100.25),
      minute('AAPL', 9, 30, [215.77, 216.07, 215.6, 215.7], 1_000),
      minute('AAPL', 15, 59, [210.5, 210.9, 210.3, 210.65], 2_000.25),
      minute('AAPL', 19, 59, [211, 211.2, 210.9, 211.1], 50),
      minute('BRK.B', 12, 0, [406, 407, 405, 406.5], 10),
      // Out of order, and unknown.
      minute('BRK.B', 10, 0, [404, 404.5, 403.25, 404.25], 20),
      minute('ABCpAw', 10, 0, [1, 1, 1, 1], 20),
      minute('ABCpAw', 10, 1, [1, 1, 1, 1], 20),
    ]);
  });

  it('are rebuilt to sessions before the consolidated ones, with official closes if the day has them', async () => {
    massive.putFile(dayKey(JUNE), [['AAPL', 1, 215.77, 210.62, 216.07, 210.3, windowStart(JUNE), 9].join(',')]);
    massive.putFile(minuteKey(FIRST), linesOf(FIRST));
    await load('symbols');
    const job = await load('daily_bars', provider(PRIMARY), { venue_mode: 'primary_session' });
    expect(job).toMatchObject({ status: 'ok', rows_rejected_by_reason: { unknown_instrument: 1 } });
    const day = JUNE;
    expect(await storedBars()).toEqual([
      { symbol: 'AAPL', day, open: 215.5, high: 216.07, low: 210.3, close: 210.62, volume: 3_151 },
      { symbol: 'BRK.B', day, open: 404, high: 407, low: 403.25, close: 406.5, volume: 30 },
    ]);
    const { rows } = await database.pool.query('select sources from sync_units');
    expect(rows[0].sources.map(({ name }: { name: string }) => name)).toEqual([dayKey(JUNE), minuteKey(JUNE)]);
    // Without a configured start there are none.
    expect(await provider().publishedSessions('primary_session')).toBeNull();
    expect(await provider().publishedSessions('single_venue')).toBeNull();
  });

  it('that the plan does not include leave the rest unchanged, and are reported by the check', async () => {
    massive.bucket.intercept = ({ key }) =>
      key.includes('minute_aggs') ? { status: 403, code: 'AccessDenied' } : undefined;
    const without = provider(PRIMARY);
    expect(await without.publishedSessions('primary_session')).toBeNull();
    expect(await without.publishedSessions('consolidated')).not.toBeNull();
    await expect(without.check()).rejects.toThrow('PRIMARY_SESSION_FROM is set, but the plan includes no file of');
    await expect(provider().check()).resolves.toBeUndefined();
  });

  it('of one instrument are read from the API as traded', async () => {
    massive.minutes = { [`BACpL ${FIRST}`]: [{ t: 1719840600000, o: 1, h: 2, l: 0.5, c: 1.5, v: 10, vw: 1.2, n: 3 }] };
    const bars = [{ startMs: 1719840600000, open: 1, high: 2, low: 0.5, close: 1.5, volume: 10 }];
    expect(await provider().minuteBars(requireDay(FIRST), 'BAC-L')).toEqual(bars);
    expect(await provider().minuteBars(requireDay(SECOND), 'BAC-L')).toBeNull();
  });
});

it('shows in a dry run what would be read, and reads no file', async () => {
  for (const keyOf of [minuteKey, dayKey]) massive.putFile(keyOf('2024-06-28'), linesOf(FIRST));
  const config = readConfig({ ...massive.environment, FIXED_NOW: NOW, PRIMARY_SESSION_FROM: '2024-06-01' });
  const plan = await describePlan({ config, pool: database.pool, now: () => Date.parse(NOW) }, 'daily_bars', {});
  expect(plan.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
    ['basis', 'sessions', 'count', 'loaded already', 'units', 'requests', 'files', 'size', 'cost'],
    ['consolidated', `2024-06-28 … ${FOURTH}`, '5', '0', '5', '5', '5', expect.stringMatching(/^\d KB$/), 'free'],
    ['primary_session', '2024-06-28 … 2024-06-28', '1', '0', '1', '2', '2', '1 KB', 'free'],
  ]);
  expect(filesRead()).toEqual([]);
  expect(await describePlan({ config, pool: database.pool, now: () => Date.parse(NOW) }, 'adjustments', {})).toBe(
    'adjustments: the whole list is read, in pages: /stocks/v1/splits, /stocks/v1/dividends',
  );
});

describe('a failure of the files', () => {
  beforeEach(() => load('symbols'));

  it.each<[string, S3Fault]>([
    ['429 with Retry-After', { status: 429, code: 'TooManyRequests', headers: { 'retry-after': '0' } }],
    ['503 without', { status: 503, code: 'SlowDown' }],
    ['a broken connection', 'drop'],
  ])('that is transient is retried: %s', async (_, fault) => {
    failFile(SECOND, fault, 1);
    expect((await load('daily_bars')).status).toBe('ok');
    expect(filesRead()).toEqual([FIRST, SECOND, SECOND, THIRD, FOURTH]);
  });

  it.each<[string, S3Fault]>([
    ['that breaks off', 'cut'],
    ['that stops', 'stall'],
  ])('loads nothing, and the job is retried: half a file %s', async (_, fault) => {
    failFile(SECOND, fault);
    const job = await load('daily_bars', provider({ flatFiles: { ...massive.settings.flatFiles, stallMs: 200 } }));
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/07-02.csv.gz: \d+ of \d+ bytes arrived/),
    });
    expect(await storedBars()).toEqual(expectedBars([FIRST]));
    massive.bucket.intercept = () => undefined;
    expect((await load('daily_bars')).status).toBe('ok');
    expect(await storedBars()).toEqual(expectedBars());
  });

  const truncated = () => {
    const whole = required(massive.bucket.objects.get(dayKey(SECOND)));
    massive.bucket.objects.set(dayKey(SECOND), whole.subarray(0, -9));
  };
  it.each<[string, () => void, RegExp]>([
    ['the plan', () => failFile(SECOND, { status: 403, code: 'AccessDenied' }), /403 AccessDenied: the plan does not/],
    ['a file that is gone', () => failFile(SECOND, { status: 404, code: 'NoSuchKey' }), /404 NoSuchKey: there is no/],
    ['a gzip that ends early', truncated, /02.csv.gz:\d+: the file cannot be read: .*unexpected end of file/],
    ['no gzip', () => massive.bucket.objects.set(dayKey(SECOND), Buffer.from('a,b')), /incorrect header check/],
    ['a header alone', () => massive.putFile(dayKey(SECOND), []), /02.csv.gz: the file has no rows/],
    [
      'other columns',
      () => massive.putFile(dayKey(SECOND), linesOf(SECOND), 'symbol,volume,open,close,high,low,time,n'),
      /the header lacks ticker, window_start; it must name ticker,volume,open,close,high,low,window_start/,
    ],
  ])('of one file does not affect the others: %s', async (_, breakIt, message) => {
    breakIt();
    const job = await load('daily_bars');
    expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(message) });
    expect(job.error).toMatch(/^1 of 4 units could not be loaded whole, the others are/);
    expect(await storedBars()).toEqual(expectedBars([FIRST, THIRD, FOURTH]));
  });

  it('of the keys fails the job at once', async () => {
    const wrong = provider({ flatFiles: { ...massive.settings.flatFiles, secretAccessKey: 'another' } });
    const job = await load('daily_bars', wrong);
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/403 SignatureDoesNotMatch: MASSIVE_S3/),
    });
    expect(filesRead()).toEqual([]);
  });
});

describe('a failure of the lists', () => {
  const json = (status: number, body: object, headers = {}): RestFault => ({
    status,
    body: JSON.stringify(body),
    headers,
  });
  /** Answers some calls of the second page of a list with a fault. */
  function failSecondPage(path: string, fault: RestFault, times = Infinity): void {
    let failed = 0;
    massive.intercept = (call) =>
      call.path === path && call.query.cursor === '2-true' && failed++ < times ? fault : undefined;
  }
  const TICKERS_PATH = '/v3/reference/tickers';

  it.each<[string, RestFault]>([
    ['429 with Retry-After', json(429, { status: 'ERROR', error: 'Too many' }, { 'retry-after': '0.01' })],
    ['429 with a date', json(429, { status: 'ERROR' }, { 'retry-after': new Date().toUTCString() })],
    ['429 without', json(429, { status: 'ERROR', error: 'You have exceeded the maximum requests per minute' })],
    ['502 as HTML', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a broken connection', 'drop'],
  ])('that is transient is retried: %s', async (_, fault) => {
    failSecondPage(TICKERS_PATH, fault, 3);
    expect((await load('symbols')).status).toBe('ok');
    const asked = massive.calls.filter(({ query }) => query.cursor === '2-true');
    expect(asked).toHaveLength(4);
  });

  it.each<[string, RestFault, RegExp]>([
    [
      'the plan',
      json(403, { status: 'NOT_AUTHORIZED', request_id: 'r-1', message: 'Upgrade your plan' }),
      /^\/v3\/reference\/tickers: 403 NOT_AUTHORIZED \(request r-1\)$/,
    ],
    ['half an answer', 'half', /the answer cannot be read/],
    ['pages in a circle', 'circle', /page 2 names an earlier one as the next/],
    ['429 again and again', json(429, { status: 'ERROR', error: 'Too many' }), /429 ERROR$/],
  ])('changes nothing: %s', async (_, fault, message) => {
    await load('symbols');
    massive.rows = { ...massive.rows, [TICKERS_PATH]: TICKERS.slice(0, 4) };
    failSecondPage(TICKERS_PATH, fault);
    const job = await load('symbols');
    expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(message) });
    const { rows } = await database.pool.query('select count(*)::int as n from instruments');
    expect(rows).toEqual([{ n: 9 }]);
  });

  it('of the key stops all calls for a while', async () => {
    const wrong = provider({ rest: { ...massive.settings.rest, apiKey: 'wrong' } });
    expect((await load('symbols', wrong)).error).toMatch(/401 ERROR \(request [\w-]+\); MASSIVE_API_KEY is refused$/);
    await expect(wrong.check()).rejects.toThrow('401');
    expect(massive.calls).toHaveLength(1);
  });
});

it('maps tickers to the form of the service and back', () => {
  const pairs = { 'BRK.B': 'BRK.B', BACpL: 'BAC-L', BACp: 'BAC.PR', XYZr: 'XYZ.RT', XYZw: 'XYZ.WI', 'A.WS': 'A.WS' };
  for (const [vendor, ours] of Object.entries(pairs)) {
    expect([tickerOf(vendor), vendorTickerOf(ours)]).toEqual([ours, vendor]);
  }
  expect(['ABCpAw', 'aapl', '', 'TOOLONGATICKERNAME'].map(tickerOf)).toEqual([null, null, null, null]);
});
