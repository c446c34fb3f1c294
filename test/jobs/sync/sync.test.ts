import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { selectSeries } from '../../../db/market/bars.ts';
import { selectDataVersion } from '../../../db/market/data-versions.ts';
import { selectInstruments } from '../../../db/market/instruments.ts';
import { selectLoadedSessions } from '../../../db/market/loaded-sessions.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  BARS_HEADER,
  createMarketFolder,
  loadEverything,
  type MarketFolder,
  runSyncJob,
} from '../../support/market-folder.ts';

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
  folder = createMarketFolder({
    'symbols.csv':
      'symbol,name,listed_on,delisted_on,previous_symbols\n' +
      'NEW,Renamed Corp,2010-01-04,,OLD:2024-07-02\nTWICE,First,2001-01-02,2023-05-31,\nTWICE,Second,2024-07-02,,\n',
    'adjustments.csv': 'symbol,ex_date,kind,factor\nOLD,2024-07-02,split,0.5\nTWICE,2024-07-05,cash_dividend,0.99\n',
    'daily/consolidated/2024.csv':
      `${BARS_HEADER}OLD,2024-07-01,10,12,9,11,100\nOLD,2024-07-02,5,6,4,5.5,200\nNEW,2024-07-03,5,6,4,5.25,300\n` +
      'TWICE,2024-07-02,1,1,1,1,1\nTWICE,2024-07-03,1,1,1,1,1\n',
  });
});
afterEach(() => folder.remove());

async function barsBySymbol(): Promise<Record<string, string[]>> {
  const instruments = await selectInstruments(database.pool);
  const series = await selectSeries(
    database.pool,
    instruments.map((i) => i.id),
    'consolidated',
  );
  const entries = instruments.map(({ id, symbol }) => {
    const s = series.get(id);
    return [
      symbol,
      s ? Array.from({ length: s.length }, (_, i) => `${formatDay(s.day[i])} ${s.close[i]}`) : [],
    ] as const;
  });
  return Object.fromEntries(entries);
}

const rejectedReasons = async () =>
  (await database.pool.query('select reason, source from rejected_bars order by id')).rows.map(
    (r) => `${r.source.replace(/.*\//, '')} ${r.reason}`,
  );

describe('a sync', () => {
  it('follows renames and reused tickers', async () => {
    await loadEverything(database.pool, folder.provider());
    expect(await barsBySymbol()).toEqual({
      NEW: ['2024-07-01 11', '2024-07-02 5.5', '2024-07-03 5.25'],
      'TWICE-202305': [],
      TWICE: ['2024-07-02 1', '2024-07-03 1'],
    });
    const { rows } = await database.pool.query('select ex_date, kind from adjustments order by ex_date');
    expect(rows).toEqual([
      { ex_date: '2024-07-02', kind: 'split' },
      { ex_date: '2024-07-05', kind: 'cash_dividend' },
    ]);
  });

  it('changes nothing when it runs again', async () => {
    await loadEverything(database.pool, folder.provider());
    const before = [
      await barsBySymbol(),
      await selectDataVersion(database.pool),
      await selectInstruments(database.pool),
    ];
    await loadEverything(database.pool, folder.provider());
    expect([
      await barsBySymbol(),
      await selectDataVersion(database.pool),
      await selectInstruments(database.pool),
    ]).toEqual(before);
  });

  it('keeps an instrument and its history when its ticker changes afterwards', async () => {
    await loadEverything(database.pool, folder.provider());
    const [before] = await selectInstruments(database.pool);
    folder.write(
      'symbols.csv',
      'symbol,name,listed_on,previous_symbols\nNEWER,Again,2010-01-04,OLD:2024-07-02|NEW:2024-07-03\n',
    );
    await loadEverything(database.pool, folder.provider());
    const after = (await selectInstruments(database.pool)).find((i) => i.id === before.id);
    expect([before.symbol, after?.symbol]).toEqual(['NEW', 'NEWER']);
    expect((await barsBySymbol()).NEWER).toHaveLength(3);
  });

  it('keeps the instrument when its listing day is corrected', async () => {
    await loadEverything(database.pool, folder.provider());
    const [before] = await selectInstruments(database.pool);
    folder.write('symbols.csv', 'symbol,name,listed_on,previous_symbols\nNEW,Renamed Corp,2009-12-30,OLD:2024-07-02\n');
    await runSyncJob(database.pool, folder.provider(), 'symbols');
    const ids = (await selectInstruments(database.pool)).filter((i) => i.ticker === 'NEW').map((i) => i.id);
    expect(ids).toEqual([before.id]);
  });

  it('succeeds with up to 1 % bad rows, each with its reason', async () => {
    const symbols = Array.from({ length: 990 }, (_, i) => `S${i}`);
    folder.write('symbols.csv', `symbol\n${symbols.join('\n')}\n`);
    folder.write('adjustments.csv', 'symbol,ex_date,kind,factor\n');
    const rows = symbols.map((s) => `${s},2024-07-01,1,2,1,1,5`);
    const bad = [
      'S1,2024-07-02,0,2,1,1,5',
      'S1,2024-07-03,1,2,1,3,5',
      'S1,2024-07-04,1,2,1,1,5',
      'S1,2024-07-06,1,2,1,1,5',
      'S1,not-a-day,1,2,1,1,5',
      'S1,2024-07-05,1,2,1.5,1,5',
      'S1,2024-07-08,1,2,1,1,-5',
      'NOBODY,2024-07-01,1,2,1,1,5',
      'S1,2024-07-01,1,2,1,1,6',
    ];
    folder.write('daily/consolidated/2024.csv', `${BARS_HEADER}${[...rows, ...bad].join('\n')}\n`);
    await loadEverything(database.pool, folder.provider());
    const { rows: jobs } = await database.pool.query(
      `select status, rows_written, rows_rejected, rows_rejected_by_reason from sync_jobs where job_type = 'daily_bars'`,
    );
    const byReason = {
      bad_price: 1,
      high_too_low: 1,
      not_a_session: 2,
      bad_date: 1,
      low_too_high: 1,
      bad_volume: 1,
      unknown_instrument: 1,
      conflict: 2,
    };
    expect(jobs).toEqual([{ status: 'ok', rows_written: 989, rows_rejected: 10, rows_rejected_by_reason: byReason }]);
    expect((await rejectedReasons()).map((text) => text.split(' ')[1])).toEqual([
      'bad_price',
      'high_too_low',
      'not_a_session',
      'not_a_session',
      'bad_date',
      'low_too_high',
      'bad_volume',
      'unknown_instrument',
      'conflict',
      'conflict',
    ]);
    expect((await barsBySymbol()).S1).toEqual([]);
  });

  it('ignores bad rows of days and symbols that were not requested', async () => {
    await loadEverything(database.pool, folder.provider());
    folder.write(
      'daily/consolidated/2024.csv',
      `${BARS_HEADER}OLD,2024-07-01,0,0,0,0,0\nNOBODY,2024-07-04,1,1,1,1,1\nOLD,2024-07-02,5,6,4,5.75,200\nTWICE,2024-07-02,0,1,1,1,1\nNEW,2024-07-08,1,1,1,1,1\n`,
    );
    const request = { start: '2024-07-02', end: '2024-07-02', symbols: ['NEW'] };
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars', request);
    expect(job).toMatchObject({ status: 'ok', rows_written: 1, rows_rejected: 0 });
    const whole = await runSyncJob(database.pool, folder.provider(), 'daily_bars');
    expect(whole).toMatchObject({ status: 'ok', rows_rejected: 3 });
  });

  it('covers days without a file, so that they are not requested again', async () => {
    const rows = (day: string) => `${BARS_HEADER}TWICE,${day},1,1,1,1,1\n`;
    folder.write('daily/consolidated/2024.csv', rows('2024-07-03'));
    for (const day of ['2024-07-08', '2024-07-11']) folder.write(`daily/consolidated/${day}.csv`, rows(day));
    await loadEverything(database.pool, folder.provider());
    const loaded = await selectLoadedSessions(database.pool, 'consolidated');
    expect(loaded.map(formatDay)).toEqual(['03', '05', '08', '09', '10', '11'].map((d) => `2024-07-${d}`));
    folder.write('daily/consolidated/2024-07-09.csv', rows('2024-07-09'));
    const late = await runSyncJob(database.pool, folder.provider(), 'daily_bars', {
      start: '2024-07-09',
      end: '2024-07-09',
    });
    expect(late).toMatchObject({ status: 'ok', rows_written: 1 });
    expect((await barsBySymbol()).TWICE).toContain('2024-07-09 1');
  });

  it('does not take a new holder of a ticker for the delisted one that its provider has dropped', async () => {
    await loadEverything(database.pool, folder.provider());
    const old = (await selectInstruments(database.pool)).find((i) => i.symbol === 'TWICE-202305');
    folder.write('symbols.csv', 'symbol,name,listed_on,delisted_on\nTWICE,Second,2024-07-02,\nNEW,x,2010-01-04,\n');
    await runSyncJob(database.pool, folder.provider(), 'symbols');
    folder.write(
      'symbols.csv',
      'symbol,name,listed_on,delisted_on\nTWICE,Second,2024-07-02,\nTWICE,Third,2024-09-03,\n',
    );
    await runSyncJob(database.pool, folder.provider(), 'symbols');
    const after = (await selectInstruments(database.pool)).find((i) => i.id === old?.id);
    expect(after?.name).toBe('First');
  });

  it('replaces corrected bars of a day, and keeps those that the file no longer has', async () => {
    await loadEverything(database.pool, folder.provider());
    folder.write(
      'daily/consolidated/2024.csv',
      `${BARS_HEADER}OLD,2024-07-01,10,12,9,11,100\nOLD,2024-07-02,5,6,4,5.75,200\n`,
    );
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars');
    expect(job.status).toBe('ok');
    expect(await barsBySymbol()).toMatchObject({
      NEW: ['2024-07-01 11', '2024-07-02 5.75', '2024-07-03 5.25'],
      TWICE: ['2024-07-02 1', '2024-07-03 1'],
    });
  });

  it('of some symbols leaves the others unchanged and completes no day', async () => {
    await loadEverything(database.pool, folder.provider());
    folder.write(
      'daily/consolidated/2024.csv',
      `${BARS_HEADER}OLD,2024-07-02,5,6,4,5.75,200\nTWICE,2024-07-02,1,3,1,2,1\nTWICE,2024-07-05,1,3,1,2,1\n`,
    );
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars', { symbols: ['TWICE'] });
    expect(job).toMatchObject({ status: 'ok', rows_written: 2 });
    expect(await barsBySymbol()).toMatchObject({
      NEW: ['2024-07-01 11', '2024-07-02 5.5', '2024-07-03 5.25'],
      TWICE: ['2024-07-02 2', '2024-07-03 1', '2024-07-05 2'],
    });
    const { rows } = await database.pool.query(`select is_complete from loaded_sessions where day = '2024-07-05'`);
    expect(rows).toEqual([{ is_complete: false }]);
    const unknown = await runSyncJob(database.pool, folder.provider(), 'daily_bars', { symbols: ['NOBODY'] });
    expect(unknown).toMatchObject({ status: 'failed', error: 'unknown symbols: NOBODY' });
  });

  it('names a file of the day that is none, and leaves the loaded data unchanged', async () => {
    await loadEverything(database.pool, folder.provider());
    const before = await barsBySymbol();
    folder.write('daily/consolidated/2024-07-08.csv', 'nonsense\n');
    const job = await runSyncJob(database.pool, folder.provider(), 'daily_bars', { start: '2024-07-08' });
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/2024-07-08\.csv: its first line is the header of no known layout/),
    });
    expect(await barsBySymbol()).toEqual(before);
  });

  it('rebuilds primary-session bars from minutes if the daily files have none', async () => {
    folder.write('daily/primary_session/2024.csv', `${BARS_HEADER}OLD,2024-06-27,7,7,7,7,7\n`);
    const minutes =
      'ts,open,high,low,close,volume\n2024-06-27T08:00:00-04:00,9,9.5,8.5,9,10\n2024-06-27T09:30:00-04:00,9,9.9,9,9.8,20\n';
    folder.write('minute/2024-06-27/OLD.csv', minutes);
    folder.write('minute/2024-06-28/OLD.csv.gz', minutes.replaceAll('06-27', '06-28'));
    folder.write('official_close.csv', 'symbol,date,close\nOLD,2024-06-28,9.75\nOLD,2024-06-27,1\n');
    await loadEverything(database.pool, folder.provider());
    const [{ id }] = await selectInstruments(database.pool);
    const series = (await selectSeries(database.pool, [id], 'primary_session')).get(id);
    expect([...(series?.close ?? [])]).toEqual([7, 9.75]);
    expect([series?.open[1], series?.high[1], series?.low[1], series?.volume[1]]).toEqual([9, 9.9, 8.5, 30]);
  });
});
