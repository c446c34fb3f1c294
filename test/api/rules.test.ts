/** Rules over HTTP: in backtests and optimizations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { runBacktestJob } from '../../jobs/backtest/run.ts';
import { runOptimizeJob } from '../../jobs/backtest/run-optimize.ts';
import { SampleProvider } from '../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import { newAddress } from '../support/accounts.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testJobContext } from '../support/job-context.ts';
import { loadEverything } from '../support/market-folder.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = mkdtempSync(join(tmpdir(), 'market-rules-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const guest = () => ({ 'x-forwarded-for': newAddress() });
const context = () => testJobContext({ pool: database.pool, storage, now: () => NOW });

/** Queues a backtest, does its job, and returns the state of it. */
async function backtest(body: object, headers: Record<string, string> = guest()): Promise<Response['body']['data']> {
  const queued = await api.post('/v1/backtest', body, { ...headers, prefer: 'respond-async' });
  if (queued.status !== 202) throw new Error(queued.text);
  await runBacktestJob(context(), { runId: queued.body.data.job_id });
  return (await api.get(queued.body.data.location, headers)).body.data;
}

const refused = async (body: object, headers = guest()) => {
  const response = await api.post('/v1/backtest', body, headers);
  return [response.status, response.body.key, response.body.detail];
};

describe('a backtest of rules', () => {
  const BREAKOUT = {
    symbol: 'ACRX',
    strategy: 'rules',
    time_range: '5Y',
    rules: { entry: 'close > highest(55) and volume > 1.2 * sma_of(volume, 50)', exit: 'close < lowest(20)' },
  };

  it('is answered as any other, with its rules', async () => {
    const { status, result } = await backtest(BREAKOUT);
    expect(status).toBe('done');
    expect(result).toMatchObject({ strategy: 'rules', rules: BREAKOUT.rules, params: { max_bars: 0 } });
    expect(result.num_trades).toBeGreaterThan(0);
    expect(result.trades).toHaveLength(result.num_trades);
  });

  it('is the built-in strategy of the same meaning, in its flat and its nested form', async () => {
    const common = { symbol: 'ACRX', time_range: '5Y' };
    const builtIn = await backtest({ ...common, strategy: 'sma_cross', params: { fast_period: 10, slow_period: 30 } });
    const params = { fast_period: 10, slow_period: 30 };
    const { body } = await api.get('/v1/strategies');
    const { rules } = body.data.strategies.find(({ code }: { code: string }) => code === 'sma_cross');
    const asRules = await backtest({ ...common, strategy: 'rules', rules, params });
    expect(asRules.result.trades).toEqual(builtIn.result.trades);
    expect(asRules.result.params).toMatchObject(params);
    const nested = await api.post(
      '/api/backtest/run',
      { symbol: 'ACRX', range: { time_range: '5Y' }, strategy: 'rules', rules, params },
      { ...guest(), prefer: 'respond-async' },
    );
    expect(nested.status).toBe(202);
  });

  it('takes the overlays, and stops of its own', async () => {
    const stopped = await backtest({
      ...BREAKOUT,
      rules: { entry: 'close > 0', stop: 'entry_price * 0.97', trail: 'peak - 3 * atr(22)' },
      params: { max_bars: 15, take_profit_pct: 5 },
    });
    const reasons = new Set(stopped.result.trades.map((trade: { exit_reason: string }) => trade.exit_reason));
    expect([...reasons].sort()).toEqual(
      ['stop_loss', 'take_profit', 'time_stop', 'trailing_stop', 'end_of_data']
        .filter((reason) => reasons.has(reason))
        .sort(),
    );
    expect(reasons.size).toBeGreaterThanOrEqual(3);
  });

  it('tells what is wrong with a rule, where, and what could stand there', async () => {
    const rule = (entry: string, more: object = {}) => ({ ...BREAKOUT, rules: { entry }, ...more });
    expect(await refused(rule('close > smaa(20)'))).toEqual([
      400,
      'error.rule_invalid',
      [
        {
          loc: ['body', 'rules', 'entry'],
          msg: 'smaa is not known; did you mean sma?',
          type: 'rule_unknown_name',
          position: { from: 8, to: 12 },
          found: 'smaa',
          expected: ['sma'],
        },
      ],
    ]);
    const unfinished = await api.post('/v1/backtest?lang=zh-TW', rule('close > 5 and'), guest());
    expect(unfinished.body).toMatchObject({
      key: 'error.rule_invalid',
      message: '「body.rules.entry」處的規則無效：過早結束，應為 數字、名稱、$參數、(、-、not。',
      detail: [{ type: 'rule_unexpected_end', position: { from: 13, to: 13 }, found: '' }],
    });
    expect(await refused(rule('close > $fast'))).toMatchObject([
      400,
      'error.rule_invalid',
      [{ type: 'rule_parameter_missing', position: { from: 8, to: 13 }, msg: 'params has no value for $fast' }],
    ]);
    expect(await refused(rule('a'.repeat(1001)))).toMatchObject([
      400,
      'error.rule_invalid',
      [{ type: 'rule_too_long' }],
    ]);
  });

  it('refuses what is no rule at all as the schema says', async () => {
    const locs = async (body: object) => {
      const [status, key, detail] = await refused(body);
      return [status, key, detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))];
    };
    expect(await locs({ ...BREAKOUT, rules: undefined })).toEqual([422, 'error.validation_failed', ['body.rules']]);
    expect(await locs({ ...BREAKOUT, strategy: 'macd' })).toEqual([422, 'error.validation_failed', ['body.rules']]);
    expect(await locs({ ...BREAKOUT, rules: { entry: 5 } })).toEqual([
      422,
      'error.validation_failed',
      ['body.rules.entry'],
    ]);
    expect(await locs({ ...BREAKOUT, rules: { exit: 'close > 1' } })).toEqual([
      422,
      'error.validation_failed',
      ['body.rules.entry'],
    ]);
    expect(await locs({ ...BREAKOUT, rules: { entry: 'close > 1', exti: 'close > 1' } })).toEqual([
      422,
      'error.validation_failed',
      ['body.rules.exti'],
    ]);
    const fast = { ...BREAKOUT, rules: { entry: 'close > sma($fast)' } };
    expect(await locs({ ...fast, params: { fast: 0 } })).toEqual([
      422,
      'error.validation_failed',
      ['body.params.fast'],
    ]);
    expect(await locs({ ...fast, params: { fast: 20, slow: 30 } })).toEqual([
      422,
      'error.validation_failed',
      ['body.params.slow'],
    ]);
  });

  it('answers hostile texts with 400, and never with a stack', async () => {
    const texts = [
      '('.repeat(990),
      '!'.repeat(1000),
      '-'.repeat(999),
      `${'abs('.repeat(240)}close`,
      'constructor > 1',
      '__proto__ > 1',
      'close > 1e999',
      '\u0000',
      '\ud800',
      '｢close｣',
      'close > 1 // '.padEnd(1000, 'x'),
      ' ',
    ];
    for (const entry of texts) {
      const response = await api.post('/v1/backtest', { ...BREAKOUT, rules: { entry } }, guest());
      expect([response.status, response.body.key]).toEqual([400, 'error.rule_invalid']);
      expect(response.text).not.toMatch(/\bat \w+ \(|node_modules/);
    }
  });
});

describe('an optimization of rules', () => {
  const GRID = {
    symbol: 'ACRX',
    strategy: 'rules',
    time_range: '3Y',
    rules: { entry: 'crosses_above(sma($fast), sma($slow))', exit: 'sma($fast) < sma($slow)' },
  };
  const person = { 'x-forwarded-for': '' };

  beforeAll(async () => {
    const { addPerson } = await import('../support/accounts.ts');
    Object.assign(person, (await addPerson(api, undefined, { plan: 'pro' })).program);
  });

  it('ranges over their parameters, and leaves the others as they are given', async () => {
    const queued = await api.post(
      '/v1/optimize',
      { ...GRID, grid: { fast: [5, 10, 40] }, params: { slow: 30, stop_loss_pct: 8 } },
      person,
    );
    expect([queued.status, queued.body.key]).toEqual([202, undefined]);
    await runOptimizeJob(context(), { runId: queued.body.data.job_id });
    const { result } = (await api.get(queued.body.data.location, person)).body.data;
    expect(result).toMatchObject({ strategy: 'rules', rules: GRID.rules, combinations: 3 });
    const params = result.best.map((one: { params: object }) => one.params);
    expect(params).toContainEqual({ fast: 5, slow: 30, stop_loss_pct: 8, take_profit_pct: 0, max_bars: 0 });
  });

  it('refuses a grid that its rules do not know', async () => {
    const grid = async (body: object) => {
      const { status, body: answer } = await api.post('/v1/optimize', { ...GRID, ...body }, person);
      return [status, answer.key, answer.detail?.map(({ loc }: { loc: unknown[] }) => loc.join('.'))];
    };
    expect(await grid({ grid: { fast: [5, 10] } })).toEqual([400, 'error.rule_invalid', ['body.rules.entry']]);
    expect(await grid({ grid: { fast: [0] }, params: { slow: 30 } })).toEqual([
      422,
      'error.validation_failed',
      ['body.grid.fast'],
    ]);
    expect(await grid({ grid: { quick: [5] }, params: { fast: 5, slow: 30 } })).toEqual([
      422,
      'error.validation_failed',
      ['body.grid.quick'],
    ]);
    expect(await grid({ grid: { fast: [5] }, params: { slow: 'x' } })).toEqual([
      422,
      'error.validation_failed',
      ['body.params.slow'],
    ]);
  });
});
