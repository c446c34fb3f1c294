/** Every answer over a range with missing sessions says so. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import {
  finishSyncJob,
  insertSyncJob,
  reopenSyncJob,
  startSyncJob,
  updateSyncProgress,
} from '../../../db/queue/sync-jobs.ts';
import { isSession, sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { syncDailyBars } from '../../../jobs/sync/daily-bars.ts';
import { runSync } from '../../../jobs/sync/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, newAddress, newEmail } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder, runSyncJob } from '../../support/market-folder.ts';
import { endProcess, startProcess } from '../../support/processes.ts';
import { untilServed } from '../../support/sync-jobs.ts';

const NOW = Date.parse('2025-01-02T17:00:00Z');
const day = requireDay;
const SESSIONS = sessionsBetween(day('2024-01-02'), day('2024-12-31')).map(formatDay);
const FIRST_CONSOLIDATED = '2024-07-01';
const fileOf = (date: string) => `daily/${date < FIRST_CONSOLIDATED ? 'primary_session' : 'consolidated'}/${date}.csv`;
const rowOf = (symbol: string, date: string) => {
  const price = 10 + (SESSIONS.indexOf(date) % 20);
  return `${symbol},${date},${price},${price + 1},${price - 1},${price},100`;
};
/** The symbols that trade on a session: THIN1 and THIN3 leave out 1 and 3 of the 99 before August's last. */
const symbolsOn = (date: string) => {
  const at = SESSIONS.indexOf(date);
  const symbols = ['FULL'];
  if (at !== 100) symbols.push('THIN1');
  if (![100, 110, 120].includes(at)) symbols.push('THIN3');
  if (date >= '2024-09-03') symbols.push('NEW');
  return symbols;
};
const rowsOf = (date: string) => symbolsOn(date).map((symbol) => `${rowOf(symbol, date)}\n`);
const sound = (date: string) => `${BARS_HEADER}${rowsOf(date).join('')}`;
/** More lines are malformed than a file may have. */
const broken = (date: string) =>
  BARS_HEADER + Array.from({ length: 12 }, (_, i) => `FULL,${date},1,0,2,1,${i}\n`).join('');

const HOLES = [
  '2024-03-04',
  '2024-03-05',
  '2024-03-06',
  '2024-03-07',
  '2024-03-08',
  '2024-07-01',
  '2024-07-02',
  '2024-10-14',
];

/** Ranges of sessions on one venue basis between those with a separate file. */
function unbrokenRuns(apart: readonly string[]): string[][] {
  const runs: string[][] = [[]];
  for (const date of SESSIONS) {
    if (apart.includes(date) || date === FIRST_CONSOLIDATED) runs.push([]);
    if (!apart.includes(date)) runs.at(-1)?.push(date);
  }
  return runs.filter((run) => run.length > 0);
}

class Market {
  readonly database: TestDatabase;
  readonly folder: MarketFolder;
  readonly api: TestApi;
  private readonly worker: ChildProcess;

  private constructor(database: TestDatabase, folder: MarketFolder, api: TestApi, worker: ChildProcess) {
    this.database = database;
    this.folder = folder;
    this.api = api;
    this.worker = worker;
  }

  /** A folder in which the files of some sessions are malformed; only the instruments are loaded. */
  static async open(malformed: readonly string[] = []): Promise<Market> {
    const database = await createTestDatabase();
    const folder = createMarketFolder({
      'symbols.csv': 'symbol,listed_on\nFULL,2001-01-02\nTHIN1,2001-01-02\nTHIN3,\nNEW,2024-09-03\n',
    });
    for (const date of malformed) folder.write(fileOf(date), broken(date));
    for (const dates of unbrokenRuns(malformed)) {
      folder.write(fileOf(dates[0]).replace('.csv', '-on.csv'), `${BARS_HEADER}${dates.flatMap(rowsOf).join('')}`);
    }
    await runSyncJob(database.pool, folder.provider(NOW), 'symbols');
    const api = await openTestApi({
      database,
      provider: folder.provider(NOW),
      storage: openStorage({ folder: join(folder.path, 'objects') }),
      now: () => NOW,
      realCallers: true,
    });
    const worker = await startProcess('worker', {
      DATABASE_URL: database.url,
      DATA_DIR: folder.path,
      PROVIDER: 'files',
      PROVIDER_DIR: folder.path,
      FIXED_NOW: new Date(NOW).toISOString(),
      WORKER_SLOTS: '2',
    });
    return new Market(database, folder, api, worker);
  }

  async load(request: Parameters<typeof runSyncJob>[3] = {}) {
    const job = await runSyncJob(this.database.pool, this.folder.provider(NOW), 'daily_bars', request);
    await untilServed(this.api);
    return job;
  }

  /** Retries a failed load, as a worker does after `sync retry`. */
  async retry(id: number): Promise<void> {
    const { pool } = this.database;
    await reopenSyncJob(pool, id, crypto.randomUUID());
    await runSync(testJobContext({ pool, provider: async () => this.folder.provider(NOW) }), id, syncDailyBars);
  }

  /** Records a load that waits for a worker. */
  async recordLoad(request: object): Promise<number> {
    const job = { jobType: 'daily_bars', request, requestedBy: 'test', requestId: null } as const;
    return required(await insertSyncJob(this.database.pool, { ...job, queueJobId: crypto.randomUUID() }));
  }

  run(body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.api.post(
      '/v1/backtest',
      { symbol: 'FULL', strategy: 'buy_hold', include_klines: false, include_equity: false, ...body },
      { 'x-forwarded-for': newAddress(), ...headers },
    );
  }

  kline(query: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.api.get(`/v1/kline/FULL?${query}`, { 'x-forwarded-for': newAddress(), ...headers });
  }

  async close(): Promise<void> {
    await endProcess(this.worker, 'SIGTERM');
    await this.api.close();
    await this.database.drop();
    this.folder.remove();
  }
}

const noteCodes = ({ body }: Response) =>
  body.data.notes.map(({ code, level }: { code: string; level: string }) => `${code} ${level}`);
const noteOf = ({ body }: Response, wanted: string) =>
  body.data.notes.find(({ code }: { code: string }) => code === wanted)?.message;

let market: Market;
const openBefore = (prepare: () => Promise<Market>) =>
  beforeAll(async () => {
    market = await prepare();
  }, deadline(60_000));

describe('a history with missing sessions', () => {
  openBefore(async () => {
    const opened = await Market.open(HOLES);
    await opened.load();
    return opened;
  });
  afterAll(() => market.close());

  it('is reported by a backtest across a gap', async () => {
    const across = await market.run({ start: '2024-02-01', end: '2024-05-31' });
    expect(across.body.data.data_range).toEqual({
      actual_start: '2024-02-01',
      actual_end: '2024-05-31',
      bars: sessionsBetween(day('2024-02-01'), day('2024-05-31')).length - 5,
      truncated: false,
      missing_sessions: { count: 5, ranges: [{ start: '2024-03-04', end: '2024-03-08' }] },
      missing_bars: 0,
      prices: 'as_traded',
    });
    expect(noteCodes(across)).toEqual([
      'no_cost_model info',
      'mixed_session_source warning',
      'incomplete_history warning',
      'few_trades info',
      'short_track_record info',
      'capacity warning',
    ]);
    expect(noteOf(across, 'incomplete_history')).toBe(
      'Sessions in the range that were not loaded at the time of the computation: 5. The result omits them.',
    );
    const chinese = await market.run({ start: '2024-02-01', end: '2024-05-31' }, { 'accept-language': 'zh-TW' });
    expect(noteOf(chinese, 'incomplete_history')).toBe('計算時此區間內有5個交易日尚未載入，結果不包含這些交易日。');
  });

  it('is not reported for ranges without the gap', async () => {
    const beside = await market.run({ start: '2024-04-01', end: '2024-06-28', cost: {} });
    expect(beside.body.data.data_range).toMatchObject({ truncated: false, missing_sessions: { count: 0, ranges: [] } });
    expect(noteCodes(beside)).toEqual([
      'mixed_session_source warning',
      'few_trades info',
      'short_track_record info',
      'capacity warning',
    ]);
  });

  it('is the reason if a range begins or ends in a gap', async () => {
    const { data_range: begins } = (await market.run({ start: '2024-03-05', end: '2024-04-30' })).body.data;
    expect(begins).toMatchObject({
      actual_start: '2024-03-11',
      truncated: true,
      reason_codes: ['not_loaded'],
      hints: ['Sessions at one end of the range are not loaded. The bars cover 2024-03-11 to 2024-04-30.'],
      missing_sessions: { count: 4, ranges: [{ start: '2024-03-05', end: '2024-03-08' }] },
    });
    const { data_range: ends } = (await market.run({ start: '2024-05-01', end: '2024-07-02' })).body.data;
    expect(ends).toMatchObject({
      actual_end: '2024-06-28',
      reason_codes: ['not_loaded'],
      missing_sessions: { count: 2, ranges: [{ start: '2024-07-01', end: '2024-07-02' }] },
    });
  });

  it('affects an instrument only while it is listed', async () => {
    const { data_range } = (await market.run({ symbol: 'NEW', start: '2024-02-01' })).body.data;
    expect(data_range).toMatchObject({
      reason_codes: ['before_listing'],
      missing_sessions: { count: 1, ranges: [{ start: '2024-10-14', end: '2024-10-14' }] },
    });
  });

  it('is reported by an optimization', async () => {
    const person = await addPerson(market.api, newEmail(), { plan: 'enterprise' });
    const request = { symbol: 'FULL', strategy: 'sma_cross', start: '2024-02-01', end: '2024-05-31' };
    const grid = { fast_period: [3, 5], slow_period: [10] };
    const { body } = await market.api.post('/v1/optimize', { ...request, grid }, person.program);
    const done = await eventually(
      () => market.api.get(`${body.data.location}?wait=10`, person.program),
      (state) => state.body.data.status === 'done',
    );
    const { result } = done.body.data;
    expect(result.data_range).toMatchObject({ truncated: false, missing_sessions: { count: 5 }, missing_bars: 0 });
    expect(result.notes.map(({ code }: { code: string }) => code)).toContain('incomplete_history');
  });

  it('counts loaded sessions without a bar, and notes them above 2 %', async () => {
    const range = { start: '2024-04-01', end: '2024-08-20', cost: {} };
    const [full, thin1, thin3] = await Promise.all(
      ['FULL', 'THIN1', 'THIN3'].map((symbol) => market.run({ symbol, ...range })),
    );
    expect([full, thin1, thin3].map(({ body }) => body.data.data_range.missing_bars)).toEqual([0, 1, 3]);
    const codes = [full, thin1, thin3].map((one) => noteCodes(one).includes('missing_bars info'));
    expect(codes).toEqual([false, false, true]);
    expect(noteOf(thin3, 'missing_bars')).toMatch(/no bar: 3\.$/);
  });

  it('is not stated for results that were kept before it was checked', async () => {
    const person = await addPerson(market.api);
    const { id } = (await market.run({ start: '2024-02-01', end: '2024-05-31' }, person.program)).body.data;
    const kept = () => market.api.get(`/api/backtest/${id}`, person.console);
    expect((await kept()).body.data.data_range.missing_sessions.count).toBe(5);
    await market.database.pool.query(
      `update backtests set summary = (summary::jsonb #- '{data_range,missing_sessions}' #- '{data_range,missing_bars}')::json
       where id = $1`,
      [id],
    );
    const { status, body } = await kept();
    expect(status).toBe(200);
    const told = ['actual_end', 'actual_start', 'bars', 'prices', 'truncated'];
    expect(Object.keys(body.data.data_range).sort()).toEqual(told);
  });

  it('is reported by candles, single and in a batch', async () => {
    const { body } = await market.kline('start=2024-07-01');
    const expected = {
      missing_sessions: {
        count: 3,
        ranges: [
          { start: '2024-07-01', end: '2024-07-02' },
          { start: '2024-10-14', end: '2024-10-14' },
        ],
      },
      notes: [
        {
          code: 'incomplete_history',
          level: 'warning',
          message: 'Sessions in the range that are not loaded: 3. The candles omit them.',
        },
      ],
    };
    expect(body.data).toMatchObject({
      ...expected,
      data_range: { actual_start: '2024-07-03', truncated: true, reason_codes: ['not_loaded'] },
    });
    const batch = await market.api.post(
      '/v1/batch',
      { symbols: ['FULL', 'NEW'], type: 'kline', days: 1000 },
      { 'x-forwarded-for': newAddress() },
    );
    expect(batch.body.data.results['FULL.US']).toMatchObject(expected);
    expect(batch.body.data.results['NEW.US'].missing_sessions.count).toBe(1);
    for (const query of ['start=2024-11-01', 'days=20', 'start=2024-08-01&end=2024-10-11']) {
      expect((await market.kline(query)).body.data).toMatchObject({
        missing_sessions: { count: 0, ranges: [] },
        notes: [],
      });
    }
    expect((await market.kline('start=2024-07-01&end=2024-07-02')).body.data).toMatchObject({
      count: 0,
      missing_sessions: { count: 2 },
      data_range: {
        reason_codes: ['not_loaded'],
        hints: ['Some sessions in the range are not loaded, and the others have no bars.'],
      },
    });
  });

  it('is reported as being loaded while a load runs, in cached candles and kept results', async () => {
    const loading = 'They are being loaded now.';
    const reported = async () => [
      noteOf(await market.kline('start=2024-10-01'), 'incomplete_history').includes(loading),
      noteOf(await market.run({ start: '2024-10-01' }), 'incomplete_history').includes(loading),
      (await market.api.get('/api/meta')).body.data.loading,
    ];
    expect(await reported()).toEqual([false, false, []]);
    const id = await market.recordLoad({ venue_mode: 'consolidated', start: '2024-10-14', end: '2024-10-14' });
    expect(await eventually(reported, ([kline]) => kline === true)).toEqual([
      true,
      true,
      [{ basis: 'consolidated', progress_pct: 0 }],
    ]);
    const { pool } = market.database;
    await startSyncJob(pool, id);
    await updateSyncProgress(pool, id, { progressPct: 41.26, rowsWritten: 0, rowsRejected: {} });
    await eventually(reported, ([, , running]) => running[0].progress_pct === 41.3);
    const elsewhere = noteOf(await market.run({ start: '2024-07-01', end: '2024-07-31' }), 'incomplete_history');
    expect(elsewhere).not.toContain(loading);
    await finishSyncJob(pool, id);
    expect(await eventually(reported, ([kline]) => kline === false)).toEqual([false, false, []]);
  });
});

describe('a gap that is filled', () => {
  let loadId: number;
  openBefore(async () => {
    const opened = await Market.open(HOLES);
    loadId = (await opened.load()).id;
    return opened;
  });
  afterAll(() => market.close());

  it('is no longer reported once the files are repaired and the load is retried', async () => {
    const request = { start: '2024-02-01', end: '2024-05-31', strategy: 'donchian' };
    const before = await market.run(request);
    const again = await market.run(request);
    expect([before, again].map(({ body }) => body.data.cached)).toEqual([false, true]);
    expect(again.body.data.data_range).toEqual(before.body.data.data_range);
    expect((await market.kline('start=2024-07-01')).body.data.missing_sessions.count).toBe(3);
    for (const date of HOLES) market.folder.write(fileOf(date), sound(date));
    await market.retry(loadId);
    const whole = await market.run(request);
    expect(whole.body.data).toMatchObject({
      cached: false,
      data_range: { missing_sessions: { count: 0, ranges: [] } },
    });
    expect(noteCodes(whole)).not.toContain('incomplete_history warning');
    const kline = await eventually(
      () => market.kline('start=2024-07-01'),
      ({ body }) => body.data.missing_sessions.count === 0,
    );
    expect(kline.body.data).toMatchObject({ notes: [], data_range: { truncated: false } });
  });
});

describe('the first load', () => {
  openBefore(() => Market.open());
  afterAll(() => market.close());

  it('is reported, before any session is loaded and while they are being loaded', async () => {
    // A load of one symbol records what is published, but completes no session.
    await market.load({ venue_mode: 'consolidated', symbols: ['NEW'] });
    await market.load({ venue_mode: 'primary_session', symbols: ['NEW'] });
    const nothing = await market.run({ start: '2024-02-01', end: '2024-05-31' });
    expect(nothing.body).toMatchObject({
      code: 400,
      key: 'error.no_bars_in_range',
      message: 'There are no bars for FULL.US in the range. Sessions in the range that are not loaded: 84.',
    });
    expect((await market.run({ symbol: 'NEW', time_range: 'MAX' })).body.data.data_range.missing_sessions).toEqual({
      count: SESSIONS.filter((date) => date >= '2024-09-03').length,
      ranges: [{ start: '2024-09-03', end: '2024-12-31' }],
    });

    await market.load({ venue_mode: 'primary_session', start: '2024-01-02', end: '2024-03-28' });
    const partly = await market.run({ time_range: '1Y' });
    expect(partly.body.data.data_range).toMatchObject({
      actual_end: '2024-03-28',
      truncated: true,
      reason_codes: ['before_data_start', 'not_loaded'],
      missing_sessions: {
        count: SESSIONS.filter((date) => date > '2024-03-28').length,
        ranges: [{ start: '2024-04-01', end: '2024-12-31' }],
      },
    });
    expect(noteCodes(partly)).toContain('incomplete_history warning');

    await market.load({ venue_mode: 'consolidated', start: '2024-11-01', end: '2024-12-31' });
    const later = await market.run({ time_range: '6M' });
    expect(later.body.data.data_range).toMatchObject({
      actual_start: '2024-11-01',
      reason_codes: ['not_loaded'],
      missing_sessions: { ranges: [{ start: '2024-07-01', end: '2024-10-31' }] },
    });
    // The API is notified a moment after the load has ended.
    const candles = await eventually(
      () => market.kline('days=250'),
      ({ status }) => status === 200,
    );
    expect(candles.body.data.missing_sessions).toMatchObject({
      ranges: [{ start: '2024-07-01', end: '2024-10-31' }],
    });

    await market.load();
    const whole = await market.run({ time_range: 'MAX' });
    expect(whole.body.data.data_range).toMatchObject({
      bars: SESSIONS.length,
      truncated: false,
      missing_sessions: { count: 0 },
    });
    expect(SESSIONS.every((date) => isSession(day(date)))).toBe(true);
  });
});
