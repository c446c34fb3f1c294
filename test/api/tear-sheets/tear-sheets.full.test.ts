/** Tear sheets over HTTP: with a run, and of a kept run by a job. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { LOCALES } from '../../../api/http/language/locale.ts';
import { verdictText } from '../../../api/runs/verdict-texts.ts';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { backtestPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01 } from '../../support/market-folder.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const [START, END] = ['2024-07-01', '2026-05-29'];
const SINGLE = { symbol: 'ALFA', strategy: 'sma_cross', params: { fast_period: 3, slow_period: 8 } };
const RANGE = { start: '2025-01-02', end: END };
const RUN = { ...SINGLE, ...RANGE, cost: { commission_rate: 0.001, slippage_bps: 5 } };
const PORTFOLIO = {
  ...RANGE,
  symbols: ['ALFA', 'BETA', 'GAMMA'],
  strategy: 'donchian',
  allocation: { max_positions: 2, rebalance: 'month' },
};

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;
let person: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['ALFA', 'BETA', 'GAMMA', 'OLDE'], START, END);
  // It ends before the range.
  market.bars.OLDE.splice(100);
  market.write();
  directory = mkdtempSync(join(tmpdir(), 'market-tear-sheets-'));
  storage = openStorage({ folder: directory });
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now: () => NOON_2026_06_01, realCallers: true });
  person = await addPerson(api);
  await updateUserAccess(database.pool, person.id, { plan: 'enterprise' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

async function run(path: string, body: object, headers = person.program) {
  const { body: answer } = await runNow(api, { storage }, { path, body, headers });
  if (answer.data.status !== 'done') throw new Error(JSON.stringify(answer.data));
  return answer.data.result;
}

/** Asks for a sheet that a job makes, and returns the state of the job. */
async function byJob(path: string): Promise<Response> {
  const accepted = await api.get(path, { ...person.program, prefer: 'respond-async' });
  expect([accepted.status, accepted.body.data?.location]).toEqual([
    202,
    expect.stringMatching(/^\/v1\/tear-sheets\/jobs\//),
  ]);
  await runJobOf({ pool: database.pool, storage, now: api.services.now }, accepted.body.data.job_id);
  return api.get(accepted.body.data.location, person.program);
}

async function keptObjects(id: number): Promise<string[]> {
  const prefix = backtestPrefix(person.id, id);
  const names: string[] = [];
  for await (const { key } of storage.list(prefix)) names.push(key.slice(prefix.length));
  return names.sort();
}

/** A result without what differs from run to run. */
function figuresOf({
  id: _id,
  created_at: _at,
  cached: _cached,
  tear_sheet: _sheet,
  selection: _,
  ...figures
}: Record<string, unknown>) {
  return figures;
}

describe('a run that asks for its tear sheet', () => {
  it('gets it, has the same result as one that does not, and keeps it', async () => {
    const plain = await run('/v1/backtest', RUN);
    const asked = await run('/v1/backtest', {
      ...RUN,
      tear_sheet: true,
      benchmark: 'BETA',
      factors: ['BETA', 'GAMMA'],
    });
    const { tear_sheet: sheet } = asked;
    expect(figuresOf(asked)).toEqual(figuresOf(plain));
    expect(sheet).toMatchObject({ start_date: asked.start_date, end_date: END, sessions: asked.data_range.bars });
    expect(sheet.returns).toMatchObject({ total_pct: asked.total_pnl_pct, sharpe: asked.sharpe });
    expect(sheet.trades.count).toBe(asked.num_trades);
    expect(sheet.regression.terms.map(({ name }: { name: string }) => name)).toEqual(['alpha', 'BETA.US', 'GAMMA.US']);
    expect(sheet.chance.bootstrap.seed).toBe(asked.statistics.seed);
    expect(sheet.chance.random_entries.runs).toBe(1_000);
    const answer = await api.get(`/v1/backtests/${asked.id}/tear-sheet`, person.program);
    expect([answer.status, answer.body.data]).toEqual([200, sheet]);
    const verdict = await api.get(`/v1/backtests/${asked.id}/tear-sheet?locale=zh-TW`, person.program);
    expect(verdict.body.data.verdict.sentences[0].text).toMatch(/^(報酬|虧損|報酬率為).+基準/);
  });

  it('shows it to readers of its link, who see none of a run without one', async () => {
    const guest = { 'x-forwarded-for': newAddress() };
    for (const [kind, given] of [
      ['backtest', RUN],
      ['portfolio', PORTFOLIO],
    ] as const) {
      const asked = await run(`/v1/${kind}`, { ...given, tear_sheet: true });
      const plain = await run(`/v1/${kind}`, { ...given, cost: { slippage_bps: 7 } });
      const [shown, without] = await Promise.all(
        [asked, plain].map(async ({ id }) => {
          const { slug } = (await api.post(`/api/${kind}/${id}/share`, {}, person.console)).body.data;
          return (await api.get(`/api/${kind}/shared/${slug}`, guest)).body.data;
        }),
      );
      expect([shown.id, shown.tear_sheet]).toEqual([null, asked.tear_sheet]);
      expect([without.id, without.tear_sheet]).toEqual([null, undefined]);
    }
  });

  it('is not told from others by what is stored of one that does not', async () => {
    await database.pool.query('delete from backtest_results');
    const { id } = await run('/v1/backtest', RUN);
    expect(await keptObjects(id)).toEqual(['equity.json', 'klines.json', 'trades.json']);
    const { rows } = await database.pool.query(`select count(*)::int as results from backtest_results`);
    expect(rows).toEqual([{ results: 1 }]);
    const { rows: specs } = await database.pool.query<{ spec: object }>(
      `select spec from backtests where id = $1 union all select spec from runs where backtest_id = $1`,
      [id],
    );
    expect(specs.filter(({ spec }) => 'tearSheet' in spec)).toEqual([]);
  });

  it('keeps a specification without it', async () => {
    const { id } = await run('/v1/backtest', { ...RUN, tear_sheet: true });
    const { rows } = await database.pool.query<{ spec: object }>('select spec from backtests where id = $1', [id]);
    expect(Object.keys(rows[0].spec)).not.toContain('tearSheet');
    expect(await keptObjects(id)).toEqual(['equity.json', 'klines.json', 'tear-sheet.json', 'trades.json']);
  });

  it('has it again when the result is reused', async () => {
    const body = { ...RUN, params: { fast_period: 4, slow_period: 9 }, tear_sheet: true };
    const first = await run('/v1/backtest', body);
    const second = await run('/v1/backtest', body);
    expect([first.cached, second.cached]).toEqual([false, true]);
    expect(second.tear_sheet).toEqual(first.tear_sheet);
  });

  it('has it as a guest, in the nested form', async () => {
    const body = { symbol: 'ALFA', strategy: 'buy_hold', range: RANGE, tear_sheet: true, factors: ['GAMMA'] };
    const { id, tear_sheet: sheet } = await run('/api/backtest/run', body, { 'x-forwarded-for': newAddress() });
    expect(id).toBeNull();
    expect(sheet.benchmark).toMatchObject({ correlation: 1, beta: 1 });
    expect(sheet.time.exposure_pct).toBeGreaterThan(99);
  });

  it('has that of a portfolio', async () => {
    const {
      id,
      tear_sheet: sheet,
      ...result
    } = await run('/v1/portfolio', { ...PORTFOLIO, tear_sheet: true, factors: ['BETA'] });
    expect(sheet.benchmark.total_pct).toBe(result.buy_hold_pnl_pct);
    expect(sheet.time).toMatchObject({ turnover_pct: result.turnover_pct, avg_positions: result.avg_positions });
    expect(sheet.time.concentration.mean_effective_number).toBeGreaterThan(1);
    expect(sheet.time.concentration.largest_weight_pct).toBeLessThanOrEqual(100);
    expect(sheet.trades.by_symbol.length).toBeGreaterThan(1);
    expect(sheet.chance.random_entries).toBeNull();
    const kept = await api.get(`/v1/portfolios/${id}/tear-sheet`, person.program);
    expect(kept.body.data).toEqual(sheet);
  });
});

describe('a walk forward that asks for its tear sheet', () => {
  const search = {
    ...SINGLE,
    ...RANGE,
    params: {},
    grid: { fast_period: [3, 5], slow_period: [8, 12] },
  };
  const windows = { train_bars: 60, test_bars: 30 };

  it('gets that of all tests as one run, and no other figure changes', async () => {
    const plain = await run('/v1/optimize', { ...search, walk_forward: windows });
    const asked = await run('/v1/optimize', { ...search, walk_forward: windows, tear_sheet: true, factors: ['BETA'] });
    const { tear_sheet: sheet, ...figures } = asked.walk_forward;
    expect(figures).toEqual(plain.walk_forward);
    expect(asked.receipt.result_sha256).toBe(plain.receipt.result_sha256);
    expect(sheet).toMatchObject({ start_date: figures.start_date, end_date: figures.end_date });
    expect(sheet.returns.total_pct).toBe(figures.total_pnl_pct);
    expect(sheet.trades.count).toBe(figures.num_trades);
    expect(sheet.regression.terms).toHaveLength(2);
    expect(asked.statistics.cpcv.sharpes).toHaveLength(9);
    expect(asked.statistics.sentences.join(' ')).toMatch(/paths put together/);
  });

  it('is refused without windows, and for a portfolio', async () => {
    for (const body of [
      { ...search, tear_sheet: true },
      { ...search, symbol: undefined, symbols: ['ALFA', 'BETA'], tear_sheet: true },
    ]) {
      const { status, body: answer } = await api.post('/v1/optimize', body, person.program);
      expect([status, answer.detail[0].loc]).toEqual([422, ['body', 'tear_sheet']]);
    }
  });
});

describe('a kept run without a tear sheet', () => {
  it('gets it by a job, which keeps it', async () => {
    const { id } = await run('/v1/backtest', RUN);
    const { tear_sheet: sheet } = await run('/v1/backtest', { ...RUN, save: false, tear_sheet: true });
    const { body } = await byJob(`/v1/backtests/${id}/tear-sheet`);
    expect(body.data).toMatchObject({ status: 'done', result: sheet });
    expect(await keptObjects(id)).toContain('tear-sheet.json');
    const again = await api.get(`/v1/backtests/${id}/tear-sheet`, person.program);
    expect([again.status, again.body.data]).toEqual([200, sheet]);
  });

  it('gets another where it is to be compared with something else', async () => {
    const { id } = await run('/v1/portfolio', PORTFOLIO);
    const path = `/v1/portfolios/${id}/tear-sheet?benchmark=GAMMA&factors=ALFA,BETA`;
    const { body } = await byJob(path);
    expect(body.data.result.regression.terms).toHaveLength(3);
    const again = await api.get(path, person.program);
    expect([again.status, again.body.data]).toEqual([200, body.data.result]);
    expect((await byJob(`/v1/portfolios/${id}/tear-sheet?benchmark=BETA`)).body.data.result.regression).toBeNull();
  });

  it('has its tables as CSV files', async () => {
    const { id } = await run('/v1/backtest', RUN);
    const { body } = await byJob(`/v1/backtests/${id}/tear-sheet`);
    const months = await api.get(`/v1/backtests/${id}/tear-sheet.csv?table=months`, person.program);
    expect(months.headers['content-type']).toMatch('text/csv');
    const lines = months.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    const [first] = body.data.result.time.months;
    expect(lines).toHaveLength(1 + body.data.result.time.months.length);
    expect(lines.slice(0, 2)).toEqual([Object.keys(first).join(','), Object.values(first).join(',')]);
    const regression = await api.get(`/v1/backtests/${id}/tear-sheet.csv?table=regression`, person.program);
    expect(regression.text.trim()).toBe('');
  });

  it('is the run of its account alone', async () => {
    const { id } = await run('/v1/backtest', RUN);
    const other = await addPerson(api);
    for (const path of [`/v1/backtests/${id}/tear-sheet`, `/v1/portfolios/${id}/tear-sheet`]) {
      const { status, body } = await api.get(path, other.program);
      expect([status, body.key]).toEqual([404, 'error.not_found']);
    }
    expect((await api.get(`/v1/portfolios/${id}/tear-sheet`, person.program)).status).toBe(404);
  });
});

it('writes large numbers of a verdict in groups', () => {
  const figures = { 'statistics.skill.min_track_record_bars': 42_952, sessions: 1_259 };
  for (const locale of LOCALES) {
    const text = verdictText({ key: 'more_sessions', figures }, locale);
    expect(text).toMatch(/42,952.*1,259/);
  }
});

describe('a comparison', () => {
  const six = ['ALFA', 'BETA', 'GAMMA', 'ALFA', 'BETA', 'GAMMA'];

  it.each([
    ['an unknown benchmark', { benchmark: 'ZZZZ' }, ['body', 'benchmark']],
    ['a benchmark without a bar in the range', { benchmark: 'OLDE' }, ['body', 'benchmark']],
    ['an unknown factor', { factors: ['BETA', 'ZZZZ'] }, ['body', 'factors', 1]],
    ['a factor without a bar in the range', { factors: ['OLDE'] }, ['body', 'factors', 0]],
    ['more than five factors', { factors: six }, ['body', 'factors']],
    ['a factor twice', { factors: ['BETA', 'GAMMA', 'BETA.US'] }, ['body', 'factors', 2]],
    ['factors without a tear sheet', { factors: ['BETA'], tear_sheet: false }, ['body', 'factors']],
  ])('is refused with its place: %s', async (_, given, place) => {
    for (const [path, body] of [
      ['/v1/backtest', RUN],
      ['/v1/portfolio', PORTFOLIO],
    ] as const) {
      if (path === '/v1/portfolio' && 'benchmark' in given) continue;
      const { status, body: answer } = await api.post(path, { ...body, tear_sheet: true, ...given }, person.program);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(answer.detail).toMatchObject([{ loc: place }]);
    }
    expect(await database.pool.query(`select from runs where status = 'queued'`)).toMatchObject({ rowCount: 0 });
  });

  it('is refused with its place in a query too', async () => {
    const { id } = await run('/v1/backtest', RUN);
    for (const [query, place] of [
      ['benchmark=ZZZZ', ['query', 'benchmark']],
      ['factors=BETA,OLDE', ['query', 'factors', 1]],
      ['factors=BETA,BETA', ['query', 'factors', 1]],
      [`factors=${six.join(',')}`, ['query', 'factors']],
    ] as const) {
      const { status, body } = await api.get(`/v1/backtests/${id}/tear-sheet?${query}`, person.program);
      expect(body.detail).toMatchObject([{ loc: place }]);
      if (query === 'factors=BETA,BETA') expect(status).toBe(400);
    }
  });
});
