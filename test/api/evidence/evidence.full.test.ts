/** The evidence of results: statistics, what the account has tried, receipts, and total return. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateUserAccess } from '../../../db/accounts/users.ts';
import { expectedMaximum } from '../../../engine/statistics/selection.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import type { ObjectStorage } from '../../../storage/storage.ts';
import { addPerson, newAddress, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type MadeUpMarket, madeUpMarket } from '../../support/made-up-market.ts';
import { loadEverything, NOON_2026_06_01 } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const RANGE = { start: '2024-09-03', end: '2026-05-29' };

let database: TestDatabase;
let market: MadeUpMarket;
let api: TestApi;
let storage: ObjectStorage;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase();
  market = madeUpMarket(['DIVI', 'PLAIN'], '2024-07-01', '2026-05-29');
  market.events.push('DIVI,2025-01-15,cash_dividend,0.98', 'DIVI,2025-06-02,split,0.5', 'DIVI,2026-02-02,spin_off,0.9');
  for (const bar of market.bars.DIVI) {
    if (bar.date >= '2025-06-02') continue;
    for (const column of ['open', 'high', 'low', 'close'] as const) bar[column] *= 2;
  }
  market.write();
  directory = mkdtempSync(join(tmpdir(), 'market-evidence-'));
  storage = openStorage({ folder: directory });
  const provider = market.folder.provider();
  await loadEverything(database.pool, provider);
  api = await openTestApi({ database, provider, storage, now: () => NOON_2026_06_01, realCallers: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  market.folder.remove();
  rmSync(directory, { recursive: true });
});

const guest = () => ({ 'x-forwarded-for': newAddress() });

async function run(body: object, headers: Record<string, string> = guest(), path = '/v1/backtest') {
  const request = { symbol: 'DIVI', strategy: 'sma_cross', ...RANGE, ...body };
  const { body: answer } = await runNow(api, { storage }, { path, body: request, headers });
  if (answer.data.status !== 'done') throw new Error(JSON.stringify(answer));
  return answer.data.result;
}

const codesOf = ({ notes }: { notes: { code: string }[] }) => notes.map(({ code }) => code);

describe('statistics of a backtest', () => {
  it('are part of the result, with sentences in the language of the caller', async () => {
    const { statistics, selection, receipt, data_range } = await run({ params: { fast_period: 5, slow_period: 20 } });
    expect(statistics).toMatchObject({ returns: data_range.bars, seed: receipt.spec_sha256.slice(0, 16) });
    expect(statistics.sharpe_interval[0]).toBeLessThan(statistics.sharpe_interval[1]);
    expect(statistics.psr).toBeGreaterThan(0);
    expect(selection).toMatchObject({ trials: 1, emax: 0 });
    expect(statistics.sentences[0]).toMatch(/^Not shown: chance could have done it\. .+ in \d+ of 100 samples\.$/);
    const request = { symbol: 'DIVI', ...RANGE };
    const { body } = await runNow(
      api,
      { storage },
      { path: '/v1/backtest', body: request, headers: { ...guest(), 'accept-language': 'zh-TW' } },
    );
    expect(body.data.result.statistics.sentences[0]).toMatch(/^未顯示本領：.+。$/);
  });

  it('are not computed if they are not requested', async () => {
    const without = await run({ include_statistics: false });
    expect(without).not.toHaveProperty('statistics');
    expect(without).not.toHaveProperty('selection');
    expect(without.receipt.spec_sha256).not.toBe((await run({})).receipt.spec_sha256);
    const nested = await runNow(
      api,
      { storage },
      { path: '/api/backtest/run', body: { symbol: 'DIVI', include: { statistics: false } }, headers: guest() },
    );
    expect(nested.body.data.result).not.toHaveProperty('statistics');
  });

  it('are null if nothing was traded', async () => {
    const result = await run({ strategy: 'rsi_reversion', params: { entry_below: 1, rsi_period: 100 } });
    expect(result).toMatchObject({ num_trades: 0, selection: { trials: 1, emax: 0, min_backtest_years: null } });
    const sentences = ['Nothing was earned and nothing lost: there is no skill to tell.'];
    expect(result.statistics).toMatchObject({ psr: null, sharpe_interval: null, block_length: null, sentences });
    expect(codesOf(result)).toEqual(expect.arrayContaining(['few_trades', 'short_track_record']));
  });
});

describe('the number of trials', () => {
  let person: Person;
  beforeAll(async () => {
    person = await addPerson(api);
    await updateUserAccess(database.pool, person.id, { plan: 'enterprise' });
  });

  it('counts distinct effective parameters of an account, also of runs that are not kept or are deleted', async () => {
    const trialsOf = async (body: object) => (await run(body, person.program)).selection.trials;
    expect(await trialsOf({ params: { fast_period: 5 } })).toBe(1);
    expect(await trialsOf({ params: { fast_period: 5 } })).toBe(1);
    // An explicit default, or another range, is not another combination.
    expect(await trialsOf({ params: { fast_period: 5, slow_period: 50 }, end: '2026-01-30' })).toBe(1);
    await run({ params: { fast_period: 6 }, save: false, include_statistics: false }, person.program);
    const kept = await run({ params: { fast_period: 7 } }, person.program);
    expect(kept.selection).toMatchObject({ trials: 3, emax: Number(expectedMaximum(3).toFixed(4)) });
    expect((await api.delete(`/api/backtest/${kept.id}`, undefined, person.console)).status).toBe(200);
    expect(await trialsOf({ params: { fast_period: 8 } })).toBe(4);
    for (const other of [{ symbol: 'PLAIN' }, { execute_on: 'next_open' }, { adjust: 'none' }, { cost: {} }]) {
      const trials = await trialsOf({ params: { fast_period: 8 }, ...other });
      // Zero costs in another form are the same costs.
      expect(trials).toBe('cost' in other ? 4 : 1);
    }
    expect((await run({ params: { fast_period: 8 } })).selection.trials).toBe(1);
  });

  it('is told beside everything that the account has computed in a year, whatever it was', async () => {
    const other = await addPerson(api);
    const bodies = [{}, { symbol: 'PLAIN' }, { params: { fast_period: 5 }, execute_on: 'next_open' }, {}];
    const results = [];
    for (const body of bodies) results.push(await run(body, other.program));
    const { selection, statistics } = results[2];
    const measured = results
      .slice(0, 3)
      .map(({ statistics: { skill, returns } }) => skill.appraisal * Math.sqrt(returns / 252));
    const mean = measured.reduce((sum, one) => sum + one, 0) / 3;
    const deviation = Math.sqrt(measured.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 2);
    expect(selection.account).toEqual({
      runs: 3,
      emax: Number(expectedMaximum(3).toFixed(4)),
      hurdle: expect.closeTo((deviation / Math.sqrt(statistics.returns)) * expectedMaximum(3), 4),
      dsr: expect.any(Number),
    });
    // The same again is no other run.
    expect(results[3].selection.account.runs).toBe(3);
    expect((await run({})).selection.account).toBeNull();
  });

  it('is deleted with the account', async () => {
    const leaving = await addPerson(api);
    await run({}, leaving.program);
    const left = () => database.pool.query('select from trials where user_id = $1', [leaving.id]);
    expect((await left()).rowCount).toBe(1);
    await api.delete('/api/auth/me', { email: leaving.email }, leaving.console);
    expect((await left()).rowCount).toBe(0);
  });

  it('of a search counts its combinations once, walk forward included', async () => {
    const searcher = await addPerson(api);
    await updateUserAccess(database.pool, searcher.id, { plan: 'enterprise' });
    await run({ params: { fast_period: 3, slow_period: 60 } }, searcher.program);
    const grid = { fast_period: [3, 5, 8], slow_period: [20, 30, 40, 60] };
    const body = { grid, walk_forward: { train_bars: 120, test_bars: 60 } };
    const found = await run(body, searcher.program, '/v1/optimize');
    expect(found.selection.trials).toBe(12);
    expect(found.statistics).toMatchObject({ columns: 12, returns: found.bars });
    expect(found.statistics.pbo).toBeGreaterThanOrEqual(0);
    const { counts } = found.statistics.pbo_distribution;
    const below = counts.slice(0, 10).reduce((sum: number, n: number) => sum + n, 0);
    expect(below / 12_870).toBeCloseTo(found.statistics.pbo, 6);
    expect(found.statistics.spa.lower).toBeLessThanOrEqual(found.statistics.spa.upper);
    expect(found.walk_forward.statistics.returns).toBe(found.walk_forward.equity.length);
    expect(found.statistics.skill.shown).toBeNull();
    expect(found.statistics.sentences).toContainEqual(
      expect.stringContaining(
        `the best of 12 combinations that were tried. Deflated for them, what it earned beyond the market stands at ${found.selection.skill.dsr.toFixed(2)} of 1.`,
      ),
    );
    // The best of the search, run alone, has the same figures.
    const single = await run({ params: found.best[0].params }, searcher.program);
    expect(single.statistics.psr).toBe(found.statistics.psr);
    expect(single.selection.trials).toBe(12);
    const bare = await run({ ...body, include_statistics: false }, searcher.program, '/v1/optimize');
    expect(bare).not.toHaveProperty('statistics');
    expect(bare.walk_forward).not.toHaveProperty('statistics');
  });
});

describe('total return', () => {
  it('reinvests dividends and spin-offs at their ex-date, both in the run and in its benchmark', async () => {
    const hold = { strategy: 'buy_hold' };
    const [split, total, none] = [
      await run(hold),
      await run({ ...hold, adjust: 'total' }),
      await run({ ...hold, adjust: 'none' }),
    ];
    const growth = (pct: number) => 1 + pct / 100;
    expect(growth(total.total_pnl_pct) * 0.98 * 0.9).toBeCloseTo(growth(split.total_pnl_pct), 5);
    expect(total.excess_return_pct).toBeCloseTo(0, 6);
    expect(growth(none.total_pnl_pct) * 2).toBeCloseTo(growth(split.total_pnl_pct), 5);
    expect([codesOf(split), codesOf(none), codesOf(total)].map((codes) => codes.includes('price_return'))).toEqual([
      true,
      true,
      false,
    ]);
    const at = (result: { klines: { ts: string; volume: number }[] }) =>
      result.klines.find(({ ts }) => ts === '2025-01-14')?.volume;
    expect(at(total)).toBe(at(split));
    expect(codesOf(await run({ ...hold, symbol: 'PLAIN' }))).not.toContain('price_return');
    expect(codesOf(await run({ ...hold, start: '2026-02-02' }))).not.toContain('price_return');
  });

  it('is also an adjustment of candles, and its events are listed', async () => {
    const candles = async (adjust: string) => {
      const query = `start=2025-01-13&end=2025-01-16&adjust=${adjust}`;
      const { body } = await api.get(`/v1/kline/DIVI?${query}`, guest());
      return body.data;
    };
    const [none, qfq, total] = [await candles('none'), await candles('qfq'), await candles('total')];
    expect(qfq.bars[0].close).toBeCloseTo(none.bars[0].close * 0.5, 5);
    expect(total).toMatchObject({ adjust: 'total', adjust_applied: true });
    expect(total.bars[0].close).toBeCloseTo(none.bars[0].close * 0.5 * 0.98 * 0.9, 5);
    expect(total.bars[2].close).toBeCloseTo(none.bars[2].close * 0.5 * 0.9, 5);
    expect(total.bars[0].volume).toBe(qfq.bars[0].volume);
    const { body } = await api.get('/v1/events/DIVI', guest());
    const before = none.bars.find(({ ts }: { ts: string }) => ts === '2025-01-14').close;
    expect(body.data).toMatchObject({
      symbol: 'DIVI.US',
      count: 3,
      events: [
        { kind: 'cash_dividend', ex_date: '2025-01-15', factor: 0.98, amount: expect.closeTo(before * 0.02, 6) },
        { kind: 'split', ex_date: '2025-06-02', factor: 0.5, amount: null },
        { kind: 'spin_off', ex_date: '2026-02-02', factor: 0.9, amount: null },
      ],
    });
  });
});
