/**
 * `npm start`: everything on one machine. Database (unless DATABASE_URL names one), migrations, API, worker and
 * scheduler; the first start loads the provider's market.
 */
import './node-version.ts';
import type { Logger } from 'pino';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { selectProviderRanges } from '../db/provider-ranges.ts';
import { selectLatestSyncJobs } from '../db/sync-jobs.ts';
import { openProvider } from '../jobs/providers/open-provider.ts';
import { installQueue } from '../jobs/queue/boss.ts';
import { assertSameProvider, isCaughtUp } from '../jobs/scheduler.ts';
import { type Config, clockOf } from './config.ts';
import { announceInstance, providerDatabase, runningInstance, withdrawInstance } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { watchSyncs } from './load-progress.ts';
import { runProcess, type Stop } from './process.ts';
import { providerSettings } from './settings.ts';
import { Supervisor } from './supervisor.ts';
import { exampleSymbols, tourLines } from './tour.ts';

const say = (text: string) => process.stdout.write(text);

await runProcess('start', async ({ config, log, shutDown }) => {
  const other = config.DATABASE_URL ? null : runningInstance(config);
  if (other) {
    process.stderr.write(`Already running on ${config.DATA_DIR} (pid ${other.pid}).\n`);
    process.exit(2);
  }
  const database = config.DATABASE_URL
    ? { url: config.DATABASE_URL, stop: async () => {} }
    : await keepPostgresRunning(config, log, shutDown);
  if (!config.DATABASE_URL) announceInstance(config, database.url);
  await migrate(database.url);
  await installQueue(database.url);
  const newestSyncId = await selectNewestSyncId(database.url);
  await refuseOtherProvider(config, database.url);
  const supervisor = new Supervisor({ ...process.env, DATABASE_URL: database.url }, log);
  await Promise.all(['api', 'worker', 'scheduler'].map((name) => supervisor.start(name)));
  showFirstLoad(config, database.url, newestSyncId).catch((error) =>
    log.error({ err: error }, 'watching the first load failed'),
  );
  return async () => {
    await supervisor.stop();
    withdrawInstance(config);
    await database.stop();
  };
});

/** A server that is killed is started again on its port, so that everybody's connections come back by themselves. */
async function keepPostgresRunning(
  config: Config,
  log: Logger,
  shutDown: (reason: string) => void,
): Promise<{ url: string; stop: Stop }> {
  let server = await startEmbeddedPostgres(config.DATA_DIR, log);
  let isStopping = false;
  const watch = async () => {
    while (!isStopping) {
      await server.ended;
      if (isStopping) return;
      log.error('PostgreSQL ended unexpectedly and is started again');
      server = await startEmbeddedPostgres(config.DATA_DIR, log, server.port);
    }
  };
  watch().catch((error) => {
    log.fatal({ err: error }, 'PostgreSQL cannot be started again');
    shutDown('no database');
  });
  return {
    url: await providerDatabase(config, server.url),
    stop: async () => {
      isStopping = true;
      await server.stop();
    },
  };
}

async function refuseOtherProvider(config: Config, url: string): Promise<void> {
  const pool = createPool({ url, max: 1, applicationName: 'start' });
  try {
    await assertSameProvider(pool, openProvider(providerSettings(config), clockOf(config)));
  } finally {
    await pool.end();
  }
}

async function selectNewestSyncId(url: string): Promise<number> {
  const pool = createPool({ url, max: 1, applicationName: 'start' });
  const [newest] = await selectLatestSyncJobs(pool, 1);
  await pool.end();
  return newest?.id ?? 0;
}

/** Shows the load until the market is there, then three calls that work. */
async function showFirstLoad(config: Config, url: string, afterId: number): Promise<void> {
  const pool = createPool({ url, max: 2, applicationName: 'start' });
  const base = `http://${config.HOST}:${config.PORT}`;
  try {
    const isDone = async () => {
      const ranges = await selectProviderRanges(pool);
      return ranges.length > 0 && (await isCaughtUp({ pool }, ranges));
    };
    if (!(await isDone())) {
      const synthetic =
        config.PROVIDER === 'sample' ? 'the synthetic sample market' : `the market in ${config.PROVIDER_DIR}`;
      say(`Serving on ${base}, loading ${synthetic}:\n`);
      await watchSyncs({ url, pool, isDone, afterId, output: process.stdout });
    }
    const failed = (await selectLatestSyncJobs(pool, 10)).find((job) => job.id > afterId && job.status === 'failed');
    if (failed)
      say(
        `\nThe load is not complete (sync job ${failed.id}: ${failed.error}). "npm run ops -- sync list" shows more.\n`,
      );
    say(tourLines(base, await exampleSymbols(pool)));
  } finally {
    await pool.end();
  }
}
