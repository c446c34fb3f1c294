/** The database of a process: the configured one, or the embedded one, which it starts if necessary. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { connectionsOf } from '../../db/connection-counts.ts';
import { renameDatabase, selectDatabaseNames } from '../../db/databases.ts';
import { completeMarketSource, type MarketSource } from '../../db/market/market-source.ts';
import { migrate } from '../../db/migrate.ts';
import { countOtherClients, createPool, ensureDatabase } from '../../db/pool.ts';
import { toError } from '../../engine/util/errors.ts';
import { MAX_EXTRA, SHARED_LANES } from '../../jobs/contracts/queue-contract.ts';
import type { Config } from '../config.ts';
import { freeBytes } from '../free-space.ts';
import { marketSource } from '../settings.ts';
import { StartupError } from '../startup-error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { announceInstance, runningInstance, withdrawInstance } from './runtime-file.ts';

export interface Database {
  readonly url: string;
  /** Stops the embedded server if this process started it. */
  release(): Promise<void>;
}

const DATABASE_NAME = 'market';

/** The name of the database in earlier versions, which depended on provider and folder. */
function formerName({ PROVIDER, PROVIDER_DIR, SAMPLE_SYMBOLS }: Config): string {
  if (PROVIDER !== 'files') return `market_${PROVIDER}_${SAMPLE_SYMBOLS}`;
  return `market_files_${createHash('sha256')
    .update(PROVIDER_DIR ?? '')
    .digest('hex')
    .slice(0, 10)}`;
}

/** The source of the market in a database of an earlier version, from its name, which has a digest of the folder. */
function formerSource(name: string, config: Config): MarketSource {
  if (name === formerName(config)) return marketSource(config);
  const [, provider = 'unknown', detail = ''] = name.split('_');
  return {
    provider,
    folder: provider === 'files' ? `another folder (digest ${detail})` : null,
    sampleSymbols: provider === 'sample' ? Number(detail) : null,
  };
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** Its name from an earlier version; null: it has the name of this version. */
  readonly formerName: string | null;
  /** Further databases of earlier versions. */
  readonly others: readonly string[];
}

/** The database of an embedded server, which is created if there is none. */
export async function findEmbeddedDatabase(config: Config, serverUrl: string): Promise<EmbeddedDatabase> {
  const names = await selectDatabaseNames(serverUrl);
  const urlOf = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const former = names.filter((name) => name.startsWith(`${DATABASE_NAME}_`));
  if (names.includes(DATABASE_NAME)) return { url: urlOf(DATABASE_NAME), formerName: null, others: former };
  if (former.length === 0) {
    await ensureDatabase(serverUrl, DATABASE_NAME);
    return { url: urlOf(DATABASE_NAME), formerName: null, others: [] };
  }
  const own = former.find((name) => name === formerName(config)) ?? (former.length === 1 ? former[0] : null);
  if (own === null) {
    throw new StartupError(
      `${config.DATA_DIR} has several markets of an earlier version (${former.join(', ')}), none of which is the configured one. ` +
        'Set PROVIDER, PROVIDER_DIR and SAMPLE_SYMBOLS to those of the market whose accounts you want to keep, or use another DATA_DIR.',
    );
  }
  return { url: urlOf(own), formerName: own, others: former.filter((name) => name !== own) };
}

/**
 * Renames a database of an earlier version, after recording the source of the market, which its old name contains. It must
 * be migrated and have no connections. Returns its new URL.
 */
export async function renameFormerDatabase(
  config: Config,
  serverUrl: string,
  { url, formerName: name, others }: EmbeddedDatabase,
  log: Logger,
): Promise<string> {
  if (name === null) return url;
  const pool = createPool({ url, max: 1, applicationName: 'setup' });
  try {
    await completeMarketSource(pool, formerSource(name, config));
  } finally {
    await pool.end();
  }
  await renameDatabase(serverUrl, name, DATABASE_NAME);
  if (others.length > 0) {
    const kept = `${name} is used from now on, with its accounts; left as they are: ${others.join(', ')}`;
    log.warn(
      { used: name, left: others, runbook: 'ops/docs/RUNBOOK.md#market' },
      `several databases of an earlier version: ${kept}`,
    );
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${DATABASE_NAME}` }).href;
}

const FULL_DISK_MB = 32;
const LEAST_CONNECTIONS = 100;
/** For operators and for processes that replace others. */
const SPARE_CONNECTIONS = 20;

/** The most connections that all processes of this machine may have. */
function connectionsOfMachine(config: Config): number {
  const slots = Object.values(config.WORKER_SLOTS).reduce((sum, count) => sum + count, 0);
  const threads = slots + MAX_EXTRA * SHARED_LANES.length;
  const processes =
    config.API_PROCESSES * (config.DATABASE_POOL + connectionsOf('api')) +
    connectionsOf('worker') +
    threads * connectionsOf('thread') +
    connectionsOf('scheduler');
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
    const { url: ownUrl } = await findEmbeddedDatabase(config, server.url);
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

const UNUSED_NAME = `${DATABASE_NAME}_unused`;

/**
 * Makes another database of the server the current one, and renames the previous one. Neither may have connections. Throws a
 * `StartupError` when there is no database with that name.
 */
export async function useDatabase(config: Config, serverUrl: string, name: string, log: Logger): Promise<string> {
  const names = await selectDatabaseNames(serverUrl);
  if (!names.includes(name) || !name.startsWith(`${DATABASE_NAME}_`)) {
    const others = names.filter((other) => other.startsWith(`${DATABASE_NAME}_`));
    throw new StartupError(`There is no database ${name}; there are: ${others.join(', ') || 'only the current one'}.`);
  }
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url);
  let free = 1;
  while (names.includes(`${UNUSED_NAME}_${free}`)) free++;
  if (names.includes(DATABASE_NAME)) await renameDatabase(serverUrl, DATABASE_NAME, `${UNUSED_NAME}_${free}`);
  return renameFormerDatabase(config, serverUrl, { url, formerName: name, others: [] }, log);
}
