/** A worker: takes jobs from every queue and runs them. Any number of them may run on any number of machines. */
import type { Logger } from 'pino';
import type { DatabaseClock } from '../../db/clock.ts';
import { CONNECTIONS } from '../../db/connection-counts.ts';
import { createPool } from '../../db/pool.ts';
import { PROCESS_LIMITS } from '../../db/session-limits.ts';
import type { Lane } from '../contracts/queue-contract.ts';
import { openBoss } from '../queue/boss.ts';
import { Consumer } from '../queue/consumer.ts';
import { ThreadPool, type ThreadSettings } from '../queue/thread-pool.ts';

export interface WorkerOptions extends ThreadSettings {
  /** Jobs that run at once, per lane. */
  readonly slots: Readonly<Record<Lane, number>>;
  readonly clock: DatabaseClock;
  readonly log: Logger;
}

export interface RunningWorker {
  /** Takes no more jobs, waits `graceMs` for running ones, and returns the others to the queue. */
  stop(graceMs: number): Promise<void>;
}

export async function startWorker({ slots, clock, log, ...settings }: WorkerOptions): Promise<RunningWorker> {
  const url = settings.databaseUrl;
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const pool = createPool({
    url,
    max: CONNECTIONS.worker.jobs,
    applicationName: 'worker',
    onError,
    timeouts: PROCESS_LIMITS,
  });
  const fetching = createPool({
    url,
    onError,
    max: CONNECTIONS.worker.fetching,
    applicationName: 'worker-fetch',
    timeouts: PROCESS_LIMITS,
  });
  const boss = await openBoss({ url, log, supervise: true });
  const threads = new ThreadPool(settings, slots);
  threads.prepare('interactive', slots.interactive);
  const consumer = new Consumer({ url, pool, fetching, boss, slots, now: clock.now, clock, log, threads });
  await consumer.start();
  return {
    stop: async (graceMs) => {
      await consumer.stop(graceMs);
      await boss.stop({ graceful: false });
      await Promise.all([pool.end(), fetching.end()]);
    },
  };
}
