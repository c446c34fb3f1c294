/** Everything that a worker can give a job. A job takes the parts that it names: `Pick<JobContext, 'pool' | 'storage'>`. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { isDatabaseFull } from '../../db/errors.ts';
import type { Pool } from '../../db/pool.ts';
import type { RunEnd } from '../../db/runs/run-ends.ts';
import type { StartedRun } from '../../db/runs/runs.ts';
import { codeOf } from '../../engine/util/errors.ts';
import { type ObjectStorage, StorageFull } from '../../storage/storage.ts';
import type { Provider } from '../providers/provider.ts';
import type { ProviderId } from '../providers/providers.ts';
import type { BackupSettings } from './backup.ts';
import type { Mailer } from './mail.ts';
import type { AllowedNetworks } from './webhooks.ts';

/** The cost of a job. */
export interface JobCost {
  /** Processor seconds of its thread so far, and those that were added. */
  readonly seconds: () => number;
  /** Adds seconds of a process that works for the job. */
  readonly add: (seconds: number) => void;
}

export interface JobContext {
  readonly jobId: string;
  readonly pool: Pool;
  /** The run that the job works for; null: it works for none, or the run has ended. */
  readonly run: StartedRun | null;
  /** Ends the run together with the job, with a result that no account keeps. */
  readonly endRun: (end: Omit<RunEnd, 'workerSeconds'>) => Promise<void>;
  readonly cost: JobCost;
  /** Sends further jobs; opened at the first call. */
  readonly boss: () => Promise<PgBoss>;
  /** Opened at the first call, like `mailer`. */
  readonly provider: () => Promise<Provider>;
  /** Opens another provider, over `folder` or over the configured one. Throws when it is not configured. */
  readonly otherProvider: (id: ProviderId, folder: string | null) => Promise<Provider>;
  readonly storage: ObjectStorage;
  readonly databaseUrl: string;
  /** Null: backups are off. */
  readonly backups: BackupSettings | null;
  readonly mailer: () => Promise<Mailer>;
  /** Keys the hashes of login codes. */
  readonly loginCodeKey: string;
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: AllowedNetworks;
  /** For names that users have chosen; default: those of the system. */
  readonly nameServers?: readonly string[];
  /** On the local disk, for temporary files and caches; it may be emptied while no worker runs. */
  readonly workFolder: string;
  /** Days for which snapshots of the tables are kept. */
  readonly tableSnapshotDays: number;
  /** Bars of a rotation's universe in the memory of its job; a larger one is read again for each pass. */
  readonly rotationBars: number;
  /** Loads that cost more than this many US dollars are refused. */
  readonly maxLoadCostUsd: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  /** Aborted when the job is canceled or runs too long, or when the worker stops. */
  readonly signal: AbortSignal;
  /** Whether jobs of others go first, for work that a job does outside of its thread. */
  readonly isPaused: () => boolean;
  /** Whether no attempt follows when this one fails. */
  readonly isLastAttempt: boolean;
}

/** A failure that a retry cannot fix. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** Whether an error means that a disk or the storage is full. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof StorageFull || isDatabaseFull(error);
}

/** Whether another attempt of the job would fail in the same way. */
export function isPermanent(error: unknown): boolean {
  return error instanceof PermanentFailure || isOutOfSpace(error) || isFaultOfCode(error);
}

/** Whether a calculation has failed, and not the network (which names a cause), the system (a code), or memory that may be free later. */
function isFaultOfCode(error: unknown): boolean {
  if (!(error instanceof TypeError || error instanceof RangeError)) return false;
  return error.cause === undefined && codeOf(error) === undefined && !error.message.includes('allocation failed');
}
