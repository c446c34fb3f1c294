/** The installation as its checks see it. Figures are read once per round of checks. */
import { countConnectedProcesses, type ProcessKind } from '../../db/connection-counts.ts';
import type { Pool } from '../../db/pool.ts';
import { type FailureGroup, selectFailureGroups } from '../../db/queue/queue-jobs.ts';
import { type QueueState, selectQueueStates } from '../../db/queue/queues.ts';
import { type SyncJob, selectSyncJobs } from '../../db/queue/sync-jobs.ts';
import { type RunningWorker, selectWorkers } from '../../db/runs/job-claims.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { BackupPlan } from '../contracts/backup.ts';
import { QUEUE_NAMES, type QueueName } from '../contracts/queues.ts';
import { DEFAULT_DEADLINES, type Deadlines } from '../contracts/session-steps.ts';
import { type LoadFreshness, loadFreshness } from '../quality/freshness.ts';

/** Settings of the operator that checks need. */
export interface Installed {
  /** By when the steps of sessions are to be done. Default: those of an installation without settings. */
  readonly deadlines: Deadlines;
  /** Free bytes on the disk of the data folder. Default: it has room. */
  readonly freeBytes: () => Promise<number>;
  /** Null, the default: backups are off. */
  readonly backups: BackupPlan | null;
}

/** The newest ones are examined. */
const MAX_LOADS = 20;

interface Parts {
  readonly pool: Pool;
  readonly storage: () => ObjectStorage;
  readonly now: () => number;
}

export interface Installation extends Parts, Installed {
  /** Processes of the service on all machines. */
  readonly processes: () => Promise<Readonly<Record<ProcessKind, number>>>;
  readonly workers: () => Promise<readonly RunningWorker[]>;
  readonly queues: () => Promise<readonly QueueState<QueueName>[]>;
  readonly failures: () => Promise<readonly FailureGroup[]>;
  readonly freshness: () => Promise<LoadFreshness>;
  /** Loads of the whole market that wait or run, the newest first, each with how far it is. */
  readonly loads: () => Promise<readonly string[]>;
}

const hasRoom = async (): Promise<number> => Number.POSITIVE_INFINITY;

export const installed = ({
  deadlines = DEFAULT_DEADLINES,
  freeBytes = hasRoom,
  backups = null,
}: Partial<Installed>): Installed => ({ deadlines, freeBytes, backups });

/** The installation for one round of checks. */
export function readOnce({ pool, storage, now, ...settings }: Parts & Partial<Installed>): Installation {
  return {
    pool,
    storage,
    now,
    ...installed(settings),
    processes: once(() => countConnectedProcesses(pool)),
    workers: once(() => selectWorkers(pool)),
    queues: once(() => selectQueueStates(pool, QUEUE_NAMES)),
    failures: once(() => selectFailureGroups(pool, null)),
    freshness: once(() => loadFreshness(pool, now())),
    loads: once(async () => {
      const { items } = await selectSyncJobs(pool, { status: 'running' }, { page: 1, size: MAX_LOADS });
      return items.filter(({ request }) => !('symbols' in request)).map(describeLoad);
    }),
  };
}

function describeLoad({ id, job_type: type, queued_at: at, progress_pct: share }: SyncJob): string {
  return `load ${id} (${type}) since ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${Math.floor(share)}%`;
}

function once<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let reading: Promise<Reading> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}
