/** Factor studies over HTTP, through the queue, in real worker processes. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import type { Response } from 'supertest';
import { dueClaims } from '../../../jobs/factors/due-claims.ts';
import { computeNewestClaims } from '../../../jobs/factors/newest-claims.ts';
import { SampleProvider } from '../../../jobs/providers/sample/sample-provider.ts';
import { sweepPrefix } from '../../../storage/keys.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createSampleDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import { endProcess } from '../../support/processes.ts';
import { startSampleWorker } from '../../support/sample-worker.ts';

const NOW = Date.parse('2024-09-04T16:00:00Z');
const provider = new SampleProvider({ symbols: 50, now: () => NOW });
const outcome = ({ status, body }: Response) => [status, body.key];

let database: TestDatabase;
let directory: string;
let api: TestApi;
let pro: Person;
let other: Person;
const workers: ChildProcess[] = [];

async function startWorker(): Promise<ChildProcess> {
  const worker = await startSampleWorker({ database, folder: directory, now: NOW }, { WORKER_SLOTS: '1' });
  workers.push(worker);
  return worker;
}

beforeAll(async () => {
  database = await createSampleDatabase(provider);
  directory = mkdtempSync(join(tmpdir(), 'market-factors-'));
  const storage = openStorage({ folder: join(directory, 'objects') });
  api = await openTestApi({ database, provider, storage, now: () => NOW, realCallers: true });
  pro = await addPerson(api, undefined, { plan: 'pro' });
  other = await addPerson(api, undefined, { plan: 'enterprise' });
});
afterEach(() => Promise.all(workers.splice(0).map((worker) => endProcess(worker, 'SIGTERM'))));
afterAll(async () => {
  await api.close();
  await database.drop();
  rmSync(directory, { recursive: true });
});

const body = (more: object = {}) => ({
  universe: { all: true, where: 'close > 5' },
  factors: [
    { name: 'momentum', value: 'lag(roc(231), 21)' },
    { name: 'calm', value: '-volatility(63)' },
  ],
  horizons: [5, 'step'],
  every: 'week',
  time_range: '2Y',
  ...more,
});

async function finished(id: string, person = pro) {
  const { body: answer } = await eventually(
    () => api.get(`/v1/factors/${id}?wait=5`, person.program),
    ({ body: { data } }) => data.status === 'done' || data.status === 'failed',
    90_000,
  );
  return answer.data;
}

async function start(given: object, person = pro): Promise<string> {
  const accepted = await api.post('/v1/factors', given, person.program);
  expect(accepted.status).toBe(202);
  return accepted.body.data.job_id;
}

const resultOf = async (id: string, person = pro) =>
  (await api.get(`/v1/factors/${id}/result`, person.program)).body.data;

async function rowsOf(path: string, person = pro): Promise<Record<string, unknown>[]> {
  const file = await api.get(path, person.program);
  expect([path, file.status]).toEqual([path, 200]);
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  return parquetReadObjects({ file: new Uint8Array(file.body).buffer, compressors });
}

describe('a factor study', () => {
  it('is computed by workers, and belongs to its account', async () => {
    await startWorker();
    const id = await start(body());
    expect(outcome(await api.get(`/v1/factors/${id}/result`, pro.program))).toEqual([409, 'error.sweep_not_finished']);
    const state = await finished(id);
    expect(state).toMatchObject({ status: 'done', progress_pct: 100, factors: ['momentum', 'calm'], request: body() });
    for (const path of ['', '/result', '/series.parquet', '/values.parquet?factor=calm']) {
      expect(outcome(await api.get(`/v1/factors/${id}${path}`, other.program))).toEqual([404, 'error.not_found']);
    }
    expect(outcome(await api.get(`/v1/sweeps/${id}`, pro.program))).toEqual([404, 'error.not_found']);
    expect((await api.get('/v1/sweeps', pro.program)).body.data.total).toBe(0);
    const { body: list } = await api.get('/v1/factors', pro.program);
    expect(list.data.items.map((item: { id: string }) => item.id)).toEqual([id]);

    const result = await resultOf(id);
    expect(result).toMatchObject({
      id,
      series_in_file: false,
      first: expect.any(String),
      correlations: [{ a: 'momentum' }],
    });
    expect(result.selection).toMatchObject({ trials: 2, best: expect.stringMatching(/momentum|calm/) });
    const [momentum] = result.factors;
    const [week] = momentum.horizons;
    expect(week.ic.series).toHaveLength(week.ic.sessions);
    expect(week.quantiles.map(({ quantile }: { quantile: number }) => quantile)).toEqual([1, 2, 3, 4, 5]);

    const series = await rowsOf(`/v1/factors/${id}/series.parquet`);
    const own = series.filter(({ factor, horizon }) => factor === 'momentum' && horizon === '5');
    expect(own.map(({ ic }) => ic)).toEqual(week.ic.series.map(({ ic }: { ic: number }) => ic));
    const values = await rowsOf(`/v1/factors/${id}/values.parquet?factor=momentum`);
    const newest = values.filter(({ date }) => date instanceof Date && date.toISOString().startsWith(result.last));
    const top = newest.toSorted((a, b) => Number(b.value) - Number(a.value)).slice(0, 10);
    expect(top.map(({ symbol }) => symbol)).toEqual(momentum.top.map(({ symbol }: { symbol: string }) => symbol));
    // Written once.
    expect(await rowsOf(`/v1/factors/${id}/values.parquet?factor=momentum`)).toEqual(values);
    const refused = await api.get(`/v1/factors/${id}/values.parquet?factor=other`, pro.program);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'factor']]);

    expect((await api.delete(`/v1/factors/${id}`, undefined, pro.program)).body.data).toEqual({ deleted: true });
    expect((await api.get(`/v1/factors/${id}`, pro.program)).status).toBe(404);
    await eventually(
      async () => {
        const keys: string[] = [];
        for await (const { key } of api.services.storage.list(sweepPrefix(pro.id, id))) keys.push(key);
        return keys;
      },
      (keys) => keys.length === 0,
    );
  });

  it('has the same result in chunks as at once, whatever worker dies', async () => {
    const factors = Array.from({ length: 22 }, (_, i) => ({ name: `f${i}`, value: `roc(${5 + i}) - volatility(21)` }));
    const first = await startWorker();
    await startWorker();
    const id = await start(body({ factors, every: 'day' }), other);
    await eventually(
      async () => (await api.get(`/v1/factors/${id}`, other.program)).body.data,
      ({ workers: count }) => count > 0,
    );
    first.kill('SIGKILL');
    await once(first, 'exit');
    const state = await finished(id, other);
    expect(state).toMatchObject({ status: 'done', chunks: { done: 4, total: 4 } });
    const whole = await resultOf(id, other);
    expect(whole.selection.trials).toBe(22);
    for (const part of [[0], [3, 21]]) {
      const again = await start(body({ factors: part.map((place) => factors[place]), every: 'day' }), other);
      await finished(again, other);
      const single = await resultOf(again, other);
      expect(single.factors).toEqual(part.map((place) => whole.factors[place]));
      const [a, b] = part.map((place) => factors[place].name);
      const pair = whole.correlations.find((one: { a: string; b: string }) => one.a === a && one.b === b);
      if (b !== undefined) expect(single.correlations).toEqual([pair]);
    }
  });

  it.each([
    ['a condition', { factors: [{ name: 'a', value: 'close > 5' }] }, ['body', 'factors', 0, 'value'], 400],
    ['a constant', { factors: [{ name: 'a', value: '5 + 1' }] }, ['body', 'factors', 0, 'value'], 422],
    ['an unknown name', { factors: [{ name: 'a', value: 'nothing(3)' }] }, ['body', 'factors', 0, 'value'], 400],
    ['an unknown column', { factors: [{ name: 'a', value: "my('x')" }] }, ['body', 'factors', 0, 'value'], 400],
    [
      'two of one name',
      {
        factors: [
          { name: 'a', value: 'close' },
          { name: 'a', value: '-close' },
        ],
      },
      ['body', 'factors', 1, 'name'],
      422,
    ],
    ['a horizon beyond the range', { horizons: [200], time_range: '3M' }, ['body', 'horizons', 0], 422],
    ['more quantiles than symbols', { universe: { symbols: ['ACRX'] } }, ['body', 'quantiles'], 422],
    ['an unknown group', { neutral: "my('sector')" }, ['body', 'neutral'], 422],
    ['weights by a value without its column', { portfolio: { weights: 'value' } }, ['body', 'portfolio', 'cap'], 422],
    ['a wrong condition of members', { universe: { all: true, where: 'close' } }, ['body', 'universe', 'where'], 400],
    [
      'too many',
      { factors: Array.from({ length: 201 }, (_, i) => ({ name: `f${i}`, value: 'close' })) },
      ['body', 'factors'],
      422,
    ],
  ])('is refused with %s, and nothing is queued', async (_, wrong, loc, status) => {
    const before = await database.pool.query('select count(*) from sweeps');
    const answer = await api.post('/v1/factors', body(wrong), other.program);
    expect([answer.status, answer.body.detail[0].loc]).toEqual([status, loc]);
    expect((await database.pool.query('select count(*) from sweeps')).rows).toEqual(before.rows);
  });

  it('is part of plans from pro on', async () => {
    const free = await addPerson(api, undefined, { plan: 'free' });
    expect((await api.post('/v1/factors', body(), free.program)).status).toBe(403);
    expect((await api.post('/v1/factors', body())).status).toBe(403);
  });

  it('forms portfolios of stocks, by market value where a column has it', async () => {
    await startWorker();
    const stocks = api.services.market.directory.items.filter(({ instrument }) => instrument.assetType === 'stock');
    const rows = stocks.map(({ qualified }, i) => `${qualified},2010-01-04,${1_000_000 * (1 + i)}`).join('\n');
    const { body: put } = await api.put(
      '/v1/my/columns/shares?dimension=shares&lag=0&symbols=current',
      `symbol,date,value\n${rows}`,
      {
        ...other.program,
        'content-type': 'text/csv',
      },
    );
    expect(put).toMatchObject({ code: 0 });
    const portfolio = { weights: 'value', cap: 'shares', breakpoints: 'all', cuts: 2, hold: 2 };
    const given = { universe: { all: true }, horizons: ['step'], every: 'month', portfolio };
    const id = await start(body(given), other);
    await finished(id, other);
    const result = await resultOf(id, other);
    expect(result.instruments).toBeLessThanOrEqual(stocks.length);
    const [{ portfolio: found }] = result.factors;
    expect(found).toMatchObject({
      months: found.series.length,
      lag: expect.any(Number),
      interval: [expect.any(Number), expect.any(Number)],
    });
    expect(found.formations).toBeGreaterThan(20);
    for (const { ls, long, short, names } of found.series) {
      expect(ls).toBeCloseTo(long - short, 9);
      expect(Math.min(...names)).toBeGreaterThanOrEqual(10);
    }
  });

  it('counts no published claim as a trial of the account', async () => {
    await startWorker();
    const person = await addPerson(api, undefined, { plan: 'enterprise' });
    const published = { name: 'mom_12_1', value: 'monthly( lag(roc(11), 1) )' };
    const id = await start(body({ factors: [published, { name: 'own', value: 'monthly(roc(5))' }] }), person);
    await finished(id, person);
    expect((await resultOf(id, person)).selection.trials).toBe(1);
  });

  it('answers with its id, and keeps the seed with the choice', async () => {
    await startWorker();
    const { body: accepted } = await api.post('/v1/factors', body(), other.program);
    expect(accepted.data.id).toBe(accepted.data.job_id);
    await finished(accepted.data.id, other);
    const { selection } = await resultOf(accepted.data.id, other);
    expect(selection.seed).toMatch(/^[0-9a-f]{16}$/);
  });

  it('says so where a value is undefined everywhere', async () => {
    await startWorker();
    const id = await start(body({ factors: [{ name: 'nothing', value: '(close - close) / (close - close)' }] }), other);
    const state = await finished(id, other);
    expect(state.notes.map(({ code }: { code: string }) => code)).toContain('factor_undefined');
    const [factor] = (await resultOf(id, other)).factors;
    expect(factor).toMatchObject({ coverage: { mean_names: 0 }, rank_autocorrelation: null, top: [] });
    expect(factor.horizons[0].ic).toMatchObject({ sessions: 0, mean: null, t_overlap: null, series: [] });
  });
});

describe('published claims', () => {
  it('are listed for everybody, and with their figures once a job has computed them', async () => {
    const { data: before } = (await api.get('/v1/claims')).body;
    expect(before.items).toHaveLength(50);
    expect(before).toMatchObject({ universe: null, overall: null });
    const context = testJobContext({ pool: database.pool, now: () => NOW });
    await computeNewestClaims(context);
    const { items, universe } = (await api.get('/v1/claims')).body.data;
    // The last month of which all sessions are loaded.
    expect(universe.last).toBe('2024-08');
    expect(universe.instruments).toBeGreaterThan(20);
    const claim = (code: string) => items.find((one: { code: string }) => one.code === code);
    expect(claim('mom_12_1')).toMatchObject({ runnable: true, missing: [], published: { monthly_pct: 1.31 } });
    expect(claim('size')).toMatchObject({ runnable: false, missing: ['shares'], newest: null });
    expect((await api.get('/v1/claims/mom_12_1')).body.data).toEqual(claim('mom_12_1'));
    expect((await api.get('/v1/claims/none')).status).toBe(404);
  });

  it('are due once a month, and when a column comes that they read', async () => {
    const dueAt = async (at: string) => (await dueClaims(database.pool, Date.parse(at)))?.state ?? null;
    expect(await dueAt('2024-09-04T16:00:00Z')).toBeNull();
    expect(await dueAt('2024-08-15T16:00:00Z')).toMatch(/^2024-07-31, /);
    expect(await dueAt('1990-01-02T16:00:00Z')).toBeNull();
    await database.pool.query(`update newest_claims set made_of = made_of || ', shares 1-1'`);
    expect(await dueAt('2024-09-04T16:00:00Z')).toMatch(/^2024-08-30, /);
  });

  it('are computed over a universe with a condition, and refused without their columns', async () => {
    await startWorker();
    const stranger = await addPerson(api, undefined, { plan: 'enterprise' });
    const run = (more: object) => api.post('/v1/claims/run', { codes: ['volatility_21'], ...more }, stranger.program);
    const [all, dear] = [await run({}), await run({ universe: { all: true, where: 'close > 50' } })];
    expect([all.status, dear.status]).toEqual([200, 200]);
    const namesOf = ({ body: { data } }: Response) =>
      data.items[0].why.find(({ code }: { code: string }) => code === 'universe');
    expect(namesOf(dear).names).toBeLessThan(namesOf(all).names);
    const refused = [await run({ codes: ['size'] }), await run({ universe: { all: true, where: 'close' } })];
    expect(refused.map(({ status, body: { detail } }) => [status, detail[0].loc])).toEqual([
      [422, ['body', 'codes', 0]],
      [400, ['body', 'universe', 'where']],
    ]);
  });
});
