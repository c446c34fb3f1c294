/** `npm run scheduler`: queues due jobs. */
import '../node-version.cjs';
import { publishFirstArticles } from '../../api/articles/first-articles.ts';
import { CONNECTIONS, presenceConnection } from '../../db/connection-counts.ts';
import { listen } from '../../db/listener.ts';
import { SNAPSHOT_CHANGED_CHANNEL } from '../../db/market/snapshots.ts';
import { createPool } from '../../db/pool.ts';
import { parseSyncJobChange, SYNC_JOBS_CHANNEL } from '../../db/queue/sync-jobs.ts';
import { PROCESS_LIMITS } from '../../db/session-limits.ts';
import { WEBHOOKS_DUE_CHANNEL } from '../../db/webhooks/webhooks.ts';
import { VERIFY_SAMPLE_QUEUE } from '../../jobs/contracts/evidence.ts';
import { EXPORT_EXPIRE_QUEUE } from '../../jobs/contracts/export.ts';
import { REMOVE_ORPHANS_QUEUE } from '../../jobs/contracts/storage.ts';
import { openProvider } from '../../jobs/providers/providers.ts';
import { openBoss } from '../../jobs/queue/boss.ts';
import { sendUnlessWaiting } from '../../jobs/queue/send.ts';
import { Refresher } from '../../jobs/refresher.ts';
import { removeOldAccess } from '../../jobs/worker/cleanup.ts';
import { Cron } from '../../jobs/worker/cron.ts';
import { enqueueDueDeliveries, scheduleDueSyncs } from '../../jobs/worker/scheduler.ts';
import { clockOf } from '../config.ts';
import { openDatabase } from '../embedded/database.ts';
import { backupSettings, providerSettings } from '../settings.ts';
import { checkDatabase } from './database-check.ts';
import { checkDataFolder } from './preflight.ts';
import { runProcess } from './process.ts';

/** Cron expressions in UTC: early in the morning in New York, and once an hour. */
const ORPHANS_SCHEDULE = '40 8 * * *';
const EXPIRY_SCHEDULE = '17 * * * *';
const VERIFICATION_SCHEDULE = '20 9 * * *';
const RETENTION_SCHEDULE = '47 * * * *';

/** Newest sessions whose files are compared with those that were loaded, to notice a vendor's corrections. */
const REVISITED_SESSIONS = 20;

await runProcess('scheduler', async ({ config, log, outages }) => {
  checkDataFolder(config);
  const database = await openDatabase(config, log);
  outages.watchDatabase(database.url);
  await checkDatabase(config, database.url);
  const { url } = database;
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const pool = createPool({
    url,
    onError,
    max: CONNECTIONS.scheduler.loads,
    applicationName: 'scheduler',
    timeouts: PROCESS_LIMITS,
  });
  const boss = await openBoss({ url, log });
  const clock = clockOf(config, log);
  const { now } = clock;
  const provider = await openProvider(providerSettings(config), now);
  const options = { pool, boss, now, log, provider, revisitedSessions: REVISITED_SESSIONS };

  const queueDueLoads = async () => {
    await scheduleDueSyncs({ ...options, backups: backupSettings(config) });
  };
  const loads = new Refresher(queueDueLoads, log, 'due loads could not be queued');
  publishFirstArticles(pool, new Date(now())).catch((error) =>
    log.error({ err: error }, 'the first articles could not be published'),
  );
  const stopping = new AbortController();
  let removing: Promise<void> | null = null;
  const removeOld = () => {
    const retention = { accessRecordDays: config.ACCESS_RECORD_DAYS, signal: stopping.signal };
    removing ??= removeOldAccess(pool, now(), retention)
      .catch((error) => log.error({ err: error }, 'removing old access records failed'))
      .finally(() => {
        removing = null;
      });
  };
  // In addition to cron, the end of a sync job wakes the scheduler, so that the next one starts at once.
  const cron = new Cron();
  cron.add(config.SCHEDULE, () => loads.refresh());
  type Recurring = typeof REMOVE_ORPHANS_QUEUE | typeof EXPORT_EXPIRE_QUEUE | typeof VERIFY_SAMPLE_QUEUE;
  const every = (expression: string, queue: Recurring['name']) =>
    cron.add(expression, () => {
      sendUnlessWaiting(boss, queue, { requestId: null }).catch((error) =>
        log.error({ err: error, queue }, 'queueing a scheduled job failed'),
      );
    });
  every(ORPHANS_SCHEDULE, REMOVE_ORPHANS_QUEUE.name);
  every(EXPIRY_SCHEDULE, EXPORT_EXPIRE_QUEUE.name);
  every(VERIFICATION_SCHEDULE, VERIFY_SAMPLE_QUEUE.name);
  cron.add(RETENTION_SCHEDULE, removeOld);
  const listener = await listen({
    url,
    applicationName: presenceConnection('scheduler'),
    clock,
    log,
    channels: {
      [SYNC_JOBS_CHANNEL]: (payload) => {
        if (parseSyncJobChange(payload).status !== 'running') loads.refresh();
      },
      // Signals wait for the snapshot of the new data.
      [SNAPSHOT_CHANGED_CHANNEL]: () => loads.refresh(),
      [WEBHOOKS_DUE_CHANNEL]: () => {
        enqueueDueDeliveries(pool, boss, now()).catch((error) =>
          log.error({ err: error }, 'queueing deliveries of webhooks failed'),
        );
      },
    },
  });
  loads.refresh();
  removeOld();
  return async () => {
    await cron.stop();
    stopping.abort();
    await loads.close();
    await removing;
    await listener.close();
    await boss.stop({ graceful: false });
    await pool.end();
    await database.release();
  };
});
