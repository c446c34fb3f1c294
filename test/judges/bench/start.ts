/** Measures `npm start`: from an empty folder, from an existing one, and its memory at rest. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Request } from 'autocannon';
import { createPool } from '../../../db/pool.ts';
import { required } from '../../../engine/util/values.ts';
import { freePort } from '../../support/free-port.ts';
import { defaultBody } from './default-backtests.ts';
import { answersPerSecond, type Call } from './http-load.ts';
import { type Bench, benchDatabase, replaceCallers } from './market.ts';
import { alone, figure, inTurns, ratioFigure } from './measure.ts';
import { endChild, residentMb } from './processes.ts';

/** By then the process has released the memory of its start. */
const REST_MS = 10_000;
const MINUTE_MS = 60_000;
const CALLERS = 16;
const ACCOUNTS_PER_CALLER = 25;
const SERVICE = fileURLToPath(new URL('../../../ops/processes/start.mjs', import.meta.url));
/** The last line that a start prints, when the market is loaded and every call works. */
const LAST_LINE = /^Documentation: /;

/** Resolves when the market is loaded and every call works. */
async function start(directory: string, url = '') {
  const port = await freePort();
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: directory, PORT: String(port) };
  const child = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (LAST_LINE.test(line)) return { child, port };
  throw new Error('the service ended while it was starting');
}

/** Starts on the folder, and stops after `work`. Returns the seconds until the service was ready. */
async function secondsToStart(directory: string, work = async (_child: ChildProcess) => {}): Promise<number> {
  const begin = performance.now();
  const { child } = await start(directory);
  const ms = performance.now() - begin;
  await work(child);
  await endChild(child);
  return ms / 1000;
}

const benchStart: Bench = async ({ directory }) => {
  let folder = '';
  const { cold, warm } = await inTurns({
    cold: () => {
      folder = mkdtempSync(join(directory, 'start-'));
      return secondsToStart(folder);
    },
    warm: async () => {
      const seconds = await secondsToStart(folder);
      rmSync(folder, { recursive: true });
      return seconds;
    },
  });
  return new Map([
    ['start.cold_s', figure(cold, 'from nothing to a loaded sample market')],
    ['start.warm_s', figure(warm, 'the same folder again')],
  ]);
};

const benchRest: Bench = async ({ directory }) => {
  const folder = mkdtempSync(join(directory, 'rest-'));
  await secondsToStart(folder);
  const note = 'supervisor, API, worker, scheduler and PostgreSQL, shared memory once';
  const atRest = await alone(note, async () => {
    let megabytes = 0;
    await secondsToStart(folder, async ({ pid }) => {
      await sleep(REST_MS);
      megabytes = residentMb(required(pid));
    });
    return megabytes;
  });
  rmSync(folder, { recursive: true });
  return atRest;
};

/** Backtests as people send them just after a start, beside the work that follows a load, and later. */
const benchFirstMinute: Bench = async ({ directory, serverUrl }) => {
  const url = await benchDatabase(serverUrl, 'bench_first_minute', true);
  const folder = mkdtempSync(join(directory, 'minute-'));
  const { child, port } = await start(folder, url);
  const pool = createPool({ url, max: 1, applicationName: 'bench' });
  const callers = await replaceCallers(pool, CALLERS * ACCOUNTS_PER_CALLER);
  const callOf = (i: number): Call => {
    const headers = { 'x-api-key': callers[i].key, 'content-type': 'application/json' };
    return { method: 'POST', path: '/v1/backtest', headers, body: JSON.stringify(defaultBody()) };
  };
  const requests = callers.map((_, i) => {
    return { ...callOf(i), setupRequest: (request: Request) => ({ ...request, ...callOf(i) }) };
  });
  const rate = () => answersPerSecond({ port, requests, connections: CALLERS }, MINUTE_MS / 4_000);
  try {
    await rate();
    const first = await rate();
    await sleep(MINUTE_MS);
    return ratioFigure([first], [await rate()], 'a second', `backtests of ${CALLERS} callers after a start, and later`);
  } finally {
    await endChild(child);
    await pool.end();
    rmSync(folder, { recursive: true });
  }
};

export const START = {
  start: benchStart,
  'start.default16_vs_later': benchFirstMinute,
  'rest.rss_mb': benchRest,
};
