/** Runs every kind of sync job, and records its progress and its outcome. */
import { type Pool, transaction } from '../../db/pool.ts';
import {
  failSyncJob,
  finishSyncJob,
  type SyncJob,
  type SyncProgress,
  startSyncJob,
  updateSyncProgress,
} from '../../db/queue/sync-jobs.ts';
import { deleteRejectedRows, type RejectedByReason, type RejectedRow } from '../../db/queue/sync-units.ts';
import { toError } from '../../engine/util/errors.ts';
import { type JobContext, PermanentFailure } from '../contracts/job-context.ts';
import { type SyncSpec, syncSpecSchema } from '../contracts/sync.ts';
import { describeSource, selectOtherMarket } from '../market-source.ts';
import { type Provider, ProviderError, type UnreadableRow } from '../providers/provider.ts';
import { progressThrottle } from '../runs/frame.ts';
import { failMissingSessions } from './failed-sessions.ts';

type SyncJobContext = Pick<
  JobContext,
  'pool' | 'provider' | 'maxLoadCostUsd' | 'now' | 'log' | 'signal' | 'isLastAttempt' | 'workFolder'
>;

/** The context of each kind of sync job. */
export interface SyncContext extends Omit<SyncJobContext, 'provider' | 'isLastAttempt'> {
  readonly provider: Provider;
  readonly job: SyncJob;
  readonly spec: SyncSpec;
  /** Records the progress, at most a few times a second; always if `isLast`. */
  readonly report: (progress: SyncProgress, isLast?: boolean) => Promise<void>;
}

export async function runSync(
  context: SyncJobContext,
  syncJobId: number,
  work: (context: SyncContext) => Promise<void>,
): Promise<void> {
  const { pool, log } = context;
  const job = await startSyncJob(pool, syncJobId);
  if (!job) return; // An earlier attempt ended it but could not complete the queue's job.
  const spec = syncSpecSchema.parse(job.request);
  const isDue = progressThrottle();
  const report = async (progress: SyncProgress, isLast = progress.progressPct >= 100) => {
    if (isDue(isLast)) await updateSyncProgress(pool, syncJobId, progress);
  };
  try {
    const provider = await context.provider();
    await assertSameMarket(pool, provider);
    if (job.job_type !== 'daily_bars') await deleteRejectedRows(pool, syncJobId);
    await work({ ...context, provider, job, spec, report });
    await finishSyncJob(pool, syncJobId);
    log.debug({ syncJobId, jobType: job.job_type }, 'sync finished');
  } catch (error) {
    const failure = isBeyondRetry(error) ? new PermanentFailure(error.message, { cause: error }) : toError(error);
    const isFinal = context.isLastAttempt || failure instanceof PermanentFailure;
    await transaction(pool, async (connection) => {
      await failSyncJob(connection, syncJobId, failure.message, isFinal);
      if (isFinal) await failMissingSessions(connection, { job, spec, now: context.now }, failure.message);
    });
    throw failure;
  }
}

/** Throws when the worker is configured for another market than that of the database. */
async function assertSameMarket(pool: Pool, provider: Provider): Promise<void> {
  const other = await selectOtherMarket(pool, provider.source);
  if (!other) return;
  const [there, asked] = [describeSource(other), describeSource(provider.source)];
  throw new PermanentFailure(`the database holds ${there}, but this worker is set up for ${asked}`);
}

/** A failure that the provider reports is final unless it is marked as transient. */
function isBeyondRetry(error: unknown): error is Error {
  return error instanceof PermanentFailure || (error instanceof ProviderError && !error.isTransient);
}

/** The record of a rejected row of a list (instruments, events). */
export function toRejectedRow({ source, content, reason }: UnreadableRow): RejectedRow {
  return { venueBasis: null, reason, source, content };
}

export function countByReason(rejected: readonly RejectedRow[]): RejectedByReason {
  const counts: Record<string, number> = {};
  for (const { reason } of rejected) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
