/** Measures `npm start`: from an empty folder, from an existing one, and its memory at rest. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { portOf } from '../../api/http/server/port-of.ts';
import { present } from '../../engine/present.ts';
import { type Figure, figure, summarize } from './harness.ts';
import type { BenchMarket } from './market.ts';
import { residentMb } from './memory.ts';

const ROUNDS = 5;
/** By then the process has released the memory of its start. */
const REST_MS = 10_000;
const START = fileURLToPath(new URL('../processes/start.mjs', import.meta.url));
/** The last line that a start prints, when the market is loaded and every call works. */
const LAST_LINE = /^Documentation: /;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Resolves when the market is loaded and every call works. */
async function start(directory: string): Promise<ChildProcess> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: directory, PORT: String(await freePort()) };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (LAST_LINE.test(line)) return child;
  throw new Error('the service ended while it was starting');
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
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
  await stop(child);
  return ms / 1000;
}

export async function benchStart(market: BenchMarket): Promise<Figure[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const directory = mkdtempSync(join(dirname(market.folder), 'start-'));
    cold.push(await secondsToStart(directory));
    warm.push(await secondsToStart(directory));
    rmSync(directory, { recursive: true });
  }
  return [
    figure('start.cold_s', summarize(cold), '< 60', 'from nothing to a loaded sample market'),
    figure('start.warm_s', summarize(warm), '<= 2.5', 'the same folder again'),
  ];
}

export async function benchRest(market: BenchMarket): Promise<Figure[]> {
  const directory = mkdtempSync(join(dirname(market.folder), 'rest-'));
  await secondsToStart(directory);
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await secondsToStart(directory, async ({ pid }) => {
      await sleep(REST_MS);
      samples.push(residentMb(present(pid)));
    });
  }
  rmSync(directory, { recursive: true });
  return [
    figure(
      'rest.rss_mb',
      summarize(samples),
      '<= 450',
      'supervisor, API, worker, scheduler and PostgreSQL, shared memory once',
    ),
  ];
}
