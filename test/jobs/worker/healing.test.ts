/** The scheduler and a load that keeps failing: everything else is loaded, and the failed load is retried at growing intervals. */

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PgBoss } from 'pg-boss';
import pino from 'pino';
import { selectLoadedSessions } from '../../../db/market/loaded-sessions.ts';
import { selectSyncJob, selectSyncJobs } from '../../../db/queue/sync-jobs.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { ProviderError } from '../../../jobs/providers/provider.ts';
import { openBoss } from '../../../jobs/queue/boss.ts';
import { syncAdjustments } from '../../../jobs/sync/adjustments.ts';
import { syncDailyBars } from '../../../jobs/sync/daily-bars.ts';
import { runSync } from '../../../jobs/sync/run.ts';
import { syncSymbols } from '../../../jobs/sync/symbols.ts';
import { scheduleDueSyncs } from '../../../jobs/worker/scheduler.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testJobContext } from '../../support/job-context.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder, NOON_2026_06_01 } from '../../support/market-folder.ts';

const WORK = { symbols: syncSymbols, adjustments: syncAdjustments, daily_bars: syncDailyBars };
const BROKEN = '2026-05-27';
const log = pino({ level: 'silent' });

let database: TestDatabase;
let folder: MarketFolder;
let boss: PgBoss;

const write = (day: string, row = `S,${day},1,2,1,1,5`) =>
  folder.write(`daily/consolidated/${day}.csv`, `${BARS_HEADER}${row}\n`);

beforeAll(async () => {
  database = await createTestDatabase();
  boss = await openBoss({ url: database.url, log });
  folder = createMarketFolder({ 'symbols.csv': 'symbol\nS\n' });
  write('2026-05-26');
  // More lines are malformed than a file may have.
  write(BROKEN, Array.from({ length: 12 }, (_, i) => `S,${BROKEN},1,1,2,1,${i}`).join('\n'));
  write('2026-05-28');
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
  folder.remove();
});

const MAX_POLLS = 50;

/** Runs the jobs that the scheduler queues, as workers do, until it queues no more; returns how each one ended. */
async function letItWork(): Promise<string[]> {
  const { pool } = database;
  const provider = folder.provider();
  const done: string[] = [];
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const due = await scheduleDueSyncs({ pool, boss, provider, now: () => NOON_2026_06_01, log });
    if (due === 0) return done;
    const { items } = await selectSyncJobs(pool, { status: 'running' }, { page: 1, size: 10 });
    for (const { id, job_type } of items) {
      await runSync(testJobContext({ pool, provider: async () => provider }), id, WORK[job_type]).catch(() => {});
      const { status, request } = required(await selectSyncJob(pool, id));
      done.push([job_type, request.start, request.end, status].filter(Boolean).join(' '));
    }
  }
  throw new Error(`the scheduler still finds loads that are due after ${done.join(', ')}`);
}

const loadedDays = async () => (await selectLoadedSessions(database.pool, 'consolidated')).map(formatDay);
const minutesPass = (minutes: number) =>
  database.pool.query(`update sync_jobs set finished_at = finished_at - make_interval(mins => $1)`, [minutes]);

it('logs once that a provider does not answer, queues no load until it does, and then continues', async () => {
  const written: string[] = [];
  const reported = pino({ level: 'warn' }, { write: (line: string) => written.push(line) });
  const provider = folder.provider();
  const poll = () =>
    scheduleDueSyncs({ pool: database.pool, boss, provider, now: () => NOON_2026_06_01, log: reported });
  const { publishedSessions } = provider;
  provider.publishedSessions = async () => {
    throw new ProviderError('no answer', { isTransient: true });
  };
  expect([await poll(), await poll()]).toEqual([0, 0]);
  provider.publishedSessions = publishedSessions;
  expect(await poll()).toBe(1);
  await database.pool.query('truncate sync_jobs cascade');
  const lines = written.map((line) => JSON.parse(line));
  expect(lines.map(({ outage, msg }) => [outage, msg])).toEqual([
    ['provider', 'the provider does not answer'],
    ['provider', 'the provider answers again'],
  ]);
  expect(lines[0].reason).toBe('no answer');
});

it('loads all other sessions, pauses after each failure, and completes in the end', async () => {
  expect(await letItWork()).toEqual(['symbols ok', 'adjustments ok', 'daily_bars 2026-05-26 2026-05-28 failed']);
  expect(await loadedDays()).toEqual(['2026-05-26', '2026-05-28']);

  write('2026-05-29');
  expect(await letItWork()).toEqual(['symbols ok', 'adjustments ok', 'daily_bars 2026-05-29 2026-05-29 ok']);
  expect(await letItWork()).toEqual([]);

  const again = [`daily_bars ${BROKEN} ${BROKEN} failed`];
  await minutesPass(15);
  expect(await letItWork()).toEqual(again);
  await minutesPass(15);
  expect(await letItWork()).toEqual(again);
  await minutesPass(29);
  expect(await letItWork()).toEqual([]);

  write(BROKEN);
  await minutesPass(1);
  expect(await letItWork()).toEqual([`daily_bars ${BROKEN} ${BROKEN} ok`]);
  expect(await loadedDays()).toEqual(['2026-05-26', BROKEN, '2026-05-28', '2026-05-29']);
});
