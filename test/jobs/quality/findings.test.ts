/** Events against prices: found after a load, told on answers, and decided by administrators. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countOpenFindings } from '../../../db/market/findings.ts';
import { recordMarketSource, saveConsolidatedFrom } from '../../../db/market/market-source.ts';
import { failSyncJob, insertSyncJob, selectFailedSyncJobs } from '../../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { setConsolidatedFrom } from '../../../engine/market/venue-basis.ts';
import { required } from '../../../engine/util/values.ts';
import { computeImpacts } from '../../../jobs/impact/run.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';
import { runNow } from '../../support/run-jobs.ts';

const DAYS = sessionsBetween(requireDay('2026-01-05'), requireDay('2026-05-29')).map(formatDay);
const EX = DAYS[50];
const NOW = Date.parse('2026-06-01T16:00:00Z');

/** A price that is a quarter as high from the ex-date on. */
const bars = (symbol: string, days: readonly string[], isSplit: boolean) =>
  days
    .map((day, i) => {
      const price = (i % 2 === 0 ? 100 : 101) / (isSplit && day >= EX ? 4 : 1);
      return `${symbol},${day},${price},${price},${price},${price},1000\n`;
    })
    .join('');
const EVENTS = `symbol,ex_date,kind,factor\nGOOD,${EX},split,0.25\nFLAT,${EX},split,0.25\n`;

let database: TestDatabase;
let folder: MarketFolder;
let objects: string;
let api: TestApi;
let admin: Person;

const check = async () => {
  const { pool } = database;
  await buildSnapshot(testJobContext({ pool, storage: openStorage({ folder: objects }), now: () => NOW }));
};
const list = async (query = '') => (await api.get(`/api/admin/data/findings${query}`, admin.console)).body.data;
const idOf = async (symbol: string) => (await list(`?symbol=${symbol}`)).items[0].id;
const decide = async (symbol: string, body: object) =>
  api.patch(`/api/admin/data/findings/${await idOf(symbol)}`, body, admin.console);
const suspectNotes = (data: { notes: { code: string }[] }) => data.notes.filter(({ code }) => code === 'data_suspect');
const candles = async (symbol: string, query = '') =>
  (await api.get(`/v1/kline/${symbol}?start=${DAYS[0]}${query}`)).body.data;
/** The findings that candles tell, once every process knows the newest ones. */
const told = (symbol: string, expected: number) =>
  eventually(
    async () => suspectNotes(await candles(symbol)),
    (notes) => notes.length === expected,
  );
const firstClose = (symbol: string, expected: number) =>
  eventually(
    async () => (await candles(symbol, '&adjust=qfq')).bars[0].close,
    (close) => close === expected,
  );

beforeAll(async () => {
  objects = mkdtempSync(join(tmpdir(), 'findings-'));
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv': 'symbol\nGOOD\nFLAT\nJUMP\nGAP\n',
    'adjustments.csv': EVENTS,
    'daily/consolidated/all.csv':
      BARS_HEADER +
      bars('GOOD', DAYS, true) +
      bars('FLAT', DAYS, false) +
      bars('JUMP', DAYS, true) +
      bars('GAP', [...DAYS.slice(0, 10), ...DAYS.slice(75)], false),
  });
  const provider = folder.provider(NOW);
  await loadEverything(database.pool, provider);
  await recordMarketSource(database.pool, provider.source, new Date());
  await saveConsolidatedFrom(database.pool, await provider.consolidatedFrom());
  api = await openTestApi({
    database,
    provider,
    now: () => NOW,
    realCallers: true,
    storage: openStorage({ folder: objects }),
  });
  admin = await addAdmin(api);
  await check();
});
afterAll(async () => {
  await api.close();
  await database.drop();
  folder.remove();
  rmSync(objects, { recursive: true, force: true });
  setConsolidatedFrom(null);
});

it('finds what prices and events disagree about, with the bars around', async () => {
  const { items } = await list();
  expect(items.map(({ symbol, kind, date, status }: Record<string, string>) => [symbol, kind, date, status])).toEqual([
    ['FLAT.US', 'contradicted', EX, 'open'],
    ['JUMP.US', 'split_suspected', EX, 'open'],
    ['GAP.US', 'hole', DAYS[10], 'open'],
  ]);
  expect(items[0].details).toMatchObject({ event: 'split', factor: 0.25 });
  expect(items[2].details).toEqual({ until: DAYS[75], sessions: 65 });
  expect(items[0].bars.map(({ date }: { date: string }) => date)).toEqual(DAYS.slice(45, 55));
  expect(await countOpenFindings(database.pool)).toBe(3);
});

it('tells it on candles, batches, screens, and runs whose bars cross one', async () => {
  expect(await told('FLAT', 1)).toMatchObject([
    { level: 'warning', details: { findings: [{ symbol: 'FLAT.US', kind: 'contradicted', date: EX }], count: 1 } },
  ]);
  expect(suspectNotes(await candles('GOOD'))).toEqual([]);
  const before = `&end=${DAYS[49]}`;
  expect(suspectNotes(await candles('JUMP', before))).toEqual([]);
  // Prices before the event are adjusted by it.
  expect(suspectNotes(await candles('JUMP', `${before}&adjust=qfq`))).toHaveLength(1);
  const batch = await api.post('/v1/batch', { symbols: ['GAP', 'GOOD'], type: 'kline', start: DAYS[0] }, admin.program);
  expect(suspectNotes(batch.body.data.results['GAP.US'])).toHaveLength(1);
  expect(suspectNotes(batch.body.data.results['GOOD.US'])).toEqual([]);
  const conditions = [{ field: 'sma', op: 'gt', period: 60, value: 0 }];
  const screen = await api.post('/v1/screener', { conditions }, admin.program);
  expect(screen.status).toBe(200);
  expect(suspectNotes(screen.body.data)).toMatchObject([{ details: { count: 2 } }]);
  const run = await runNow(
    api,
    { storage: api.services.storage },
    {
      path: '/v1/backtest',
      body: { symbol: 'FLAT', strategy: 'sma_cross', time_range: 'MAX' },
      headers: admin.program,
    },
  );
  const { notes, data_range } = run.body.data.result;
  expect(suspectNotes({ notes })).toMatchObject([{ level: 'warning', details: { findings: [{ date: EX }] } }]);
  expect(data_range.prices).toBe('as_traded');
});

describe('an administrator', () => {
  it('confirms, which keeps the note, or ignores, which ends it', async () => {
    expect((await decide('GAP', { action: 'confirm' })).body.data).toMatchObject({
      status: 'confirmed',
      decided_by: admin.email,
    });
    await told('GAP', 1);
    await decide('GAP', { action: 'ignore' });
    await told('GAP', 0);
    await check();
    expect((await list('?status=ignored')).total).toBe(1);
  });

  it('writes the right event, which outlives later loads', async () => {
    const refused = { action: 'mend', event: { kind: 'split', ex_date: EX, factor: 4 } };
    expect((await decide('JUMP', refused)).status).toBe(422);
    expect((await decide('JUMP', { action: 'mend' })).body.key).toBe('error.wrong_state');
    expect((await decide('GAP', { action: 'mend' })).body.key).toBe('error.wrong_state');
    const event = { kind: 'split', ex_date: EX, factor: 0.25 };
    expect((await decide('JUMP', { action: 'mend', event })).body.data).toMatchObject({ status: 'mended', event });
    await firstClose('JUMP', 25);
    expect((await decide('FLAT', { action: 'mend' })).body.data).toMatchObject({ status: 'mended', event: null });
    for (const _ of [1, 2]) {
      await firstClose('FLAT', 100);
      await runSyncJob(database.pool, folder.provider(NOW), 'adjustments');
      await check();
    }
    const { rows } = await database.pool.query(
      'select i.symbol, a.factor from adjustments a join instruments i on i.id = a.instrument_id order by 1',
    );
    expect(rows).toEqual([
      { symbol: 'GOOD', factor: 0.25 },
      { symbol: 'JUMP', factor: 0.25 },
    ]);
    await told('JUMP', 0);
    expect(await countOpenFindings(database.pool)).toBe(0);
    // The provider writes the event itself: it counts once.
    folder.write('adjustments.csv', `${EVENTS}JUMP,${EX},split,0.25\n`);
    await runSyncJob(database.pool, folder.provider(NOW), 'adjustments');
    const { rowCount } = await database.pool.query(
      `select from adjustments a join instruments i on i.id = a.instrument_id where i.symbol = 'JUMP'`,
    );
    expect(rowCount).toBe(1);
    const audit = await api.get('/api/admin/audit?action=finding.decide', admin.console);
    expect(audit.body.data.items[0].details).toMatchObject({ action: 'mend', symbol: 'FLAT', kind: 'contradicted' });
  });

  it('revises by that what was served, like a load', async () => {
    const { pool } = database;
    await runSyncJob(pool, folder.provider(NOW), 'adjustments', { through: DAYS.at(-1) });
    const job = { jobType: 'adjustments', request: {}, requestedBy: 'test', requestId: null } as const;
    const failed = required(await insertSyncJob(pool, { ...job, queueJobId: crypto.randomUUID() }));
    await failSyncJob(pool, failed, 'unreadable', true);
    const body = { symbol: 'FLAT', strategy: 'buy_hold', time_range: 'MAX', adjust: 'total' };
    const { storage } = api.services;
    const kept = await runNow(api, { storage }, { path: '/v1/backtest', body, headers: admin.program });
    const { id, total_pnl_pct } = kept.body.data.result;
    await decide('FLAT', { action: 'mend', event: { kind: 'split', ex_date: EX, factor: 0.5 } });
    await computeImpacts(testJobContext({ pool, storage, now: () => NOW }));
    const { items } = (await api.get('/v1/my/impact', admin.program)).body.data;
    const impact = items.find((one: { id: number }) => one.id === id);
    // The first half of its prices is half as high.
    const doubled = 2 * (100 + total_pnl_pct) - 100;
    expect([impact.before.total_pnl_pct, impact.after.total_pnl_pct]).toEqual([
      total_pnl_pct,
      expect.closeTo(doubled, 0),
    ]);
    const { items: revised } = (await api.get(`/v1/revisions?load=${impact.load}`, admin.program)).body.data;
    expect(revised).toMatchObject([{ symbol: 'FLAT.US', kind: 'event', was: null, is: { factor: 0.5 } }]);
    const load = (await api.get(`/api/admin/data/sync-jobs/${impact.load}`, admin.console)).body.data;
    const finding = await idOf('FLAT');
    expect(load).toMatchObject({ status: 'ok', requested_by: admin.email, request: { finding } });
    // It replaces no load of the provider's list.
    expect((await selectFailedSyncJobs(pool)).map((one) => one.id)).toContain(failed);
    await decide('FLAT', { action: 'mend' });
  });

  it('has them no more once the data are right', async () => {
    folder.write('daily/consolidated/all.csv', BARS_HEADER + bars('GAP', DAYS, false) + bars('GOOD', DAYS, true));
    await runSyncJob(database.pool, folder.provider(NOW), 'daily_bars');
    await check();
    expect((await list('?symbol=GAP')).total).toBe(0);
  });
});
