/** Finished results that pages open with: of the loaded market, the same for everybody, and at nobody's expense. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { addPerson } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { NOON_2026_06_01 } from '../../support/market-folder.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

let service: SampleService;
let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  service = await openSampleService();
  ({ database, api } = service);
});
afterAll(() => service.close());

/** The answers of three guests, which must be equal. */
async function exampleAt(path: string) {
  const answers = await Promise.all([1, 2, 3].map(() => api.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [first, ...others] = answers.map(({ body }) => body.data);
  for (const other of others) expect(other).toEqual(first);
  return first;
}

const serviceRuns = async (kind: string) =>
  (await database.pool.query(`select owner, user_id from runs where kind = $1`, [kind])).rows;

describe('the example of portfolios', () => {
  it('is a rotation of the whole market, computed once, and the run that its own call makes', async () => {
    const result = await exampleAt('/v1/portfolio/example');
    expect(result).toMatchObject({ id: null, strategy: 'rotation', time_range: '5Y', end_date: '2026-05-29' });
    expect(result.members).toBeGreaterThan(30);
    expect(result.tear_sheet.returns.sharpe).toBeCloseTo(result.sharpe, 1);
    expect(await serviceRuns('portfolio')).toEqual([{ owner: 'service', user_id: null }]);

    const { program } = await addPerson(api, undefined, { plan: 'pro' });
    const { universe, rotation, cost } = result;
    const body = {
      universe: { all: true, where: universe.where },
      rotation,
      time_range: '5Y',
      adjust: 'total',
      cost: { slippage_bps: cost.slippage_bps },
    };
    const { data } = (await api.post('/v1/portfolio', body, program)).body;
    expect([data.total_pnl_pct, data.sharpe, data.num_trades]).toEqual([
      result.total_pnl_pct,
      result.sharpe,
      result.num_trades,
    ]);
  });
});

describe('the example of optimizations', () => {
  it('is what its request finds, with a heat map and a walk forward', async () => {
    const { request, result } = await exampleAt('/v1/optimize/example');
    expect(result.combinations).toBe(64);
    expect(
      result.heatmap.cells.flat().filter((value: number | null) => value === result.best[0].metrics.sharpe),
    ).not.toEqual([]);
    expect(result.walk_forward.windows.length).toBeGreaterThan(5);
    const { symbol, strategy, time_range, adjust, execute_on, cost } = request;
    const { params, metrics } = result.best[0];
    const run = await api.post('/v1/backtest', { symbol, strategy, time_range, adjust, execute_on, cost, params });
    expect(run.body.data.sharpe).toBe(metrics.sharpe);
  });
});

describe('the example of sweeps', () => {
  it('has the same figures as the backtests of its cells, and is at nobody’s expense', async () => {
    const { request, result } = await exampleAt('/v1/sweeps/example');
    expect(request.universe.symbols.length).toBe(result.instruments);
    expect([result.combinations.length, result.cells]).toEqual([12, 12 * result.instruments]);
    const { time_range, adjust, execute_on, cost } = request;
    for (const { symbol, strategy, params, sharpe, num_trades } of [result.best_few_trades[0], result.worst[0]]) {
      const body = { symbol, strategy, params, time_range, adjust, execute_on, cost };
      const { data } = (await api.post('/v1/backtest', body)).body;
      expect([data.sharpe, data.num_trades]).toEqual([sharpe, num_trades]);
    }
    expect(await serviceRuns('optimize')).toEqual(Array(2).fill({ owner: 'service', user_id: null }));
    expect((await database.pool.query('select from sweeps')).rowCount).toBe(0);
  });

  it('is what a sweep of an account finds', async () => {
    const { request, result } = (await api.get('/v1/sweeps/example')).body.data;
    const { program } = await addPerson(api, undefined, { plan: 'pro' });
    const { location } = (await api.post('/v1/sweeps', request, program)).body.data;
    const done = () => api.get(`${location}?wait=5`, program);
    await eventually(done, ({ body }) => body.data.status === 'done');
    const swept = (await api.get(`${location}/result`, program)).body.data;
    // The example belongs to no account.
    expect({ ...swept, id: result.id, selection: { ...swept.selection, account: null } }).toEqual(result);
  });
});

describe('without a market', () => {
  it('there is no example', async () => {
    const empty = await createTestDatabase();
    const provider = new SampleProvider({ symbols: 1, now: () => NOON_2026_06_01 });
    const other = await openTestApi({ database: empty, provider, realCallers: true });
    for (const name of ['backtest', 'portfolio', 'optimize', 'sweeps']) {
      const { status, body } = await other.get(`/v1/${name}/example`);
      expect([name, status, body.key]).toEqual([name, 404, 'error.not_found']);
    }
    await other.close();
    await empty.drop();
  });
});
