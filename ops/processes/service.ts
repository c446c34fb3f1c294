/**
 * Runs everything on one machine: database (unless DATABASE_URL is set), migrations, API, worker, and scheduler. The first start loads
 * the provider's market.
 */
import { selectShowcaseSymbols } from '../../db/market/instruments.ts';
import { selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import { createPool, type Queryable } from '../../db/pool.ts';
import { selectLatestSyncJobs } from '../../db/queue/sync-jobs.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { describeSource } from '../../jobs/market-source.ts';
import { isCaughtUp } from '../../jobs/sync/due-syncs.ts';
import type { Config } from '../config.ts';
import { announceInstance, ensureEmbeddedDatabase, startPostgres, withdrawInstance } from '../embedded/database.ts';
import { localAddress, marketSource } from '../settings.ts';
import { checkDatabase } from './database-check.ts';
import { describeFiles, watchSyncs } from './load-progress.ts';
import type { ProcessContext, Stop } from './process.ts';
import type { Setup } from './setup.ts';
import {
  apiOptions,
  createSupervisor,
  forkProcess,
  type Supervisor,
  schedulerOptions,
  workerOptions,
} from './supervisor.ts';

const say = (text: string) => process.stdout.write(text);

interface RunningDatabase {
  readonly url: string;
  readonly stop: Stop;
}

/** Starts all parts with `environment`; resolves when they are ready, with a function that stops them. */
export async function startService(
  context: ProcessContext,
  environment: NodeJS.ProcessEnv,
  setup: Setup,
): Promise<Stop> {
  const { config, log, outages } = context;
  const database = await openServiceDatabase(context, setup);
  const env = { ...environment, DATABASE_URL: database.url };
  const supervisor = createSupervisor(log);
  const stop = async () => {
    await supervisor.stop();
    withdrawInstance(config);
    await database.stop();
  };
  try {
    await setup.run('declareQueues', database.url);
    await checkDatabase(config, database.url);
    const newestSyncId = await selectNewestSyncId(database.url);
    await Promise.all([
      startApi(context, supervisor, env),
      supervisor.start('worker', () => forkProcess('worker', workerOptions(env))),
      supervisor.start('scheduler', () => forkProcess('scheduler', schedulerOptions(env))),
    ]);
    outages.watchDatabase(database.url);
    showFirstLoad(config, database.url, newestSyncId).catch((error) =>
      log.error({ err: error }, 'watching the first load failed'),
    );
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts one API process, or several on one port. */
async function startApi(
  { config, log }: ProcessContext,
  supervisor: Supervisor,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (config.API_PROCESSES === 1) return supervisor.start('api', () => forkProcess('api', apiOptions(env)));
  const { createApiGroup } = await import('./api-group.ts');
  return createApiGroup({ count: config.API_PROCESSES, env, supervisor, log }).start();
}

/** Opens and migrates the database of all parts. */
async function openServiceDatabase(context: ProcessContext, setup: Setup): Promise<RunningDatabase> {
  const { config } = context;
  if (config.DATABASE_URL) {
    await setup.run('migrate', config.DATABASE_URL);
    return { url: config.DATABASE_URL, stop: async () => {} };
  }
  const server = await keepPostgresRunning(context);
  try {
    const url = await ensureEmbeddedDatabase(server.url);
    await setup.run('migrate', url);
    announceInstance(config, url);
    return { url, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Restarts a killed server on its port, so that all processes can reconnect. */
async function keepPostgresRunning({ config, log, fail }: ProcessContext): Promise<RunningDatabase> {
  let server = await startPostgres(config, log);
  let isStopping = false;
  const watch = async () => {
    while (!isStopping) {
      await server.ended;
      if (isStopping) return;
      log.error({ outage: 'database' }, 'PostgreSQL ended unexpectedly and is started again');
      server = await startPostgres(config, log, server.port);
      log.warn({ outage: 'database' }, 'PostgreSQL is back');
    }
  };
  watch().catch(fail);
  return {
    url: server.url,
    stop: async () => {
      isStopping = true;
      await server.stop();
    },
  };
}

async function selectNewestSyncId(url: string): Promise<number> {
  const pool = createPool({ url, max: 1, applicationName: 'start' });
  const [newest] = await selectLatestSyncJobs(pool, 1);
  await pool.end();
  return newest?.id ?? 0;
}

/** Shows the progress until the market is loaded, and then three example calls. */
async function showFirstLoad(config: Config, url: string, afterId: number): Promise<void> {
  const pool = createPool({ url, max: 2, applicationName: 'start' });
  const base = localAddress(config);
  try {
    const isDone = async () => {
      const ranges = await selectProviderRanges(pool);
      return ranges.length > 0 && (await isCaughtUp(pool, ranges));
    };
    if (!(await isDone())) {
      const market =
        config.PROVIDER === 'sample' ? 'the synthetic sample market' : describeSource(marketSource(config));
      say(`Serving on ${base}, loading ${market}:\n`);
      await watchSyncs({ url, pool, isDone, afterId, output: process.stdout });
    }
    const failed = (await selectLatestSyncJobs(pool, 10)).find((job) => job.id > afterId && job.status === 'failed');
    if (failed)
      say(`\nThe load is incomplete (sync job ${failed.id}: ${failed.error}). See "npm run ops -- sync list".\n`);
    const files = await describeFiles(pool);
    say(readyText(base, await exampleSymbols(pool), files));
  } finally {
    await pool.end();
  }
}

/** A few symbols with bars, popular ones first. */
export async function exampleSymbols(db: Queryable): Promise<string[]> {
  return (await selectShowcaseSymbols(db, 2)).map(qualifiedSymbol);
}

export function readyText(base: string, symbols: readonly string[], files: string | null = null): string {
  const [first] = symbols;
  const calls = first === undefined ? '' : ` or try:\n\n${exampleCalls(base, first, symbols)}`;
  return `
Ready. Open ${base}${calls}
${files === null ? '' : `\n${files}\n`}
Documentation: ${base}/docs
`;
}

function exampleCalls(base: string, first: string, symbols: readonly string[]): string {
  return `\
  curl ${base}/v1/quote/${first}
  curl '${base}/v1/kline/${first}?period=week&days=4&adjust=qfq'
  curl -X POST ${base}/v1/batch -H 'content-type: application/json' -d '${JSON.stringify({ symbols, type: 'quote' })}'`;
}
