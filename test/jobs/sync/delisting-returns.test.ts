/** Returns of delistings, from their column to the answers that close a position by them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordMarketSource } from '../../../db/market/market-source.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { readHistories, streamHistories } from '../../../jobs/runs/history.ts';
import { dataDigest } from '../../../jobs/runs/receipt.ts';
import { addPerson, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { loadFolder } from '../../support/folder-load.ts';
import { createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const HEADER = 'symbol,primary_venue,delisted_on,delisting_return_pct\n';
/** From 100 to 80, and on the last day to 30: a fall of more than half. */
const CLOSES = [100, 100, 95, 90, 90, 85, 80, 30];
const DAYS = ['01', '02', '03', '05', '08', '09', '10', '11'].map((day) => `2024-07-${day}`);
const bars = (symbol: string, closes: readonly number[]) =>
  closes.map((close, i) => `${symbol},${DAYS[i]},${close},${close},${close},${close},1000\n`).join('');

let database: TestDatabase;
let folder: MarketFolder;
let api: TestApi;
let person: Person;
let admin: Person;

const load = (rows: string) => {
  folder.write('symbols.csv', HEADER + rows);
  return loadFolder(database.pool, folder.provider());
};
const UNKNOWN = 'GONE,NASDAQ,2024-07-11,\nKEPT,NYSE,,\n';
const KNOWN = 'GONE,NASDAQ,2024-07-11,-90\nKEPT,NYSE,,\n';

beforeAll(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({ 'symbols.csv': HEADER + UNKNOWN });
  const flat = CLOSES.map(() => 10);
  const lines = `symbol,date,open,high,low,close,volume\n${bars('GONE', CLOSES)}${bars('KEPT', flat)}KEPT,2024-07-12,10,10,10,10,1000\n`;
  folder.write('daily/consolidated/a.csv', lines);
  await load(UNKNOWN);
  const provider = folder.provider();
  await recordMarketSource(database.pool, provider.source, new Date());
  api = await openTestApi({ database, provider, realCallers: true });
  person = await addPerson(api, undefined, { plan: 'pro' });
  admin = await addPerson(api, undefined, { isAdmin: true });
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

const run = async (path: string, body: object, language = 'en') => {
  const headers = { ...person.program, 'accept-language': language };
  const given = { time_range: 'MAX', strategy: 'buy_hold', cost: { commission_rate: 0, slippage_bps: 0 }, ...body };
  const state = await runNow(api, { storage: api.services.storage }, { path, body: given, headers });
  expect(state.body.data?.status).toBe('done');
  return state.body.data.result;
};
const noteOf = ({ notes }: { notes: { code: string; message: string; details?: object }[] }) =>
  notes.find(({ code }) => code === 'delisting_price');
const GONE = { symbol: 'GONE', execute_on: 'close' };
/** Holds GONE from the second session on. */
const ROTATION = {
  universe: { symbols: ['GONE', 'KEPT'] },
  rotation: { every: { sessions: 2 }, score: 'close', hold: { top: 1 } },
  execute_on: 'close',
  strategy: undefined,
};
const BOTH = { symbols: ['GONE', 'KEPT'], execute_on: 'close', allocation: { max_positions: 2 } };

async function digestOfGone(): Promise<string> {
  const { rows } = await database.pool.query(`select id from instruments where symbol = 'GONE'`);
  const [history] = await readHistories(database.pool, [rows[0].id], requireDay('2024-12-31'));
  for await (const streamed of streamHistories(database.pool, [rows[0].id], requireDay('2024-12-31'))) {
    expect(dataDigest(streamed)).toBe(dataDigest(history));
  }
  return dataDigest(history);
}

describe('without it', () => {
  it('the last close counts, and a note tells what is usual', async () => {
    const result = await run('/v1/backtest', GONE);
    expect(result.total_pnl_pct).toBe(-70);
    // 30 of 100 come back: -55 % of them are -16.5 points.
    expect(noteOf(result)).toMatchObject({ details: { count: 1, failed: 1, points: -16.5 } });
    expect(noteOf(result)?.message).toMatch(/last close.*-55% \(Nasdaq.* -16\.5 points/);
    const portfolio = await run('/v1/portfolio', BOTH);
    expect(noteOf(portfolio)).toMatchObject({ details: { count: 1, failed: 1, points: -8.25 } });
    const rotation = await run('/v1/portfolio', ROTATION);
    expect([rotation.total_pnl_pct, noteOf(rotation)?.details]).toEqual([-70, { count: 1, failed: 1, points: -16.5 }]);
    for (const [language, points] of [
      ['zh-CN', '-16.5个百分点'],
      ['zh-TW', '-16.5個百分點'],
    ]) {
      expect(noteOf(await run('/v1/backtest', GONE, language))?.message).toContain(points);
    }
    expect(noteOf(await run('/v1/backtest', { ...GONE, symbol: 'KEPT' }))).toBeUndefined();
    expect(noteOf(await run('/v1/backtest', { ...GONE, end: '2024-07-10' }))).toBeUndefined();
  });

  it('a search tells it of the instrument', async () => {
    const grid = { params: {}, grid: { fast_period: [2, 3], slow_period: [4, 5] } };
    const result = await run('/v1/optimize', { ...GONE, ...grid, strategy: 'sma_cross', objective: 'total_pnl_pct' });
    expect(noteOf(result)).toMatchObject({ code: 'delisting_price' });
    expect(noteOf(result)?.details).toBeUndefined();
  });
});

describe('with it', () => {
  it('corrects what is served, of the instrument and of its runs', async () => {
    const before = await digestOfGone();
    const { symbols } = await load(KNOWN);
    expect(symbols.rows_written).toBe(1);
    expect(await digestOfGone()).not.toBe(before);
    const result = await run('/v1/backtest', GONE);
    expect(result).toMatchObject({ total_pnl_pct: -97, buy_hold_pnl_pct: -97, excess_return_pct: 0 });
    expect(result.trades.at(-1)).toMatchObject({ exit_price: 3, exit_reason: 'delisted' });
    expect(result.equity.at(-1)).toMatchObject({ equity: result.final_equity, buy_hold: result.final_equity });
    expect(noteOf(result)).toBeUndefined();
    expect(await run('/v1/portfolio', BOTH)).toMatchObject({ total_pnl_pct: -48.5, buy_hold_pnl_pct: -48.5 });
    const rotation = await run('/v1/portfolio', ROTATION);
    expect(rotation).toMatchObject({ total_pnl_pct: -97, buy_hold_pnl_pct: -48.5 });
    expect(rotation.trades[0]).toMatchObject({ symbol: 'GONE.US', exit_price: 3, exit_reason: 'delisted' });
    const served = async () => (await api.get('/v1/static/GONE')).body.data;
    const known = await eventually(served, (data) => data.delisting_return_pct !== undefined);
    expect(known).toMatchObject({ delisted_on: '2024-07-11', delisting_return_pct: -90 });
    const listed = await api.get('/api/admin/data/symbols?q=GONE', admin.console);
    expect(listed.body.data.items).toMatchObject([{ delisted_on: '2024-07-11', delisting_return_pct: -90 }]);
    // Taken away again, everything is as before.
    await load(UNKNOWN);
    expect(await digestOfGone()).toBe(before);
  });

  it('is checked: a figure that is none, more than all, or no percentage; and needs the day', async () => {
    const rows = [
      'A,NYSE,2024-07-11,-100\n',
      'B,NYSE,2024-07-11,-100.5\n',
      'C,NYSE,2024-07-11,half\n',
      'D,NYSE,,-5\n',
      'E,NYSE,2024-07-11,1001\n',
    ];
    const { symbols } = await load(UNKNOWN + rows.join(''));
    expect(symbols.rows_rejected_by_reason).toEqual({ bad_delisting_return: 3 });
  });
});
