/** Rules over HTTP: in backtests and optimizations. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { findInstrument } from '../../../api/market/directory.ts';
import { bumpDataVersion } from '../../../db/market/data-versions.ts';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { callOf } from '../../../engine/rules/complete.ts';
import { RULE_FUNCTIONS, usageOf } from '../../../engine/rules/functions/catalogue.ts';
import { strategyOf } from '../../../engine/rules/strategy.ts';
import { effectiveParameters } from '../../../engine/strategies/catalogue.ts';
import type { RuleTexts } from '../../../engine/strategies/strategy.ts';
import { required } from '../../../engine/util/values.ts';
import type { JobContext } from '../../../jobs/contracts/job-context.ts';
import type { Mail } from '../../../jobs/contracts/mail.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { readHistory } from '../../../jobs/runs/history.ts';
import { mailSignals } from '../../../jobs/signals/mail.ts';
import { evaluateSignals } from '../../../jobs/signals/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { runJobOf, runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-rules-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const guest = () => ({ 'x-forwarded-for': newAddress() });
const context = () => testJobContext({ pool: database.pool, storage, now: () => NOW });

/** Queues a backtest, runs its job, and returns its state. */
async function backtest(body: object, headers: Record<string, string> = guest()): Promise<Response['body']['data']> {
  const queued = await api.post('/v1/backtest', body, { ...headers, prefer: 'respond-async' });
  if (queued.status !== 202) throw new Error(queued.text);
  await runJobOf(context(), queued.body.data.job_id);
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

  it('is answered like any other, with its rules', async () => {
    const { status, result } = await backtest(BREAKOUT);
    expect(status).toBe('done');
    expect(result).toMatchObject({ strategy: 'rules', rules: BREAKOUT.rules, params: { max_bars: 0 } });
    expect(result.num_trades).toBeGreaterThan(0);
    expect(result.trades).toHaveLength(result.num_trades);
  });

  it('equals the equivalent built-in strategy, in its flat and its nested form', async () => {
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

  it('has the same digest for all spellings of its rules', async () => {
    const digest = async (rules: object) => (await backtest({ ...BREAKOUT, rules })).result.receipt.spec_sha256;
    const first = await digest({ entry: 'close > sma(50) and volume > 1e4', exit: 'rsi(14) > 70' });
    expect(await digest({ entry: 'VOLUME>10000 && sma() < close', exit: '70 < rsi()' })).toBe(first);
    expect(await digest({ entry: 'close > sma(51) and volume > 1e4', exit: 'rsi(14) > 70' })).not.toBe(first);
  });

  it('takes the overlays, and its own stops', async () => {
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

  it('reports the problem of a rule, its position, and what is expected there', async () => {
    const rule = (entry: string, more: object = {}) => ({ ...BREAKOUT, rules: { entry }, ...more });
    expect(await refused(rule('close > smaa(20)'))).toEqual([
      400,
      'error.rule_invalid',
      [
        {
          loc: ['body', 'rules', 'entry'],
          msg: 'smaa is not known; the nearest name is sma',
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
      message: '「body.rules.entry」處的規則無效：過早結束，應為數字、名稱、$參數、(、-、not。',
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

  it('refuses values that are not rules with a validation error', async () => {
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

describe('a rule that is being written', () => {
  const check = async (body: object, query = '') => {
    const response = await api.post(`/v1/rules/check${query}`, body, guest());
    expect(response.status).toBe(200);
    return response.body.data;
  };
  const choices = async (text: string, more: object = {}) => {
    const { completions } = await check({ text, ...more });
    const { from, to } = completions.position;
    return [text.slice(from, to), ...completions.choices.map((choice: { text: string }) => choice.text)];
  };

  it('gets its problems with their positions, in the language of the caller', async () => {
    expect((await check({ text: 'close > smaa(20)' }, '?lang=zh-CN')).problems).toEqual([
      { msg: '未知名称smaa，最接近的名称是sma', position: { from: 8, to: 12 }, expected: ['sma'] },
    ]);
    const fine = await check({ text: 'crosses_above(sma($fast), sma($slow))' });
    expect(fine).toMatchObject({ problems: [], parameters: [{ name: 'fast', min: 1, max: 504 }, { name: 'slow' }] });
    const position = { text: 'bars_held > 5' };
    expect((await check({ ...position, part: 'entry' })).problems).toHaveLength(1);
    expect((await check({ ...position, part: 'exit' })).problems).toEqual([]);
    expect((await check({ text: 'close', part: 'stop' })).problems).toEqual([]);
    expect((await check({ text: 'close > $x', part: 'where' })).problems).toHaveLength(1);
  });

  it('is completed at the cursor', async () => {
    expect(await choices('clo')).toEqual(['clo', 'close']);
    expect(await choices('close > high')).toEqual(['high', 'high', 'highest(20)', 'highest_of(x, 20)']);
    expect(await choices('close > 5 a')).toEqual(['a', 'and']);
    expect(await choices('close ')).toEqual(['', 'and', 'or', '>', '>=', '<', '<=', '=', '!=']);
    expect(await choices('close > 5 and bars')).toEqual(['bars', 'for_bars(c, 2)', 'within_bars(c, 5)']);
    expect(await choices('bars_', { part: 'exit' })).toContain('bars_held');
    expect(await choices('sm > 5', { cursor: 2 })).toEqual(['sm', 'sma(50)', 'sma_of(x, 20)']);
    expect((await choices('')).length).toBe(13);
    expect(await choices('close > $n')).toEqual(['']);
    expect(await choices('x'.repeat(5_000))).toEqual(['']);
  });

  it('gets completions with all functions and their descriptions', async () => {
    for (const fn of RULE_FUNCTIONS) {
      const part = fn.kind === 'across' ? 'value' : 'exit';
      const { completions } = await check({ text: fn.name.slice(0, -1), part }, '?lang=zh-TW');
      expect(completions.choices).toContainEqual({
        text: callOf(fn),
        usage: usageOf(fn),
        description: fn.description['zh-TW'],
      });
    }
  });
});

describe('a rule that names another instrument', () => {
  const ENTRY = "of('BRVA', close > sma(20)) and correlation('LUMA', 60) < 2";
  const BODY = {
    symbol: 'ACRX',
    strategy: 'rules',
    time_range: '2Y',
    rules: { entry: ENTRY, exit: "of('brva.us', close < sma(20))" },
  };

  it('trades on its figures, which the receipt covers', async () => {
    const { result } = await backtest(BODY);
    const days = new Set<string>();
    const directory = api.market.directory;
    const other = await readHistory(database.pool, findInstrument(directory, 'BRVA').id, requireDay('2024-09-03'));
    const series = adjustToLastBar(other.series, other.events);
    const above = new HistoryColumns(new IndicatorSet(series)).mask(compileCondition(['>', ['close'], ['sma', 20]]));
    for (const [t, flag] of above.entries()) if (flag === 1) days.add(formatDay(series.day[t]));
    expect(result.trades.length).toBeGreaterThan(3);
    for (const { entry_date, exit_date, exit_reason } of result.trades) {
      expect(days).toContain(entry_date);
      if (exit_reason === 'signal') expect(days).not.toContain(exit_date);
    }
    const alone = await backtest({ ...BODY, rules: { entry: 'close > sma(20)' } });
    expect(result.receipt.data_sha256).not.toBe(alone.result.receipt.data_sha256);
  });

  it('is refused with its place when there is no such instrument, and when there is no universe to rank in', async () => {
    const [status, key, detail] = await refused({ ...BODY, rules: { entry: "close > of('NONE9', close)" } });
    expect([status, key]).toEqual([400, 'error.rule_invalid']);
    expect(detail).toMatchObject([
      {
        loc: ['body', 'rules', 'entry'],
        type: 'rule_ticker_unknown',
        position: { from: 11, to: 18 },
        found: "'NONE9'",
      },
    ]);
    const [, , ranked] = await refused({ ...BODY, rules: { entry: 'rank(close) > 0.5' } });
    expect(ranked).toMatchObject([{ type: 'rule_market_here', position: { from: 0, to: 4 }, found: 'rank' }]);
    const [, , index] = await refused({ ...BODY, rules: { entry: "beta('@market', 20) > 1" } });
    expect(index).toMatchObject([{ type: 'rule_index_here', position: { from: 5, to: 14 }, found: "'@market'" }]);
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
    Object.assign(person, (await addPerson(api, undefined, { plan: 'pro' })).program);
  });

  it('varies their parameters, and leaves the others as set', async () => {
    const queued = await api.post(
      '/v1/optimize',
      { ...GRID, grid: { fast: [5, 10, 40] }, params: { slow: 30, stop_loss_pct: 8 } },
      person,
    );
    expect([queued.status, queued.body.key]).toEqual([202, undefined]);
    await runJobOf(context(), queued.body.data.job_id);
    const { result } = (await api.get(queued.body.data.location, person)).body.data;
    expect(result).toMatchObject({ strategy: 'rules', rules: GRID.rules, combinations: 3 });
    const params = result.best.map((one: { params: object }) => one.params);
    expect(params).toContainEqual({ fast: 5, slow: 30, stop_loss_pct: 8, take_profit_pct: 0, max_bars: 0 });
  });

  it('refuses a grid with parameters that the rules do not have', async () => {
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

describe('own strategies', () => {
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    [ada, bob] = [await addPerson(api), await addPerson(api)];
  });

  const BREAKOUT = {
    name: 'Breakout',
    description: 'New highs',
    rules: { entry: 'close > highest($n)', exit: 'close < lowest($m)' },
    parameters: { n: { default: 55, min: 20, max: 100 } },
  };
  const save = async (body: object = {}, person = ada) => {
    const response = await api.post('/v1/my/strategies', { ...BREAKOUT, ...body }, person.program);
    if (response.status !== 201) throw new Error(response.text);
    return response.body.data;
  };
  const refusal = async (response: Promise<Response>) => {
    const { status, body } = await response;
    return [status, body.key, body.detail?.[0]?.loc.join('.')].filter((part) => part !== undefined);
  };

  it('are saved, listed, replaced by new versions, and deleted', async () => {
    const first = await save({ name: 'Zig' });
    const second = await save({ name: 'Alpha' });
    expect(first).toMatchObject({ version: 1, shared: false, slug: null, rules: BREAKOUT.rules });
    const listed = await api.get('/v1/my/strategies', ada.program);
    expect(listed.body.data.items.map((item: { name: string }) => item.name)).toEqual(['Alpha', 'Zig']);
    const path = `/v1/my/strategies/${first.id}`;
    const replaced = await api.put(
      path,
      { ...BREAKOUT, name: 'Zag', rules: { entry: 'close > highest(5)' }, parameters: {} },
      ada.program,
    );
    expect(replaced.body.data).toMatchObject({ id: first.id, name: 'Zag', version: 2 });
    const old = await api.get(`${path}?version=1`, ada.program);
    expect(old.body.data).toMatchObject({ name: 'Zag', version: 1, rules: BREAKOUT.rules });
    expect(old.body.data.versions.map((one: { version: number }) => one.version)).toEqual([2, 1]);
    expect((await api.delete(`/v1/my/strategies/${second.id}`, undefined, ada.program)).body.data).toEqual({
      deleted: true,
    });
    expect(await refusal(api.get(`/v1/my/strategies/${second.id}`, ada.program))).toEqual([404, 'error.not_found']);
    expect(
      (await database.pool.query('select from own_strategy_versions where strategy_id = $1', [second.id])).rowCount,
    ).toBe(0);
  });

  it('are used by runs, which name the version that they used', async () => {
    const { id } = await save({ name: 'Used' });
    const body = { symbol: 'ACRX', time_range: '3Y', strategy: 'rules', rules: { saved: id } };
    const first = await backtest({ ...body, params: { m: 10 } }, ada.program);
    expect(first.result).toMatchObject({
      saved: { id, version: 1, name: 'Used' },
      rules: BREAKOUT.rules,
      params: { n: 55, m: 10 },
    });
    const listed = await api.get(`/v1/backtests?q=${encodeURIComponent('HIGHEST($n)')}`, ada.program);
    expect(listed.body.data.items[0]).toMatchObject({ strategy: 'rules', idea: BREAKOUT.rules.entry });
    await api.put(
      `/v1/my/strategies/${id}`,
      { ...BREAKOUT, name: 'Used', rules: { entry: 'close > 0' }, parameters: {} },
      ada.program,
    );
    const newest = await backtest(body, ada.program);
    expect(newest.result).toMatchObject({ saved: { version: 2 }, rules: { entry: 'close > 0' } });
    const again = await backtest({ ...body, rules: { saved: id, version: 1 }, params: { m: 10, n: 30 } }, ada.program);
    expect(again.result).toMatchObject({ saved: { version: 1 }, params: { n: 30 } });
    const run = (more: object, person = ada) => refusal(api.post('/v1/backtest', { ...body, ...more }, person.program));
    expect(await run({ rules: { saved: id, version: 1 } })).toEqual([400, 'error.rule_invalid', 'body.rules.exit']);
    expect(await run({ rules: { saved: id, version: 1 }, params: { m: 5, n: 101 } })).toEqual([
      422,
      'error.validation_failed',
      'body.params.n',
    ]);
    expect(await run({ rules: { saved: id, version: 9 } })).toEqual([404, 'error.not_found']);
    expect(await run({}, bob)).toEqual([404, 'error.not_found']);
    expect(await refusal(api.post('/v1/backtest', body, guest()))).toEqual([403, 'error.login_required']);
  });

  it('compare instruments in portfolios, and are refused with their place in runs of one', async () => {
    const ranked = { rules: { entry: 'top(rank(roc(20)), 2)', exit: 'rank(roc($n)) < 0.3' }, parameters: {} };
    const { id } = await save({ name: 'Ranked', ...ranked });
    const body = { time_range: '1Y', strategy: 'rules', rules: { saved: id }, params: { n: 5 } };
    const portfolio = { ...body, symbols: ['ACRX', 'BRVA', 'MTMX'], save: false };
    const { result } = (
      await runNow(api, { storage }, { path: '/v1/portfolio', body: portfolio, headers: ada.program })
    ).body.data;
    expect(result).toMatchObject({ saved: { id, version: 1, name: 'Ranked' }, rules: ranked.rules });
    expect(result.num_trades).toBeGreaterThan(0);
    const refused = (path: string, given: object) => refusal(api.post(path, given, ada.program));
    const place = [400, 'error.rule_invalid', 'body.rules.entry'];
    expect(await refused('/v1/backtest', { ...body, symbol: 'ACRX' })).toEqual(place);
    const watched = { name: 'One', symbols: ['ACRX'], strategy: 'rules', rules: { saved: id }, params: { n: 5 } };
    expect(await refused('/v1/my/watches', watched)).toEqual(place);
  });

  it('are refused with invalid rules, unknown parameters, and taken names', async () => {
    await save({ name: 'Taken' });
    const create = (body: object) => refusal(api.post('/v1/my/strategies', { ...BREAKOUT, ...body }, ada.program));
    expect(await create({ name: 'Taken' })).toEqual([409, 'error.name_taken']);
    expect(await create({ rules: { entry: 'close >' } })).toEqual([400, 'error.rule_invalid', 'body.rules.entry']);
    expect(await create({ parameters: { k: { default: 1 } } })).toEqual([
      422,
      'error.validation_failed',
      'body.parameters.k',
    ]);
    expect(await create({ parameters: { n: { default: 600 } } })).toEqual([
      422,
      'error.validation_failed',
      'body.parameters.n.default',
    ]);
    expect(await create({ parameters: { n: { default: 2.5 } } })).toEqual([
      422,
      'error.validation_failed',
      'body.parameters.n.default',
    ]);
    expect(await create({ parameters: { n: { default: 5, min: 9, max: 3 } } })).toEqual([
      422,
      'error.validation_failed',
      'body.parameters.n',
    ]);
    const { id } = await save({ name: 'Other' });
    expect(await refusal(api.put(`/v1/my/strategies/${id}`, { ...BREAKOUT, name: 'Taken' }, ada.program))).toEqual([
      409,
      'error.name_taken',
    ]);
  });

  it('are shared by a link that shows the newest version, but not their owner', async () => {
    const { id } = await save({ name: 'Shown' });
    const shared = await api.post(`/v1/my/strategies/${id}/share`, {}, ada.program);
    const { slug, url, api_url } = shared.body.data;
    expect(url).toBe(`http://test/strategies?shared=${slug}`);
    const path = new URL(api_url).pathname;
    expect((await api.get(path, guest())).body.data).toMatchObject({
      name: 'Shown',
      version: 1,
      rules: BREAKOUT.rules,
    });
    expect(JSON.stringify((await api.get(path, guest())).body)).not.toContain(ada.email);
    await api.post(`/v1/my/strategies/${id}/share`, { shared: false }, ada.program);
    expect((await api.get(path, guest())).status).toBe(404);
    expect(await refusal(api.post(`/v1/my/strategies/${id}/share`, {}, bob.program))).toEqual([404, 'error.not_found']);
  });

  it('are limited to a hundred, also for concurrent requests, and are deleted with their account', async () => {
    const eve = await addPerson(api);
    await database.pool.query(
      `insert into own_strategies (user_id, name, version, created_at, updated_at)
       select $1, 'Strategy ' || n, 1, now(), now() from generate_series(1, 99) n`,
      [eve.id],
    );
    const both = await Promise.all(
      ['A', 'B'].map((name) => api.post('/v1/my/strategies', { ...BREAKOUT, name }, eve.program)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(both.map(({ body }) => body.key)).toContain('error.quota_exceeded');
    const gone = await api.delete('/api/auth/me', { email: eve.email }, eve.console);
    expect(gone.status).toBe(200);
    expect((await database.pool.query('select from own_strategies where user_id = $1', [eve.id])).rowCount).toBe(0);
  });
});

describe('watches', () => {
  const at = (day: string) => Date.parse(`${day}T16:00:00Z`);
  /** The newest session that may be distributed at noon of 2024-08-20. */
  const SESSION = '2024-08-19';
  const clock = (now: number, more: Partial<JobContext> = {}) =>
    testJobContext({ pool: database.pool, storage, now: () => now, ...more });
  const evaluated = async (now: number, more: Partial<JobContext> = {}) => {
    await buildSnapshot(clock(now));
    await evaluateSignals(clock(now, more));
  };
  const watch = async (person: Person, body: object) => {
    const response = await api.post(
      '/v1/my/watches',
      { strategy: 'sma_cross', params: { fast_period: 2, slow_period: 5 }, ...body },
      person.program,
    );
    if (response.status !== 201) throw new Error(response.text);
    return response.body.data;
  };
  const signalsOf = async (person: Person, query = '') =>
    (await api.get(`/v1/my/signals?size=200${query}`, person.program)).body.data.items;
  let ada: Person;
  let symbols: string[];

  beforeAll(async () => {
    ada = await addPerson(api, undefined, { plan: 'pro' });
    symbols = api.market.directory.items
      .filter(({ instrument }) => instrument.assetType === 'stock')
      .map(({ qualified }) => qualified);
  });
  const forget = () => database.pool.query('delete from watches');

  /** The trades of a backtest on the whole history, including sessions after the evaluated one. */
  const tradesOf = async (
    symbol: string,
    { rules, ...given }: { strategy: string; rules?: RuleTexts; params: object },
  ) => {
    const { id } = findInstrument(api.market.directory, symbol);
    const asOf = requireDay('2024-09-03');
    const strategy = strategyOf({ strategy: given.strategy, rules, params: { ...given.params } });
    const effective = effectiveParameters(strategy, { ...given.params });
    if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
    const outcome = runBacktest(
      {
        strategy: given.strategy,
        rules,
        params: effective.values,
        timeRange: 'MAX',
        start: null,
        end: null,
        adjust: 'split',
        execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 1_000 },
      },
      { ...(await readHistory(database.pool, id, asOf)), asOf, lifetime: { listedOn: null, delistedOn: null } },
    );
    const dateOf = (index: number) => formatDay(required(outcome).bars.day[index]);
    return (outcome?.run.trades ?? []).map(({ entryIndex, exitIndex, exitReason }) => ({
      entry: dateOf(entryIndex),
      exit: dateOf(exitIndex),
      reason: exitReason,
    }));
  };

  it('give the signals of a backtest on the whole history', async () => {
    const own = await api.post(
      '/v1/my/strategies',
      {
        name: 'Dips',
        rules: { entry: 'close < lag(close, 1) and rsi(5) < $level', exit: 'bars_held >= 4', trail: 'peak * 0.97' },
        parameters: { level: { default: 40 } },
      },
      ada.program,
    );
    const builtIn = await watch(ada, { name: 'Crossings', symbols });
    const saved = await watch(ada, {
      name: 'Dips',
      strategy: 'rules',
      rules: { saved: own.body.data.id },
      params: undefined,
      symbols,
    });
    await evaluated(at('2024-08-20'));
    const items = await signalsOf(ada);
    const { rules } = own.body.data;
    for (const [id, settings] of [
      [builtIn.id, { strategy: 'sma_cross', params: { fast_period: 2, slow_period: 5 } }],
      [saved.id, { strategy: 'rules', rules, params: { level: 40 } }],
    ] as const) {
      const reported = items.filter((item: { watch: { id: number } }) => item.watch.id === id);
      const expected: unknown[] = [];
      for (const symbol of symbols) {
        for (const { entry, exit, reason } of await tradesOf(symbol, settings)) {
          if (entry === SESSION) expected.push([symbol, 'entry', 'signal']);
          if (exit === SESSION) expected.push([symbol, 'exit', reason]);
        }
      }
      expect(reported.map((item: Record<string, string>) => [item.symbol, item.kind, item.reason]).sort()).toEqual(
        expected.sort(),
      );
      expect(reported.length).toBeGreaterThan(2);
      expect(new Set(reported.map((item: { kind: string }) => item.kind)).size).toBe(2);
      expect(
        reported.every((item: { date: string; corrected: boolean }) => item.date === SESSION && !item.corrected),
      ).toBe(true);
    }
    const entry = items.find(
      (item: { watch: { name: string }; kind: string }) => item.watch.name === 'Dips' && item.kind === 'entry',
    );
    expect(Object.keys(entry.values).sort()).toEqual(['close', 'lag(close, 1)', 'rsi(5)']);
    expect(entry.values.close).toBe(entry.close);
    await forget();
  });

  it('are evaluated once per session and version of the data, even if a job dies or two run concurrently', async () => {
    await watch(ada, { name: 'One', symbols });
    await watch(ada, { name: 'Two', symbols });
    const now = at('2024-08-20');
    await buildSnapshot(clock(now));
    const dying = new AbortController();
    const rows = async (table: string) =>
      (await database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;
    // Dies before the first watch is recorded.
    const dyingClock = () => {
      dying.abort();
      return now;
    };
    const died = evaluateSignals(clock(now, { signal: dying.signal, now: dyingClock }));
    await expect(died).rejects.toThrow();
    expect(await rows('signal_evaluations')).toBeLessThan(2);
    await Promise.all([evaluateSignals(clock(now)), evaluateSignals(clock(now))]);
    const [evaluations, signals] = [await rows('signal_evaluations'), await rows('signals')];
    expect(evaluations).toBe(2);
    await evaluateSignals(clock(now));
    expect([await rows('signal_evaluations'), await rows('signals')]).toEqual([evaluations, signals]);
    const items = await signalsOf(ada);
    expect(
      new Set(items.map((item: { watch: { id: number }; symbol: string }) => `${item.watch.id} ${item.symbol}`)).size,
    ).toBe(items.length);
    await forget();
  });

  it('mark signals that changed with the data of a session', async () => {
    await watch(ada, { name: 'Corrected', symbols });
    // Bars of the newest month are read as rows, which are changed here.
    const now = NOW;
    await evaluated(now);
    const before = await signalsOf(ada);
    await bumpDataVersion(database.pool, 'bars');
    await evaluated(now);
    expect(await signalsOf(ada)).toEqual(before);
    const [{ symbol }] = before;
    const { rows } = await database.pool.query(`select id from instruments where symbol || '.US' = $1`, [symbol]);
    const bar = `instrument_id = ${rows[0].id} and day = '2024-09-03' and basis = 1`;
    const original = await database.pool.query(`select * from daily_bars where ${bar}`);
    expect(original.rowCount).toBe(1);
    await database.pool.query(`update daily_bars set open = low, close = low where ${bar}`);
    await bumpDataVersion(database.pool, 'bars');
    await evaluated(now);
    const after = await signalsOf(ada);
    expect(after).not.toEqual(before);
    expect(after.every((item: { corrected: boolean }) => item.corrected)).toBe(true);
    const { open, close } = original.rows[0];
    await database.pool.query(`update daily_bars set open = $1, close = $2 where ${bar}`, [open, close]);
    await bumpDataVersion(database.pool, 'bars');
    await forget();
  });

  it('evaluate the next session once it may be distributed, on the instruments that a screen finds', async () => {
    await watch(ada, {
      name: 'Screened',
      symbols: undefined,
      screen: { where: 'close > sma(20) and volume > 0', asset_type: 'stock' },
    });
    const found = await watch(ada, {
      name: 'Listed',
      symbols: undefined,
      screen: { where: 'close > 0', symbols: [...symbols.filter((_, i) => i % 2 === 0), 'acrx'] },
    });
    await watch(ada, { name: 'All', symbols });
    await evaluated(at('2024-08-20'));
    await evaluated(at('2024-08-21'));
    const items = await signalsOf(ada);
    expect([...new Set(items.map((item: { date: string }) => item.date))]).toEqual(['2024-08-20', SESSION]);
    const named = (name: string) => items.filter((item: { watch: { name: string } }) => item.watch.name === name);
    const keys = (list: { symbol: string; date: string; kind: string }[]) =>
      list.map(({ symbol, date, kind }) => `${symbol} ${date} ${kind}`);
    expect(named('Screened').length).toBeGreaterThan(0);
    expect(named('Screened').length).toBeLessThan(named('All').length);
    expect(keys(named('All'))).toEqual(expect.arrayContaining(keys(named('Screened'))));
    const listed: string[] = found.screen.symbols;
    expect(listed).toContain('ACRX.US');
    const ofList = named('All').filter(({ symbol }: { symbol: string }) => listed.includes(symbol));
    expect(keys(named('Listed'))).toEqual(keys(ofList));
    expect(ofList.length).toBeGreaterThan(0);
    expect(
      (await signalsOf(ada, '&since=2024-08-20')).every((item: { date: string }) => item.date === '2024-08-20'),
    ).toBe(true);
    await forget();
  });

  it('of a screen itself give who enters and leaves it, and are evaluated at once', async () => {
    const where = 'close > sma(10)';
    const screen = { where, symbols };
    const made = await watch(ada, { name: 'Itself', strategy: undefined, params: undefined, screen });
    expect(made).toMatchObject({ strategy: 'screen', params: {}, evaluated: null });
    const queued = await database.pool.query(
      `select from pgboss.job where name = 'signals.evaluate' and state = 'created'`,
    );
    expect(queued.rowCount).toBe(1);
    const ranked = await watch(ada, {
      name: 'Ranked',
      strategy: undefined,
      params: undefined,
      screen: { ...screen, where: 'rank(roc(5)) > 0.5' },
    });
    const beside = await watch(ada, {
      name: 'Beside the market',
      strategy: undefined,
      params: undefined,
      screen: { ...screen, where: "roc(5) > 100 * (of('@market', close / lag(close, 5)) - 1)" },
    });
    const saved = await api.post(
      '/v1/my/strategies',
      { name: 'The same', rules: { entry: where, exit: `not (${where})` } },
      ada.program,
    );
    await watch(ada, {
      name: 'Run',
      strategy: 'rules',
      rules: { saved: saved.body.data.id },
      params: undefined,
      symbols,
    });
    await evaluated(at('2024-08-20'));
    const items = await signalsOf(ada);
    const of = (name: string) =>
      items
        .filter((item: { watch: { name: string } }) => item.watch.name === name)
        .map(({ watch: _watch, ...signal }: Record<string, unknown>) => signal);
    // A run of the same rules enters and leaves with the screen.
    expect(of('Itself')).toEqual(of('Run'));
    expect(new Set(of('Itself').map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['entry', 'exit']));
    const kinds = of('Ranked').map(({ kind, values }: { kind: string; values: object }) => [kind, values]);
    expect(kinds).toContainEqual(['entry', {}]);
    expect(kinds).toContainEqual(['exit', {}]);
    expect(of('Beside the market').length).toBeGreaterThan(0);
    for (const { id } of [ranked, beside])
      expect((await api.get(`/v1/my/watches/${id}`, ada.program)).body.data.evaluated).toBe(SESSION);
    expect((await api.get('/v1/my/watches', ada.program)).body.data.items[0].evaluated).toBe(SESSION);
    const wrong = await api.post('/v1/my/watches', { name: 'Wrong', screen, params: {} }, ada.program);
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'params']]);
    await forget();
  });

  it('send one mail per session to those who want it, retried until it is sent', async () => {
    const bob = await addPerson(api);
    await watch(ada, { name: 'Mailed', symbols, mail: true });
    await watch(ada, { name: 'Also mailed', symbols, mail: true });
    await watch(bob, { name: 'Not mailed', symbols });
    await database.pool.query('delete from signal_digests');
    const now = at('2024-08-20');
    await evaluated(now);
    const mails: Mail[] = [];
    let isDown = true;
    const mailer = async () => ({
      send: async (mail: Mail) => {
        if (isDown) throw new Error('the mail server is away');
        mails.push(mail);
      },
      close: () => {},
    });
    await expect(mailSignals(clock(now, { mailer }))).rejects.toThrow('away');
    isDown = false;
    await mailSignals(clock(now, { mailer }));
    await mailSignals(clock(now, { mailer }));
    await bumpDataVersion(database.pool, 'bars');
    await evaluated(now);
    await mailSignals(clock(now, { mailer }));
    expect(mails.map(({ to }) => to)).toEqual([ada.email]);
    const count = (await signalsOf(ada)).length;
    expect(mails[0].subject).toBe(`${count} signals of ${SESSION}`);
    expect(mails[0].messageId).toContain(SESSION);
    expect(mails[0].text).toContain('Also mailed');
    await forget();
  });

  it('are refused with invalid input, and beyond the quota of the plan', async () => {
    const refusal = async (body: object, person = ada) => {
      const given = { name: 'Wrong', strategy: 'sma_cross', symbols: ['ACRX'], ...body };
      const { status, body: answer } = await api.post('/v1/my/watches', given, person.program);
      return [status, answer.key, answer.detail?.[0]?.loc.join('.')].filter((part) => part !== undefined);
    };
    expect(await refusal({ symbols: undefined })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ screen: { where: 'close > 1' } })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ symbols: ['NOPE'] })).toEqual([404, 'error.symbol_not_found']);
    expect(await refusal({ symbols: undefined, screen: { where: 'close >' } })).toEqual([
      400,
      'error.rule_invalid',
      'body.screen.where',
    ]);
    expect(await refusal({ symbols: undefined, screen: { where: 'close > 1', symbols: ['NOPE'] } })).toEqual([
      404,
      'error.symbol_not_found',
      'body.screen.symbols.0',
    ]);
    expect(await refusal({ symbols: undefined, screen: { where: 'peak > 1' } })).toEqual([
      400,
      'error.rule_invalid',
      'body.screen.where',
    ]);
    expect(await refusal({ strategy: 'rules', rules: { saved: 999_999 } })).toEqual([404, 'error.not_found']);
    expect(await refusal({ params: { fast_period: 60 } })).toEqual([
      422,
      'error.validation_failed',
      'body.params.fast_period',
    ]);
    const free = await addPerson(api);
    await watch(free, { name: 'First', symbols: ['ACRX'] });
    expect(await refusal({ name: 'First' }, free)).toEqual([409, 'error.name_taken']);
    const both = await Promise.all(['Second', 'Third'].map((name) => refusal({ name }, free)));
    expect(both.sort()).toEqual([[201], [400, 'error.quota_exceeded']]);
    const { id } = (await api.get('/v1/my/watches', free.program)).body.data.items[0];
    const changed = await api.patch(`/v1/my/watches/${id}`, { name: 'Renamed', mail: true }, free.program);
    expect(changed.body.data).toMatchObject({ name: 'Renamed', mail: true, symbols: ['ACRX.US'] });
    expect((await api.get(`/v1/my/watches/${id}`, ada.program)).status).toBe(404);
    expect((await api.delete(`/v1/my/watches/${id}`, undefined, free.program)).status).toBe(200);
    await forget();
  });
});

describe('a screen by rules', () => {
  const screen = async (body: object) => {
    const response = await api.post('/v1/screener', body, ada.program);
    return { ...response.body, status: response.status };
  };
  /** A rule at the last bar of the whole history of each stock, by symbol. */
  let wholeHistories: Map<string, IndicatorSet>;
  /** The same at the session before. */
  let historiesBefore: Map<string, IndicatorSet>;

  let ada: Person;

  beforeAll(async () => {
    ada = await addPerson(api, undefined, { plan: 'enterprise' });
    await buildSnapshot(context());
    await eventually(
      () => api.post('/v1/screener', {}, ada.program),
      ({ body }) => body.data?.data_freshness.as_of === '2024-09-03',
    );
    wholeHistories = await historiesAt('2024-09-03');
    historiesBefore = await historiesAt('2024-08-30');
  });

  async function historiesAt(session: string): Promise<Map<string, IndicatorSet>> {
    const day = requireDay(session);
    const histories = new Map<string, IndicatorSet>();
    for (const { id, qualified, instrument } of api.market.directory.items) {
      if (instrument.assetType !== 'stock') continue;
      const { series, events } = await readHistory(database.pool, id, day);
      if (series.length === 0 || day - series.day[series.length - 1] > 7) continue;
      histories.set(qualified, new IndicatorSet(adjustToLastBar(series, events)));
    }
    return histories;
  }

  const expressionOf = (text: string, result: 'value' | 'condition') => {
    const checked = checkRule(text, { result, mayUsePosition: false, parameters: null });
    if ('problems' in checked) throw new Error(text);
    return checked.expression;
  };
  const symbolsWhere = (text: string, histories = wholeHistories) => {
    const condition = compileCondition(expressionOf(text, 'condition'));
    return [...histories]
      .filter(([, set]) => new HistoryColumns(set).mask(condition).at(-1) === 1)
      .map(([symbol]) => symbol);
  };
  const valueAt = (text: string, symbol: string) =>
    required(
      new HistoryColumns(required(wholeHistories.get(symbol))).value(compileValue(expressionOf(text, 'value'))).at(-1),
    );

  it.each([
    'close > sma(200)',
    'not (close > sma(200))',
    'rsi(14) < 50 and atr(14) / close > 0.01',
    'crosses_above(ema(5), ema(20)) or crosses_below(ema(5), ema(20))',
    'macd(12, 26) > macd_signal(12, 26, 9)',
    'within_bars(close > highest(20), 10) and volatility(60) > lag(volatility(60), 20)',
    'for_bars(close > lowest_of(low, 100), 3) and roc(126) > 0',
    'close >= 0.9 * highest_of(high, 250)',
    'ema(252) < close and rsi(252) > 48',
  ])('finds what its rule says of whole histories: %s', async (where) => {
    const { data, status } = await screen({ where, asset_type: 'stock', limit: 500 });
    expect(status).toBe(200);
    const expected = symbolsWhere(where);
    expect(data.items.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(0);
    expect(data.funnel.map(({ rule }: { rule: string }) => rule).join(' and ')).toBe(where);
    expect(data.funnel.at(-1).remaining).toBe(expected.length);
    expect(data.changes).toHaveProperty('entered');
  });

  it('has further figures, and sorts by a value, with undefined ones last', async () => {
    const columns = {
      stretch: 'close / sma(50)',
      signal: 'macd_signal(12, 26, 9)',
      strength: 'rsi(20)',
      none: 'close / 0',
    };
    const { data } = await screen({
      columns,
      asset_type: 'stock',
      limit: 500,
      sort: { by: 'ema(100) / close', order: 'asc' },
    });
    expect(data.items.length).toBe(wholeHistories.size);
    const order: number[] = [];
    for (const { symbol, columns: figures } of data.items) {
      for (const [name, text] of Object.entries(columns)) {
        const expected = valueAt(text, symbol);
        if (Number.isNaN(expected)) expect(figures[name]).toBeNull();
        else expect(Math.abs(figures[name] - expected)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(expected)));
      }
      order.push(valueAt('ema(100) / close', symbol));
    }
    const defined = order.filter((figure) => !Number.isNaN(figure));
    expect(order.slice(0, defined.length).every((figure) => !Number.isNaN(figure))).toBe(true);
    for (let i = 1; i < defined.length; i++) expect(defined[i]).toBeGreaterThanOrEqual(defined[i - 1] - 1e-5);
  });

  it('tells what its conditions compare, and has their figures as columns', async () => {
    const where = 'close > sma(50) and rsi(14) < 60';
    const { data } = await screen({
      where,
      condition_columns: true,
      columns: { month: 'roc(20)' },
      asset_type: 'stock',
    });
    expect(data.funnel.map(({ values }: { values: string[] }) => values)).toEqual([['close', 'sma(50)'], ['rsi(14)']]);
    expect(data.items.length).toBeGreaterThan(0);
    for (const { symbol, close, columns } of data.items) {
      expect(Object.keys(columns)).toEqual(['month', 'close', 'sma(50)', 'rsi(14)']);
      expect(columns.close).toBe(close);
      expect(columns['rsi(14)']).toBeCloseTo(valueAt('rsi(14)', symbol), 5);
      expect(columns['rsi(14)']).toBeLessThan(60);
      expect(columns['sma(50)']).toBeLessThan(close);
    }
    const fields = await screen({ preset: 'volume_surge', condition_columns: true });
    expect(fields.data.funnel.map(({ values }: { values: string[] }) => values.length)).toEqual([1, 1, 1]);
    expect((await screen({ where })).data.items[0]).not.toHaveProperty('columns');
  });

  it.each([
    ['close > sma(400)', 'ema(300) / close', 'roc(500)'],
    ['not (rsi(300) > 50)', 'sma(20)', 'macd_signal(50, 300, 200)'],
    ['close > sma(20)', 'sma(504)', 'highest_of(lag(close, 252), 500)'],
  ])('looks at whole histories where its rules need them: %s', async (where, longest, by) => {
    const columns = { longest, near: 'close / sma(50)' };
    const body = { where, columns, sort: { by, order: 'asc' }, asset_type: 'stock', limit: 500 };
    const { data: state } = (await runNow(api, { storage }, { path: '/v1/screener', body, headers: ada.program })).body;
    expect(state).toMatchObject({ status: 'done', result: { data_freshness: { as_of: '2024-09-03' } } });
    const { items, funnel, changes, venue_scope } = state.result;
    const expected = symbolsWhere(where);
    expect(items.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(0);
    expect(funnel).toMatchObject([{ condition: { where }, rule: where, remaining: expected.length }]);
    expect(venue_scope.mixed).toBe(true);
    for (const { symbol, columns: figures } of items) {
      for (const [name, text] of Object.entries(columns)) {
        const figure = valueAt(text, symbol);
        if (Number.isNaN(figure)) expect(figures[name]).toBeNull();
        else expect(Math.abs(figures[name] - figure)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(figure)));
      }
    }
    const order = items.map(({ symbol }: { symbol: string }) => valueAt(by, symbol));
    const defined = order.filter((figure: number) => !Number.isNaN(figure));
    expect(order.slice(0, defined.length)).toEqual(defined);
    for (let k = 1; k < defined.length; k++) expect(defined[k]).toBeGreaterThanOrEqual(defined[k - 1] - 1e-5);
    const before = symbolsWhere(where, historiesBefore);
    expect(changes).toEqual({
      entered: expected.filter((symbol) => !before.includes(symbol)).sort(),
      left: before.filter((symbol) => !expected.includes(symbol)).sort(),
    });
  });

  it('compares instruments that have a bar at its session, and reads other instruments', async () => {
    const body = {
      where: "rank(roc(60)) > 0.7 and of('ACRX', close > 0)",
      columns: {
        z: 'zscore(roc(60))',
        other: "of('ACRX', close)",
        before: 'lag(rank(roc(60)), 1)',
        index: "of('@market', close)",
        illiquidity: 'sma_of(abs(roc(1)) / dollar_volume, 21)',
      },
      sort: { by: 'rank(-volatility(20))', order: 'desc' },
      asset_type: 'stock',
      limit: 500,
    };
    const { data: state } = (await runNow(api, { storage }, { path: '/v1/screener', body, headers: ada.program })).body;
    expect(state.status).toBe('done');
    const session = requireDay('2024-09-03');
    const changes = [...wholeHistories].flatMap(([symbol, set]) => {
      const change = set.roc(60).at(-1) ?? Number.NaN;
      return set.series.day.at(-1) === session && !Number.isNaN(change) ? [{ symbol, change }] : [];
    });
    const above = changes.filter(
      ({ change }) => changes.filter((one) => one.change <= change).length / changes.length > 0.7,
    );
    const { items } = state.result;
    expect(items.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual(
      above.map(({ symbol }) => symbol).sort(),
    );
    const mean = above.reduce((sum, { change }) => sum + change, 0) / above.length;
    const variance = above.reduce((sum, { change }) => sum + (change - mean) ** 2, 0) / (above.length - 1);
    for (const { symbol, columns } of items) {
      const change = required(above.find((one) => one.symbol === symbol)).change;
      expect(columns.z).toBeCloseTo((change - mean) / Math.sqrt(variance), 5);
      expect(columns.other).toBeCloseTo(valueAt('close', 'ACRX.US'), 5);
      expect(columns.index).toBeGreaterThan(0);
      expect(columns.index).toBe(items[0].columns.index);
      expect(columns.illiquidity).toBeGreaterThan(0);
      expect(columns.illiquidity).toBeLessThan(1e-4);
    }
    const calm = items.map(({ symbol }: { symbol: string }) => valueAt('volatility(20)', symbol));
    expect(calm).toEqual(calm.toSorted((a: number, b: number) => a - b));
    const refused = await screen({ where: "close > of('NONE9', close)" });
    expect([refused.status, refused.detail[0].type]).toEqual([400, 'rule_ticker_unknown']);
  });

  it('is refused if a rule is invalid or combined with conditions, and ignored with a preset', async () => {
    const refusal = async (body: object) => {
      const { status, key, detail } = await screen(body);
      return [status, key, detail?.[0]?.loc.join('.'), detail?.[0]?.type].filter((part) => part !== undefined);
    };
    expect(await refusal({ where: 'close >' })).toEqual([
      400,
      'error.rule_invalid',
      'body.where',
      'rule_unexpected_end',
    ]);
    expect(await refusal({ where: 'close > $x' })).toEqual([
      400,
      'error.rule_invalid',
      'body.where',
      'rule_parameter_missing',
    ]);
    expect(await refusal({ columns: { a: 'close > 1' } })).toEqual([
      400,
      'error.rule_invalid',
      'body.columns.a',
      'rule_needs_value',
    ]);
    expect(await refusal({ sort: { by: 'clsoe' } })).toEqual([
      400,
      'error.rule_invalid',
      'body.sort.by',
      'rule_unknown_name',
    ]);
    const condition = { field: 'close', op: 'gt', value: 1 };
    expect((await refusal({ where: 'close > 1', conditions: [condition] })).slice(0, 3)).toEqual([
      422,
      'error.validation_failed',
      'body.where',
    ]);
    const columns = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`c${i}`, 'close']));
    expect((await refusal({ columns })).slice(0, 3)).toEqual([422, 'error.validation_failed', 'body.columns']);
    expect((await screen({ preset: 'volume_surge', where: 'close >', sort: { by: '' } })).status).toBe(200);
  });
});
