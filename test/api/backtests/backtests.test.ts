/** Backtests over HTTP, through the queue, in real worker processes. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Response } from 'supertest';
import supertest from 'supertest';
import { portOf } from '../../../api/server/port-of.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { required } from '../../../engine/util/values.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { removeBacktestOrphans } from '../../../jobs/worker/remove-orphans.ts';
import { backtestKey, backtestPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, changeAccess, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { loadEverything, runSyncJob } from '../../support/market-folder.ts';
import { endProcess } from '../../support/processes.ts';
import { runJobOf } from '../../support/run-jobs.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const silent = pino({ level: 'silent' });
const outcome = ({ status, body }: Response) => [status, body.key];

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let other: TestApi;

/** The clocks of the processes differ by a second. */
async function open(options: { backtestWaitMs?: number } = {}): Promise<TestApi> {
  return openTestApi({ database, provider, storage, now: () => NOW + 1_000, realCallers: true, ...options });
}

function startWorker(env: Record<string, string> = {}): Promise<ChildProcess> {
  return startSampleWorker({ database, folder: directory, now: NOW }, { WORKER_SLOTS: '2', ...env });
}

async function prepare(load: (pool: TestDatabase['pool']) => Promise<unknown>): Promise<void> {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-backtests-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  await load(database.pool);
  [api, other] = [await open(), await open()];
}
async function cleanUp(): Promise<void> {
  await Promise.all([api.close(), other.close()]);
  await database.drop();
  rmSync(directory, { recursive: true });
}

const guest = () => ({ 'x-forwarded-for': newAddress() });
const stored = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
};

describe('with workers', () => {
  let worker: ChildProcess;
  beforeAll(async () => {
    await prepare((pool) => loadEverything(pool, provider));
    worker = await startWorker();
  });
  afterAll(async () => {
    await endProcess(worker, 'SIGTERM');
    await cleanUp();
  });

  const run = (body: object, headers: Record<string, string> = guest()) => api.post('/v1/backtest', body, headers);
  /** The data without what may differ between two runs of the same order. */
  const figuresOf = ({ body }: Response) => {
    const { id: _, created_at: _at, cached: _cached, selection: _selection, receipt, ...figures } = body.data;
    const { data_version: _version, ...digests } = receipt;
    expect(digests).not.toHaveProperty('computed_at');
    return JSON.stringify({ ...figures, digests });
  };

  describe('POST /v1/backtest', () => {
    it('answers with the full result, and keeps nothing for a guest', async () => {
      const { status, body, headers } = await run({ symbol: 'acrx' });
      expect([status, headers['x-ratelimit-limit']]).toEqual([200, '5']);
      expect(body.data).toMatchObject({
        id: null,
        symbol: 'ACRX.US',
        strategy: 'chandelier',
        time_range: '1Y',
        adjust: 'split',
        venue_mode: 'consolidated',
        engine_version: '2.0.0',
        start_date: '2023-09-05',
        end_date: '2024-09-03',
        cost: { commission_rate: 0, min_commission: 0, slippage_bps: 0, initial_capital: 100_000, execute_on: 'close' },
        data_freshness: { distribution_mode: 'eod_only', as_of: '2024-09-03', delayed: true },
        params: {
          sma_period: 50,
          atr_period: 22,
          entry_mult: 0.5,
          exit_mult: 3,
          entry_mode: 'band',
          trail_mode: 'high',
        },
        data_range: { actual_start: '2023-09-05', actual_end: '2024-09-03', truncated: false },
      });
      expect(body.data.notes.map((note: { code: string }) => note.code)).toEqual([
        'no_cost_model',
        'mixed_session_source',
        'few_trades',
        'short_track_record',
        'capacity',
      ]);
      expect(body.data.klines).toHaveLength(body.data.data_range.bars);
      expect(body.data.equity.at(-1)).toMatchObject({ ts: '2024-09-03', equity: body.data.final_equity });
      expect(body.data.trades).toHaveLength(body.data.num_trades);
      expect((await database.pool.query('select count(*)::int as n from backtests')).rows[0].n).toBe(0);
    });

    it('gives the same result in its flat, nested, and params form; params take precedence', async () => {
      const common = { symbol: 'ACRX', strategy: 'sma_cross', execute_on: 'next_open', cost: { slippage_bps: 5 } };
      const first = await run({ ...common, time_range: '6M', fast_period: 5, slow_period: 15 });
      const second = await run({
        ...common,
        time_range: '6M',
        fast_period: 9,
        params: { fast_period: 5, slow_period: 15 },
      });
      const third = await api.post(
        '/api/backtest/run',
        {
          symbol: 'ACRX.US',
          strategy: 'sma_cross',
          range: { time_range: '6M' },
          params: { slow_period: 15, fast_period: 5 },
          execution: { execute_on: 'next_open', cost: { slippage_bps: 5 } },
        },
        guest(),
      );
      const fourth = await api.post(
        '/api/backtest',
        { ...common, time_range: '6M', params: { fast_period: 5, slow_period: 15 } },
        guest(),
      );
      for (const same of [second, third, fourth]) expect(figuresOf(same)).toBe(figuresOf(first));
      expect(first.body.data.cached).toBe(false);
      expect([second, third, fourth].map(({ body }) => body.data.cached)).toEqual([true, true, true]);
      expect(first.body.data.params).toMatchObject({ fast_period: 5, slow_period: 15 });
    });

    it('omits the parts that are not requested', async () => {
      const { body } = await run({
        symbol: 'ACRX',
        include_klines: false,
        include_trades: false,
        include_equity: false,
      });
      expect(body.data).not.toHaveProperty('klines');
      expect(body.data).not.toHaveProperty('trades');
      expect(body.data).not.toHaveProperty('equity');
      const nested = await api.post(
        '/api/backtest/run',
        { symbol: 'ACRX', include: { klines: false, equity: false } },
        guest(),
      );
      expect(Object.keys(nested.body.data).filter((key) => ['klines', 'trades', 'equity'].includes(key))).toEqual([
        'trades',
      ]);
    });

    it('reuses a result only while data and specification are the same', async () => {
      const body = { symbol: 'ACRX', strategy: 'donchian', time_range: '2Y' };
      const first = await run(body);
      const [again, otherwise] = [await run(body), await run({ ...body, execute_on: 'next_open' })];
      expect([first, again, otherwise].map((r) => r.body.data.cached)).toEqual([false, true, false]);
      expect(figuresOf(again)).toBe(figuresOf(first));
      await bumpDataVersion(database.pool, 'bars');
      const later = await run(body);
      expect(later.body.data.cached).toBe(false);
      expect(figuresOf(later)).toBe(figuresOf(first));
    });

    it('counts a time range back from its end', async () => {
      const { body } = await run({ symbol: 'ACRX', end: '2023-01-01' });
      expect(body.data).toMatchObject({ time_range: '1Y', start_date: '2021-12-30', end_date: '2022-12-30' });
    });

    it('reports gaps in the data in the language of the caller', async () => {
      const early = await run(
        { symbol: 'ACRX', start: '2010-01-04', end: '2030-01-01', lang: undefined },
        { ...guest(), 'accept-language': 'zh-CN' },
      );
      expect(early.body.data).toMatchObject({
        time_range: 'CUSTOM',
        data_range: {
          actual_start: '2015-01-02',
          truncated: true,
          reason_codes: ['before_data_start', 'after_data_end'],
          hints: ['起始日期早于数据起点，实际从2015-01-02开始。', '结束日期晚于数据终点，实际到2024-09-03为止。'],
        },
      });
      const consolidated = await run({ symbol: 'ACRX', start: '2024-07-01', cost: {} });
      expect(consolidated.body.data.start_date).toBe('2024-07-01');
      const codes = consolidated.body.data.notes.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(['few_trades', 'short_track_record', 'capacity']);
      const none = await run({ symbol: 'ACRX', start: '2001-01-01', end: '2001-02-01' });
      expect(outcome(none)).toEqual([400, 'error.no_bars_in_range']);
    });

    it('runs on the history of a delisted instrument to its end', async () => {
      const { rows } = await database.pool.query(
        `select symbol, delisted_on from instruments where delisted_on is not null and delisted_on < '2024-06-01'
           and exists (select from daily_bars b where b.instrument_id = id and basis = 3) limit 1`,
      );
      const { body } = await run({ symbol: rows[0].symbol, strategy: 'buy_hold', time_range: 'MAX' });
      expect(body.data.trades.at(-1).exit_reason).toBe('delisted');
      expect(body.data.end_date <= rows[0].delisted_on).toBe(true);
    });

    it.each([
      [{}, 422, 'error.validation_failed'],
      [{ symbol: 'NOPE' }, 404, 'error.symbol_not_found'],
      [{ symbol: 'AAPL.HK' }, 400, 'error.market_not_open'],
      [{ symbol: 'A CRX' }, 400, 'error.invalid_symbol'],
      [{ symbol: 'ACRX', strategy: 'astrology' }, 400, 'error.invalid_strategy'],
      [{ symbol: 'ACRX', time_range: '9Y' }, 400, 'error.invalid_time_range'],
      [{ symbol: 'ACRX', start: '2024-02-30' }, 400, 'error.invalid_date'],
      [{ symbol: 'ACRX', start: '2024-03-01', end: '2024-02-01' }, 400, 'error.invalid_date_range'],
      [{ symbol: 'ACRX', execute_on: 'open' }, 400, 'error.invalid_execute_on'],
      [{ symbol: 'ACRX', adjust: 'forward' }, 400, 'error.invalid_backtest_adjust'],
      [{ symbol: 'ACRX', venue_mode: 'single_venue' }, 400, 'error.venue_mode_refused'],
      [{ symbol: 'ACRX', cost: { commission_rate: 2 } }, 422, 'error.validation_failed'],
      [{ symbol: 'ACRX', cost: { tax: 1 } }, 422, 'error.validation_failed'],
      [{ symbol: 'ACRX', include_klines: 'yes' }, 422, 'error.validation_failed'],
      [{ symbol: 'ACRX', params: [] }, 422, 'error.validation_failed'],
    ])('refuses %j', async (body, status, key) => {
      expect(outcome(await run(body))).toEqual([status, key]);
    });

    it('lists the allowed adjustments', async () => {
      const { body } = await run({ symbol: 'ACRX', adjust: 'forward' });
      expect(body.message).toBe('"forward" is not a valid adjustment for backtests. Allowed: split, none, total.');
    });

    it.each([
      [{ params: { sma_period: 1 } }, ['body', 'params', 'sma_period']],
      [{ sma_period: 1 }, ['body', 'sma_period']],
      [{ params: { fast_period: 5 } }, ['body', 'params', 'fast_period']],
      [{ colour: 'red' }, ['body', 'colour']],
      [{ params: { __proto__: null, constructor: 1 } }, ['body', 'params', 'constructor']],
      [{ strategy: 'sma_cross', params: { fast_period: 60 } }, ['body', 'params', 'fast_period']],
    ])('says where the parameter is wrong in %j', async (change, loc) => {
      const { status, body } = await run({ symbol: 'ACRX', ...change });
      expect([status, body.detail[0].loc]).toEqual([422, loc]);
    });
  });

  describe('a kept backtest', () => {
    let person: Person;
    let stranger: Person;
    let id: number;
    let first: Response;
    beforeAll(async () => {
      [person, stranger] = [await addPerson(api), await addPerson(api)];
      first = await run(
        { symbol: 'ACRX', strategy: 'sma_cross', fast_period: 5, slow_period: 20, time_range: '3Y' },
        person.program,
      );
      id = first.body.data.id;
    });

    it('can be read in full, in parts, and in the history', async () => {
      expect(id).toBeGreaterThan(0);
      const whole = await api.get(`/api/backtest/${id}`, person.console);
      expect(whole.body).toEqual(first.body);
      const parts = (await api.get(`/v1/backtests/${id}?include_klines=true`, person.program)).body.data;
      expect(parts.trades).toEqual(first.body.data.trades);
      expect(parts.klines).toEqual(first.body.data.klines);
      expect(parts).not.toHaveProperty('equity');
      const history = (await api.get('/v1/backtests', person.program)).body.data;
      expect(history).toMatchObject({ total: 1, page: 1, page_size: 20 });
      expect(history.items[0]).toMatchObject({
        id,
        symbol: 'ACRX.US',
        num_trades: first.body.data.num_trades,
        shared: false,
        slug: null,
      });
      expect(history.items[0]).not.toHaveProperty('params');
      expect((await api.get('/api/backtest/history?page=2&page_size=1', person.console)).body.data).toEqual({
        total: 1,
        page: 2,
        page_size: 1,
        items: [],
      });
      const locale = (await api.get(`/api/backtest/${id}?locale=zh-Hant`, person.console)).body.data;
      expect(locale.disclaimer).toContain('投資建議');
      expect((await api.get('/api/account/plan', person.console)).body.data.usage).toEqual({
        api_keys: 1,
        backtests_saved: 1,
        backtests_running: 0,
        watches: 0,
      });
    });

    it('cannot be read by others', async () => {
      for (const response of [
        await api.get(`/api/backtest/${id}`, stranger.console),
        await api.get(`/v1/backtests/${id}`, stranger.program),
        await api.delete(`/api/backtest/${id}`, undefined, stranger.console),
        await api.post(`/api/backtest/${id}/share`, {}, stranger.console),
        await api.get(`/api/backtest/${id}/export`, stranger.console),
        await api.get('/api/backtest/999999', person.console),
      ]) {
        expect(outcome(response)).toEqual([404, 'error.not_found']);
      }
    });

    it('is not kept if the caller does not request it', async () => {
      const unsaved = await run({ symbol: 'ACRX', save: false }, person.program);
      expect(unsaved.body.data.id).toBeNull();
    });

    it('is shared by a link that stays the same, and revoked at once', async () => {
      const share = (body: object) => api.post(`/api/backtest/${id}/share`, body, person.console);
      const { slug, url, api_url, shared } = (await share({})).body.data;
      expect([shared, slug]).toEqual([true, expect.stringMatching(/^[A-Za-z0-9_-]{12}$/)]);
      expect([url, api_url]).toEqual([`http://test/r/${slug}`, `http://test/api/backtest/shared/${slug}`]);
      const seen = await other.get(`/api/backtest/shared/${slug}`, guest());
      expect(seen.body.data).toEqual({ ...first.body.data, id: null });
      expect((await share({ shared: false })).body.data).toEqual({ slug, shared: false, url: null, api_url: null });
      expect((await other.get(`/api/backtest/shared/${slug}`, guest())).status).toBe(404);
      expect((await share({ shared: true })).body.data.slug).toBe(slug);
      expect((await other.get('/api/backtest/shared/nope', guest())).status).toBe(422);
      expect((await other.get('/api/backtest/shared/unknown-slug', guest())).status).toBe(404);
    });

    it('is exported as CSV for spreadsheets', async () => {
      const download = (query: string) =>
        supertest(api.app).get(`/api/backtest/${id}/export?${query}`).set(person.console);
      const trades = await download('locale=zh-CN');
      expect(trades.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(trades.headers['content-language']).toBe('zh-CN');
      expect(trades.headers['content-disposition']).toBe(
        `attachment; filename="backtest-${id}-ACRX.US-sma_cross-trades.csv"`,
      );
      const lines = trades.text.split('\r\n');
      expect(lines[0].startsWith('\uFEFF序号,入场日期,')).toBe(true);
      expect(lines).toHaveLength(1 + first.body.data.trades.length);
      const [trade] = first.body.data.trades;
      expect(lines[1].split(',').slice(0, 5)).toEqual([
        '1',
        trade.entry_date,
        String(trade.entry_price),
        trade.exit_date,
        String(trade.exit_price),
      ]);
      // A negative number stays a number.
      expect(trades.text).not.toContain("'-");
      expect((await download('kind=equity')).text.split('\r\n')).toHaveLength(1 + first.body.data.equity.length);
      expect((await download('kind=klines')).text).toContain('Date,Open,High,Low,Close,Volume\r\n');
      expect((await download('format=xlsx')).body.key).toBe('error.invalid_format');
      expect((await download('kind=all')).status).toBe(422);
    });

    it('is replaced by a new one when the quota of the plan is full', async () => {
      const cap = 20;
      const { rows } = await database.pool.query('select summary from backtests where id = $1', [id]);
      await database.pool.query(
        `insert into backtests (user_id, created_at, is_cached, summary) select $1, now(), false, $2 from generate_series(2, $3)`,
        [person.id, rows[0].summary, cap],
      );
      const newest = await run({ symbol: 'ACRX', strategy: 'buy_hold' }, person.program);
      const { rows: kept } = await database.pool.query('select id from backtests where user_id = $1 order by id', [
        person.id,
      ]);
      expect(kept).toHaveLength(cap);
      expect(kept.at(-1).id).toBe(newest.body.data.id);
      expect((await api.get(`/api/backtest/${id}`, person.console)).status).toBe(404);
      await eventually(
        () => stored(backtestPrefix(person.id, id)),
        (keys) => keys.length === 0,
      );
    });

    it('is deleted with its objects', async () => {
      const { body } = await run({ symbol: 'ACRX', strategy: 'macd' }, stranger.program);
      expect(await stored(backtestPrefix(stranger.id, body.data.id))).toHaveLength(3);
      const gone = await api.delete(`/api/backtest/${body.data.id}`, undefined, stranger.console);
      expect(gone.body.data).toEqual({ deleted: true });
      await eventually(
        () => stored(backtestPrefix(stranger.id, body.data.id)),
        (keys) => keys.length === 0,
      );
    });
  });

  describe('an answer that takes time', () => {
    it('becomes a 202 with a job whose state only its caller can read', async () => {
      const from = guest();
      const accepted = await run(
        { symbol: 'ACRX', strategy: 'macd', time_range: '4Y' },
        { ...from, prefer: 'respond-async' },
      );
      expect(accepted.status).toBe(202);
      const { job_id, location } = accepted.body.data;
      expect([location, accepted.headers.location]).toEqual([`/v1/backtests/jobs/${job_id}`, location]);
      const done = await eventually(
        () => other.get(location, from),
        ({ body }) => body.data.status === 'done',
      );
      expect(done.body.data).toMatchObject({ job_id, error: null, result: { symbol: 'ACRX.US', strategy: 'macd' } });
      expect((await api.get(location, guest())).status).toBe(404);
      expect((await api.get('/v1/backtests/jobs/nonsense', from)).status).toBe(422);
    });

    it('reports the failure in the language of the caller', async () => {
      const from = guest();
      const accepted = await run(
        { symbol: 'ACRX', start: '2001-01-01', end: '2001-02-01' },
        { ...from, prefer: 'respond-async' },
      );
      const failed = await eventually(
        () => api.get(`${accepted.body.data.location}?lang=zh-TW`, from),
        ({ body }) => body.data.status === 'failed',
      );
      expect(failed.body.data).toMatchObject({
        result: null,
        error: { code: 400, key: 'error.no_bars_in_range', message: 'ACRX.US在此時間範圍內沒有資料。' },
      });
    });
  });

  describe('a worker that is killed', () => {
    it('is replaced, and the caller still gets its answer', async () => {
      const lock = await database.pool.connect();
      await lock.query('begin');
      await lock.query('lock table backtest_results in share row exclusive mode');
      const answer = run({ symbol: 'ACRX', strategy: 'roc_momentum', time_range: '5Y' });
      const running = () => database.pool.query(`select count(*)::int as n from runs where status = 'running'`);
      const sent = Promise.resolve(answer);
      await eventually(running, ({ rows }) => rows[0].n === 1);
      await endProcess(worker, 'SIGKILL');
      await lock.query('rollback');
      lock.release();
      worker = await startWorker();
      const { status, body } = await sent;
      expect([status, body.data.strategy]).toEqual([200, 'roc_momentum']);
    });
  });

  describe('an account that is deleted', () => {
    /** Blocks a run of the person: its worker has taken it, and waits. */
    async function holdRun(person: Person) {
      const lock = await database.pool.connect();
      await lock.query('begin');
      await lock.query('lock table market_source in access exclusive mode');
      const { body } = await run(
        { symbol: 'ACRX', strategy: 'donchian', time_range: '3M' },
        { ...person.program, prefer: 'respond-async' },
      );
      const runId = body.data.job_id;
      const statusOf = async () =>
        (await database.pool.query('select status from runs where id = $1', [runId])).rows[0]?.status;
      await eventually(statusOf, (status) => status === 'running');
      const release = async () => {
        await lock.query('rollback');
        lock.release();
      };
      return { runId, release };
    }
    const queueIsIdle = async () => {
      const { rows } = await database.pool.query(`select count(*)::int as n from pgboss.job where state < 'completed'`);
      return rows[0].n === 0;
    };
    const leave = (person: Person) => api.delete('/api/auth/me', { email: person.email }, person.console);
    const left = async (person: Person) => ({
      rows: (await database.pool.query('select id from backtests where user_id = $1', [person.id])).rows,
      objects: await stored(`users/${person.id}/`),
    });

    it('while its backtest runs, leaves nothing behind', async () => {
      const person = await addPerson(api);
      const { release } = await holdRun(person);
      expect((await leave(person)).status).toBe(200);
      await release();
      await eventually(queueIsIdle, Boolean);
      // Without the foreign key, or with the objects stored before the row, they would stay.
      expect(await left(person)).toEqual({ rows: [], objects: [] });
    });

    it('while its backtest is being stored, is deleted with that backtest', async () => {
      const person = await addPerson(api);
      const { runId, release } = await holdRun(person);
      const row = await database.pool.connect();
      await row.query('begin');
      await row.query('select from runs where id = $1 for update', [runId]);
      await release();
      await eventually(
        () => stored(`users/${person.id}/`),
        (keys) => keys.length === 3,
      );
      const leaving = Promise.resolve(leave(person));
      await row.query('rollback');
      row.release();
      expect((await leaving).status).toBe(200);
      await eventually(queueIsIdle, Boolean);
      expect(await left(person)).toEqual({ rows: [], objects: [] });
    });
  });

  describe('POST /v1/optimize', () => {
    const GRID = { fast_period: { from: 5, to: 20, step: 5 }, slow_period: [10, 30, 60] };
    let person: Person;
    beforeAll(async () => {
      person = await addPerson(api);
      await changeAccess(api, person.id, { plan: 'enterprise' });
    });
    const optimize = (body: object, headers: Record<string, string> = person.program) =>
      api.post('/v1/optimize', { symbol: 'ACRX', strategy: 'sma_cross', time_range: '5Y', ...body }, headers);

    it('finds what single runs find, and reports its progress only to its account', async () => {
      const accepted = await optimize({
        grid: GRID,
        objective: 'total_pnl_pct',
        heatmap: ['fast_period', 'slow_period'],
        walk_forward: { train_bars: 252, test_bars: 126 },
      });
      expect(accepted.status).toBe(202);
      const { location } = accepted.body.data;
      expect(accepted.headers.location).toBe(location);
      const done = await eventually(
        () => api.get(`${location}?wait=10`, person.console),
        ({ body }) => body.data.status === 'done',
      );
      const { progress_pct, result } = done.body.data;
      // 4 × 3 less those whose fast period is not smaller: (10, 10), (15, 10), (20, 10).
      expect([progress_pct, result.combinations, result.best.length]).toEqual([100, 9, 9]);
      const [best] = result.best;
      const { body } = await run({ symbol: 'ACRX', strategy: 'sma_cross', time_range: '5Y', params: best.params });
      for (const [name, figure] of Object.entries(best.metrics))
        expect([name, figure]).toEqual([name, body.data[name]]);
      expect(result.heatmap).toMatchObject({
        x: { param: 'fast_period', values: [5, 10, 15, 20] },
        y: { values: [10, 30, 60] },
      });
      expect(result.heatmap.cells[0].slice(1)).toEqual([null, null, null]);
      const cells = result.heatmap.cells.flat().filter((cell: number | null) => cell !== null);
      expect(Math.max(...cells)).toBe(best.metrics.total_pnl_pct);
      const { windows, equity, ...figures } = result.walk_forward;
      expect(windows.length).toBe(Math.ceil((result.bars - 252) / 126));
      expect(equity).toHaveLength(result.bars - 252);
      expect([figures.start_date, figures.end_date]).toEqual([windows[0].test_start, result.end_date]);
      expect([equity[0].ts, equity.at(-1).equity]).toEqual([figures.start_date, figures.final_equity]);
      // All fields of a backtest; each window starts with the equity at the end of the previous one.
      expect(Object.keys(figures)).toEqual(expect.arrayContaining([...Object.keys(best.metrics), 'efficiency']));
      const growth = windows.reduce(
        (product: number, { test_pnl_pct }: { test_pnl_pct: number }) => product * (1 + test_pnl_pct / 100),
        1,
      );
      expect(figures.total_pnl_pct).toBeCloseTo(100 * (growth - 1), 2);
      expect((await api.get(location, (await addPerson(api)).console)).status).toBe(404);
      expect((await api.get(location.replace('optimize', 'backtests'), person.console)).status).toBe(404);
    });

    it('is limited to plans that include it', async () => {
      const free = await addPerson(api);
      for (const headers of [guest(), free.program]) {
        expect(outcome(await optimize({ grid: GRID }, headers))).toEqual([403, 'error.plan_capability']);
      }
    });

    it.each([
      [{}, ['body', 'grid']],
      [{ grid: {} }, ['body', 'grid']],
      [{ grid: { fast_period: [] } }, ['body', 'grid', 'fast_period']],
      [{ grid: { colour: [1] } }, ['body', 'grid', 'colour']],
      [{ grid: { fast_period: [1] } }, ['body', 'grid', 'fast_period']],
      [{ grid: { fast_period: { from: 9, to: 5, step: 1 } } }, ['body', 'grid', 'fast_period']],
      [{ grid: { fast_period: { from: 1, to: 1e9, step: 1e-3 } } }, ['body', 'grid', 'fast_period']],
      [
        { grid: { fast_period: { from: 2, to: 200, step: 1 }, slow_period: { from: 3, to: 400, step: 1 } } },
        ['body', 'grid'],
      ],
      [{ grid: { fast_period: [50], slow_period: [20] } }, ['body', 'grid']],
      [{ grid: GRID, heatmap: ['fast_period', 'max_bars'] }, ['body', 'heatmap']],
      [{ grid: GRID, heatmap: ['fast_period', 'fast_period'] }, ['body', 'heatmap']],
      [{ grid: GRID, objective: 'luck' }, ['body', 'objective']],
    ])('refuses %j and says where', async (body, loc) => {
      const { status, body: answer } = await optimize(body);
      expect([status, answer.detail[0].loc]).toEqual([422, loc]);
    });

    it('refuses a walk forward whose windows do not fit the range, with the number of bars', async () => {
      const range = { start: '2023-01-01', end: '2023-12-31', grid: { fast_period: [5, 10] } };
      const { body: single } = await run({ symbol: 'ACRX', strategy: 'buy_hold', ...range, grid: undefined });
      const { bars } = single.data.data_range;
      const walk = (test_bars: number, headers = {}) =>
        optimize({ ...range, walk_forward: { train_bars: 100, test_bars } }, { ...person.program, ...headers });
      const { status, body } = await walk(bars - 99);
      expect([status, body.key, body.detail]).toEqual([
        400,
        'error.walk_forward_range',
        [
          {
            loc: ['body', 'walk_forward'],
            type: 'walk_forward_range',
            msg: `a window of ${bars + 1} bars does not fit into a range of ${bars}`,
          },
        ],
      ]);
      expect(body.message).toContain(`needs ${bars + 1} bars`);
      const { body: chinese } = await walk(10_000, { 'accept-language': 'zh-TW' });
      expect(chinese.message).toContain(`只有${bars}根`);
      const fitting = await walk(bars - 100);
      expect(fitting.status).toBe(202);
      const done = await eventually(
        () => api.get(`${fitting.body.data.location}?wait=10`, person.console),
        ({ body: state }) => state.data.status === 'done',
      );
      expect(done.body.data.result.walk_forward.windows).toHaveLength(1);
    });

    it('refuses a range without bars without queuing anything', async () => {
      const { status, body } = await optimize({ start: '1970-01-01', end: '1970-12-31', grid: GRID });
      expect([status, body.key]).toEqual([400, 'error.no_bars_in_range']);
    });
  });

  it('orphans of either kind are found and deleted, but not if most objects are missing', async () => {
    await database.pool.query('delete from backtests');
    const person = await addPerson(api);
    const kept = (await run({ symbol: 'ACRX', strategy: 'buy_hold', time_range: '1M' }, person.program)).body.data.id;
    const bare = (await run({ symbol: 'ACRX', strategy: 'macd', time_range: '1M' }, person.program)).body.data.id;
    for await (const { key } of storage.list(backtestPrefix(person.id, bare))) await storage.remove(key);
    const orphan = backtestKey(person.id, 999_999, 'equity');
    await storage.put(orphan, Readable.from(['[]']));
    await removeBacktestOrphans(testJobContext({ pool: database.pool, storage }));
    expect(await stored(`users/${person.id}/`)).toEqual(
      ['equity', 'klines', 'trades'].map((part) => backtestKey(person.id, kept, part)),
    );
    expect((await api.get(`/api/backtest/${bare}`, person.console)).status).toBe(404);
    expect((await api.get(`/api/backtest/${kept}`, person.console)).status).toBe(200);

    await database.pool.query(
      `insert into backtests (user_id, created_at, is_cached, summary)
       select user_id, now(), false, summary from backtests, generate_series(1, 11) where id = $1`,
      [kept],
    );
    await storage.put(orphan, Readable.from(['[]']));
    await expect(removeBacktestOrphans(testJobContext({ pool: database.pool, storage }))).rejects.toThrow('11 of 12');
    expect(await stored(`users/${person.id}/`)).toContain(orphan);
  });
});

describe('without workers', () => {
  beforeEach(() => prepare((pool) => runSyncJob(pool, provider, 'symbols')));
  afterEach(cleanUp);
  const queue = (process: TestApi, headers: Record<string, string>) =>
    process.post('/v1/backtest', { symbol: 'ACRX' }, { prefer: 'respond-async', ...headers });
  const statuses = async () =>
    (await database.pool.query('select status from runs order by created_at')).rows.map(({ status }) => status);

  it('an account has exactly as many backtests in progress as its plan allows, over two API processes', async () => {
    const person = await addPerson(api);
    await changeAccess(api, person.id, { plan: 'pro' });
    const calls = Array.from({ length: 16 }, (_, i) =>
      queue(i % 2 ? api : other, i % 3 ? person.program : person.console),
    );
    const responses = await Promise.all(calls);
    // Without the advisory locks in admit_runs several count the same runs, and more than five are admitted.
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(5);
    const refused = required(responses.find(({ status }) => status === 429));
    expect(refused.body).toMatchObject({
      key: 'error.concurrent_backtests',
      retry_after: 1,
      message: expect.stringContaining('5'),
    });
    expect((await api.get('/api/account/plan', person.console)).body.data.usage.backtests_running).toBe(5);
  });

  it('a guest has one backtest in progress per address', async () => {
    const [one, another] = [guest(), guest()];
    expect((await queue(api, one)).status).toBe(202);
    expect((await queue(other, one)).status).toBe(429);
    expect((await queue(other, another)).status).toBe(202);
  });

  it('a run that two workers compute is kept once', async () => {
    await loadEverything(database.pool, provider);
    const person = await addPerson(api);
    const { body } = await queue(api, person.program);
    const runId: string = body.data.job_id;
    let second: Promise<void> | undefined;
    const slow: Partial<ObjectStorage> = {
      put: async (key, content) => {
        // The first worker is considered dead while it stores the backtest.
        second ??= runJobOf({ pool: database.pool, storage, now: () => NOW }, runId);
        return storage.put(key, content);
      },
    };
    await runJobOf({ pool: database.pool, storage: slow as ObjectStorage, now: () => NOW }, runId);
    await second;
    // Without isRunning in lockForKeeping both keep it.
    const { rows } = await database.pool.query('select id from backtests where user_id = $1', [person.id]);
    expect(rows).toHaveLength(1);
    expect(await stored(`users/${person.id}/`)).toHaveLength(3);
  });

  it('an optimization fails if the bars of its walk forward were deleted since it was queued', async () => {
    await loadEverything(database.pool, provider);
    const person = await addPerson(api);
    await changeAccess(api, person.id, { plan: 'enterprise' });
    const accepted = await api.post(
      '/v1/optimize',
      {
        symbol: 'ACRX',
        strategy: 'sma_cross',
        start: '2023-01-01',
        end: '2023-12-31',
        grid: { fast_period: [5, 10] },
        walk_forward: { train_bars: 100, test_bars: 100 },
      },
      person.program,
    );
    expect(accepted.status).toBe(202);
    await database.pool.query('update bar_blocks set data = null');
    await database.pool.query(`delete from daily_bars where day between '2023-04-01' and '2023-12-31'`);
    await bumpDataVersion(database.pool, 'bars');
    const { job_id, location } = accepted.body.data;
    await runJobOf({ pool: database.pool, storage, now: () => NOW }, job_id);
    const { body } = await api.get(location, person.console);
    expect(body.data).toMatchObject({
      status: 'failed',
      result: null,
      error: { code: 400, key: 'error.walk_forward_range', message: expect.stringMatching(/needs 200 bars.* has 6\d/) },
    });
  });

  it('a call that has waited long enough is answered with 202', async () => {
    const hasty = await open({ backtestWaitMs: 50 });
    const { status, body } = await hasty.post('/v1/backtest', { symbol: 'ACRX' }, guest());
    expect([status, body.data.status]).toEqual([202, 'queued']);
    await hasty.close();
  });

  it('a client that disconnects cancels a run that has not started', async () => {
    const server = createServer(api.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = portOf(server);
    const call = httpRequest({
      port,
      method: 'POST',
      path: '/v1/backtest',
      headers: { 'content-type': 'application/json' },
    });
    call.on('error', () => {});
    call.end(JSON.stringify({ symbol: 'ACRX' }));
    await eventually(statuses, (all) => all.length === 1);
    call.destroy();
    await eventually(statuses, ([status]) => status === 'cancelled');
    const states = async () => (await database.pool.query(`select state from pgboss.job where name = 'backtest'`)).rows;
    expect(await eventually(states, ([job]) => job.state !== 'created')).toEqual([{ state: 'cancelled' }]);
    server.close();
  });

  it('a job that ends without a result ends its run and frees its slot', async () => {
    const from = guest();
    const { body } = await queue(api, from);
    const boss = await openBoss({ url: database.url, log: silent });
    await boss.cancel('backtest', body.data.job_id);
    const state = await api.get(body.data.location, from);
    expect(state.body.data).toMatchObject({ status: 'cancelled', error: { key: 'error.backtest_cancelled' } });
    const next = await queue(api, from);
    expect(next.status).toBe(202);
    await database.pool.query(`update pgboss.job set retry_limit = 0 where id = $1`, [next.body.data.job_id]);
    await boss.fetch('backtest');
    await boss.fail('backtest', next.body.data.job_id, { message: 'no luck' });
    expect((await api.get(next.body.data.location, from)).body.data).toMatchObject({
      status: 'failed',
      error: { key: 'error.internal' },
    });
    await boss.stop({ graceful: false });
  });
});

describe('GET /v1/strategies', () => {
  beforeAll(() => prepare(async () => {}));
  afterAll(cleanUp);

  it('describes every strategy with a JSON Schema, in the requested language', async () => {
    const { data } = (await api.get('/v1/strategies?locale=zh-CN', guest())).body;
    expect(data.strategies.map((s: { code: string }) => s.code)).toContain('chandelier');
    const [chandelier] = data.strategies;
    expect(chandelier.name).toBe('吊灯止损');
    expect(chandelier.params_schema.properties.sma_period).toEqual({
      type: 'integer',
      minimum: 2,
      maximum: 400,
      default: 50,
      title: 'Moving average, bars',
      'x-labels': { en: 'Moving average, bars', 'zh-CN': '均线周期（根）', 'zh-TW': '均線週期（根）' },
    });
    expect(data.defaults).toMatchObject({ strategy: 'chandelier', time_range: '1Y', cost: { slippage_bps: 0 } });
    expect((await api.get('/api/backtest/strategies', guest())).body.data.time_ranges).toHaveLength(14);
  });
});
