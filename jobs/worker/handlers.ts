/**
 * The function that runs the jobs of each queue. Its module is imported at the first job, because every thread of a worker has its own
 * copy of the code that it imports.
 */
import type { z } from 'zod';
import type { SessionStep } from '../../db/queue/session-steps.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { type Payload, QUEUES, type QueueName } from '../contracts/queues.ts';
import type { SyncContext } from '../sync/run.ts';

type Run<P> = (context: JobContext, payload: P) => Promise<void>;

/** Loads come in a frame of their own. */
async function loadSync(
  load: () => Promise<(context: SyncContext) => Promise<void>>,
): Promise<Run<{ readonly syncJobId: number }>> {
  const [{ runSync }, sync] = await Promise.all([import('../sync/run.ts'), load()]);
  return (context, { syncJobId }) => runSync(context, syncJobId, sync);
}

/** Jobs that take a step of the newest session record it. */
async function stepJob(step: SessionStep, load: () => Promise<(context: JobContext) => Promise<void>>) {
  const [{ runStep }, run] = await Promise.all([import('../quality/session-step.ts'), load()]);
  return (context: JobContext) => runStep(context, step, () => run(context));
}

const HANDLERS: { readonly [Q in QueueName]: () => Promise<Run<Payload<Q>>> } = {
  backtest: async () => (await import('../evidence/kinds.ts')).keptRunJob('backtest'),
  optimize: async () => (await import('../optimize/run.ts')).runOptimizeJob,
  portfolio: async () => (await import('../evidence/kinds.ts')).keptRunJob('portfolio'),
  'sweep.chunk': async () => (await import('../factors/chunked-work.ts')).runChunk,
  'sweep.assemble': async () => (await import('../factors/chunked-work.ts')).assembleWork,
  tear_sheet: async () => (await import('../evidence/run.ts')).runTearSheetJob,
  verify: async () => (await import('../evidence/run.ts')).runVerifyJob,
  look_ahead: async () => (await import('../evidence/run.ts')).runLookAheadJob,
  'verify.sample': async () => (await import('../evidence/run.ts')).runVerifySampleJob,
  'mail.login_code': async () => (await import('../mail/run.ts')).sendLoginCode,
  export: async () => (await import('../export/run.ts')).runExport,
  'export.account': async () => (await import('../export/run.ts')).runExport,
  'export.expire': async () => (await import('./cleanup.ts')).removeExpired,
  'signals.evaluate': () => stepJob('signals', async () => (await import('../signals/run.ts')).evaluateSignals),
  'signals.mail': async () => (await import('../signals/mail.ts')).mailSignals,
  'webhooks.deliver': () => stepJob('webhooks', async () => (await import('../webhooks/run.ts')).deliverWebhooks),
  'snapshot.build': () => stepJob('snapshot', async () => (await import('../snapshot/run.ts')).buildSnapshot),
  screen: async () => (await import('../screen/run.ts')).runScreenJob,
  claims: async () => (await import('../factors/claims.ts')).runClaimsJob,
  factor_values: async () => (await import('../factors/values.ts')).runValuesJob,
  column: async () => (await import('../columns/run.ts')).runColumnJob,
  sql: async () => (await import('../sql/run.ts')).runSqlJob,
  'lake.write': () => stepJob('lake', async () => (await import('../lake/run.ts')).writeLake),
  outcomes: async () => (await import('../evidence/kinds.ts')).keptRunJob('outcomes'),
  judge: async () => (await import('../judge/run.ts')).runJudgeJob,
  'claims.newest': async () => (await import('../factors/newest-claims.ts')).computeNewestClaims,
  seal: async () => (await import('../forward/seal.ts')).runSealJob,
  'forward.append': async () => (await import('../forward/run.ts')).appendToRecords,
  impact: () => stepJob('impact', async () => (await import('../impact/run.ts')).computeImpacts),
  'impact.mail': async () => (await import('../impact/mail.ts')).mailImpacts,
  compare: async () => (await import('../compare/run.ts')).runComparison,
  'storage.remove': async () => (await import('../storage/remove-objects.ts')).removeObjects,
  'storage.sweep': async () => (await import('./remove-orphans.ts')).removeOrphans,
  'backup.write': async () => (await import('../backup/run.ts')).runBackup,
  'backup.drill': async () => (await import('../backup/drill.ts')).runDrill,
  'sync.symbols': () => loadSync(async () => (await import('../sync/symbols.ts')).syncSymbols),
  'sync.adjustments': () => loadSync(async () => (await import('../sync/adjustments.ts')).syncAdjustments),
  'sync.daily_bars': () => loadSync(async () => (await import('../sync/daily-bars.ts')).syncDailyBars),
};

const CONTRACTS: { readonly [Q in QueueName]: { readonly payload: z.ZodType<Payload<Q>> } } = QUEUES;

/** Imports the code of a queue's jobs. */
export function loadHandler<Q extends QueueName>(queue: Q): Promise<Run<Payload<Q>>> {
  return HANDLERS[queue]();
}

/** Runs a job with its data from the queue, which the contract of the queue validates. */
export async function runHandler<Q extends QueueName>(queue: Q, context: JobContext, data: unknown): Promise<void> {
  const run = await loadHandler(queue);
  await run(context, CONTRACTS[queue].payload.parse(data));
}
