/** The frame of every process: configuration, log, signals, and shutdown. */
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { PROCESS_KINDS, type ProcessKind } from '../../db/connection-counts.ts';
import { codeOf } from '../../engine/util/errors.ts';
import { SERVICE_VERSION } from '../../engine/util/service-version.ts';
import { createLogger } from '../../jobs/logger.ts';
import { OutageLog } from '../../jobs/outages.ts';
import type { Tracing } from '../../jobs/tracing.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { outboxFolder, publicAddress, storageSettings, traceSettings } from '../settings.ts';
import { toStartupError } from '../startup-error.ts';

/** Server and database of a URL, without user and password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

const isProcessKind = (name: string): name is ProcessKind => PROCESS_KINDS.some((kind) => kind === name);

/** The settings that only a process of that kind uses. */
function settingsOf(name: ProcessKind, config: Config): object {
  switch (name) {
    case 'api': {
      const { API_PROCESSES, METRICS_PORT, HOST, PORT } = config;
      return {
        host: HOST,
        port: PORT,
        publicAddress: publicAddress(config),
        metricsPort: METRICS_PORT,
        processes: API_PROCESSES,
      };
    }
    case 'worker': {
      const mail = config.SMTP_URL ? new URL(config.SMTP_URL).host : outboxFolder(config);
      return { slots: config.WORKER_SLOTS, mail };
    }
    case 'scheduler':
      return { schedule: config.SCHEDULE };
  }
}

function startedFields(name: ProcessKind, config: Config): object {
  const storage = storageSettings(config);
  return {
    version: SERVICE_VERSION,
    node: process.versions.node,
    pid: process.pid,
    ...settingsOf(name, config),
    database: config.DATABASE_URL ? placeOf(config.DATABASE_URL) : config.DATA_DIR,
    storage: 's3' in storage ? `s3://${storage.s3.bucket}` : storage.folder,
    provider: config.PROVIDER,
  };
}

/** The service's entries in a data folder. PostgreSQL protects its own files. */
const PRIVATE_ENTRIES = ['secret', 'runtime.json', 'postgres.password', 'outbox', 'objects', 'cache'];

const FOR_OTHERS = 0o077;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Makes all files that this process and its children create private to their user, whatever the umask was, and also existing
 * files of earlier versions. Skips folders that only the user can enter, because their contents are protected.
 */
export function keepFilesPrivate(dataDir: string): void {
  process.umask(FOR_OTHERS);
  for (const name of PRIVATE_ENTRIES) {
    const path = join(dataDir, name);
    if (existsSync(path)) makePrivate(path);
  }
}

/** The contents come first, so that a private folder is known to be complete. */
function makePrivate(path: string): void {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink() || (found.mode & FOR_OTHERS) === 0) return;
    if (found.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name));
    chmodSync(path, found.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE);
  } catch (error) {
    const code = codeOf(error);
    // It has been removed, or belongs to another user.
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EACCES') throw error;
  }
}

export interface ProcessContext {
  readonly config: Config;
  readonly log: Logger;
  /** Limits the log lines of outages; the process sets which database to watch. */
  readonly outages: OutageLog;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
  /** Logs why the process cannot continue, and shuts it down with exit code 1. */
  readonly fail: (error: unknown) => void;
}

/** Begins to trace, if an endpoint is set; not in the process that supervises the others. */
async function openTracing(name: string, config: Config): Promise<Tracing | null> {
  const settings = traceSettings(config);
  if (settings === null || name === 'start') return null;
  return (await import('../../jobs/tracing.ts')).openTracing(settings);
}

/** Stops what the process runs; must not throw. */
export type Stop = () => Promise<void>;

/** Extra time beyond the grace period before the process is killed. */
const HARD_STOP_EXTRA_MS = 10_000;

/**
 * Runs a process. SIGTERM, SIGINT, and the end of its supervisor stop it with exit code 0, a failure with 1, and an invalid variable
 * with 2.
 */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<Stop>): Promise<void> {
  const config = readConfigOrExit();
  keepFilesPrivate(config.DATA_DIR);
  const outages = new OutageLog();
  const tracing = await openTracing(name, config);
  const log = createLogger(name, config.LOG_LEVEL, { outages, mixin: tracing?.logFields });
  tracing?.reportDropped(log);
  let stop: Stop | undefined;
  let isStopping = false;
  const end = async (reason: string, exitCode: number) => {
    if (isStopping) return;
    isStopping = true;
    log.debug({ reason }, 'shutting down');
    setTimeout(
      () => {
        log.error('did not end within the grace period');
        process.exit(1);
      },
      (config.DRAIN_SECONDS + config.SHUTDOWN_GRACE_S) * 1000 + HARD_STOP_EXTRA_MS,
    ).unref();
    try {
      await stop?.();
      await tracing?.close();
    } catch (error) {
      log.error({ err: error }, 'shutting down failed');
      process.exit(1);
    }
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  process.on('disconnect', () => end('the supervisor ended', 0));
  const report = (error: unknown) => {
    const plain = toStartupError(error, config);
    if (plain) process.stderr.write(`${plain.message}\n`);
    else log.fatal({ err: error }, 'the process cannot continue');
  };
  const crash = (error: unknown) => {
    report(error);
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const fail = (error: unknown) => {
    if (!isStopping) report(error);
    end('it cannot continue', 1);
  };
  try {
    stop = await start({ config, log, outages, tracing, fail });
    if (process.send) process.send({ type: 'ready' });
    // A supervisor logs its own start.
    else if (isProcessKind(name)) log.info(startedFields(name, config), 'ready');
    flushCompileCache();
  } catch (error) {
    if (!isStopping) crash(error);
  }
}

export function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nAll variables are listed in .env.example.\n`);
    process.exit(2);
  }
}
