/** What the operator's commands share: the database while they run, and their two ways to speak. */
import type { Logger } from 'pino';
import { createPool, type Pool } from '../db/pool.ts';
import { createLogger } from '../jobs/logger.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database.ts';
import { readConfigOrExit } from './process.ts';

export interface Tools {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly log: Logger;
}

/** Lends a command the database; everything is closed again whatever happens. */
export async function withTools<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = readConfigOrExit();
  const log = createLogger('ops', config.LOG_LEVEL);
  const database = await openDatabase(config, log);
  const pool = createPool({ url: database.url, max: 3, applicationName: 'ops' });
  try {
    return await work({ config, url: database.url, pool, log });
  } finally {
    await pool.end();
    await database.release();
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
