/** Target weights over HTTP: kept and compared, and what is refused. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { runNow } from '../../support/run-jobs.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let pro: Person;
let symbols: string[];

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-targets-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
  symbols = api.services.market.directory.items
    .filter(({ isDelisted, instrument }) => !isDelisted && instrument.assetType === 'stock')
    .slice(0, 3)
    .map(({ qualified }) => qualified)
    .sort();
});
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const allocation = (more: object = {}) => ({
  targets: symbols.map((symbol, i) => ({ symbol, weight: [0.5, 0.3, 0.1][i] })).toReversed(),
  rebalance: { band_pct: 4 },
  flows: [{ amount: 500, every: 'month' }],
  ...more,
});
const body = (more: object = {}) => ({
  allocation: allocation(),
  time_range: '2Y',
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
  ...more,
});

async function run(given: object, path = '/v1/portfolio') {
  const state = await runNow(api, { storage }, { path, body: given, headers: pro.program });
  expect(state.body.data.error).toBeNull();
  return state.body.data.result;
}

describe('target weights', () => {
  it('are kept, listed, shared, exported, verified, and proven like every portfolio', async () => {
    const result = await run(body({ tear_sheet: true }));
    expect(result).toMatchObject({
      symbols,
      kind: 'portfolio',
      strategy: 'targets',
      params: {},
      benchmark: 'equal_weight',
      allocation: { ...allocation(), targets: symbols.map((symbol, i) => ({ symbol, weight: [0.5, 0.3, 0.1][i] })) },
    });
    // 24 months begin after the start.
    expect(result.contributed).toBe(100_000 + 24 * 500);
    expect(result.money_weighted_pct).toEqual(expect.any(Number));
    expect(result.final_equity).toBe(result.equity.at(-1).equity);
    expect(result.selection).toMatchObject({ trials: 1 });
    expect(result.tear_sheet.returns.total_pct).toBe(result.total_pnl_pct);
    expect(result.tear_sheet.time.turnover_pct).toBe(result.turnover_pct);
    const returns = result.tear_sheet.series.reduce(
      (growth: number, { run: r }: { run: number }) => growth * (1 + r),
      1,
    );
    expect(100 * (returns - 1)).toBeCloseTo(result.total_pnl_pct, 3);

    const path = `/v1/portfolios/${result.id}`;
    const kept = await api.get(`${path}?include_equity=true`, pro.program);
    const { tear_sheet: sheet, ...plain } = result;
    expect(kept.body.data).toEqual(plain);
    expect((await api.get(`${path}/tear-sheet`, pro.program)).body.data).toMatchObject({ returns: sheet.returns });
    const listed = await api.get('/v1/backtests?kind=portfolio', pro.program);
    expect(listed.body.data.items[0]).toMatchObject({ id: result.id, kind: 'portfolio', strategy: 'targets' });
    const { slug } = (await api.post(`${path}/share`, {}, pro.program)).body.data;
    const seen = await api.get(`/api/portfolio/shared/${slug}`, { 'x-forwarded-for': newAddress() });
    expect(seen.body.data).toMatchObject({ id: null, contributed: result.contributed });
    const file = await api.get(`/api/portfolio/${result.id}/export?kind=trades`, pro.console);
    expect(file.text.trimEnd().split('\r\n')).toHaveLength(1 + result.trades.length);
    const verified = await runNow(api, { storage }, { path: `${path}/verify`, body: {}, headers: pro.program });
    expect(verified.body.data.result).toMatchObject({ verdict: 'reproduced', reasons: [] });
    const proof = await runNow(api, { storage }, { path: `${path}/look-ahead`, body: {}, headers: pro.program });
    expect(proof.body.data.result).toMatchObject({ verdict: 'none', differences: 0, prefixes: result.data_range.bars });
  });

  it('tell when nothing is left', async () => {
    const result = await run(
      body({ allocation: allocation({ flows: [{ amount: -9_000, every: 'month' }] }), save: false }),
    );
    expect(result.notes.map(({ code }: { code: string }) => code)).toContain('exhausted');
    expect(result.final_equity).toBe(0);
    expect(result.trades.at(-1).exit_reason).toBe('withdrawal');
  });

  it('of one specification have one digest, however they are written', async () => {
    const given = allocation({ flows: undefined });
    const digestOf = async (one: object) => (await run(body({ allocation: one, save: false }))).receipt.spec_sha256;
    expect(await digestOf({ ...given, targets: given.targets.toReversed() })).toBe(
      await digestOf({ ...given, flows: [] }),
    );
  });

  it('run beside each other in one job, with the figures that each has alone', async () => {
    const calm = { targets: [{ symbol: symbols[2], weight: 1 }], rebalance: 'year' };
    const compare = [
      { name: 'Mine', allocation: allocation() },
      { name: 'Calm', allocation: calm },
    ];
    const { runs, ...rest } = await run({ ...body({ allocation: undefined }), compare });
    expect(rest).toEqual({});
    expect(runs.map(({ name }: { name: string }) => name)).toEqual(['Mine', 'Calm']);
    // Sentences and selection depend on what the account had computed before.
    const figuresOf = ({ created_at: _at, selection, statistics, ...result }: Record<string, object>) => {
      expect(selection).toMatchObject({ trials: expect.any(Number), account: { runs: expect.any(Number) } });
      return { ...result, statistics: { ...statistics, sentences: [] } };
    };
    for (const [i, one] of compare.entries()) {
      const alone = await run(body({ allocation: one.allocation, save: false }));
      expect(figuresOf(runs[i].result)).toEqual(figuresOf(alone));
    }
    const listed = await api.get('/v1/backtests?kind=portfolio', pro.program);
    expect(listed.body.data.total).toBe(1);
    // Each counts among the runs of the account, also where no statistics are asked for.
    const counted = async () => (await database.pool.query('select from account_runs')).rowCount ?? 0;
    const before = await counted();
    const shorter = { ...body({ allocation: undefined, time_range: '1Y' }), compare, include_statistics: false };
    expect((await run(shorter)).runs[0].result).not.toHaveProperty('statistics');
    expect(await counted()).toBe(before + 2);

    const awaited = await api.post(
      '/v1/portfolio',
      { ...body({ allocation: undefined }), compare: compare.slice(1) },
      pro.program,
    );
    expect(awaited.body.detail[0]).toMatchObject({ loc: ['body', 'compare'] });
  });

  it('are refused with the place and a reason', async () => {
    const queued = () => database.pool.query('select from runs');
    const before = (await queued()).rowCount;
    const refusal = async (given: object, person = pro.program) => {
      const { status, body: answer } = await api.post('/v1/portfolio', given, person);
      const [{ loc, msg }] = answer.detail ?? [{ loc: [], msg: answer.key }];
      return [status, loc.join('.'), msg];
    };
    const of = (more: object) => refusal(body({ allocation: allocation(more) }));
    const [first] = symbols;
    for (const [name, value] of Object.entries({
      symbols,
      strategy: 'donchian',
      params: {},
      rules: { entry: 'close > 1' },
      screen: { conditions: [{ field: 'close', op: 'gt', value: 5 }] },
    })) {
      const expected = [422, `body.${name}`, 'cannot be combined with allocation.targets'];
      expect(await refusal(body({ [name]: value }))).toEqual(expected);
    }
    for (const [name, value] of Object.entries({
      max_positions: 3,
      sizing: 'equal',
      volatility_period: 20,
      rank_by: { field: 'roc_pct' },
      cash_buffer_pct: 5,
    })) {
      const expected = [422, `body.allocation.${name}`, 'cannot be combined with allocation.targets'];
      expect(await of({ [name]: value })).toEqual(expected);
    }
    const target = (weight: number, symbol = first) => ({ symbol, weight });
    expect(await of({ targets: [] })).toEqual([422, 'body.allocation.targets', expect.any(String)]);
    expect(await of({ targets: [target(0)] })).toEqual([422, 'body.allocation.targets.0.weight', expect.any(String)]);
    expect(await of({ targets: [target(0.5), target(0.6, symbols[1])] })).toEqual([
      422,
      'body.allocation.targets',
      'the weights sum to 1.1; at most 1 is allowed',
    ]);
    expect(await of({ targets: [target(0.5), target(0.4, first.replace('.US', ''))] })).toEqual([
      422,
      'body.allocation.targets.1.symbol',
      'must not be repeated',
    ]);
    expect(await of({ targets: [target(0.5), target(0.1, 'NOPE')] })).toEqual([
      404,
      'body.allocation.targets.1',
      'NOPE.US is not known',
    ]);
    expect(await of({ flows: [{ amount: 0, every: 'month' }] })).toEqual([
      422,
      'body.allocation.flows.0.amount',
      'must not be 0',
    ]);
    expect((await of({ flows: [{ amount: 5, every: 'week' }] }))[1]).toBe('body.allocation.flows.0.every');
    expect((await of({ rebalance: { band_pct: 0 } }))[1]).toBe('body.allocation.rebalance.band_pct');
    expect((await of({ rebalance: 'day' }))[1]).toBe('body.allocation.rebalance');
    const { targets: _targets, ...withoutTargets } = allocation();
    const plain = { symbols, strategy: 'donchian', time_range: '1Y' };
    expect(await refusal({ ...plain, allocation: withoutTargets })).toEqual([
      422,
      'body.allocation.flows',
      'is allowed only with allocation.targets',
    ]);
    expect(await refusal({ ...plain, allocation: { rebalance: 'year' } })).toEqual([
      422,
      'body.allocation.rebalance',
      'is allowed only with allocation.targets',
    ]);
    const compare = ['A', 'A'].map((name) => ({ name, allocation: allocation() }));
    expect(await refusal(body({ compare }))).toEqual([422, 'body.allocation', 'cannot be combined with compare']);
    expect(await refusal({ compare })).toEqual([422, 'body.compare.1.name', 'must not be repeated']);
    expect(await refusal({ compare, tear_sheet: true })).toEqual([
      422,
      'body.tear_sheet',
      'cannot be combined with compare',
    ]);
    const early = { start: '1990-01-02', end: '1990-12-31' };
    expect(await refusal(body(early))).toEqual([400, '', 'error.no_bars_in_range']);
    expect(await refusal(body(), { 'x-forwarded-for': newAddress() })).toEqual([403, '', 'error.plan_capability']);
    expect((await queued()).rowCount).toBe(before);
  });

  it('cannot be searched', async () => {
    const search = { symbols, strategy: 'donchian', grid: { entry_period: [10, 20] } };
    const refused = await api.post(
      '/v1/optimize',
      { ...search, allocation: { targets: allocation().targets } },
      pro.program,
    );
    expect([refused.status, refused.body.detail[0].loc.join('.')]).toEqual([422, 'body.allocation.targets']);
  });
});
