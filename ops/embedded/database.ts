/** The database of a process: the configured one, or the embedded one, which it starts if necessary. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { countOtherClients, ensureDatabase } from '../../db/pool.ts';
import { codeOf, toError } from '../../engine/util/errors.ts';
import type { Config } from '../config.ts';
import { freeBytes } from '../free-space.ts';
import { mostConnections, SPARE_CONNECTIONS } from '../settings.ts';
import { StartupError } from '../startup-error.ts';

interface Runtime {
  readonly pid: number;
  readonly databaseUrl: string;
}

const runtimeFile = (config: Config) => join(config.DATA_DIR, 'runtime.json');

/** Whether the pid belongs to a process of the service: after a crash another program may have it. */
function isServiceProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const commandLine = `/proc/${pid}/cmdline`;
    return !existsSync(commandLine) || /ops\/([\w-]+\/)?[\w-]+\.(ts|mjs)/.test(readFileSync(commandLine, 'utf8'));
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The process that runs the embedded database of this data folder, if one does. */
export function runningInstance(config: Config): Runtime | null {
  const file = runtimeFile(config);
  if (!existsSync(file)) return null;
  const runtime: Runtime = JSON.parse(readFileSync(file, 'utf8'));
  return runtime.pid !== process.pid && isServiceProcess(runtime.pid) ? runtime : null;
}

/** Throws a `StartupError` when another process runs the embedded database of this data folder. */
export function refuseSecondInstance(config: Config): void {
  const other = config.DATABASE_URL ? null : runningInstance(config);
  if (!other) return;
  throw new StartupError(
    `Already running on ${config.DATA_DIR} (pid ${other.pid}). Stop it, or set DATA_DIR and PORT to others.`,
  );
}

/** Publishes the URL of the database to other commands of this machine. The file contains a password. */
export function announceInstance(config: Config, databaseUrl: string): void {
  const file = runtimeFile(config);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const runtime: Runtime = { pid: process.pid, databaseUrl };
  writeFileSync(file, JSON.stringify(runtime), { mode: 0o600 });
}

export function withdrawInstance(config: Config): void {
  rmSync(runtimeFile(config), { force: true });
}

export interface Database {
  readonly url: string;
  /** Stops the embedded server if this process started it. */
  release(): Promise<void>;
}

const DATABASE_NAME = 'market';

/** The database of an embedded server, which is created if there is none. Returns its URL. */
export async function ensureEmbeddedDatabase(serverUrl: string): Promise<string> {
  await ensureDatabase(serverUrl, DATABASE_NAME);
  return Object.assign(new URL(serverUrl), { pathname: `/${DATABASE_NAME}` }).href;
}

const FULL_DISK_MB = 32;
const LEAST_CONNECTIONS = 100;

/** The most connections that all processes of this machine may have. */
function connectionsOfMachine(config: Config): number {
  const processes = mostConnections(config, { api: config.API_PROCESSES, worker: 1, scheduler: 1 });
  return Math.max(LEAST_CONNECTIONS, processes + SPARE_CONNECTIONS);
}

/** Starts the embedded server. Throws a `StartupError` with the reason. */
export async function startPostgres(config: Config, log: Logger, port?: number): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(config.DATA_DIR, log, port, connectionsOfMachine(config));
  } catch (error) {
    const free = (await freeBytes(config.DATA_DIR)) / 1e6;
    const why =
      free < FULL_DISK_MB
        ? `the disk of ${config.DATA_DIR} is full (${Math.floor(free)} MB free). Free some space and start again.`
        : `${toError(error).message} (see ops/docs/RUNBOOK.md#database)`;
    throw new StartupError(`PostgreSQL cannot be started: ${why}`, { cause: error });
  }
}

const ALONE_GRACE_MS = 200;
const ALONE_POLLS = 3_000;

/** Waits until no other command is connected: one may have found this server while it was announced. */
async function untilAlone(url: string): Promise<void> {
  for (let poll = 0; poll < ALONE_POLLS; poll++) {
    await sleep(ALONE_GRACE_MS);
    if ((await countOtherClients(url).catch(() => 0)) === 0) return;
  }
}

/** For a process that is not the supervisor: uses a running server, or starts one. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const url = config.DATABASE_URL ?? runningInstance(config)?.databaseUrl;
  if (url) return { url, release: async () => {} };
  const server = await startPostgres(config, log);
  try {
    const ownUrl = await ensureEmbeddedDatabase(server.url);
    announceInstance(config, ownUrl);
    return {
      url: ownUrl,
      release: async () => {
        withdrawInstance(config);
        await untilAlone(ownUrl);
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
