/** A database for a restore that is only tried, and dropped afterwards. */
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { hasPostgresPackage, removeEmbeddedDatabase, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { connectionOptions, ensureDatabase } from '../pool.ts';
import type { DrillServer } from './backups.ts';

const NAME = 'backup_drill';

export interface ScratchOptions {
  /** The server that gets the database when no PostgreSQL is installed with the service. */
  readonly url: string;
  /** Folder on the local disk for a server of its own. */
  readonly folder: string;
  readonly log: Logger;
}

export const scratchServer = async (): Promise<DrillServer> => ((await hasPostgresPackage()) ? 'embedded' : 'own');

/** Only one at a time: the database of an earlier one, whose process died, is dropped first. */
export async function withScratchDatabase<T>(
  server: DrillServer,
  options: ScratchOptions,
  work: (url: string) => Promise<T>,
): Promise<T> {
  return server === 'embedded' ? onEmbedded(options, work) : onServer(options.url, work);
}

async function onEmbedded<T>({ folder, log }: ScratchOptions, work: (url: string) => Promise<T>): Promise<T> {
  const home = join(folder, NAME);
  removeEmbeddedDatabase(home);
  try {
    const { url, stop } = await startEmbeddedPostgres(home, log);
    try {
      return await work(url);
    } finally {
      await stop();
    }
  } finally {
    removeEmbeddedDatabase(home);
  }
}

async function onServer<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  await dropDatabase(url);
  try {
    await ensureDatabase(url, NAME);
    return await work(Object.assign(new URL(url), { pathname: `/${NAME}` }).href);
  } finally {
    await dropDatabase(url);
  }
}

async function dropDatabase(url: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url, 'setup'));
  await client.connect();
  try {
    await client.query(`drop database if exists ${NAME} with (force)`);
  } finally {
    await client.end();
  }
}
