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
import { addPerson, newAddress, type Person } from '../support/accounts.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../support/database.ts';
import { testJobContext } from '../support/job-context.ts';

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

  it('are saved, listed, replaced by further versions, and deleted', async () => {
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

  it('are refused with wrong rules, foreign parameters, and taken names', async () => {
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

  it('are shared by a link that shows the newest version and nothing of their owner', async () => {
    const { id } = await save({ name: 'Shown' });
    const shared = await api.post(`/v1/my/strategies/${id}/share`, {}, ada.program);
    const path = new URL(shared.body.data.url).pathname;
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

  it('are a hundred at most, also when two requests come at once, and go with their account', async () => {
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
