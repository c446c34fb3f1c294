/**
 * A thread of a worker process. It runs one job at a time, so that no computation blocks the event loop that renews heartbeats and
 * receives cancellations.
 */

import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { PgBoss } from 'pg-boss';
import { createPool } from '../../db/pool.ts';
import type { RunEnd } from '../../db/queue/job-ends.ts';
import { present } from '../../engine/present.ts';
import { toError } from '../../engine/thrown.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { HANDLERS } from '../handlers.ts';
import { isPermanent } from '../job-context.ts';
import { createLogger } from '../logger.ts';
import { openMailer } from '../mail/mailer.ts';
import { openProvider } from '../providers/open-provider.ts';
import { openBoss } from './boss.ts';
import { LANE_NICENESS } from './queue-contract.ts';
import { QUEUES } from './queues.ts';
import type { ThreadData, ThreadReply, ThreadRequest } from './thread-pool.ts';

const port = present(parentPort, 'the port to the worker');
const settings: ThreadData = workerData;
// Only Linux has a nice value per thread; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(LANE_NICENESS[settings.lane]);
const { fixedNow, loginCodeKey, maxLoadCostUsd, webhookNetworks, workFolder } = settings;
const now = fixedNow === null ? Date.now : () => fixedNow;
const log = createLogger('worker', settings.logLevel);
const pool = createPool({ url: settings.databaseUrl, max: 3, applicationName: 'job' });
const provider = openProvider(settings.provider, now);
const storage = openStorage(settings.storage);
const mailer = openMailer(settings.mail, now);
let sender: Promise<PgBoss> | null = null;
let running: AbortController | null = null;
// All code is loaded; a thread may be ended without notice.
flushCompileCache();

/** Opens the queue for the jobs that a job sends. */
function boss(): Promise<PgBoss> {
  sender ??= openBoss({ url: settings.databaseUrl, log }).catch((error) => {
    sender = null;
    throw error;
  });
  return sender;
}

async function run(request: Extract<ThreadRequest, { type: 'run' }>): Promise<ThreadReply> {
  const { queue, data, jobId, run: started, attempt, isLastAttempt } = request;
  running = new AbortController();
  let end: RunEnd | null = null;
  try {
    const { requestId } = QUEUES[queue].payload.parse(data);
    const jobLog = log.child({ queue, jobId, attempt, requestId: requestId ?? undefined });
    const context = {
      pool,
      run: started,
      endRun: async (given: RunEnd) => {
        end = given;
      },
      boss,
      provider,
      storage,
      mailer,
      loginCodeKey,
      webhookNetworks,
      workFolder,
      maxLoadCostUsd,
      now,
      attempt,
      isLastAttempt,
      log: jobLog,
      signal: running.signal,
    };
    await HANDLERS[queue](context, data);
    return { type: 'done', end };
  } catch (error) {
    const { message, stack } = toError(error);
    return { type: 'failed', message, stack: stack ?? '', isPermanent: isPermanent(error) };
  } finally {
    running = null;
  }
}

port.on('message', async (request: ThreadRequest) => {
  if (request.type === 'abort') running?.abort(new Error(request.reason));
  else port.postMessage(await run(request));
});
