/** The installation as its checks see it. Figures are read once per round of checks. */
import { countConnectedProcesses, type ProcessKind } from '../../db/connection-counts.ts';
import type { Pool } from '../../db/pool.ts';
import { type FailureGroup, selectFailureGroups } from '../../db/queue/queue-jobs.ts';
import { type QueueState, selectQueueStates } from '../../db/queue/queues.ts';
import { selectRunningLoads } from '../../db/queue/sync-jobs.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { BackupPlan } from '../contracts/backup.ts';
import { QUEUE_NAMES, type QueueName } from '../contracts/queues.ts';
import { DEFAULT_DEADLINES, type Deadlines } from '../contracts/session-steps.ts';
import { type LoadFreshness, loadFreshness } from '../quality/freshness.ts';

export interface Parts {
  readonly pool: Pool;
  readonly storage: () => ObjectStorage;
  readonly now: () => number;
  /** Default: those of an installation without settings. */
  readonly deadlines?: Deadlines;
  /** Default: backups are off. */
  readonly backups?: BackupPlan | null;
}

export interface Installation extends Required<Parts> {
  /** Processes of the service on all machines. */
  readonly processes: () => Promise<Readonly<Record<ProcessKind, number>>>;
  readonly queues: () => Promise<readonly QueueState<QueueName>[]>;
  readonly failures: () => Promise<readonly FailureGroup[]>;
  readonly freshness: () => Promise<LoadFreshness>;
  /** Whether a load waits or runs. */
  readonly isLoading: () => Promise<boolean>;
}

/** The installation for one round of checks. */
export function readOnce({ pool, storage, now, deadlines = DEFAULT_DEADLINES, backups = null }: Parts): Installation {
  return {
    pool,
    storage,
    now,
    deadlines,
    backups,
    processes: once(() => countConnectedProcesses(pool)),
    queues: once(() => selectQueueStates(pool, QUEUE_NAMES)),
    failures: once(() => selectFailureGroups(pool, null)),
    freshness: once(() => loadFreshness(pool, now())),
    isLoading: once(async () => (await selectRunningLoads(pool)).length > 0),
  };
}

function once<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let reading: Promise<Reading> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}
