/** Measures `npm start`: from an empty folder, from an existing one, and its memory at rest. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { required } from '../../engine/util/required.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { Bench } from './market.ts';
import { IS_QUICK, summarize } from './measure.ts';
import { endChild, residentMb } from './processes.ts';
import { figure } from './report.ts';

const ROUNDS = IS_QUICK ? 1 : 5;
/** By then the process has released the memory of its start. */
const REST_MS = 10_000;
const SERVICE = fileURLToPath(new URL('../processes/start.mjs', import.meta.url));
/** The last line that a start prints, when the market is loaded and every call works. */
const LAST_LINE = /^Documentation: /;

/** Resolves when the market is loaded and every call works. */
async function start(directory: string): Promise<ChildProcess> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: directory, PORT: String(await freePort()) };
  const child = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (LAST_LINE.test(line)) return child;
  throw new Error('the service ended while it was starting');
}

/** Starts again on the folder, passes the service to `look`, and stops it. Returns the seconds until it was ready. */
async function secondsToStart(
  directory: string,
  look: (child: ChildProcess) => Promise<void> = async () => {},
): Promise<number> {
  const begin = performance.now();
  const child = await start(directory);
  const ms = performance.now() - begin;
  await look(child);
  await endChild(child);
  return ms / 1000;
}

const benchStart: Bench = async ({ directory }) => {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const folder = mkdtempSync(join(directory, 'start-'));
    cold.push(await secondsToStart(folder));
    warm.push(await secondsToStart(folder));
    rmSync(folder, { recursive: true });
  }
  return [
    figure('start.cold_s', summarize(cold), 'from nothing to a loaded sample market'),
    figure('start.warm_s', summarize(warm), 'the same folder again'),
  ];
};

const benchRest: Bench = async ({ directory }) => {
  const folder = mkdtempSync(join(directory, 'rest-'));
  await secondsToStart(folder);
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await secondsToStart(folder, async ({ pid }) => {
      await sleep(REST_MS);
      samples.push(residentMb(required(pid)));
    });
  }
  rmSync(folder, { recursive: true });
  const note = 'supervisor, API, worker, scheduler and PostgreSQL, shared memory once';
  return [figure('rest.rss_mb', summarize(samples), note)];
};

export const START = { start: benchStart, 'rest.rss_mb': benchRest };
