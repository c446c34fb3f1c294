/** Kept runs after later loads: loading later or earlier days does not change the data that a run read. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parquetReadObjects } from 'hyparquet';
import { NOTHING_OWN } from '../../../api/rules/resolve.ts';
import { sweepBody, sweepOf } from '../../../api/sweeps/request.ts';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { transaction } from '../../../db/pool.ts';
import { selectChunks } from '../../../db/sweeps/sweep-chunks.ts';
import { required } from '../../../engine/util/values.ts';
import { verifyAll } from '../../../jobs/evidence/verify.ts';
import { assembleWork, runChunk } from '../../../jobs/factors/chunked-work.ts';
import { enqueueSweep } from '../../../jobs/sweep/enqueue.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { NOON_2026_06_01, runSyncJob } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

/** When the runs are kept, a part of the sessions that the clock allows is loaded. */
const [START, FIRST, LAST, NEXT, END] = ['2025-01-02', '2025-02-03', '2026-05-19', '2026-05-20', '2026-05-29'];
const now = () => NOON_2026_06_01;

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;
let person: Person;

async function load(jobType: 'symbols' | 'adjustments' | 'daily_bars', request: object = {}): Promise<void> {
  market.write();
  const job = await runSyncJob(database.pool, market.folder.provider(), jobType, request);
  if (job.status !== 'ok') throw new Error(`${jobType}: ${job.error}`);
}

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['ALFA', 'BETA', 'GAMA'], START, END);
  market.events.push('ALFA,2025-06-02,cash_dividend,0.99');
  await load('symbols');
  await load('adjustments');
  await load('daily_bars', { start: FIRST, end: LAST });
  directory = mkdtempSync(join(tmpdir(), 'market-after-loads-'));
  storage = openStorage({ folder: directory });
  api = await openTestApi({ database, provider: market.folder.provider(), storage, now, realCallers: true });
  person = await addPerson(api);
  await updateUserAccess(database.pool, person.id, { plan: 'enterprise' });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

async function keep(path: string, body: object): Promise<number> {
  const request = { strategy: 'sma_cross', params: { fast_period: 5, slow_period: 20 }, ...body };
  const { body: answer } = await runNow(api, { storage }, { path, body: request, headers: person.program });
  return answer.data.result.id;
}

async function verdicts(): Promise<Record<number, string>> {
  const found: Record<number, string> = {};
  const context = testJobContext({ pool: database.pool, storage, now });
  await verifyAll(context, await selectDataVersion(database.pool), ({ id }, verdict) => {
    found[id] = verdict;
  });
  return found;
}

const verified = async (id: number, kind: string) =>
  (await runNow(api, { storage }, { path: `/v1/${kind}/${id}/verify`, headers: person.program })).body.data.result;

const portfolio = { symbols: ['ALFA', 'BETA'], benchmark: 'GAMA' };

/** A sweep whose chunks have not run yet. */
async function queueSweep(): Promise<string> {
  const { pool, boss, market: view } = api.services;
  const runs = [{ strategy: 'buy_hold' }];
  const requested = sweepOf(sweepBody.parse({ universe: 'all', runs, time_range: 'MAX' }), view, [NOTHING_OWN]);
  const id = randomUUID();
  const wanted = { ...requested, id, userId: person.id, bars: 1e9, requestId: 'test', at: new Date(now()) };
  await transaction(pool, (connection) => enqueueSweep(connection, boss, wanted));
  return id;
}

async function endsOfCells(sweepId: string): Promise<unknown[]> {
  const context = testJobContext({ pool: database.pool, storage, now, boss: async () => api.services.boss });
  for (const { seq } of await selectChunks(database.pool, sweepId)) {
    await runChunk(context, { sweepId, seq, requestId: null });
  }
  await assembleWork(context, { sweepId });
  const file = await api.get(`/v1/sweeps/${sweepId}/cells.parquet`, person.program);
  const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
  const cells = await parquetReadObjects({ file: new Uint8Array(file.body).buffer, compressors });
  return cells.map(({ end_date }) => new Date(String(end_date)).toISOString().slice(0, 10));
}

describe('a kept run', () => {
  it('is reproduced after loads of later and earlier days, and revised by a correction of a bar that it read', async () => {
    const whole = await keep('/v1/backtest', { symbol: 'ALFA', time_range: 'MAX', adjust: 'total' });
    const recent = await keep('/v1/backtest', { symbol: 'BETA', time_range: '6M' });
    const ended = await keep('/v1/backtest', { symbol: 'BETA', start: '2025-06-02', end: '2026-03-31' });
    const openEnd = await keep('/v1/backtest', { symbol: 'ALFA', start: '2025-06-02', end: END });
    const two = await keep('/v1/portfolio', { ...portfolio, time_range: 'MAX', strategy: 'donchian', params: {} });
    const all = [whole, recent, ended, openEnd, two];
    const sweep = await queueSweep();
    const receipt = (await api.get(`/v1/backtests/${whole}`, person.program)).body.data.receipt;
    expect(receipt).toMatchObject({ first_bar: FIRST, last_bar: LAST });
    const each = (verdict: string, of = all) => Object.fromEntries(of.map((id) => [id, verdict]));
    expect(await verdicts()).toEqual(each('reproduced'));

    // One instrument is loaded alone, then the session, then all that is left, and events of later days.
    await load('daily_bars', { start: NEXT, end: NEXT, symbols: ['ALFA'] });
    expect(await verdicts()).toEqual(each('reproduced'));
    market.events.push('ALFA,2026-05-21,cash_dividend,0.98', 'BETA,2026-05-22,split,0.5');
    await load('adjustments', { through: END });
    await load('daily_bars', { start: START, end: END });
    expect(await verdicts()).toEqual(each('reproduced'));
    const shown = (await api.get(`/v1/portfolios/${two}`, person.program)).body.data;
    expect(shown.receipt).toMatchObject({ first_bar: FIRST, last_bar: LAST });
    expect(shown).not.toHaveProperty('bars_read');

    // The correction of a bar that no run read does not affect them.
    const corrected = (ticker: string, date: string) => {
      const bar = required(market.bars[ticker].find((one) => one.date === date));
      const { date: _, ...was } = bar;
      bar.volume += 7;
      return { date, was, is: { ...was, volume: bar.volume } };
    };
    corrected('ALFA', NEXT);
    corrected('BETA', START);
    await load('daily_bars', { start: START, end: END });
    expect(await verdicts()).toEqual(each('reproduced'));

    const used = corrected('ALFA', LAST);
    await load('daily_bars', { start: START, end: END });
    expect(await verdicts()).toEqual({ ...each('reproduced'), ...each('data_revised', [whole, openEnd, two]) });
    expect((await verified(whole, 'backtests')).bars).toEqual({ total: 1, items: [used] });
    expect((await verified(two, 'portfolios')).bars).toEqual({ total: 1, items: [{ symbol: 'ALFA.US', ...used }] });

    // A sweep that waits while days are loaded has the same days in all of its cells.
    expect(await endsOfCells(sweep)).toEqual([LAST, LAST, LAST]);
  });

  it('of outcomes is reproduced, and revised by a correction, with every figure before and after', async () => {
    const [start, end] = ['2025-06-02', '2026-03-31'];
    const body = { condition: 'close > sma(5)', horizons: [5], start, end, universe: { symbols: ['BETA', 'GAMA'] } };
    const call = { path: '/v1/outcomes', body, headers: person.program };
    const { id, horizons } = (await runNow(api, { storage }, call)).body.data.result;
    const before = await verified(id, 'outcomes');
    const figures = { hits: expect.any(Number), mean_5: horizons[0].mean, excess_5: horizons[0].excess.mean };
    expect(before).toMatchObject({ verdict: 'reproduced', reasons: [] });
    const was = Object.fromEntries(before.metrics.map((one: { name: string; was: number }) => [one.name, one.was]));
    expect(was).toMatchObject(figures);
    expect(before.metrics.every((one: { was: number; is: number }) => one.was === one.is)).toBe(true);

    const bar = required(market.bars.BETA.find(({ date }) => date === '2025-12-01'));
    bar.close = bar.high = 1.1 * bar.high;
    await load('daily_bars', { start: START, end: END });
    const revised = await verified(id, 'outcomes');
    expect(revised).toMatchObject({ verdict: 'data_revised', reasons: ['data_revised'] });
    const mean = revised.metrics.find(({ name }: { name: string }) => name === 'mean_5');
    const again = (await runNow(api, { storage }, call)).body.data.result;
    expect(mean).toEqual({ name: 'mean_5', was: horizons[0].mean, is: again.horizons[0].mean });
    expect(mean.is).not.toBe(mean.was);

    const changed = `update backtests set summary = jsonb_set(summary::jsonb, '{hits}', '1') where id = $1`;
    await database.pool.query(changed, [again.id]);
    expect(await verified(again.id, 'outcomes')).toMatchObject({ verdict: 'unexplained', reasons: ['unexplained'] });
  });
});
