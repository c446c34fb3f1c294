/** Files that are new, have changed, or are gone are found without a command, and nothing else is read again. */
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { transaction } from '../../../../db/pool.ts';
import { selectFileReadings } from '../../../../db/queue/file-readings.ts';
import { insertSyncJob, selectLatestSyncJobs, selectSyncJob } from '../../../../db/queue/sync-jobs.ts';
import { required } from '../../../../engine/util/values.ts';
import type { FilesProvider } from '../../../../jobs/providers/files/files-provider.ts';
import { surveyFolder } from '../../../../jobs/providers/files/survey.ts';
import { openBoss } from '../../../../jobs/queue/boss.ts';
import { syncAdjustments } from '../../../../jobs/sync/adjustments.ts';
import { syncDailyBars } from '../../../../jobs/sync/daily-bars.ts';
import { dueSyncs, readSyncState } from '../../../../jobs/sync/due-syncs.ts';
import { forgetFiles, readForgettable } from '../../../../jobs/sync/forget.ts';
import { runSync } from '../../../../jobs/sync/run.ts';
import { syncSymbols } from '../../../../jobs/sync/symbols.ts';
import { refreshRanges } from '../../../../jobs/worker/scheduler.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { emptyMarket } from '../../../support/folder-load.ts';
import { testJobContext } from '../../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder, NOON_2026_06_01 } from '../../../support/market-folder.ts';

const WORK = { symbols: syncSymbols, adjustments: syncAdjustments, daily_bars: syncDailyBars } as const;
const bar = (symbol: string, day: string, close = 5) => `${symbol},${day},5,9,1,${close},100\n`;

let database: TestDatabase;
let folder: MarketFolder;
let provider: FilesProvider;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyMarket(database.pool);
  folder = createMarketFolder({
    'symbols.csv': 'symbol\nAAA\nBBB\n',
    'adjustments.csv': 'symbol,ex_date,kind,factor\n',
    'daily/consolidated/one.csv': BARS_HEADER + bar('AAA', '2024-07-01') + bar('AAA', '2024-07-02'),
    'daily/consolidated/two.csv': BARS_HEADER + bar('AAA', '2024-07-08'),
  });
  provider = folder.provider();
});
afterEach(() => folder.remove());

/** Does what the scheduler does until nothing is due, and returns the jobs that it ran. */
async function catchUp(): Promise<string[]> {
  const { pool } = database;
  const context = testJobContext({ pool, provider: async () => provider });
  const ran: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { ranges } = await refreshRanges({ ...context, provider, log: context.log });
    const due = dueSyncs(await readSyncState(pool, ranges, provider));
    if (due.length === 0) return ran;
    for (const { jobType, spec } of due) {
      const job = {
        jobType,
        request: spec,
        requestedBy: 'scheduler',
        requestId: null,
        queueJobId: crypto.randomUUID(),
      } as const;
      const id = required(await insertSyncJob(pool, job));
      await runSync(context, id, WORK[jobType]).catch(() => {});
      const { status } = required(await selectSyncJob(pool, id));
      ran.push([jobType, spec.start, spec.end, status].filter((part) => part !== undefined).join(' '));
    }
  }
  throw new Error(`it never ends: ${ran.join(', ')}`);
}

const closes = async () =>
  (await database.pool.query('select day, close from daily_bars order by day')).rows.map(
    ({ day, close }) => `${day} ${close}`,
  );

it('loads everything once, and then nothing', async () => {
  expect(await catchUp()).toEqual(['symbols ok', 'adjustments ok', 'daily_bars 2024-07-01 2024-07-08 ok']);
  expect(await catchUp()).toEqual([]);
});

it('finds a changed file of old days, and reads its unit alone', async () => {
  await catchUp();
  folder.write('daily/consolidated/one.csv', BARS_HEADER + bar('AAA', '2024-07-01', 6) + bar('AAA', '2024-07-02'));
  expect(await catchUp()).toEqual(['daily_bars 2024-07-01 2024-07-02 ok']);
  expect(await closes()).toEqual(['2024-07-01 6', '2024-07-02 5', '2024-07-08 5']);
  const { rows } = await database.pool.query('select count(*)::int as n from revisions');
  expect(rows).toEqual([{ n: 1 }]);
});

it('finds a changed list and a late event, and a file that a load refused once it is mended', async () => {
  await catchUp();
  folder.write('adjustments.csv', 'symbol,ex_date,kind,factor\nAAA,2024-07-08,split,0.5\n');
  expect(await catchUp()).toEqual(['adjustments ok']);
  folder.write('symbols.csv', 'symbol,delisted_on\nAAA,2024-07-08\nBBB,\n');
  expect(await catchUp()).toEqual(['symbols ok']);
  folder.write('daily/consolidated/two.csv', BARS_HEADER + 'x\n'.repeat(10) + bar('AAA', '2024-07-08', 7));
  expect(await catchUp()).toEqual(['daily_bars 2024-07-08 2024-07-08 failed']);
  expect(await closes()).toContain('2024-07-08 5');
  folder.write('daily/consolidated/two.csv', BARS_HEADER + bar('AAA', '2024-07-08', 7));
  expect(await catchUp()).toEqual(['daily_bars 2024-07-08 2024-07-08 ok']);
  expect(await closes()).toContain('2024-07-08 7');
});

it('keeps what came from a file that is gone, and tells it', async () => {
  await catchUp();
  rmSync(join(folder.path, 'daily/consolidated/one.csv'));
  folder.write('daily/consolidated/three.csv', BARS_HEADER + bar('BBB', '2024-07-09'));
  await catchUp();
  expect(await closes()).toEqual(['2024-07-01 5', '2024-07-02 5', '2024-07-08 5', '2024-07-09 5']);
  const [job] = await selectLatestSyncJobs(database.pool, 1);
  const { items } = await selectFileReadings(database.pool, job, { page: 1, size: 20 });
  expect(items.find(({ path }) => path.endsWith('one.csv'))?.reason).toBe(
    'it is gone; what was loaded from it is kept',
  );
});

/** Runs the jobs that forget files, and returns how they ended. */
async function forget(...paths: string[]): Promise<string[]> {
  const { pool, url } = database;
  const boss = await openBoss({ url, log: pino({ enabled: false }) });
  try {
    const { files, unknown, beside } = await readForgettable(pool, paths);
    if (unknown.length + beside.length > 0) return [`unknown: ${unknown}`, `beside: ${beside}`];
    const ids = await transaction(pool, (connection) => forgetFiles(connection, boss, files, 'ops'));
    const context = testJobContext({ pool, provider: async () => provider });
    const ended: string[] = [];
    for (const id of ids) {
      const { job_type } = required(await selectSyncJob(pool, id));
      await runSync(context, id, WORK[job_type]).catch(() => {});
      const { status, error } = required(await selectSyncJob(pool, id));
      ended.push(`${job_type} ${error ?? status}`);
    }
    return ended;
  } finally {
    await boss.stop({ graceful: false });
  }
}

const events = async () => (await database.pool.query('select ex_date, factor from adjustments')).rows;
const SPLIT = 'symbol,ex_date,kind,factor\nAAA,2024-07-08,split,0.5\n';

it('removes what vanished with a file, and nothing else, once it is forgotten', async () => {
  const yahoo = (rows: string) => `Date,Open,High,Low,Close,Adj Close,Volume\n${rows}`;
  const row = (day: string) => `${day},5,9,1,5,5,100\n`;
  folder.write('CCC.csv', yahoo(row('2024-07-01') + row('2024-07-09')));
  folder.write('DDD.csv', yahoo(row('2024-07-01')));
  await catchUp();
  expect(await closes()).toHaveLength(6);
  for (const gone of ['CCC.csv', 'DDD.csv', 'daily/consolidated/two.csv']) rmSync(join(folder.path, gone));
  await catchUp();
  expect(await closes()).toHaveLength(6);
  expect(await forget('CCC.csv')).toEqual(['adjustments ok', 'daily_bars ok']);
  expect(await closes()).toEqual(['2024-07-01 5', '2024-07-01 5', '2024-07-02 5', '2024-07-08 5']);
  expect(await forget('daily/consolidated/two.csv')).toEqual(['daily_bars ok']);
  expect(await closes()).toEqual(['2024-07-01 5', '2024-07-01 5', '2024-07-02 5']);
  const { rows } = await database.pool.query('select day::text from loaded_sessions where rows > 0 order by day');
  expect(rows.map(({ day }) => day)).toEqual(['2024-07-01', '2024-07-02']);
  expect(await forget('CCC.csv')).toEqual(['unknown: CCC.csv', 'beside: ']);
  expect(await forget('symbols.csv')).toEqual([]);
});

it('forgets nothing that a file may still have: a broken one beside it, a rejected line, a file that is also gone', async () => {
  const [one, two] = ['daily/consolidated/one.csv', 'daily/consolidated/two.csv'];
  folder.write(two, BARS_HEADER + bar('BBB', '2024-07-02') + bar('AAA', '2024-07-08'));
  await catchUp();
  expect(await closes()).toHaveLength(4);
  rmSync(join(folder.path, one));
  folder.write(two, `${BARS_HEADER}x\n${bar('AAA', '2024-07-08')}`);
  await catchUp();
  expect(await forget(one)).toEqual(['unknown: ', `beside: ${two}`]);
  rmSync(join(folder.path, two));
  folder.write('daily/consolidated/three.csv', BARS_HEADER + bar('BBB', '2024-07-09'));
  await catchUp();
  expect(await forget(one)).toEqual(['unknown: ', `beside: ${two}`]);
  // A line that is not read yet may stand for a bar that is served.
  folder.write(two, `${BARS_HEADER}x\n${bar('AAA', '2024-07-02', 6)}`);
  expect(await forget(one, two)).toEqual([
    `daily_bars nothing is forgotten: mend ${two} first (unreadable)`,
    `daily_bars nothing is forgotten: mend ${two} first (unreadable)`,
  ]);
  expect(await closes()).toHaveLength(5);
  await catchUp();
  rmSync(join(folder.path, two));
  await catchUp();
  expect(await forget(two)).toEqual(['daily_bars ok']);
});

it('removes lines that were taken out of a file that is there', async () => {
  folder.write('adjustments.csv', SPLIT);
  await catchUp();
  folder.write('adjustments.csv', 'symbol,ex_date,kind,factor\n');
  folder.write('daily/consolidated/one.csv', BARS_HEADER + bar('AAA', '2024-07-01'));
  await catchUp();
  expect([await closes(), await events()]).toEqual([expect.any(Array), [expect.objectContaining({ factor: 0.5 })]]);
  expect(await forget('adjustments.csv')).toEqual(['adjustments ok']);
  expect(await events()).toEqual([]);
  await forget('daily/consolidated/one.csv');
  expect(await closes()).toEqual(['2024-07-01 5', '2024-07-08 5']);
});

it('does not read a file that is still being written', async () => {
  const old = new Date(0);
  utimesSync(join(folder.path, 'daily/consolidated/one.csv'), old, old);
  const cacheFile = join(folder.path, '.cache', 'index.json');
  const options = { folder: folder.path, cacheFile, now: () => NOON_2026_06_01 };
  // A time that was set does not make a file old.
  const { unsettled, files } = await surveyFolder({ ...options, settleMs: 600_000 });
  expect([unsettled.length, files.length]).toEqual([4, 0]);
  expect((await surveyFolder({ ...options, settleMs: 0 })).unsettled).toEqual([]);
});
