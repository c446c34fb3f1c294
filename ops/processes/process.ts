/** Runs every process: configuration, log, signals, and an orderly end. */
import { flushCompileCache } from 'node:module';
import type { Logger } from 'pino';
import { createLogger } from '../../jobs/logger.ts';
import { OutageLog } from '../../jobs/outages.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { toStartupError } from '../startup-error.ts';
import { keepFilesPrivate } from './private-files.ts';
import { isProcessKind, startedFields } from './started-line.ts';

export interface ProcessContext {
  readonly config: Config;
  readonly log: Logger;
  /** Logs each outage once; the process sets which database to watch. */
  readonly outages: OutageLog;
  /** Logs why the process cannot continue, and ends it in an orderly way with exit code 1. */
  readonly giveUp: (error: unknown) => void;
}

/** Stops what the process runs; must not throw. */
export type Stop = () => Promise<void>;

/** Extra time beyond the grace period before the process is killed. */
const HARD_STOP_EXTRA_MS = 10_000;

/**
 * Starts a process. SIGTERM, SIGINT, and the end of a supervising parent stop it with exit code 0. A failure ends it with 1, and a
 * bad variable with 2.
 */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<Stop>): Promise<void> {
  const config = readConfigOrExit();
  keepFilesPrivate(config.DATA_DIR);
  const outages = new OutageLog();
  const log = createLogger(name, config.LOG_LEVEL, { outages });
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
    } catch (error) {
      log.error({ err: error }, 'shutting down failed');
      process.exit(1);
    }
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => end('SIGTERM', 0));
  process.on('SIGINT', () => end('SIGINT', 0));
  process.on('disconnect', () => end('the supervisor ended', 0));
  const complain = (error: unknown) => {
    const plain = toStartupError(error, config);
    if (plain) process.stderr.write(`${plain.message}\n`);
    else log.fatal({ err: error }, 'the process cannot go on');
  };
  const crash = (error: unknown) => {
    complain(error);
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const giveUp = (error: unknown) => {
    if (!isStopping) complain(error);
    end('it cannot go on', 1);
  };
  try {
    stop = await start({ config, log, outages, giveUp });
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
