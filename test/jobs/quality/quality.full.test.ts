/** Checks of newly loaded sessions: a suspect session holds back the snapshot. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { selectSnapshots } from '../../../db/market/snapshots.ts';
import { checkNewSessions, describeHeld } from '../../../jobs/quality/check-sessions.ts';
import { buildSnapshot } from '../../../jobs/snapshot/run.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { addAdmin, type Person } from '../../support/accounts.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

const NOW = Date.parse('2026-06-03T16:00:00Z');
const SYMBOLS = Array.from({ length: 200 }, (_, i) => `S${i}`);

let database: TestDatabase;
let folder: MarketFolder;
let objects: string;
let api: TestApi;
let admin: Person;

interface Day {
  readonly symbols?: readonly string[];
  readonly price?: (i: number) => number;
  readonly volume?: (i: number) => number;
}

/** Writes a session and returns it. */
function session(day: string, { symbols = SYMBOLS, price = () => 10, volume = () => 100 }: Day = {}): string {
  const lines = symbols.map(
    (symbol, i) => `${symbol},${day},${price(i)},${price(i)},${price(i)},${price(i)},${volume(i)}`,
  );
  folder.write(`daily/consolidated/${day}.csv`, `${BARS_HEADER}${lines.join('\n')}\n`);
  return day;
}

const load = (start: string) =>
  runSyncJob(database.pool, folder.provider(NOW), 'daily_bars', { start, end: start, venue_mode: 'consolidated' });
const check = async () => describeHeld(await checkNewSessions(database.pool, NOW, pino({ level: 'silent' })));
const context = () =>
  testJobContext({ pool: database.pool, storage: openStorage({ folder: objects }), now: () => NOW });

beforeAll(() => {
  objects = mkdtempSync(join(tmpdir(), 'quality-'));
});
afterAll(() => rmSync(objects, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createTestDatabase();
  folder = createMarketFolder({
    'symbols.csv': `symbol,listed_on\n${SYMBOLS.map((symbol) => `${symbol},2020-01-01`).join('\n')}\n`,
    'adjustments.csv': `symbol,ex_date,kind,factor\n${SYMBOLS.slice(0, 20)
      .map((s) => `${s},2026-06-02,split,0.25`)
      .join('\n')}\n`,
  });
  session('2026-05-29');
  session('2026-06-01');
  await loadEverything(database.pool, folder.provider(NOW));
  api = await openTestApi({ database, provider: folder.provider(NOW), now: () => NOW, realCallers: true });
  admin = await addAdmin(api);
});
afterEach(async () => {
  await api.close();
  await database.drop();
  folder.remove();
});

describe('the check of a session finds', () => {
  it.each([
    ['like the one before', {}, ''],
    ['with a few symbols less', { symbols: SYMBOLS.slice(15) }, ''],
    [
      'with far fewer symbols',
      { symbols: SYMBOLS.slice(40) },
      '2026-06-02: 160 rows, 40 fewer than the session before',
    ],
    [
      'mostly without volume',
      { volume: (i: number) => i % 2 },
      '2026-06-02: 100 of 200 bars without volume, 0 the session before',
    ],
    ['with splits', { price: (i: number) => (i < 20 ? 2.5 : 10) }, ''],
    [
      'with prices of another unit',
      { price: (i: number) => (i >= 20 && i < 40 ? 1000 : 10) },
      '2026-06-02: 20 prices have doubled or halved without a split',
    ],
  ])('%s', async (_, day, expected) => {
    session('2026-06-02', day);
    await load('2026-06-02');
    expect(await check()).toBe(expected);
  });
});

const SMALL = { symbols: SYMBOLS.slice(100) };

it('holds the snapshot back until it is loaded again and looks right', async () => {
  await buildSnapshot(context());
  session('2026-06-02', SMALL);
  await load('2026-06-02');
  await expect(buildSnapshot(context())).rejects.toThrow('held back: 2026-06-02: 100 rows, 100 fewer');
  expect((await selectSnapshots(database.pool, 5)).map(({ asOf }) => asOf)).toEqual(['2026-06-01']);
  // A repeated check returns the held sessions without checking them again.
  expect(await check()).toContain('100 fewer');
  session('2026-06-02');
  await load('2026-06-02');
  await buildSnapshot(context());
  expect((await selectSnapshots(database.pool, 1))[0].asOf).toBe('2026-06-02');
});

it('lets the snapshot be built when an administrator releases it', async () => {
  session('2026-06-02', SMALL);
  await load('2026-06-02');
  expect(await check()).not.toBe('');
  const entries = async () => {
    const { body } = await api.get('/api/admin/data/calendar?start=2026-06-01&end=2026-06-03', admin.console);
    return body.data.items.map(
      ({ date, venue_modes: [one] }: { date: string; venue_modes: Record<string, unknown>[] }) => [
        ...[date, one.status, one.expected, one.loaded, one.missing],
      ],
    );
  };
  expect(await entries()).toEqual([
    ['2026-06-01', 'loaded', 200, 200, 0],
    ['2026-06-02', 'held', 200, 100, 100],
    ['2026-06-03', 'unpublished', null, 0, 0],
  ]);
  const path = '/api/admin/data/calendar/2026-06-02/release';
  expect((await api.post(path, {}, admin.console)).body.data).toEqual({ released: true });
  expect((await api.post(path, {}, admin.console)).status).toBe(404);
  expect((await entries())[1]).toEqual(['2026-06-02', 'loaded', 200, 100, 100]);
  await buildSnapshot(context());
  const { body } = await api.get('/api/admin/audit?action=session.release', admin.console);
  expect(body.data.items.map(({ result, target_id }: Record<string, string>) => [result, target_id])).toEqual([
    ['failed', '2026-06-02'],
    ['ok', '2026-06-02'],
  ]);
  // A later load that looks wrong is held again.
  session('2026-06-02', { ...SMALL, price: () => 50 });
  await load('2026-06-02');
  expect(await check()).toContain('2026-06-02');
});

it('shows missing, partial, and empty sessions in the calendar', async () => {
  session('2026-06-02');
  folder.write('daily/single_venue/2026-06-01.csv', BARS_HEADER);
  await runSyncJob(database.pool, folder.provider(NOW), 'daily_bars', { symbols: ['S1'], start: '2026-06-02' });
  await database.pool.query(
    `insert into provider_ranges values (1, 'files', '2026-05-28', '2026-06-02', now()) on conflict (basis) do update set newest_session = '2026-06-02', first_session = '2026-05-28'`,
  );
  const { body } = await api.get(
    '/api/admin/data/calendar?start=2026-05-25&end=2026-06-02&venue_mode=consolidated',
    admin.console,
  );
  expect(
    body.data.items.map((item: { date: string; venue_modes: { status: string }[] }) => [
      item.date,
      item.venue_modes[0].status,
    ]),
  ).toEqual([
    ['2026-05-26', 'unpublished'],
    ['2026-05-27', 'unpublished'],
    ['2026-05-28', 'missing'],
    ['2026-05-29', 'loaded'],
    ['2026-06-01', 'loaded'],
    ['2026-06-02', 'partial'],
  ]);
  expect((await api.get('/api/admin/data/calendar?start=2026-06-02&end=2026-06-01', admin.console)).status).toBe(400);
});
