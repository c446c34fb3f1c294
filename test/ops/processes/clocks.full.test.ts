/**
 * Processes on machines whose clocks are wrong, or are set while they run.
 *
 * @waits
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selectLake } from '../../../db/lake/lake-files.ts';
import { selectNewestSession } from '../../../db/market/loaded-sessions.ts';
import { isSession, sessionsBetween } from '../../../engine/market/calendar.ts';
import { formatDay, newYorkDay, newYorkTime } from '../../../engine/market/dates.ts';
import { required } from '../../../engine/util/values.ts';
import { selectReadableSnapshots } from '../../../jobs/contracts/snapshot.ts';
import { readConfig } from '../../../ops/config.ts';
import { runDoctor } from '../../../ops/doctor/doctor.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deadline } from '../../support/deadlines.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { BARS_HEADER, createMarketFolder, type MarketFolder } from '../../support/market-folder.ts';
import { clockAhead, endProcess, setClock, startProcess } from '../../support/processes.ts';

let database: TestDatabase;
let market: MarketFolder;
let folder: string;
const running: ChildProcess[] = [];

const today = newYorkDay(Date.now());
let held = today;
while (!isSession(held)) held += 1;
const [published, newest] = [...sessionsBetween(today - 10, today - 1).slice(-2)];
/** A session of a coming day is not even loaded. */
const loaded = held === today ? held : newest;
const MS_TO_ITS_PUBLICATION = newYorkTime(held + 1, 1) - Date.now();

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'clocks-'));
  market = createMarketFolder({ 'symbols.csv': 'symbol\nAAA\n' });
  for (const day of [published, newest, held].map(formatDay)) {
    market.write(`daily/consolidated/${day}.csv`, `${BARS_HEADER}AAA,${day},1,2,1,1,5\n`);
  }
});
afterAll(async () => {
  await Promise.all(running.map((child) => endProcess(child, 'SIGTERM')));
  await database.drop();
  market.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: 'api' | 'worker' | 'scheduler', env: Readonly<Record<string, string>>) {
  const child = await startProcess(name, {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PROVIDER: 'files',
    PROVIDER_DIR: market.path,
    WORKER_SLOTS: 'interactive=1,background=2',
    LOG_LEVEL: 'warn',
    ...env,
  });
  running.push(child);
  const lines: string[] = [];
  createInterface({ input: required(child.stdout) }).on('line', (line) => lines.push(line));
  return { child, lines };
}

const answer = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.json();
};

/** The lines of the doctor about clocks. */
async function reported(): Promise<string[]> {
  const { pool, url } = database;
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, PROVIDER: 'files', PROVIDER_DIR: market.path });
  const findings = await runDoctor({ config, url, pool, now: Date.now });
  return required(findings.find(({ check }) => check.name === 'clocks agree'))
    .problems.map(({ text }) => text)
    .sort();
}

describe('a process whose clock is wrong', () => {
  it(
    'publishes no session before its T+1 line',
    async () => {
      const port = await freePort();
      const ahead = clockAhead(MS_TO_ITS_PUBLICATION);
      const started = await Promise.all([
        start('worker', ahead),
        start('api', { ...ahead, PORT: String(port) }),
        start('scheduler', ahead),
      ]);
      const { pool } = database;
      const [, snapshot, lake] = await eventually(
        async () =>
          [
            await selectNewestSession(pool, 'consolidated', held),
            (await selectReadableSnapshots(pool))[0],
            await selectLake(pool),
          ] as const,
        ([day, ...written]) => day === loaded && written.every(Boolean),
        60_000,
      );
      expect([snapshot?.asOf, lake?.newestSession]).toEqual([formatDay(newest), formatDay(newest)]);
      expect(await answer(port, '/v1/quote/AAA')).toMatchObject({
        data: { ts: expect.stringContaining(formatDay(newest)) },
      });
      expect(await answer(port, '/v1/kline/AAA')).toMatchObject({ data: { count: 2 } });

      expect(await reported()).toEqual(
        (['worker', 'api', 'scheduler'] as const)
          .map(
            (kind, i) =>
              `${kind}: +${Math.round(MS_TO_ITS_PUBLICATION / 1_000)}s ${hostname()} (process ${started[i].child.pid})`,
          )
          .sort(),
      );
    },
    deadline(120_000),
  );

  it(
    'is told by its log when its clock is set, and by the doctor while it is wrong',
    async () => {
      const { child, lines } = await start('scheduler', clockAhead(0));
      for (const ended of running.splice(0, 3)) await endProcess(ended, 'SIGTERM');
      expect(await reported()).toEqual([]);
      setClock(child, -5_000);
      await eventually(reported, (found) => found.length === 1);
      expect(await reported()).toEqual([`scheduler: -5s ${hostname()} (process ${child.pid})`]);
      setClock(child, 1_000);
      await eventually(reported, (found) => found.length === 0);
      expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('clock'))).toMatchObject([
        { level: 40, seconds: -5 },
        { level: 40, msg: expect.stringContaining('again') },
      ]);
    },
    deadline(60_000),
  );
});

describe('a scheduler', () => {
  /** Resolves when it has looked for due loads so many times more. */
  async function ticks(count: number): Promise<void> {
    const seen = new Set<unknown>();
    await eventually(
      async () => {
        const { rows } = await database.pool.query('select max(checked_at)::text as at from provider_ranges');
        return seen.add(rows[0].at).size;
      },
      (size) => size > count,
    );
  }
  const ahead = (instant: string) => Date.parse(instant) - Date.now();

  it(
    'goes on when the clocks of New York change in fall, and when its own is set back',
    async () => {
      const { child } = await start('scheduler', {
        ...clockAhead(ahead('2026-11-01T05:59:55Z')),
        SCHEDULE: '* * * * * *',
      });
      await ticks(10);
      setClock(child, ahead('2026-11-01T05:00:00Z'));
      await ticks(5);
      await endProcess(child, 'SIGTERM');
    },
    deadline(60_000),
  );

  it(
    'skips no time of day when they change in spring',
    async () => {
      await database.pool.query('delete from provider_ranges');
      const { child } = await start('scheduler', {
        ...clockAhead(ahead('2027-03-14T02:29:50Z')),
        SCHEDULE: '30 2 * * *',
      });
      // The first look is that of the start.
      await eventually(
        () => database.pool.query('select from provider_ranges'),
        ({ rowCount }) => rowCount !== 0,
      );
      await ticks(1);
      await endProcess(child, 'SIGTERM');
    },
    deadline(60_000),
  );
});
