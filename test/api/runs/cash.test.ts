/** Interest on cash and a risk-free rate over HTTP: in every kind of run, kept and verified, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addPerson, type Person } from '../../support/accounts.ts';
import { eventually } from '../../support/eventually.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

const RULES = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '2Y' };
const SYMBOLS = ['ACRX', 'EMBR', 'LUMA', 'MTMX', 'TMRK'];
const CASH = { cash: { rate: 5, spread_bps: 40 } };

/** A run of each kind that holds cash at times, and where it is asked for. */
const KINDS = {
  backtest: ['/v1/backtest', RULES],
  portfolio: ['/v1/portfolio', { strategy: 'donchian', symbols: SYMBOLS, time_range: '2Y' }],
  rotation: [
    '/v1/portfolio',
    {
      time_range: '2Y',
      universe: { symbols: SYMBOLS },
      rotation: { every: 'month', score: 'roc(60)', hold: { top: 3 } },
      cash_buffer_pct: 20,
    },
  ],
  targets: [
    '/v1/portfolio',
    { time_range: '2Y', allocation: { targets: [{ symbol: 'ACRX', weight: 0.5 }], rebalance: 'month' } },
  ],
} as const;

let service: SampleService;
let ada: Person;
beforeAll(async () => {
  service = await openSampleService();
  ada = await addPerson(service.api, undefined, { plan: 'pro' });
});
afterAll(() => service.close());

/** Posts a request and follows its job, which is at `jobs`, until the end. */
async function run(path: string, body: object, jobs = `${path}/jobs`) {
  const { api } = service;
  const { status, body: answer } = await api.post(path, body, { ...ada.program, prefer: 'wait=20' });
  if (status === 200) return answer.data;
  expect([path, status, answer.data ?? answer]).toEqual([path, 202, expect.anything()]);
  const { status: end, result } = await eventually(
    async () => (await api.get(`${jobs}/${answer.data.job_id}?wait=20`, ada.program)).body.data,
    (state) => state.status !== 'queued' && state.status !== 'running',
  );
  expect([path, end]).toEqual([path, 'done']);
  return result;
}

const refusalOf = async (path: string, body: object) => {
  const { status, body: answer } = await service.api.post(path, body, ada.program);
  return [status, answer.detail?.map(({ loc, msg }: { loc: string[]; msg: string }) => [loc.join('.'), msg])];
};

describe('a run with cash', () => {
  it.each(Object.entries(KINDS))('as %s tells its interest, and is reproduced', async (kind, [path, body]) => {
    const plain = await run(path, { ...body, tear_sheet: true });
    expect([plain.interest, plain.tear_sheet.interest, 'cash' in plain]).toEqual([null, null, false]);
    const rich = await run(path, { ...body, ...CASH, tear_sheet: true, save: true });
    expect(rich.cash).toEqual({ rate: 5, spread_bps: 40 });
    expect(rich.interest).toEqual({ money: expect.any(Number), pct_per_year: expect.any(Number) });
    expect(rich.interest.money).toBeGreaterThan(100);
    expect(rich.tear_sheet.interest).toEqual(rich.interest);
    expect(rich.final_equity).toBeGreaterThan(plain.final_equity);
    // The benchmark holds no cash, and trades earn no interest.
    expect(rich.buy_hold_pnl_pct).toBe(plain.buy_hold_pnl_pct);
    expect(rich.trades.length).toBeGreaterThan(0);
    const pnl = rich.trades.reduce((sum: number, trade: { pnl: number }) => sum + trade.pnl, 0);
    expect(100_000 + pnl + rich.interest.money).toBeCloseTo(rich.final_equity, 0);
    // A part of what cash earns is no alpha.
    expect(rich.tear_sheet.series[9].risk_free).toBeGreaterThan(0);
    expect(rich.receipt.spec_sha256).not.toBe(plain.receipt.spec_sha256);
    const kept = kind === 'backtest' ? 'backtests' : 'portfolios';
    const { verdict } = await run(`/v1/${kept}/${rich.id}/verify`, {}, '/v1/verify/jobs');
    expect(verdict).toBe('reproduced');
    const proof = await run(`/v1/${kept}/${rich.id}/look-ahead`, {}, '/v1/look-ahead/jobs');
    expect(proof).toMatchObject({ verdict: 'none', differences: 0 });
  });

  it('has a spread of 0 where it does not say one, and is the same in both forms', async () => {
    const { symbol, strategy, time_range } = RULES;
    const [flat, nested] = [
      await run('/v1/backtest', { ...RULES, cash: { rate: 5 } }),
      await run(
        '/api/backtest/run',
        { symbol, strategy, range: { time_range }, cash: { rate: 5 } },
        '/v1/backtest/jobs',
      ),
    ];
    expect(flat.cash).toEqual({ rate: 5, spread_bps: 0 });
    expect(nested.receipt).toEqual(flat.receipt);
  });

  it('earns nothing at a rate of 0: every figure is that without cash', async () => {
    const [plain, idle] = [
      await run('/v1/backtest', RULES),
      await run('/v1/backtest', { ...RULES, cash: { rate: 0 } }),
    ];
    expect(idle.interest).toEqual({ money: 0, pct_per_year: 0 });
    expect([idle.final_equity, idle.sharpe, idle.trades]).toEqual([plain.final_equity, plain.sharpe, plain.trades]);
  });

  it('is searched with it, and can be swept', async () => {
    const grid = { fast_period: [5, 10], slow_period: [20, 40] };
    const best = async (more: object) => {
      const found = await run('/v1/optimize', { ...RULES, params: {}, grid, objective: 'total_pnl_pct', ...more });
      return found.best[0];
    };
    const rich = await best(CASH);
    const { params, metrics } = rich;
    const single = await run('/v1/backtest', { ...RULES, params, ...CASH });
    expect(metrics.final_equity).toBe(single.final_equity);
    expect(metrics.final_equity).toBeGreaterThan((await best({})).metrics.final_equity);
    const walked = await run('/v1/optimize', {
      ...RULES,
      ...CASH,
      grid,
      walk_forward: { train_bars: 200, test_bars: 60 },
      tear_sheet: true,
    });
    expect(walked.walk_forward.tear_sheet.interest.money).toBeGreaterThan(0);
    const { status, body } = await service.api.post(
      '/v1/sweeps',
      { universe: { symbols: ['ACRX'] }, runs: [{ strategy: 'sma_cross' }], time_range: '2Y', ...CASH },
      ada.program,
    );
    expect([status, body.code]).toEqual([202, 0]);
  });
});

describe('a rate', () => {
  const wrong = (cash: object) => refusalOf('/v1/backtest', { ...RULES, cash });

  it('is refused outside its bounds, with the place', async () => {
    expect(await wrong({ rate: 101 })).toEqual([422, [['body.cash.rate', 'expected at most 100']]]);
    expect(await wrong({ rate: -21 })).toEqual([422, [['body.cash.rate', 'expected at least -20']]]);
    expect(await wrong({ rate: 3, spread_bps: -1 })).toEqual([422, [['body.cash.spread_bps', 'expected at least 0']]]);
    expect(await wrong({ rate: 3, spread_bps: 10_001 })).toEqual([
      422,
      [['body.cash.spread_bps', 'expected at most 10000']],
    ]);
    expect(await wrong({})).toMatchObject([422, [['body.cash.rate', expect.anything()]]]);
    expect(await wrong({ rate: 'T Bill' })).toMatchObject([
      422,
      [['body.cash.rate', expect.stringContaining('[a-z]')]],
    ]);
  });

  it.each(Object.entries(KINDS))('of a column that there is not is refused: %s', async (_, [path, body]) => {
    const unknown = [422, [['body.cash.rate', 'you have no market column tbill']]];
    expect(await refusalOf(path, { ...body, cash: { rate: 'tbill' } })).toEqual(unknown);
    expect(await refusalOf(path, { ...body, risk_free: 'tbill' })).toEqual([
      422,
      [['body.risk_free', 'you have no market column tbill']],
    ]);
  });
});
