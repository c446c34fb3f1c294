/** Each kind of run once: asked over HTTP, computed by a real worker, answered. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RUN_KINDS } from '../../../jobs/contracts/run-kinds.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { eventually } from '../../support/eventually.ts';
import { openSampleService, type SampleService } from '../../support/sample-service.ts';

const RULES = { symbol: 'ACRX', strategy: 'sma_cross', time_range: '2Y' };
const GRID = { fast_period: [5, 10], slow_period: [20, 40] };
const ROTATION = {
  time_range: '2Y',
  universe: { symbols: ['ACRX', 'EMBR', 'LUMA', 'MTMX', 'TMRK'] },
  rotation: { every: 'month', score: 'roc(60)', hold: { top: 3 } },
};

let service: SampleService;
let ada: Person;
beforeAll(async () => {
  service = await openSampleService(true);
  ada = await addPerson(service.api, undefined, { plan: 'pro' });
});
afterAll(() => service.close());

/** Posts a request and follows its job, which is at `jobs`, until the end. */
async function run(path: string, body: object, jobs = `${path}/jobs`) {
  const { api } = service;
  const { status, body: answer } = await api.post(path, body, { ...ada.program, prefer: 'wait=20' });
  if (status === 200) return answer.data;
  expect([path, status, answer.data ?? answer]).toEqual([path, 202, expect.anything()]);
  const { job_id: id } = answer.data;
  const { status: end, result } = await eventually(
    async () => (await api.get(`${jobs}/${id}?wait=20`, ada.program)).body.data,
    (state) => state.status !== 'queued' && state.status !== 'running',
  );
  expect([path, end]).toEqual([path, 'done']);
  return result;
}

it.each([
  ['backtest', '/v1/backtest', RULES, { symbol: 'ACRX.US', strategy: 'sma_cross' }],
  ['optimize', '/v1/optimize', { ...RULES, grid: GRID }, { combinations: 4 }],
  ['portfolio', '/v1/portfolio', { ...RULES, symbol: undefined, symbols: ['ACRX', 'LUMA'] }, {}],
  ['portfolio', '/v1/portfolio', ROTATION, { strategy: 'rotation' }],
  ['screen', '/v1/screener', { where: 'close > sma(50)', as_of: '2026-03-02' }, {}],
  ['sql', '/v1/sql', { query: 'select count(*) as bars from bars' }, {}],
])('a %s at %s is computed', async (kind, path, body, answer) => {
  expect(Object.keys(RUN_KINDS)).toContain(kind);
  expect(await run(path, body)).toMatchObject(answer);
});

describe('a kept backtest', () => {
  it('is reproduced, free of look-ahead, and has a tear sheet', async () => {
    const { id } = await run('/v1/backtest', { ...RULES, save: true });
    expect(id).toEqual(expect.any(Number));
    const verified = await run(`/v1/backtests/${id}/verify`, {}, '/v1/verify/jobs');
    expect(verified).toMatchObject({ verdict: 'reproduced' });
    const proof = await run(`/v1/backtests/${id}/look-ahead`, {}, '/v1/look-ahead/jobs');
    expect(proof).toMatchObject({ verdict: 'none', differences: 0 });
    const headers = { ...ada.program, prefer: 'wait=20' };
    const { status, body } = await service.api.get(`/v1/backtests/${id}/tear-sheet`, headers);
    expect([status, body.code]).toEqual([200, 0]);
  });
});

describe('a run', () => {
  const noted = async (path: string, body: object) =>
    (await run(path, body)).notes.find(({ code }: { readonly code: string }) => code === 'capacity');
  const symbols = ['ACRX', 'MTMX', 'TMRK'];
  const one = { allocation: { max_positions: 1 } };

  it.each([
    ['/v1/backtest', RULES],
    ['/v1/portfolio', { ...RULES, ...one, symbol: undefined, symbols }],
    ['/v1/portfolio', { ...ROTATION, universe: { symbols }, rotation: { ...ROTATION.rotation, hold: { top: 1 } } }],
  ])('at %s tells an order that is large for its market', async (path, body) => {
    expect(await noted(path, body)).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/^On [\d-]{10}, an order of [\d,.]+ in [A-Z]+\.US was [\d,.]+% of its usual/),
      details: { symbol: expect.any(String), order: expect.any(Number), share_pct: expect.any(Number) },
    });
  });

  it('in a large market does not', async () => {
    expect(await noted('/v1/backtest', { ...RULES, symbol: 'LUMA' })).toBeUndefined();
  });
});
