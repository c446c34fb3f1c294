/** The frame of every process: configuration, log, signals, and an orderly end. */
import type { Logger } from 'pino';
import { createLogger } from '../jobs/logger.ts';
import { type Config, ConfigError, readConfig } from './config.ts';

export interface ProcessContext {
  readonly config: Config;
  readonly log: Logger;
  /** Ends the process in order, as SIGTERM does. */
  readonly shutDown: (reason: string) => void;
}

/** Stops what the process runs; must not throw. */
export type Stop = () => Promise<void>;

/** Extra time beyond the grace period before the process is ended the hard way. */
const HARD_STOP_EXTRA_MS = 10_000;

/** Starts a process. SIGTERM, SIGINT and the end of a supervising parent stop it, with exit code 0. */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<Stop>): Promise<void> {
  const config = readConfigOrExit();
  const log = createLogger(name, config.LOG_LEVEL);
  let stop: Stop | undefined;
  let isStopping = false;
  const shutDown = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.debug({ reason }, 'shutting down');
    setTimeout(
      () => {
        log.error('did not end within the grace period');
        process.exit(1);
      },
      (config.SHUTDOWN_DELAY_S + config.SHUTDOWN_GRACE_S) * 1000 + HARD_STOP_EXTRA_MS,
    ).unref();
    await stop?.().catch((error) => log.error({ err: error }, 'shutting down failed'));
    process.exit(0);
  };
  process.on('SIGTERM', () => shutDown('SIGTERM'));
  process.on('SIGINT', () => shutDown('SIGINT'));
  process.on('disconnect', () => shutDown('the supervisor ended'));
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'the process cannot go on');
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  try {
    stop = await start({ config, log, shutDown });
    process.send?.({ type: 'ready' });
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
