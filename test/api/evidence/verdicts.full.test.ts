/** Verdicts on kept backtests: revisions, verification, look-ahead, and receipts that are equal on all machines. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { selectTablePointer } from '../../../db/lake/lake-tables.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import type { Pool } from '../../../db/pool.ts';
import { countUnexplained } from '../../../db/runs/verdicts.ts';
import { EXECUTE_ON } from '../../../engine/backtest/execution.ts';
import { METRIC_NAMES } from '../../../engine/backtest/metrics.ts';
import { ADJUST_MODES } from '../../../engine/market/adjust.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { effectiveParameters, requireStrategy, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { required } from '../../../engine/util/values.ts';
import { BACKTEST } from '../../../jobs/backtest/kind.ts';
import { type BacktestSpec, backtestSpecSchema } from '../../../jobs/contracts/backtest.ts';
import type { Receipt } from '../../../jobs/contracts/evidence.ts';
import { RUN_KINDS } from '../../../jobs/contracts/run-kinds.ts';
import { runVerifySampleJob } from '../../../jobs/evidence/run.ts';
import { verifyAll } from '../../../jobs/evidence/verify.ts';
import { writeLake } from '../../../jobs/lake/run.ts';
import { ledgers, readHistory } from '../../../jobs/runs/history.ts';
import { resultDigest, specDigest } from '../../../jobs/runs/receipt.ts';
import { backtestKey } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addAdmin, addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01, runSyncJob } from '../../support/market-folder.ts';
import { backtestResult } from '../../support/results.ts';
import { runNow } from '../../support/run-jobs.ts';

const [START, END] = ['2025-01-02', '2026-05-29'];
const now = () => NOON_2026_06_01;

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;
let person: Person;

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['ALFA', 'BETA'], START, END);
  market.events.push('ALFA,2025-06-02,cash_dividend,0.99');
  market.write();
  directory = mkdtempSync(join(tmpdir(), 'market-verdicts-'));
  storage = openStorage({ folder: directory });
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now, realCallers: true });
  person = await addPerson(api);
  await updateUserAccess(database.pool, person.id, { plan: 'enterprise' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

async function keep(body: object = {}): Promise<number> {
  const request = { symbol: 'ALFA', strategy: 'sma_cross', start: '2025-04-01', end: END, ...body };
  const headers = person.program;
  const { body: answer } = await runNow(api, { storage }, { path: '/v1/backtest', body: request, headers });
  return answer.data.result.id;
}

async function onKept(id: number, action: string, kind = 'backtests') {
  const path = `/v1/${kind}/${id}/${action}`;
  const answer: Response = await runNow(api, { storage }, { path, headers: person.program });
  if (answer.body.data.status !== 'done') throw new Error(JSON.stringify(answer.body));
  return answer.body.data.result;
}
const verify = (id: number) => onKept(id, 'verify');

/** Loads the bars of a year again, and the events. */
async function reload(): Promise<void> {
  market.write();
  // Events that vanish from a file stay. Here they are taken back.
  const listed = market.events.map((line) => line.split(',').slice(0, 3).join());
  await database.pool.query(
    `delete from adjustments a using instruments i
     where i.id = a.instrument_id and concat_ws(',', i.symbol, a.ex_date, a.kind) <> all ($1)`,
    [listed],
  );
  const provider = market.folder.provider();
  for (const jobType of ['adjustments', 'daily_bars'] as const) {
    const job = await runSyncJob(database.pool, provider, jobType, { through: END });
    if (job.status !== 'ok') throw new Error(String(job.error));
  }
}

const barOf = (ticker: string, date: string) => {
  const bar = market.bars[ticker].find((one) => one.date === date);
  if (!bar) throw new Error(`no bar of ${date}`);
  return bar;
};
const figuresOf = ({ date: _, ...figures }: ReturnType<typeof barOf>) => figures;

describe('verification', () => {
  beforeEach(() => database.pool.query('delete from backtests'));

  it('reproduces a result after a load that did not change its data', async () => {
    const id = await keep();
    await reload();
    barOf('BETA', '2025-07-01').volume += 1;
    await reload();
    const found = await verify(id);
    expect(found).toMatchObject({
      verdict: 'reproduced',
      reasons: [],
      bars: { total: 0 },
      events: { total: 0 },
      engine: { was: found.engine.is },
    });
    expect(found.metrics).toHaveLength(18);
    for (const { was, is } of found.metrics) expect(is).toBe(was);
    expect(found.receipt.is).toMatchObject({ result_sha256: found.receipt.was.result_sha256 });
  });

  it('names the snapshot of the table with the bars that the run read', async () => {
    const id = await keep();
    expect((await verify(id)).snapshot).toBeNull();
    const write = () => writeLake(testJobContext({ pool: database.pool, storage, now }));
    const newest = async () => required(await selectTablePointer(database.pool, 'market.daily_bars')).snapshotId;
    await write();
    const snapshot = {
      table: 'market.daily_bars',
      snapshot_id: await newest(),
      committed_at: expect.any(String),
      same_data: null,
      same_result: null,
    };
    expect((await verify(id)).snapshot).toEqual(snapshot);
    barOf('BETA', '2025-07-02').volume += 1;
    await reload();
    await write();
    expect(await newest()).not.toBe(snapshot.snapshot_id);
    expect((await verify(id)).snapshot).toEqual(snapshot);
    expect((await verify(await keep({ params: { fast_period: 7 } }))).snapshot.snapshot_id).toBe(await newest());
  });

  it('computes a run again from the snapshots of its load, when bars and events have been revised since', async () => {
    const write = () => writeLake(testJobContext({ pool: database.pool, storage, now }));
    await write();
    const id = await keep({ adjust: 'total' });
    const named = await keep({
      strategy: 'rules',
      rules: { entry: "of('BETA', close > sma(5))", exit: "of('BETA', close < sma(5))" },
    });
    const body = { symbols: ['ALFA', 'BETA'], strategy: 'buy_hold', start: '2025-04-01', end: END };
    const kept = await runNow(api, { storage }, { path: '/v1/portfolio', body, headers: person.program });
    const portfolio = kept.body.data.result.id;
    barOf('ALFA', '2026-05-27').close *= 1.001;
    barOf('BETA', '2026-05-27').volume += 3;
    market.events.push('ALFA,2026-03-02,cash_dividend,0.98');
    await reload();
    await write();
    const reproduced = { snapshot: { same_data: true, same_result: true } };
    expect(await verify(id)).toMatchObject({ verdict: 'data_revised', ...reproduced });
    expect(await verify(named)).toMatchObject({ verdict: 'data_revised', ...reproduced });
    expect(await onKept(portfolio, 'verify', 'portfolios')).toMatchObject({ verdict: 'data_revised', ...reproduced });
    await database.pool.query('delete from lake_snapshots');
    expect((await verify(id)).snapshot).toBeNull();
    market.events.pop();
    await reload();
  });

  it('reports a changed bar and a changed event with their previous values', async () => {
    const id = await keep({ adjust: 'total', strategy: 'buy_hold' });
    const bar = barOf('ALFA', '2026-05-29');
    const was = figuresOf(bar);
    Object.assign(bar, { close: was.high, volume: was.volume + 5 });
    market.events[0] = 'ALFA,2025-06-02,cash_dividend,0.97';
    await reload();
    const found = await verify(id);
    expect(found).toMatchObject({ verdict: 'data_revised', reasons: ['data_revised'] });
    expect(found.bars).toEqual({ total: 1, items: [{ date: '2026-05-29', was, is: figuresOf(bar) }] });
    const event = { kind: 'cash_dividend', ex_date: '2025-06-02' };
    expect(found.events).toEqual({
      total: 1,
      items: [{ ex_date: '2025-06-02', was: { ...event, factor: 0.99 }, is: { ...event, factor: 0.97 } }],
    });
    const total = found.metrics.find(({ name }: { name: string }) => name === 'total_pnl_pct');
    expect(total.is).toBeGreaterThan(total.was);
    // The dividend is not part of a split-adjusted run.
    const split = await keep();
    market.events[0] = 'ALFA,2025-06-02,cash_dividend,0.98';
    await reload();
    expect((await verify(split)).verdict).toBe('reproduced');
    const { body } = await api.get('/v1/revisions?symbol=ALFA&size=10', person.program);
    expect(body.data.items.slice(0, 3).map(({ kind }: { kind: string }) => kind)).toEqual(['event', 'bar', 'event']);
    expect(body.data.items).toContainEqual(
      expect.objectContaining({ kind: 'bar', date: '2026-05-29', symbol: 'ALFA.US', was, is: figuresOf(bar) }),
    );
    const later = await api.get('/v1/revisions?since=2026-06-02', person.program);
    expect(later.body.data.total).toBeGreaterThanOrEqual(0);
  });

  it('reports which bars of which instrument of a portfolio have changed', async () => {
    const request = { symbols: ['ALFA', 'BETA'], strategy: 'buy_hold', start: '2025-04-01', end: END };
    const headers = person.program;
    const { body: answer } = await runNow(api, { storage }, { path: '/v1/portfolio', body: request, headers });
    const { id } = answer.data.result;
    expect((await onKept(id, 'verify', 'portfolios')).verdict).toBe('reproduced');
    const bar = barOf('BETA', '2026-05-28');
    const was = figuresOf(bar);
    Object.assign(bar, { close: was.high, volume: was.volume + 7 });
    await reload();
    const found = await onKept(id, 'verify', 'portfolios');
    expect(found).toMatchObject({ verdict: 'data_revised', reasons: ['data_revised'], events: { total: 0 } });
    expect(found.bars).toEqual({
      total: 1,
      items: [{ symbol: 'BETA.US', date: '2026-05-28', was, is: figuresOf(bar) }],
    });
    expect(found.metrics.map(({ name }: { name: string }) => name)).toContain('turnover_pct');
    // If the data of the run cannot be restored, the revisions still have the previous values.
    await database.pool.query(
      `update backtests set summary = jsonb_set(summary::jsonb, '{receipt,data_sha256}', to_jsonb(repeat('0', 64))) where id = $1`,
      [id],
    );
    const lost = await onKept(id, 'verify', 'portfolios');
    expect(lost.bars.items).toContainEqual({
      symbol: 'BETA.US',
      date: '2026-05-28',
      was,
      is: figuresOf(bar),
    });
  });

  it('distinguishes a changed engine, a changed specification, and a change of both engine and data', async () => {
    const id = await keep();
    const { rows } = await database.pool.query('select spec, summary from backtests where id = $1', [id]);
    const [{ spec, summary }] = rows;
    const earlier: Receipt = {
      ...summary.receipt,
      engine_version: '0.9.0',
      spec_sha256: specDigest(BACKTEST.canonical(backtestSpecSchema.parse(spec), '0.9.0')),
    };
    const setSummary = (receipt: Receipt) =>
      database.pool.query('update backtests set summary = $2 where id = $1', [
        id,
        JSON.stringify({ ...summary, receipt }),
      ]);
    await setSummary(earlier);
    expect(await verify(id)).toMatchObject({ verdict: 'engine_changed', engine: { was: '0.9.0' } });
    barOf('ALFA', '2025-09-03').open += 0.01;
    barOf('ALFA', '2025-09-03').high += 0.01;
    await reload();
    expect(await verify(id)).toMatchObject({ verdict: 'both', bars: { total: 1 } });
    barOf('ALFA', '2025-09-03').open -= 0.01;
    barOf('ALFA', '2025-09-03').high -= 0.01;
    await reload();
    await setSummary(summary.receipt);
    await database.pool.query('update backtests set spec = $2 where id = $1', [
      id,
      { ...spec, params: { ...spec.params, fast_period: 21 } },
    ]);
    expect((await verify(id)).verdict).toBe('spec_changed');
  });

  it('reports a changed engine, and no changed data, for a run that an earlier engine computed differently', async () => {
    const id = await keep({ strategy: 'rules', rules: { entry: 'close > 60', exit: 'close < 55' }, params: {} });
    const { rows } = await database.pool.query('select spec, summary from backtests where id = $1', [id]);
    const [{ spec, summary }] = rows;
    const was = { ...summary, total_pnl_pct: summary.total_pnl_pct + 1 };
    const arrays: Record<string, string> = {};
    for (const part of RUN_KINDS.backtest.kept.parts) {
      const stream = await storage.get(backtestKey(person.id, id, part));
      if (stream) arrays[part] = await text(stream);
    }
    const { start_date, end_date, statistics = null } = was;
    const figures = {
      start_date,
      end_date,
      metrics: Object.fromEntries(Object.values(METRIC_NAMES).map((name) => [name, was[name]])),
      statistics,
    };
    const receipt: Receipt = {
      ...summary.receipt,
      engine_version: '1.1.0',
      spec_sha256: specDigest(BACKTEST.canonical(backtestSpecSchema.parse(spec), '1.1.0')),
      result_sha256: resultDigest(figures, arrays),
    };
    await database.pool.query('update backtests set summary = $2 where id = $1', [
      id,
      JSON.stringify({ ...was, receipt }),
    ]);
    const found = await verify(id);
    expect(found).toMatchObject({ verdict: 'engine_changed', reasons: ['engine_changed'], bars: { total: 0 } });
    const total = found.metrics.find(({ name }: { name: string }) => name === 'total_pnl_pct');
    expect(total.was).toBeCloseTo(total.is + 1, 6);
  });

  it('says unknown only if no revision has the value, and no_receipt for a run without a receipt', async () => {
    const id = await keep();
    const bar = barOf('ALFA', '2025-10-01');
    const was = figuresOf(bar);
    bar.close = bar.low;
    await reload();
    await database.pool.query(`update revisions set was = was || '{"close": 1}' where day = '2025-10-01'`);
    const found = await verify(id);
    expect(found.verdict).toBe('data_revised');
    expect(found.bars.items.filter(({ date }: { date: string }) => date === '2025-10-01')).toEqual([
      { date: '2025-10-01', was: { ...was, close: 1 }, is: figuresOf(bar) },
    ]);
    // After a market was replaced there are no revisions: the kept candles show which bars differ.
    const first = barOf('ALFA', '2025-04-01');
    first.volume += 1;
    await reload();
    await database.pool.query('delete from revisions');
    expect((await verify(id)).bars).toEqual({
      total: 2,
      items: [first, bar].map((one) => ({ date: one.date, was: 'unknown', is: figuresOf(one) })),
    });
    await database.pool.query('update backtests set spec = null where id = $1', [id]);
    expect(await verify(id)).toMatchObject({ verdict: 'no_receipt', receipt: { was: null } });
  });

  it('reports unexplained differences, also in the nightly sample, until a later verification succeeds', async () => {
    const id = await keep();
    const key = backtestKey(person.id, id, 'equity');
    const stream = await storage.get(key);
    if (!stream) throw new Error('no equity');
    const whole = Buffer.concat(await stream.toArray());
    await storage.put(key, Readable.from([Buffer.from(String(whole).replace('100000', '100001'))]));
    await runVerifySampleJob(testJobContext({ pool: database.pool, storage, now }));
    expect(await countUnexplained(database.pool)).toBe(1);
    expect((await verify(id)).verdict).toBe('unexplained');
    await storage.put(key, Readable.from([whole]));
    const verdicts: string[] = [];
    const context = testJobContext({ pool: database.pool, storage, now });
    await verifyAll(context, await selectDataVersion(database.pool), (_, verdict) => void verdicts.push(verdict));
    expect(verdicts).toEqual(['reproduced']);
    expect(await countUnexplained(database.pool)).toBe(0);
  });

  it('is only for the owner, like the receipt, to which CSV files link', async () => {
    const id = await keep();
    const receipt = await api.get(`/v1/backtests/${id}/receipt.json`, person.program);
    expect(receipt.body.data).toMatchObject({ spec_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const csv = await api.get(`/api/backtest/${id}/export?kind=trades`, person.console);
    expect(csv.headers.link).toBe(`</v1/backtests/${id}/receipt.json>; rel="describedby"`);
    expect((await api.get(`/v1/backtests/${id}`, person.program)).body.data).not.toHaveProperty('verification');
    await verify(id);
    const { body } = await api.post(`/v1/backtests/${id}/share`, { shared: true }, person.program);
    const shared = (await api.get(new URL(body.data.api_url).pathname)).body.data;
    const { computed_at: _at, ...digests } = receipt.body.data;
    expect(shared).toMatchObject({ id: null, receipt: digests, verification: { verdict: 'reproduced' } });
    const listed = await api.get('/v1/backtests', person.program);
    expect(listed.body.data.items[0].verification).toEqual(shared.verification);
    const stranger = await addPerson(api);
    for (const action of ['verify', 'look-ahead']) {
      expect((await api.post(`/v1/backtests/${id}/${action}`, undefined, stranger.program)).status).toBe(404);
    }
    expect((await api.get(`/v1/backtests/${id}/receipt.json`, stranger.program)).status).toBe(404);
    expect((await api.get('/v1/revisions')).status).toBe(403);
  });
});

describe('the origin of a bar', () => {
  const explained = async (date: string, headers = person.program) => api.get(`/v1/static/ALFA/bars/${date}`, headers);
  const sha256Of = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(market.folder.path, name)))
      .digest('hex');

  it('has its load and file, its revisions, and the events that adjust it', async () => {
    const bar = barOf('ALFA', '2025-03-05');
    const was = figuresOf(bar);
    bar.volume += 3;
    await reload();
    const { data } = (await explained('2025-03-05')).body;
    const { rows: jobs } = await database.pool.query(
      `select max(id)::int as id from sync_jobs where job_type = 'daily_bars'`,
    );
    const name = 'daily/consolidated/2025.csv';
    expect(data.rows).toEqual([
      {
        venue_mode: 'consolidated',
        in_backtests: true,
        bar: figuresOf(bar),
        loaded_by: {
          sync_job_id: jobs[0].id,
          at: expect.any(String),
          sources: [{ name, bytes: readFileSync(join(market.folder.path, name)).length, sha256: sha256Of(name) }],
        },
        revisions: [{ was, is: figuresOf(bar), sync_job_id: jobs[0].id, at: expect.any(String) }],
      },
    ]);
    const [event] = data.events;
    expect(event).toMatchObject({ kind: 'cash_dividend', ex_date: '2025-06-02' });
    expect(data.price_factor).toEqual({ split: 1, total: event.factor });
    expect((await explained('2025-06-02')).body.data.events).toEqual([]);
    // A load of one instrument covers no other.
    await runSyncJob(database.pool, market.folder.provider(), 'daily_bars', {
      start: START,
      end: END,
      symbols: ['BETA'],
    });
    expect((await explained('2025-03-05')).body.data.rows).toEqual(data.rows);
  });

  it('is for pro plans and administrators, and for existing sessions', async () => {
    const free = await addPerson(api);
    expect((await explained('2025-03-05', free.program)).body.key).toBe('error.plan_capability');
    expect((await explained('2025-03-05', (await addAdmin(api)).console)).status).toBe(200);
    expect((await explained('2025-03-08')).body.key).toBe('error.not_found');
    expect((await explained('2025-02-30')).body.key).toBe('error.invalid_date');
    expect((await api.get('/v1/static/ALFA/bars/2025-03-05')).status).toBe(403);
  });
});

describe('the check for look-ahead', () => {
  it('finds none in a kept backtest, measures its warm-up, and is shown with the strategy', async () => {
    const id = await keep({ strategy: 'donchian', params: { entry_period: 20, exit_period: 10 } });
    const found = await onKept(id, 'look-ahead');
    expect(found).toMatchObject({ differences: 0, verdict: 'none', warm_up: { available_bars: 60 } });
    expect(found.warm_up.needed_bars).toBeLessThanOrEqual(60);
    expect(found.prefixes).toBeGreaterThan(200);
    expect((await api.get(`/v1/backtests/${id}`, person.program)).body.data.look_ahead).toEqual(found);
    const { body } = await api.get('/v1/strategies');
    const proofs = body.data.strategies.map((one: { code: string; look_ahead_proof: object | null }) => [
      one.code,
      one.look_ahead_proof,
    ]);
    expect(Object.fromEntries(proofs)).toMatchObject({
      donchian: { symbol: 'ALFA.US', prefixes: found.prefixes },
      macd: null,
    });
  });

  it('finds none in rules with price levels over a split, and warms up by their longest period', async () => {
    const { events, bars } = market;
    const kept = [...events];
    events.push('BETA,2025-09-02,split,0.25');
    await reload();
    const level = required(bars.BETA.find(({ date }) => date >= '2025-06-02')).close;
    const rules = { entry: `close > ${level / 2} and roc($n) > -90`, exit: `close < ${level / 2} or bars_held > 5` };
    const id = await keep({ symbol: 'BETA', strategy: 'rules', rules, params: { n: 15 } });
    const found = await onKept(id, 'look-ahead');
    expect(found).toMatchObject({
      differences: 0,
      verdict: 'none',
      warm_up: { available_bars: 60, compared: [15, 30, 60] },
    });
    // As traded, it is that high before the split and not after it: a later split decides nothing before.
    const { body } = await api.get(`/v1/backtests/${id}`, person.program);
    expect(body.data.num_trades).toBeGreaterThan(0);
    events.splice(0, events.length, ...kept);
    await reload();
  });
});

describe('receipts', () => {
  it('of two machines are equal for 200 runs, independent of the order of their loads', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    try {
      const provider = market.folder.provider();
      await loadEverything(one.pool, provider);
      await runSyncJob(other.pool, provider, 'symbols');
      for (const [start, end] of [
        ['2026-01-01', END],
        ['2025-06-01', '2025-12-31'],
        [START, '2025-05-31'],
      ]) {
        await runSyncJob(other.pool, provider, 'daily_bars', { start, end });
      }
      await runSyncJob(other.pool, provider, 'adjustments');
      const [here, there] = [await receiptsOf(one.pool), await receiptsOf(other.pool)];
      expect(here).toHaveLength(200);
      expect(new Set(here.map(({ spec_sha256 }) => spec_sha256)).size).toBe(200);
      expect(there).toEqual(here);
    } finally {
      await Promise.all([one.drop(), other.drop()]);
    }
  });
});

/** Digests of runs over every strategy, adjustment, mode, and range. */
async function receiptsOf(pool: Pool) {
  const version = await selectDataVersion(pool);
  const ledger = await ledgers.get(pool, version);
  const { rows } = await pool.query<{ id: number; symbol: string }>('select id, symbol from instruments');
  const receipts: Pick<Receipt, 'spec_sha256' | 'data_sha256' | 'result_sha256'>[] = [];
  for (let i = 0; receipts.length < 200; i++) {
    const strategy = STRATEGIES[i % STRATEGIES.length].code;
    const effective = effectiveParameters(requireStrategy(strategy), {});
    if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
    const symbol = i % 3 === 0 ? 'BETA' : 'ALFA';
    const instrumentId = rows.find((row) => row.symbol === symbol)?.id ?? 0;
    const spec: BacktestSpec = {
      instrumentId,
      symbol: `${symbol}.US`,
      listedOn: null,
      delistedOn: null,
      strategy,
      params: effective.values,
      timeRange: '1Y',
      start: requireDay('2025-03-03') + i,
      end: null,
      adjust: ADJUST_MODES[i % ADJUST_MODES.length],
      execution: {
        executeOn: EXECUTE_ON[i % 2],
        commissionRate: 0.001,
        minCommission: 1,
        slippageBps: i,
        initialCapital: 100_000,
      },
      isCostless: false,
      asOf: requireDay(END),
      dataAsOf: requireDay(END),
      distributionMode: 'eod_only',
      includeStatistics: i % 50 === 0,
    };
    const history = await readHistory(pool, instrumentId, spec.asOf);
    const result = backtestResult(spec, history, ledger, { dataVersion: version, at: new Date(now()) });
    if (!result) throw new Error('no bars');
    const { spec_sha256, data_sha256, result_sha256 }: Receipt = JSON.parse(result.summary).receipt;
    receipts.push({ spec_sha256, data_sha256, result_sha256 });
  }
  return receipts;
}
