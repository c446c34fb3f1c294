/** Which database a process talks to: the configured one, or the embedded one, started when it does not run yet. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { countOtherClients, ensureDatabase } from '../db/pool.ts';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

export interface Database {
  readonly url: string;
  /** Stops the embedded server if this process started it. */
  release(): Promise<void>;
}

interface Runtime {
  readonly pid: number;
  readonly databaseUrl: string;
}

const runtimeFile = (config: Config) => join(config.DATA_DIR, 'runtime.json');

/** Whether one of our commands has this pid: after a crash it may be anybody's. */
function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const commandLine = `/proc/${pid}/cmdline`;
    return !existsSync(commandLine) || /ops\/[\w-]+\.ts/.test(readFileSync(commandLine, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process that runs the embedded database of this data folder, if one does. */
export function runningInstance(config: Config): Runtime | null {
  const file = runtimeFile(config);
  if (!existsSync(file)) return null;
  const runtime = JSON.parse(readFileSync(file, 'utf8')) as Runtime;
  return runtime.pid !== process.pid && isOurs(runtime.pid) ? runtime : null;
}

/** Tells other commands on this machine where the database is; the file holds a password. */
export function announceInstance(config: Config, databaseUrl: string): void {
  const file = runtimeFile(config);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ pid: process.pid, databaseUrl } satisfies Runtime), { mode: 0o600 });
}

export function withdrawInstance(config: Config): void {
  rmSync(runtimeFile(config), { force: true });
}

/** Each provider's market has its own database in the embedded server, so that one never mixes with another. */
function databaseName(config: Config): string {
  if (config.PROVIDER !== 'files') return `market_${config.PROVIDER}_${config.SAMPLE_SYMBOLS}`;
  return `market_files_${createHash('sha256')
    .update(config.PROVIDER_DIR ?? '')
    .digest('hex')
    .slice(0, 10)}`;
}

/** The provider's database of an embedded server, created when it is not there. */
export async function providerDatabase(config: Config, serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  await ensureDatabase(serverUrl, databaseName(config));
  url.pathname = `/${databaseName(config)}`;
  return url.href;
}

const ALONE_GRACE_MS = 200;
const ALONE_LOOKS = 3_000;

/** Another command may have found this server while it was announced: it is not stopped under its feet. */
async function untilAlone(url: string): Promise<void> {
  for (let look = 0; look < ALONE_LOOKS; look++) {
    await sleep(ALONE_GRACE_MS);
    if ((await countOtherClients(url).catch(() => 0)) === 0) return;
  }
}

/** For a process that is not the supervisor: never starts a second server beside a running one. */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const url = config.DATABASE_URL ?? runningInstance(config)?.databaseUrl;
  if (url) return { url, release: async () => {} };
  const server = await startEmbeddedPostgres(config.DATA_DIR, log);
  const ownUrl = await providerDatabase(config, server.url);
  announceInstance(config, ownUrl);
  return {
    url: ownUrl,
    release: async () => {
      withdrawInstance(config);
      await untilAlone(ownUrl);
      await server.stop();
    },
  };
}
