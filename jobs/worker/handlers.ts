/**
 * The function that runs the jobs of each queue. Its module is imported at the first job, because every thread of a worker has its own
 * copy of the code that it imports.
 */
import type { z } from 'zod';
import { BACKTEST_QUEUE } from '../contracts/backtest.ts';
import { COMPARE_QUEUE } from '../contracts/compare.ts';
import { LOOK_AHEAD_QUEUE, VERIFY_QUEUE, VERIFY_SAMPLE_QUEUE } from '../contracts/evidence.ts';
import { EXPORT_EXPIRE_QUEUE, EXPORT_QUEUE } from '../contracts/export.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { LAKE_QUEUE } from '../contracts/lake.ts';
import { LOGIN_CODE_QUEUE } from '../contracts/mail.ts';
import { OPTIMIZE_QUEUE } from '../contracts/optimize.ts';
import { PORTFOLIO_QUEUE } from '../contracts/portfolio.ts';
import type { QueueContract } from '../contracts/queue-contract.ts';
import type { QueueName } from '../contracts/queues.ts';
import { ROTATION_CHUNK_QUEUE } from '../contracts/rotation.ts';
import { SCREEN_QUEUE } from '../contracts/screen.ts';
import { SIGNAL_MAIL_QUEUE, SIGNALS_QUEUE } from '../contracts/signals.ts';
import { SNAPSHOT_QUEUE } from '../contracts/snapshot.ts';
import { SQL_QUEUE } from '../contracts/sql.ts';
import { REMOVE_OBJECTS_QUEUE, REMOVE_ORPHANS_QUEUE } from '../contracts/storage.ts';
import { SWEEP_ASSEMBLE_QUEUE, SWEEP_CHUNK_QUEUE } from '../contracts/sweep.ts';
import { SYNC_ADJUSTMENTS_QUEUE, SYNC_DAILY_BARS_QUEUE, SYNC_SYMBOLS_QUEUE } from '../contracts/sync.ts';
import { TEAR_SHEET_QUEUE } from '../contracts/tear-sheet.ts';
import { WEBHOOKS_QUEUE } from '../contracts/webhooks.ts';
import type { SyncContext } from '../sync/run.ts';

type Run<P> = (context: JobContext, payload: P) => Promise<void>;

interface Handler {
  /** Imports the code before the first job. */
  readonly load: () => Promise<unknown>;
  /** Runs a job with its data from the queue. */
  readonly run: Run<unknown>;
}

/** A handler that validates the data against the contract of its queue. */
function createHandler<S extends z.ZodType>(
  { payload }: { readonly payload: S },
  load: () => Promise<Run<z.output<S>>>,
) {
  let loaded: Run<z.output<S>> | undefined;
  const run: Run<unknown> = async (context, data) => {
    loaded ??= await load();
    await loaded(context, payload.parse(data));
  };
  return { load, run } satisfies Handler;
}

type SyncQueue = typeof SYNC_SYMBOLS_QUEUE | typeof SYNC_ADJUSTMENTS_QUEUE | typeof SYNC_DAILY_BARS_QUEUE;

function createSyncHandler<Q extends SyncQueue & QueueContract>(
  queue: Q,
  load: () => Promise<(context: SyncContext) => Promise<void>>,
) {
  return createHandler<SyncQueue['payload']>(queue, async () => {
    const [{ runSync }, sync] = await Promise.all([import('../sync/run.ts'), load()]);
    return (context, { syncJobId }) => runSync(context, syncJobId, sync);
  });
}

export const HANDLERS = {
  [BACKTEST_QUEUE.name]: createHandler(BACKTEST_QUEUE, async () => (await import('../backtest/run.ts')).runBacktestJob),
  [OPTIMIZE_QUEUE.name]: createHandler(OPTIMIZE_QUEUE, async () => (await import('../optimize/run.ts')).runOptimizeJob),
  [PORTFOLIO_QUEUE.name]: createHandler(
    PORTFOLIO_QUEUE,
    async () => (await import('../rotation/job.ts')).runPortfolioJob,
  ),
  [ROTATION_CHUNK_QUEUE.name]: createHandler(
    ROTATION_CHUNK_QUEUE,
    async () => (await import('../rotation/run-chunk.ts')).runRotationChunk,
  ),
  [SWEEP_CHUNK_QUEUE.name]: createHandler(
    SWEEP_CHUNK_QUEUE,
    async () => (await import('../sweep/run-chunk.ts')).runChunk,
  ),
  [SWEEP_ASSEMBLE_QUEUE.name]: createHandler(
    SWEEP_ASSEMBLE_QUEUE,
    async () => (await import('../sweep/assemble.ts')).assembleSweep,
  ),
  [TEAR_SHEET_QUEUE.name]: createHandler(
    TEAR_SHEET_QUEUE,
    async () => (await import('../tear-sheet/run.ts')).runTearSheetJob,
  ),
  [VERIFY_QUEUE.name]: createHandler(VERIFY_QUEUE, async () => (await import('../evidence/run.ts')).runVerifyJob),
  [LOOK_AHEAD_QUEUE.name]: createHandler(
    LOOK_AHEAD_QUEUE,
    async () => (await import('../evidence/run.ts')).runLookAheadJob,
  ),
  [VERIFY_SAMPLE_QUEUE.name]: createHandler(
    VERIFY_SAMPLE_QUEUE,
    async () => (await import('../evidence/run.ts')).runVerifySampleJob,
  ),
  [LOGIN_CODE_QUEUE.name]: createHandler(LOGIN_CODE_QUEUE, async () => (await import('../mail/run.ts')).sendLoginCode),
  [EXPORT_QUEUE.name]: createHandler(EXPORT_QUEUE, async () => (await import('../export/run.ts')).runExport),
  [EXPORT_EXPIRE_QUEUE.name]: createHandler(
    EXPORT_EXPIRE_QUEUE,
    async () => (await import('./cleanup.ts')).removeExpired,
  ),
  [SIGNALS_QUEUE.name]: createHandler(SIGNALS_QUEUE, async () => (await import('../signals/run.ts')).evaluateSignals),
  [SIGNAL_MAIL_QUEUE.name]: createHandler(
    SIGNAL_MAIL_QUEUE,
    async () => (await import('../signals/mail.ts')).mailSignals,
  ),
  [WEBHOOKS_QUEUE.name]: createHandler(
    WEBHOOKS_QUEUE,
    async () => (await import('../webhooks/run.ts')).deliverWebhooks,
  ),
  [SNAPSHOT_QUEUE.name]: createHandler(SNAPSHOT_QUEUE, async () => (await import('../snapshot/run.ts')).buildSnapshot),
  [SCREEN_QUEUE.name]: createHandler(SCREEN_QUEUE, async () => (await import('../screen/run.ts')).runScreenJob),
  [SQL_QUEUE.name]: createHandler(SQL_QUEUE, async () => (await import('../sql/run.ts')).runSqlJob),
  [LAKE_QUEUE.name]: createHandler(LAKE_QUEUE, async () => (await import('../lake/run.ts')).writeLake),
  [COMPARE_QUEUE.name]: createHandler(COMPARE_QUEUE, async () => (await import('../compare/run.ts')).runComparison),
  [REMOVE_OBJECTS_QUEUE.name]: createHandler(
    REMOVE_OBJECTS_QUEUE,
    async () => (await import('../storage/remove-objects.ts')).removeObjects,
  ),
  [REMOVE_ORPHANS_QUEUE.name]: createHandler(
    REMOVE_ORPHANS_QUEUE,
    async () => (await import('./remove-orphans.ts')).removeOrphans,
  ),
  [SYNC_SYMBOLS_QUEUE.name]: createSyncHandler(
    SYNC_SYMBOLS_QUEUE,
    async () => (await import('../sync/symbols.ts')).syncSymbols,
  ),
  [SYNC_ADJUSTMENTS_QUEUE.name]: createSyncHandler(
    SYNC_ADJUSTMENTS_QUEUE,
    async () => (await import('../sync/adjustments.ts')).syncAdjustments,
  ),
  [SYNC_DAILY_BARS_QUEUE.name]: createSyncHandler(
    SYNC_DAILY_BARS_QUEUE,
    async () => (await import('../sync/daily-bars.ts')).syncDailyBars,
  ),
} satisfies Readonly<Record<QueueName, Handler>>;
