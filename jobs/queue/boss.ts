/** pg-boss instances that send, supervise, and declare queues. */
import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { QUEUE_CONNECTIONS } from '../../db/connection-counts.ts';
import { type Patience, patientOptions } from '../../db/pool.ts';
import { QUEUE_NAMES, QUEUES } from './queues.ts';

export interface BossOptions {
  readonly url: string;
  readonly log: Logger;
  /** Whether this process expires and cleans up jobs. Workers do; pg-boss lets one of them act at a time. */
  readonly supervise?: boolean;
  /** Timeouts of statements on the connections of this instance. */
  readonly patience?: Patience;
}

export async function openBoss({ url, log, supervise = false, patience }: BossOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    ...(patience ? patientOptions(patience) : {}),
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
export async function declareQueues(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    max: QUEUE_CONNECTIONS.sending,
    supervise: false,
    schedule: false,
    migrate: false,
  });
  boss.on('error', () => {});
  await boss.start();
  try {
    for (const name of QUEUE_NAMES) {
      const { policy, ...options } = QUEUES[name].options;
      await boss.createQueue(name, { policy, ...options });
      await boss.updateQueue(name, options);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The number of jobs that a command of pg-boss has changed, which its types leave out. */
export function affectedJobs(result: object): number {
  const affected: unknown = Reflect.get(result, 'affected');
  if (typeof affected !== 'number') throw new TypeError('pg-boss did not tell how many jobs were affected');
  return affected;
}

/** The jobs that a command of pg-boss took effect on, which its types leave out. */
export function settledJobs(result: object): ReadonlySet<unknown> {
  const settled: unknown = Reflect.get(result, 'settled');
  return new Set(Array.isArray(settled) ? settled : []);
}
