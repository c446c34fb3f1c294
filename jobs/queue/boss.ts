/** Opens pg-boss, declares queues, and reads the fields of its results that its types lack. */
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { QUEUE_CONNECTIONS } from '../../db/connection-counts.ts';
import { type Connection, executorOn, type Pool } from '../../db/pool.ts';
import { selectAllJobIds } from '../../db/queue/queue-jobs.ts';
import { limitedOptions, PROCESS_LIMITS, type Timeouts } from '../../db/session-limits.ts';
import { QUEUE_NAMES, QUEUES } from '../contracts/queues.ts';

export interface BossOptions {
  readonly url: string;
  readonly log: Logger;
  /** Whether this process expires and cleans up jobs, as workers do. pg-boss lets one of them act at a time. */
  readonly supervise?: boolean;
  /** Runs its statements on connections of this pool. Absent: it has some of its own. */
  readonly pool?: Pool;
  /** Timeouts of statements on the connections of this instance. */
  readonly timeouts?: Timeouts;
}

export async function openBoss({ url, log, supervise = false, pool, timeouts }: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    ...(pool ? { db: executorOn(pool) } : {}),
    ...limitedOptions(timeouts ?? PROCESS_LIMITS),
    application_name: 'queue',
    max: supervise ? QUEUE_CONNECTIONS.supervising : QUEUE_CONNECTIONS.sending,
    supervise,
    schedule: false,
    migrate: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 3600,
    queueCacheIntervalSeconds: 10,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.warn({ warning }, 'queue warning'));
  await boss.start();
  return boss;
}

/** Declares every queue with its options, in a migrated database. */
export function declareQueues(url: string): Promise<void> {
  return withBoss(url, async (boss) => {
    for (const name of QUEUE_NAMES) {
      const { policy, ...options } = QUEUES[name].options;
      await boss.createQueue(name, { policy, ...options });
      await boss.updateQueue(name, options);
    }
  });
}

/** Deletes the jobs of all queues, or of those whose names match, in the caller's transaction. */
export function deleteJobs(url: string, connection: Connection, names = /./): Promise<void> {
  return withBoss(url, async (boss) => {
    for (const { queue, ids } of await selectAllJobIds(connection)) {
      if (names.test(queue)) await boss.deleteJob(queue, ids, { db: executorOn(connection) });
    }
  });
}

/** Runs `work` with a temporary instance. */
async function withBoss(url: string, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    ...limitedOptions(),
    max: QUEUE_CONNECTIONS.sending,
    supervise: false,
    schedule: false,
    migrate: false,
  });
  boss.on('error', () => {}); // start() rejects with it.
  await boss.start();
  try {
    await work(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The number of jobs that a pg-boss call has changed, which its types omit. */
export function affectedJobs(result: object): number {
  const affected: unknown = Reflect.get(result, 'affected');
  if (typeof affected !== 'number') throw new TypeError('pg-boss did not return how many jobs were affected');
  return affected;
}

/** The ids of the jobs that a pg-boss call has changed, which its types omit. */
export function settledJobs(result: object): ReadonlySet<unknown> {
  const settled: unknown = Reflect.get(result, 'settled');
  return new Set(Array.isArray(settled) ? settled : []);
}
