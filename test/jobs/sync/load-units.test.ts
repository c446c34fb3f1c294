/** Loads of several units, some of which cannot be loaded: all other units are loaded. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { selectLoadedSessions } from '../../../db/market/loaded-sessions.ts';
import { selectFileReadings } from '../../../db/queue/file-readings.ts';
import { reopenSyncJob, type SyncJob, selectSyncJob } from '../../../db/queue/sync-jobs.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { FilesProvider } from '../../../jobs/providers/files/files-provider.ts';
import type { Provider } from '../../../jobs/providers/provider.ts';
import { syncDailyBars } from '../../../jobs/sync/daily-bars.ts';
import { runSync } from '../../../jobs/sync/run.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  NOON_2026_06_01,
  runSyncJob,
} from '../../support/market-folder.ts';

const SYMBOLS = Array.from({ length: 400 }, (_, i) => `S${i}`);
const DAYS = ['2024-07-01', '2024-07-02', '2024-07-03', '2024-07-05', '2024-07-08'];
const [, , THIRD] = DAYS;
const fileOf = (day: string) => `daily/consolidated/${day}.csv`;
const row = (symbol: string, day: string, close = 1) => `${symbol},${day},1,2,1,${close},5`;
const session = (day: string, more: readonly string[] = []) =>
  `${BARS_HEADER}${[...SYMBOLS.map((symbol) => row(symbol, day)), ...more].join('\n')}\n`;
/** Malformed rows: five of 405, 1.2 %. */
const five = (make: (i: number) => string) => Array.from({ length: 5 }, (_, i) => make(i));

let database: TestDatabase;
let folder: MarketFolder;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query(
    'truncate instruments, previous_tickers, adjustments, daily_bars, bar_blocks, bar_seals, loaded_sessions, sync_jobs cascade',
  );
  folder = createMarketFolder({ 'symbols.csv': `symbol\n${SYMBOLS.join('\n')}\n` });
  for (const day of DAYS) folder.write(fileOf(day), session(day));
});
afterEach(() => folder.remove());

/** Loads without accounts of lines, as vendors' data is loaded: a malformed unit or session is not loaded at all. */
class VendorLike extends FilesProvider {
  override readonly keepsAccounts = false;
}
const vendor = () =>
  new VendorLike({
    folder: folder.path,
    cacheFile: join(folder.path, '.cache', 'index.json'),
    now: () => NOON_2026_06_01,
  });
const loadBars = () => runSyncJob(database.pool, vendor(), 'daily_bars');
const loadSymbols = () => runSyncJob(database.pool, folder.provider(), 'symbols');
const countBars = async (day: string) =>
  (await database.pool.query('select count(*)::int as n from daily_bars where day = $1', [day])).rows[0].n;
const loadedDays = async () => (await selectLoadedSessions(database.pool, 'consolidated')).map(formatDay);
const keptRejections = async () =>
  (await database.pool.query('select unit, reason, count(*)::int as n from rejected_rows group by 1, 2 order by 1, 2'))
    .rows;

/** Runs a job again as a worker does after a retry or the death of another worker. */
async function runAgain(id: number, provider: Provider = vendor()): Promise<SyncJob> {
  const context = testJobContext({ pool: database.pool, provider: async () => provider });
  await runSync(context, id, syncDailyBars).catch(() => {});
  return required(await selectSyncJob(database.pool, id));
}
async function retry(id: number): Promise<SyncJob> {
  await reopenSyncJob(database.pool, id, crypto.randomUUID());
  return runAgain(id);
}

describe('rows of unknown instruments', () => {
  it('are rejected and counted, and never fail a load: 1.2 % in every session', async () => {
    for (const day of DAYS) {
      folder.write(
        fileOf(day),
        session(
          day,
          five((i) => row(`NOBODY${i}`, day)),
        ),
      );
    }
    await loadSymbols();
    expect(await loadBars()).toMatchObject({
      status: 'ok',
      rows_written: 2000,
      rows_rejected: 25,
      rows_rejected_by_reason: { unknown_instrument: 25 },
    });
    expect(await loadedDays()).toEqual(DAYS);
  });
});

describe('a session with more than 1 % malformed rows', () => {
  const broken = () =>
    session(THIRD, [...five((i) => row(`S${i}`, THIRD, 3)), row('NOBODY', THIRD)]).replace(row('S9', THIRD), '');

  it('is not loaded and does not affect other sessions; the load fails and lists it', async () => {
    folder.write(fileOf(THIRD), broken());
    await loadSymbols();
    const job = await loadBars();
    expect(job).toMatchObject({
      status: 'failed',
      rows_written: 1600,
      rows_rejected: 6,
      rows_rejected_by_reason: { high_too_low: 5, unknown_instrument: 1 },
      symbols_total: 400,
      symbols_done: 400,
      error: expect.stringMatching(
        /^1 of 5 units could not be loaded whole, the others are: consolidated 2024-07-03\.\.2024-07-03: 5 of 405 rows are malformed \(1\.2 %.*2024-07-03\.csv:402: high_too_low$/,
      ),
    });
    expect(job.progress_pct).toBeGreaterThan(70);
    expect(job.progress_pct).toBeLessThan(90);
    expect(await loadedDays()).toEqual(DAYS.filter((day) => day !== THIRD));
  });

  it('leaves its earlier bars unchanged', async () => {
    await loadEverything(database.pool, folder.provider());
    folder.write(fileOf(THIRD), broken().replaceAll(',1,2,1,1,5', ',2,2,2,2,5'));
    expect((await loadBars()).status).toBe('failed');
    expect(await loadedDays()).toEqual(DAYS);
    const { rows } = await database.pool.query(`select distinct close from daily_bars where day = '${THIRD}'`);
    expect(rows).toEqual([{ close: 1 }]);
  });

  it('is the only one that a retry loads', async () => {
    folder.write(fileOf(THIRD), broken());
    folder.write(fileOf(DAYS[4]), session(DAYS[4], [row('NOBODY', DAYS[4])]));
    await loadSymbols();
    const { id } = await loadBars();
    expect(await retry(id)).toMatchObject({ status: 'failed', rows_rejected: 7 });
    expect(await keptRejections()).toEqual([
      { unit: `consolidated ${THIRD}..${THIRD}`, reason: 'high_too_low', n: 5 },
      { unit: `consolidated ${THIRD}..${THIRD}`, reason: 'unknown_instrument', n: 1 },
      { unit: `consolidated ${DAYS[4]}..${DAYS[4]}`, reason: 'unknown_instrument', n: 1 },
    ]);
    const { rows: before } = await database.pool.query(`select loaded_at from loaded_sessions where day <> '${THIRD}'`);
    folder.write(fileOf(THIRD), session(THIRD));
    expect(await retry(id)).toMatchObject({
      status: 'ok',
      error: null,
      rows_written: 2000,
      rows_rejected: 1,
      rows_rejected_by_reason: { unknown_instrument: 1 },
      symbols_done: 400,
    });
    const { rows: after } = await database.pool.query(`select loaded_at from loaded_sessions where day <> '${THIRD}'`);
    expect(after).toEqual(before);
    expect(await keptRejections()).toHaveLength(1);
    expect(await loadedDays()).toEqual(DAYS);
  });

  it('is not read again by the attempt after a killed one', async () => {
    folder.write(fileOf(THIRD), broken());
    await loadSymbols();
    const read: string[] = [];
    const provider = vendor();
    const dailyBars = provider.dailyBars.bind(provider);
    let isDying = true;
    provider.dailyBars = (venueBasis, unit, signal) => {
      read.push(formatDay(unit.start));
      if (isDying && formatDay(unit.start) === DAYS[3]) throw new Error('killed');
      return dailyBars(venueBasis, unit, signal);
    };
    const { id } = await runSyncJob(database.pool, provider, 'daily_bars', {}, false);
    expect(read.splice(0)).toEqual(DAYS.slice(0, 4));
    isDying = false;
    const job = await runAgain(id, provider);
    expect(read).toEqual(DAYS.slice(3));
    expect(job).toMatchObject({
      status: 'failed',
      attempts: 2,
      rows_written: 1600,
      rows_rejected: 6,
      symbols_done: 400,
    });
    expect(await keptRejections()).toHaveLength(2);
    expect(await loadedDays()).toEqual(DAYS.filter((day) => day !== THIRD));
  });
});

describe('a malformed session in an otherwise valid file', () => {
  const YEAR = 'daily/consolidated/2024.csv';
  const all = (third: string) => BARS_HEADER + DAYS.map((day) => (day === THIRD ? third : rows(day))).join('');
  const rows = (day: string) => session(day).slice(BARS_HEADER.length);
  /** Ten rows of 400: 2.5 % of the session, 0.5 % of the file. */
  const ten = SYMBOLS.map((symbol, i) => `${row(symbol, THIRD, i < 10 ? 3 : 1)}\n`).join('');
  beforeEach(async () => {
    for (const day of DAYS) rmSync(join(folder.path, fileOf(day)));
    await loadSymbols();
  });

  it('is skipped, and the others of the file are loaded', async () => {
    folder.write(YEAR, all(ten));
    const job = await loadBars();
    expect(job).toMatchObject({
      status: 'failed',
      rows_written: 1600,
      rows_rejected_by_reason: { high_too_low: 10 },
      error: expect.stringContaining('loaded without the sessions 2024-07-03 (10 of 400 rows are malformed (2.5 %'),
    });
    expect(Math.round(job.progress_pct)).toBe(79);
    expect(await loadedDays()).toEqual(DAYS.filter((day) => day !== THIRD));
    const { rows: bars } = await database.pool.query('select count(*)::int as n from daily_bars');
    expect(bars[0].n).toBe(1600);
    folder.write(YEAR, all(rows(THIRD)));
    expect(await retry(job.id)).toMatchObject({ status: 'ok', rows_written: 2000, rows_rejected: 0 });
    expect(await loadedDays()).toEqual(DAYS);
  });

  it('is left unchanged if it was loaded before, while the others are replaced', async () => {
    folder.write(YEAR, all(rows(THIRD)));
    expect((await loadBars()).status).toBe('ok');
    folder.write(YEAR, all(ten).replaceAll(',1,2,1,1,5', ',2,2,2,2,5'));
    expect((await loadBars()).status).toBe('failed');
    const { rows: closes } = await database.pool.query('select distinct day, close from daily_bars order by day');
    expect(closes).toEqual(DAYS.map((day) => ({ day, close: day === THIRD ? 1 : 2 })));
    expect(await loadedDays()).toEqual(DAYS);
  });
});

describe('a file that cannot be read', () => {
  it('fails the load of its session, and does not affect the others', async () => {
    const whole = gzipSync(session(DAYS[3]));
    rmSync(join(folder.path, fileOf(DAYS[3])));
    folder.write(`${fileOf(DAYS[3])}.gz`, whole.subarray(0, whole.length >> 1));
    await loadSymbols();
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars');
    expect(job).toMatchObject({
      status: 'failed',
      rows_written: 1600,
      error: expect.stringMatching(/^1 of 5 units .*2024-07-05\.csv\.gz/),
    });
    const { items } = await selectFileReadings(database.pool, job, { page: 1, size: 10 });
    expect(items.find(({ path }) => path.endsWith('.gz'))?.reason).toMatch(
      /2024-07-05\.csv\.gz:\d+: .*unexpected end of file/,
    );
    expect(await countBars(DAYS[3])).toBe(0);
    folder.write(`${fileOf(DAYS[3])}.gz`, whole);
    expect(await runSyncJob(database.pool, folder.provider(), 'daily_bars')).toMatchObject({
      status: 'ok',
      rows_written: 2000,
    });
  });
});

describe('the instruments of a load', () => {
  it('are counted once over all units, out of those that were listed in its range', async () => {
    folder.write(
      'symbols.csv',
      `symbol,listed_on,delisted_on\n${SYMBOLS.join(',,\n')},,\nGONE,,2020-01-02\nLATER,2025-01-02,\nIDLE,2001-01-02,\n`,
    );
    folder.write(fileOf(DAYS[0]), `${BARS_HEADER}${row('S0', DAYS[0])}\n`);
    folder.write(fileOf(DAYS[1]), `${BARS_HEADER}${row('S0', DAYS[1])}\n${row('S1', DAYS[1])}\n`);
    for (const day of DAYS.slice(2)) folder.write(fileOf(day), `${BARS_HEADER}${row('S1', day)}\n`);
    await loadSymbols();
    expect(await loadBars()).toMatchObject({ status: 'ok', symbols_total: 401, symbols_done: 2, rows_written: 6 });
    const named = await runSyncJob(database.pool, folder.provider(), 'daily_bars', { symbols: ['S0', 'S1', 'IDLE'] });
    expect(named).toMatchObject({ status: 'ok', symbols_total: 3, symbols_done: 2 });
  });
});

describe('the version of the data', () => {
  it('changes when a session becomes complete, even if no row changes', async () => {
    await loadSymbols();
    await runSyncJob(database.pool, folder.provider(), 'daily_bars', { symbols: SYMBOLS });
    expect(await loadedDays()).toEqual([]);
    const before = await selectDataVersion(database.pool);
    expect(await loadBars()).toMatchObject({ status: 'ok' });
    expect(await loadedDays()).toEqual(DAYS);
    const after = await selectDataVersion(database.pool);
    expect(after).not.toBe(before);
    await loadBars();
    expect(await selectDataVersion(database.pool)).toBe(after);
  });
});
