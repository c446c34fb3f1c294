/** An API process. */
import type { ProcessGroup } from '../../api/server/process-group.ts';
import { startServer } from '../../api/server/server.ts';
import { openServices } from '../../api/server/services.ts';
import { selectPendingMigrations } from '../../db/migrate.ts';
import { checkPool } from '../../db/pool.ts';
import { selectQueueVersion } from '../../db/queue/queues.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { clockOf } from '../config.ts';
import { openDatabase } from '../embedded/database.ts';
import { freeBytes } from '../free-space.ts';
import {
  adminSessions,
  backupSettings,
  deadlines,
  lacksPublicAddress,
  otherProviders,
  providerSettings,
  publicAddress,
  readSecrets,
  storageSettings,
} from '../settings.ts';
import { parseTrustProxy } from '../variables.ts';
import { checkDatabase } from './database-check.ts';
import { checkDataFolder, checkPort, toListenError } from './preflight.ts';
import type { ProcessContext, Stop } from './process.ts';

const MIB = 1024 * 1024;
/** The part of the caches that series get; finished answers get the rest. */
const SERIES_PART = 2 / 3;

/** Resolves when calls are answered. `group`: the group of processes that share the port, if it is in one. */
export async function serveApi(
  { config, log, outages, tracing }: ProcessContext,
  group: ProcessGroup | null,
): Promise<Stop> {
  checkDataFolder(config);
  // The group has checked its port; another check would take connections from the other processes.
  if (group === null) await checkPort(config.HOST, config.PORT);
  const database = await openDatabase(config, log);
  const { url } = database;
  outages.watchDatabase(url);
  await checkDatabase(config, url);
  const clock = clockOf(config, log);
  const { now } = clock;
  const storage = openStorage(storageSettings(config));
  outages.watchStorage(storage);
  const services = await openServices({
    url,
    now,
    clock,
    log,
    ...readSecrets(config),
    otherProviders: otherProviders(config),
    provider: await openProvider(providerSettings(config), now),
    databasePool: config.DATABASE_POOL,
    mode: config.DISTRIBUTION_MODE,
    staleSessions: config.STALE_SESSIONS,
    seriesCacheBytes: Math.round(config.CACHE_MB * SERIES_PART * MIB),
    responseCacheBytes: Math.round(config.CACHE_MB * (1 - SERIES_PART) * MIB),
    publicApiBase: publicAddress(config),
    rateLimitFactor: config.RATE_LIMIT_FACTOR,
    storage,
    tableFiles: config.TABLE_FILES,
    backtestWaitMs: config.BACKTEST_WAIT_S * 1000,
    adminSessions: adminSessions(config),
    webhookNetworks: config.WEBHOOK_NETWORKS,
    countryDatabase: config.COUNTRY_DATABASE,
    deadlines: deadlines(config),
    freeBytes: () => freeBytes(config.DATA_DIR),
    backups: backupSettings(config),
  });
  if (lacksPublicAddress(config)) {
    log.warn({ links: publicAddress(config) }, 'PUBLIC_API_BASE is not set, so links work only on this machine');
  }
  const { pool } = services;
  const server = await startServer({
    services,
    host: config.HOST,
    port: config.PORT,
    defaultLocale: config.DEFAULT_LOCALE,
    trustProxy: parseTrustProxy(config.TRUST_PROXY),
    isMailLocal: config.SMTP_URL === undefined,
    corsOrigins: config.CORS_ORIGINS,
    connections: {
      maxConnections: config.MAX_CONNECTIONS,
      maxConnectionsPerAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    },
    droppedSpans: () => (tracing ? Atomics.load(tracing.settings.dropped, 0) : 0),
    metricsPort: config.METRICS_PORT,
    group,
    checks: {
      database: () => checkPool(pool),
      migrations: async () => {
        const pending = await selectPendingMigrations(pool);
        if (pending.length > 0) throw new Error(`pending migrations: ${pending.join(', ')}`);
      },
      queue: () => selectQueueVersion(pool),
      storage: () => storage.check(),
    },
  }).catch((error) => {
    throw toListenError(error, config.HOST, config.PORT);
  });
  return async () => {
    await server.stop(config.DRAIN_SECONDS * 1000, config.SHUTDOWN_GRACE_S * 1000);
    await services.close();
    await database.release();
  };
}
