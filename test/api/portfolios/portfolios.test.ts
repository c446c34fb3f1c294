/** Portfolios over HTTP, through the queue, in a real worker process. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { backtestPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const outcome = ({ status, body }: Response) => [status, body.key];

let database: TestDatabase;
let directory: string;
let storage: ObjectStorage;
let api: TestApi;
let worker: ChildProcess;
let pro: Person;
let free: Person;
/** Ten stocks of the market, by symbol. */
let symbols: string[];

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-portfolios-'));
  storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  worker = await startSampleWorker({ database, folder: directory, now: NOW }, { WORKER_SLOTS: '2' });
  pro = await addPerson(api, undefined, { plan: 'pro' });
  free = await addPerson(api);
  const { items } = api.services.market.directory;
  symbols = items
    .filter(({ isDelisted, instrument }) => !isDelisted && instrument.assetType === 'stock')
    .slice(0, 10)
    .map(({ qualified }) => qualified);
});
afterAll(async () => {
  await endProcess(worker, 'SIGTERM');
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const body = (more: object = {}) => ({
  symbols,
  strategy: 'sma_cross',
  time_range: '2Y',
  params: { fast_period: 10, slow_period: 30 },
  allocation: { max_positions: 4, rebalance: 'month', rank_by: { field: 'roc_pct', period: 60 } },
  cost: { commission_rate: 0.0005, slippage_bps: 5 },
  ...more,
});

describe('POST /v1/portfolio', () => {
  it('runs a portfolio that can be kept, listed, shared, exported, and deleted', async () => {
    const run = await api.post('/v1/portfolio', body(), pro.program);
    expect(run.status).toBe(200);
    const { data } = run.body;
    const sorted = symbols.toSorted();
    expect(data).toMatchObject({ kind: 'portfolio', symbols: sorted, symbols_without_bars: [], cached: false });
    expect(data.notes.map(({ code }: { code: string }) => code)).toEqual([
      'mixed_session_source',
      'price_return',
      'short_track_record',
      'capacity',
    ]);
    expect(data.statistics).toMatchObject({
      returns: data.data_range.bars,
      seed: data.receipt.spec_sha256.slice(0, 16),
    });
    expect(data.selection).toMatchObject({ trials: 1, emax: 0 });
    expect(data.trades.length).toBe(data.num_trades);
    expect(data.trades.some(({ exit_reason }: { exit_reason: string }) => exit_reason === 'rebalance')).toBe(true);
    expect(data.equity).toHaveLength(data.data_range.bars);
    expect(Math.max(...data.positions.map(({ count }: { count: number }) => count))).toBe(4);
    const summed = data.contributions.reduce((sum: number, { pnl }: { pnl: number }) => sum + pnl, 0);
    expect(summed).toBeCloseTo(data.final_equity - 100_000, 0);

    const path = `/v1/portfolios/${data.id}`;
    const kept = await api.get(`${path}?include_equity=true`, pro.program);
    expect(kept.body.data).toEqual(data);
    expect(outcome(await api.get(path, free.program))).toEqual([404, 'error.not_found']);
    expect(outcome(await api.get(`/v1/backtests/${data.id}`, pro.program))).toEqual([404, 'error.not_found']);

    const idsOf = async (kind: string) => {
      const { body: listed } = await api.get(`/v1/backtests?kind=${kind}`, pro.program);
      return listed.data.items.map(({ id, kind: of }: { id: number; kind: string }) => [of, id]);
    };
    const { body: single } = await api.post('/v1/backtest', { symbol: symbols[0] }, pro.program);
    expect(await idsOf('portfolio')).toEqual([['portfolio', data.id]]);
    expect(await idsOf('backtest')).toEqual([['backtest', single.data.id]]);
    expect(await idsOf('all')).toEqual([
      ['backtest', single.data.id],
      ['portfolio', data.id],
    ]);

    const label = (body: object) => api.patch(path, body, pro.program);
    const named = (await label({ name: ' Twenty, monthly ', tags: ['trend', 'trend', '100% mine'] })).body.data;
    expect(named).toMatchObject({
      kind: 'portfolio',
      id: data.id,
      name: 'Twenty, monthly',
      tags: ['trend', '100% mine'],
    });
    expect([named.line[0], named.line.at(-1)]).toEqual([1, expect.closeTo(data.final_equity / 100_000, 3)]);
    expect((await label({ tags: ['slow'] })).body.data).toMatchObject({ name: 'Twenty, monthly', tags: ['slow'] });
    expect((await label({ name: null })).body.data).toMatchObject({ name: null, tags: ['slow'] });
    await label({ name: 'Twenty', tags: ['100% mine'] });
    expect(outcome(await label({ tags: Array(21).fill('x') }))).toEqual([422, 'error.validation_failed']);
    expect(outcome(await api.patch(path, { name: 'x' }, free.program))).toEqual([404, 'error.not_found']);
    const search = async (q: string) => {
      const { body: found } = await api.get(`/v1/backtests?kind=all&q=${encodeURIComponent(q)}`, pro.program);
      return found.data.items.map(({ id }: { id: number }) => id);
    };
    const ticker = symbols[0].replace('.US', '').toLowerCase();
    expect(await search('twenty')).toEqual([data.id]);
    expect(await search(ticker)).toEqual([single.data.id, data.id]);
    expect(await search(`strategy:sma ${ticker} tag:0%`)).toEqual([data.id]);
    expect(await search('tag:_%')).toEqual([]);
    const between = `>${data.total_pnl_pct - 0.1} <${data.total_pnl_pct + 0.1}%`;
    expect(await search(`twenty ${between}`)).toEqual([data.id]);
    expect(await search(`twenty >${data.total_pnl_pct}`)).toEqual([]);
    const month = named.created_at.slice(0, 7);
    expect(await search(month)).toEqual([single.data.id, data.id]);
    expect(await search('1999-12')).toEqual([]);
    const [most, least] = [single.data, data].sort((a, b) => b.total_pnl_pct - a.total_pnl_pct);
    expect(await search(`best ${month}`)).toEqual([most.id, least.id]);
    expect(most.total_pnl_pct).toBeGreaterThan(least.total_pnl_pct);
    const [{ luck, idea }] = (await api.get('/v1/backtests', pro.program)).body.data.items;
    expect([luck, idea]).toEqual([expect.closeTo(1 - single.data.statistics.skill.psr, 6), null]);

    const shared = await api.post(`${path}/share`, {}, pro.program);
    const { slug, url } = shared.body.data;
    expect(url).toContain(`/p/${slug}`);
    const seen = await api.get(`/api/portfolio/shared/${slug}`, { 'x-forwarded-for': newAddress() });
    expect(seen.body.data).toEqual({ ...data, id: null });
    expect((await api.get(`/api/backtest/shared/${slug}`)).status).toBe(404);

    for (const [kind, header] of [
      ['trades', 'Symbol,No.,Entry date'],
      ['equity', 'Date,Equity'],
      ['positions', 'Date,Positions,"Invested, %"'],
      ['contributions', 'Symbol,Trades,P&L,"Share of P&L, %"'],
    ]) {
      const file = await api.get(`/api/portfolio/${data.id}/export?kind=${kind}`, pro.console);
      expect(file.text).toContain(header);
      expect(file.text.trimEnd().split('\r\n')).toHaveLength(1 + data[kind].length);
      expect(file.headers['content-disposition']).toContain(`portfolio-${data.id}-sma_cross-${kind}.csv`);
    }

    const verified = await api.post(`${path}/verify`, {}, pro.program);
    expect(verified.body.data).toMatchObject({ verdict: 'reproduced', reasons: [], bars: { total: 0 } });
    expect(verified.body.data.receipt.is).toMatchObject({ ...data.receipt, computed_at: expect.any(String) });
    expect((await api.get(`${path}/receipt.json`, pro.program)).body.data).toEqual({
      ...data.receipt,
      computed_at: expect.any(String),
    });
    const proof = await api.post(`${path}/look-ahead`, {}, pro.program);
    expect(proof.body.data).toMatchObject({ verdict: 'none', differences: 0, prefixes: data.data_range.bars });
    const known = (await api.get(path, pro.program)).body.data;
    expect(known).toMatchObject({ verification: { verdict: 'reproduced' }, look_ahead: proof.body.data });

    expect((await api.delete(`/api/portfolio/${data.id}`, undefined, pro.console)).body.data).toEqual({
      deleted: true,
    });
    expect((await api.get(path, pro.program)).status).toBe(404);
    await expect(storageOf(data.id)).resolves.toEqual([]);
  });

  it('takes the instruments that a screen finds before the range', async () => {
    const screen = { conditions: [{ field: 'close', op: 'gt', value: 5 }], limit: 6, asset_type: 'stock' };
    const { symbols: _symbols, ...rest } = body({ screen, save: false });
    const run = await api.post('/v1/portfolio', rest, pro.program);
    expect(run.status).toBe(200);
    const { data } = run.body;
    expect(data.screened_on < data.start_date).toBe(true);
    expect(data.notes.map(({ code }: { code: string }) => code)).toContain('point_in_time');
    const seen = await api.post('/v1/screener', { ...screen, as_of: data.screened_on }, pro.program);
    const found = seen.body.data.items.map((item: { current_symbol: string }) => item.current_symbol);
    expect(data.symbols).toEqual(found.toSorted());

    const refusal = async (more: object) => {
      const { body: answer } = await api.post('/v1/portfolio', { ...rest, ...more }, pro.program);
      return [answer.code, answer.key, answer.detail?.[0]?.loc.join('.')];
    };
    const nothing = { ...screen, conditions: [{ field: 'close', op: 'gt', value: 1e9 }] };
    expect(await refusal({ symbols })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ screen: null })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ time_range: 'MAX' })).toEqual([422, 'error.validation_failed', 'body.screen']);
    expect(await refusal({ screen: nothing })).toEqual([422, 'error.validation_failed', 'body.screen']);
  });

  it('can be optimized with the same grid, ranking, and statistics as one instrument', async () => {
    const { params: _params, ...common } = body();
    const grid = { fast_period: [5, 10, 15], slow_period: [30, 50, 60, 70] };
    const search = { ...common, grid, objective: 'total_pnl_pct', heatmap: ['fast_period', 'slow_period'] };
    const accepted = await api.post('/v1/optimize', search, pro.program);
    expect(accepted.status).toBe(202);
    const { body: ended } = await eventually(
      () => api.get(`${accepted.body.data.location}?wait=10`, pro.program),
      ({ body: { data } }) => ['done', 'failed'].includes(data.status),
    );
    const { result } = ended.data;
    expect(result).toMatchObject({ combinations: 12, symbols: symbols.toSorted(), benchmark: 'equal_weight' });
    expect(result).not.toHaveProperty('symbol');
    expect(result.statistics).toMatchObject({ columns: 12, returns: result.bars });
    expect(result.selection).toMatchObject({ trials: expect.any(Number), dsr: expect.any(Number) });
    const [best] = result.best;
    const single = await api.post('/v1/portfolio', body({ params: best.params, save: false }), pro.program);
    for (const [name, value] of Object.entries(best.metrics))
      expect([name, single.body.data[name]]).toEqual([name, value]);
    const cells = result.heatmap.cells.flat().filter((cell: number | null) => cell !== null);
    expect(Math.max(...cells)).toBe(best.metrics.total_pnl_pct);
    // Trials of the same list count together, for all kinds of runs.
    expect(single.body.data.selection.trials).toBeGreaterThanOrEqual(12);

    const screen = { conditions: [{ field: 'close', op: 'gt', value: 5 }], limit: 6, asset_type: 'stock' };
    const { symbols: _symbols, ...rest } = search;
    const small = { ...rest, screen, grid: { fast_period: [5, 10] }, heatmap: undefined };
    const screened = await api.post('/v1/optimize', small, pro.program);
    const { body: found } = await eventually(
      () => api.get(`${screened.body.data.location}?wait=10`, pro.program),
      ({ body: { data } }) => ['done', 'failed'].includes(data.status),
    );
    const { screened_on: asOf, start_date: start, ...list } = found.data.result;
    expect(asOf < start).toBe(true);
    const seen = await api.post('/v1/screener', { ...screen, as_of: asOf }, pro.program);
    expect(list.symbols).toEqual(
      seen.body.data.items.map((item: { current_symbol: string }) => item.current_symbol).toSorted(),
    );

    const refusal = async (more: object, person = pro) => {
      const { body: answer } = await api.post('/v1/optimize', { ...search, ...more }, person.program);
      return [answer.code, answer.key, answer.detail?.[0]?.loc.join('.')];
    };
    expect(await refusal({ symbol: symbols[0] })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ screen })).toEqual([422, 'error.validation_failed', 'body.symbols']);
    expect(await refusal({ symbols: null, screen, symbol: symbols[0] })).toEqual([
      422,
      'error.validation_failed',
      'body.screen',
    ]);
    expect(await refusal({ symbols: null, screen, time_range: 'MAX' })).toEqual([
      422,
      'error.validation_failed',
      'body.screen',
    ]);
    expect(await refusal({ symbols: null })).toEqual([422, 'error.validation_failed', 'body.allocation']);
    expect(await refusal({ symbols: null, allocation: null })).toEqual([422, 'error.validation_failed', 'body.symbol']);
    expect(await refusal({ walk_forward: { train_bars: 100, test_bars: 20 } })).toEqual([
      422,
      'error.validation_failed',
      'body.walk_forward',
    ]);
    expect((await refusal({ symbols: [...symbols, 'NOPE'] }))[1]).toBe('error.symbol_not_found');
  });

  it('for one instrument gives the trades and the equity of the single backtest', async () => {
    const range = {
      strategy: 'donchian',
      start: '2023-01-03',
      end: '2024-06-28',
      execute_on: 'next_open',
      save: false,
    };
    const cost = { commission_rate: 0.001, min_commission: 2, slippage_bps: 10 };
    const { body: single } = await api.post('/v1/backtest', { symbol: symbols[1], cost, ...range }, pro.program);
    const portfolio = {
      symbols: [symbols[1]],
      cost,
      allocation: { max_positions: 1 },
      benchmark: symbols[1],
      ...range,
    };
    const { body: same } = await api.post('/api/portfolio/run', portfolio, pro.console);
    expect(same.data.id).toBeNull();
    expect(same.data.equity).toEqual(single.data.equity);
    expect(same.data.trades).toEqual(single.data.trades.map((trade: object) => ({ symbol: symbols[1], ...trade })));
    for (const figure of [
      'sharpe',
      'sortino',
      'max_drawdown_days',
      'avg_bars_held',
      'buy_hold_pnl_pct',
      'exposure_pct',
    ]) {
      expect([figure, same.data[figure]]).toEqual([figure, single.data[figure]]);
    }
  });

  it('compares its instruments in rules, which is proven and reproduced', async () => {
    const asked = (rules: object) =>
      api.post('/v1/portfolio', body({ strategy: 'rules', params: undefined, time_range: '6M', rules }), pro.program);
    const [ranked, plain, beside] = await Promise.all([
      asked({ entry: 'rank(close) > 0 and roc(5) > 0', exit: 'bottom(roc(20), 4)' }),
      asked({ entry: 'close > 0 and roc(5) > 0', exit: 'bottom(roc(20), 4)' }),
      asked({ entry: "roc(5) > of('@market', roc(5))", exit: "beta('@market', 20) < 0.5" }),
    ]);
    expect([ranked.status, plain.status, beside.status]).toEqual([200, 200, 200]);
    expect(beside.body.data.num_trades).toBeGreaterThan(2);
    expect(ranked.body.data.num_trades).toBeGreaterThan(2);
    expect(ranked.body.data.equity).toEqual(plain.body.data.equity);
    const path = `/v1/portfolios/${ranked.body.data.id}`;
    const verified = await api.post(`${path}/verify`, undefined, pro.program);
    expect(verified.body.data).toMatchObject({ verdict: 'reproduced' });
    const later = { ...pro.program, prefer: 'respond-async' };
    const { location } = (await api.post(`${path}/look-ahead`, undefined, later)).body.data;
    const proven = await eventually(
      () => api.get(`${location}?wait=20`, pro.program),
      (answer) => answer.body.data.status === 'done',
    );
    expect(proven.body.data.result).toMatchObject({ verdict: 'none', differences: 0 });
    const single = { symbol: symbols[0], strategy: 'rules', rules: { entry: 'rank(close) > 0.5' } };
    expect(outcome(await api.post('/v1/backtest', single, pro.program))).toEqual([400, 'error.rule_invalid']);
  });

  it('answers 202 if it is not awaited, and the same result byte for byte if it is repeated', async () => {
    const plain = body({ save: false });
    const accepted = await api.post('/v1/portfolio', plain, { ...pro.program, prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const { location } = accepted.body.data;
    expect(accepted.headers.location).toBe(location);
    expect((await api.get(location, free.program)).status).toBe(404);
    expect((await api.get(location.replace('portfolio', 'backtests'), pro.program)).status).toBe(404);
    let job = await api.get(`${location}?wait=20`, pro.program);
    while (job.body.data.result === null) job = await api.get(`${location}?wait=20`, pro.program);
    const { created_at: _first, ...result } = job.body.data.result;
    const { body: again } = await api.post('/v1/portfolio', plain, pro.program);
    const { created_at: _second, ...repeated } = again.data;
    expect(repeated).toEqual({ ...result, cached: true });
  });

  it('is limited to the plans that include it, and to their limits', async () => {
    const guest = { 'x-forwarded-for': newAddress() };
    const refused = await api.post('/v1/portfolio', body(), guest);
    expect(outcome(refused)).toEqual([403, 'error.plan_capability']);
    expect(refused.body.message).toContain('portfolio_symbols_max');
    const all = api.services.market.directory.items.slice(0, 21).map(({ qualified }) => qualified);
    const tooMany = await api.post('/v1/portfolio', body({ symbols: all }), free.program);
    expect(outcome(tooMany)).toEqual([400, 'error.quota_exceeded']);
    expect(tooMany.body.message).toMatch(/20 .*portfolio_symbols_max.* 21/);
    // A repeated symbol counts once.
    const twice = await api.post('/v1/portfolio', body({ symbols: [...all.slice(0, 20), all[0]] }), free.program);
    expect(twice.status).toBe(200);
  });

  it('reports invalid input, and queues nothing', async () => {
    const runs = () => database.pool.query('select from runs');
    const before = (await runs()).rowCount;
    const refusal = async (more: object) => outcome(await api.post('/v1/portfolio', body(more), pro.program));
    expect(await refusal({ symbols: [] })).toEqual([422, 'error.validation_failed']);
    expect(await refusal({ symbols: ['?'] })).toEqual([400, 'error.invalid_symbol']);
    expect(await refusal({ allocation: { rank_by: { field: 'size' } } })).toEqual([
      400,
      'error.invalid_screener_field',
    ]);
    expect(await refusal({ allocation: { rank_by: { field: 'close', period: 5 } } })).toEqual([
      422,
      'error.validation_failed',
    ]);
    expect(await refusal({ allocation: { max_positions: 0 } })).toEqual([422, 'error.validation_failed']);
    expect(await refusal({ params: { fast_period: 50, slow_period: 30 } })).toEqual([422, 'error.validation_failed']);
    expect(await refusal({ benchmark: 'NOPE' })).toEqual([404, 'error.symbol_not_found']);
    const unknown = await api.post('/v1/portfolio', body({ symbols: [...symbols, 'NOPE', 'ZILCH'] }), pro.program);
    expect(outcome(unknown)).toEqual([404, 'error.symbol_not_found']);
    expect(unknown.body.detail).toEqual([
      { loc: ['body', 'symbols', 10], msg: 'NOPE.US is not known', type: 'symbol_not_found' },
      { loc: ['body', 'symbols', 11], msg: 'ZILCH.US is not known', type: 'symbol_not_found' },
    ]);
    expect(await refusal({ start: '1990-01-02', end: '1990-12-31' })).toEqual([400, 'error.no_bars_in_range']);
    expect((await runs()).rowCount).toBe(before);
    const skipped = await api.post(
      '/v1/portfolio',
      body({ symbols: [...symbols, 'NOPE', 'nope.us'], skip_unknown: true }),
      pro.program,
    );
    expect(skipped.body.data.symbols).toEqual(symbols.toSorted());
    expect(skipped.body.data.skipped_symbols).toEqual({ count: 1, symbols: ['NOPE.US'] });
    expect(await refusal({ symbols: ['NOPE'], skip_unknown: true })).toEqual([404, 'error.symbol_not_found']);
  });
});

/** Returns the keys of all objects of a portfolio that remain after the queue has removed it. */
async function storageOf(id: number): Promise<string[]> {
  const keys: string[] = [];
  const deadline = Date.now() + 20_000;
  do {
    keys.length = 0;
    for await (const { key } of storage.list(backtestPrefix(pro.id, id))) keys.push(key);
  } while (keys.length > 0 && Date.now() < deadline);
  return keys;
}
