/** Shared by the operator's commands: their database and their output. */
import { type Command, CommanderError } from 'commander';
import type { Logger } from 'pino';
import { createPool, type Pool } from '../../db/pool.ts';
import { toError } from '../../engine/util/errors.ts';
import { createLogger } from '../../jobs/logger.ts';
import { type Config, clockOf } from '../config.ts';
import { openDatabase } from '../embedded/database.ts';
import { checkDataFolder } from '../processes/preflight.ts';
import { readConfigOrExit } from '../processes/process.ts';
import { toStartupError } from '../startup-error.ts';

export interface Tools {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly log: Logger;
  /** The time of the service. */
  readonly now: () => number;
}

/** Runs a command with the database, and closes everything afterwards. */
export async function withTools<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = readConfigOrExit();
  const log = createLogger('ops', config.LOG_LEVEL);
  checkDataFolder(config);
  const database = await openDatabase(config, log);
  const pool = createPool({ url: database.url, max: 3, applicationName: 'ops' });
  const clock = clockOf(config, log);
  try {
    // A database that does not answer is the command's to tell.
    await clock.read(pool).catch(() => {});
    return await work({ config, url: database.url, pool, log, now: clock.now });
  } finally {
    await pool.end();
    await database.release();
  }
}

/** Exit code of an invalid command line; that of failures is 1. */
const USAGE_EXIT_CODE = 2;
const USAGE_ERRORS = ['commander.unknownCommand', 'commander.unknownOption'];

/** Runs the command line. A failure that an operator can fix is printed as one sentence. */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = USAGE_ERRORS.includes(error.code) ? USAGE_EXIT_CODE : error.exitCode;
      return;
    }
    const plain = toStartupError(error, readConfigOrExit());
    const { message, stack } = toError(error);
    fail(plain ? plain.message : (stack ?? message));
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
