/**
 * A thread of a worker process. It runs one job at a time, away from the event loop of the process, which renews heartbeats and receives
 * cancellations.
 */
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { readTime } from '../../db/clock.ts';
import { CONNECTIONS } from '../../db/connection-counts.ts';
import { selectConsolidatedFrom } from '../../db/market/market-source.ts';
import { createPool } from '../../db/pool.ts';
import type { RunEnd } from '../../db/runs/run-ends.ts';
import { setConsolidatedFrom } from '../../engine/market/venue-basis.ts';
import { toError } from '../../engine/util/errors.ts';
import { onEndOfPart } from '../../engine/util/parts.ts';
import { required } from '../../engine/util/values.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { BACKTEST_QUEUE } from '../contracts/backtest.ts';
import { isPermanent, type JobContext, type JobCost } from '../contracts/job-context.ts';
import { LANE_NICENESS } from '../contracts/queue-contract.ts';
import { QUEUES } from '../contracts/queues.ts';
import { THREADS } from '../contracts/traces.ts';
import { createLogger } from '../logger.ts';
import type { Provider } from '../providers/provider.ts';
import type { ProviderId } from '../providers/providers.ts';
import { cpuMsOf, type Gate, isShut, passGate } from '../queue/thread-control.ts';
import type { ThreadData, ThreadReply, ThreadRequest } from '../queue/thread-pool.ts';
import { loadHandler, runHandler } from './handlers.ts';

const port = required(parentPort, 'the port to the worker');
const settings: ThreadData = workerData;
// Only on Linux, where each thread has a nice value; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(LANE_NICENESS[settings.lane]);
const {
  backups,
  databaseUrl,
  loginCodeKey,
  maxLoadCostUsd,
  rotationBars,
  tableSnapshotDays,
  webhookNetworks,
  workFolder,
} = settings;
const now = readTime(settings.time);
const { traces } = settings;
const tracing = traces && (await import('../tracing.ts')).openTracing(traces);
const log = createLogger('worker', settings.logLevel, { mixin: tracing?.logFields });
const pool = createPool({ url: databaseUrl, max: CONNECTIONS.thread.job, applicationName: 'job' });
const storage = openStorage(settings.storage);
let running: AbortController | null = null;
let gate: Gate | null = null;
onEndOfPart(() => {
  if (gate) passGate(gate);
});

const provider = openedOnce(async () => {
  const { openProvider } = await import('../providers/providers.ts');
  return openProvider(settings.provider, now);
});
async function otherProvider(id: ProviderId, folder: string | null): Promise<Provider> {
  const { openProvider } = await import('../providers/providers.ts');
  const { provider: own } = settings;
  return openProvider(
    {
      provider: id,
      variables: { ...own.variables, PROVIDER_DIR: folder ?? own.variables.PROVIDER_DIR },
      cacheDir: join(own.cacheDir, 'other'),
    },
    now,
  );
}
const mailer = openedOnce(async () => {
  const { openMailer } = await import('../mail/mailer.ts');
  return openMailer(settings.mail, now);
});
/** Sends the jobs that a job queues. */
const boss = openedOnce(async () => {
  const { openBoss } = await import('../queue/boss.ts');
  return openBoss({ url: databaseUrl, log, pool });
});

/** Opens something, and imports its code, at the first call; after a failure, the next call tries again. */
function openedOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  return () => {
    opened ??= open().catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

function measureCost(): JobCost {
  const before = cpuMsOf(process.threadCpuUsage());
  let added = 0;
  return {
    seconds: () => added + (cpuMsOf(process.threadCpuUsage()) - before) / 1_000,
    add: (seconds) => {
      added += seconds;
    },
  };
}

async function run(request: Extract<ThreadRequest, { type: 'run' }>): Promise<ThreadReply> {
  const { queue, data, jobId, run: started, attempt, isLastAttempt } = request;
  running = new AbortController();
  gate = request.gate;
  let end: RunEnd | null = null;
  const cost = measureCost();
  try {
    const { requestId } = QUEUES[queue].payload.parse(data);
    const jobLog = log.child({ queue, jobId, attempt, requestId: requestId ?? undefined });
    const context: JobContext = {
      jobId,
      pool,
      run: started,
      endRun: async (runEnd) => {
        end = { ...runEnd, workerSeconds: cost.seconds() };
      },
      cost,
      boss,
      provider,
      otherProvider,
      storage,
      databaseUrl,
      backups,
      mailer,
      loginCodeKey,
      webhookNetworks,
      workFolder,
      tableSnapshotDays,
      rotationBars,
      maxLoadCostUsd,
      now,
      isLastAttempt,
      log: jobLog,
      signal: running.signal,
      isPaused: () => isShut(request.gate),
    };
    setConsolidatedFrom(await selectConsolidatedFrom(pool));
    await runHandler(queue, context, data);
    return { type: 'done', end };
  } catch (error) {
    const { message, stack } = toError(error);
    return { type: 'failed', message, stack: stack ?? '', isPermanent: isPermanent(error) };
  } finally {
    running = null;
    gate = null;
  }
}

// Callers wait for backtests, so the code is loaded before the first one.
if (settings.lane === 'interactive') await loadHandler(BACKTEST_QUEUE.name);
// Now, because a thread may be terminated at any time.
flushCompileCache();

port.on('message', async (request: ThreadRequest) => {
  if (request.type === 'abort') running?.abort(new Error(request.reason));
  else if (request.type === 'end') {
    await tracing?.close();
    process.exit();
  } else {
    const reply = await THREADS.tracePromise(() => run(request), { ...request });
    const body = reply.type === 'done' ? reply.end?.result?.body.buffer : undefined;
    port.postMessage(reply, body instanceof ArrayBuffer ? [body] : []);
  }
});
