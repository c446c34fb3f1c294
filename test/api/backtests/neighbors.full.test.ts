/** The example of the market, and backtests with neighboring values of a parameter. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { deletePause, insertPause } from '../../../db/queue/queues.ts';
import { neighboringValues } from '../../../engine/backtest/optimize.ts';
import { integer, number } from '../../../engine/strategies/parameters.ts';
import { addPerson } from '../../support/accounts.ts';
import type { TestApi } from '../../support/api.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

let service: SampleService;
let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  service = await openSampleService();
  ({ database, api } = service);
});
afterAll(() => service.close());

describe('neighboring values', () => {
  const label = { en: 'x', 'zh-CN': 'x', 'zh-TW': 'x' };

  it('are around the chosen one, within the range of the parameter', () => {
    const bars = integer(20, [2, 252], label);
    expect(neighboringValues(bars, 40)).toEqual([10, 15, 20, 25, 30, 40, 50, 60, 80]);
    expect(neighboringValues(bars, 4)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(neighboringValues(bars, 200)).toEqual([50, 75, 100, 125, 150, 200, 250]);
    expect(neighboringValues(number(3, [0, 100], label), 3)).toEqual([0.75, 1.125, 1.5, 1.875, 2.25, 3, 3.75, 4.5, 6]);
    expect(neighboringValues(number(0, [0, 100], label), 0)).toEqual([0]);
  });
});

describe('a backtest with neighboring values', () => {
  it('has the figures that a run of each value has, and counts them as trials, but not as runs of the account', async () => {
    const { program } = await addPerson(api);
    const run = { symbol: 'ACRX', strategy: 'donchian', time_range: '3Y' };
    const { status, body } = await api.post('/v1/backtest/neighbors', { ...run, vary: 'entry_period' }, program);
    expect([status, body.data.param, body.data.trials]).toEqual([200, 'entry_period', 9]);
    expect(body.data.values.map(({ value }: { value: number }) => value)).toEqual([5, 8, 10, 13, 15, 20, 25, 30, 40]);
    const { data } = (await api.post('/v1/backtest', { ...run, params: { entry_period: 30 } }, program)).body;
    const { sharpe, total_pnl_pct, num_trades, selection } = data;
    expect(body.data.values[7]).toEqual({ value: 30, sharpe, total_pnl_pct, num_trades });
    expect([selection.trials, selection.account.runs]).toEqual([9, 1]);
  });

  it('is refused for a parameter that the strategy does not have', async () => {
    const body = { symbol: 'ACRX', strategy: 'donchian', vary: 'fast_period' };
    const { status, body: answer } = await api.post('/v1/backtest/neighbors', body);
    expect([status, answer.detail[0].loc]).toEqual([422, ['body', 'vary']]);
  });
});

describe('the example', () => {
  it('is computed for others when the reader who caused it leaves', async () => {
    await insertPause(database.pool, 'optimize', 'test', new Date());
    const caused = supertest(api.app).get('/v1/backtest/example');
    const left = caused.then(String, () => 'left');
    const queued = () => database.pool.query(`select status from runs where owner = 'service' and kind = 'optimize'`);
    await eventually(queued, ({ rowCount }) => rowCount === 1);
    caused.abort();
    await left;
    // A canceled run would be one by now.
    await api.get('/healthz');
    await deletePause(database.pool, 'optimize');
    expect((await api.get('/v1/backtest/example')).status).toBe(200);
  });

  it('is a finished backtest of the loaded market, the same for everybody and at nobody’s expense', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => api.get('/v1/backtest/example')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [{ result, neighbors }, ...others] = answers.map(({ body }) => body.data);
    expect(result).toMatchObject({ id: null, strategy: 'donchian', time_range: '3Y', end_date: '2026-05-29' });
    expect(result.equity.length).toBe(result.klines.length);
    expect(neighbors.values.find(({ value }: { value: number }) => value === 40).sharpe).toBe(result.sharpe);
    for (const other of others) expect(other).toEqual({ result, neighbors });
    const { rows } = await database.pool.query(`select kind, owner from runs where owner = 'service' order by kind`);
    expect(rows).toEqual([
      { kind: 'backtest', owner: 'service' },
      { kind: 'optimize', owner: 'service' },
    ]);
  });
});
