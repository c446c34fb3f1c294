/** Measures `npm start`: from an empty folder, from an existing one, and its memory at rest. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { required } from '../../../engine/util/values.ts';
import { freePort } from '../../support/free-port.ts';
import type { Bench } from './market.ts';
import { alone, figure, inTurns } from './measure.ts';
import { endChild, residentMb } from './processes.ts';

/** By then the process has released the memory of its start. */
const REST_MS = 10_000;
const SERVICE = fileURLToPath(new URL('../../../ops/processes/start.mjs', import.meta.url));
/** The last line that a start prints, when the market is loaded and every call works. */
const LAST_LINE = /^Documentation: /;

/** Resolves when the market is loaded and every call works. */
async function start(directory: string): Promise<ChildProcess> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: directory, PORT: String(await freePort()) };
  const child = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (LAST_LINE.test(line)) return child;
  throw new Error('the service ended while it was starting');
}

/** Starts on the folder, and stops after `work`. Returns the seconds until the service was ready. */
async function secondsToStart(directory: string, work = async (_child: ChildProcess) => {}): Promise<number> {
  const begin = performance.now();
  const child = await start(directory);
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

export const START = { start: benchStart, 'rest.rss_mb': benchRest };
