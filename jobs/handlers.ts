/** The function that runs the jobs of each queue. */
import type { z } from 'zod';
import { BACKTEST_QUEUE, OPTIMIZE_QUEUE } from './backtest/contract.ts';
import { runBacktestJob } from './backtest/run.ts';
import { LOOK_AHEAD_QUEUE, VERIFY_QUEUE, VERIFY_SAMPLE_QUEUE } from './evidence/contract.ts';
import { runLookAheadJob, runVerifyJob, runVerifySampleJob } from './evidence/run.ts';
import { EXPORT_EXPIRE_QUEUE, EXPORT_QUEUE } from './export/contract.ts';
import { expireExports } from './export/expire.ts';
import { runExport } from './export/run.ts';
import type { JobContext } from './job-context.ts';
import { LAKE_QUEUE } from './lake/contract.ts';
import { writeLake } from './lake/run.ts';
import { LOGIN_CODE_QUEUE } from './mail/contract.ts';
import { sendLoginCode } from './mail/run.ts';
import { runOptimizeJob } from './optimize/run.ts';
import { PORTFOLIO_QUEUE } from './portfolio/contract.ts';
import { runPortfolioJob } from './portfolio/run.ts';
import type { QueueName } from './queue/queues.ts';
import { SCREEN_QUEUE } from './screen/contract.ts';
import { runScreenJob } from './screen/run.ts';
import { SIGNAL_MAIL_QUEUE, SIGNALS_QUEUE } from './signals/contract.ts';
import { mailSignals } from './signals/mail.ts';
import { evaluateSignals } from './signals/run.ts';
import { SNAPSHOT_QUEUE } from './snapshot/contract.ts';
import { buildSnapshot } from './snapshot/run.ts';
import { SQL_QUEUE } from './sql/contract.ts';
import { runSqlJob } from './sql/run.ts';
import { REMOVE_OBJECTS_QUEUE, REMOVE_ORPHANS_QUEUE } from './storage/contract.ts';
import { removeObjects } from './storage/remove-objects.ts';
import { removeOrphans } from './storage/remove-orphans.ts';
import { assembleSweep } from './sweep/assemble.ts';
import { SWEEP_ASSEMBLE_QUEUE, SWEEP_CHUNK_QUEUE } from './sweep/contract.ts';
import { runChunk } from './sweep/run-chunk.ts';
import { syncAdjustments } from './sync/adjustments.ts';
import { SYNC_ADJUSTMENTS_QUEUE, SYNC_DAILY_BARS_QUEUE, SYNC_SYMBOLS_QUEUE } from './sync/contract.ts';
import { syncDailyBars } from './sync/daily-bars.ts';
import { runSync } from './sync/run.ts';
import { syncSymbols } from './sync/symbols.ts';
import { WEBHOOKS_QUEUE } from './webhooks/contract.ts';
import { deliverWebhooks } from './webhooks/run.ts';

/** Runs a job with the data that the queue has of it. */
type Handler = (context: JobContext, data: unknown) => Promise<void>;

/** A handler that checks the data against the contract of its queue. */
function handlerOf<S extends z.ZodType>(
  { payload }: { readonly payload: S },
  run: (context: JobContext, payload: z.output<S>) => Promise<void>,
): Handler {
  return (context, data) => run(context, payload.parse(data));
}

export const HANDLERS = {
  [BACKTEST_QUEUE.name]: handlerOf(BACKTEST_QUEUE, runBacktestJob),
  [OPTIMIZE_QUEUE.name]: handlerOf(OPTIMIZE_QUEUE, runOptimizeJob),
  [PORTFOLIO_QUEUE.name]: handlerOf(PORTFOLIO_QUEUE, runPortfolioJob),
  [SWEEP_CHUNK_QUEUE.name]: handlerOf(SWEEP_CHUNK_QUEUE, runChunk),
  [SWEEP_ASSEMBLE_QUEUE.name]: handlerOf(SWEEP_ASSEMBLE_QUEUE, assembleSweep),
  [VERIFY_QUEUE.name]: handlerOf(VERIFY_QUEUE, runVerifyJob),
  [LOOK_AHEAD_QUEUE.name]: handlerOf(LOOK_AHEAD_QUEUE, runLookAheadJob),
  [VERIFY_SAMPLE_QUEUE.name]: handlerOf(VERIFY_SAMPLE_QUEUE, runVerifySampleJob),
  [LOGIN_CODE_QUEUE.name]: handlerOf(LOGIN_CODE_QUEUE, sendLoginCode),
  [EXPORT_QUEUE.name]: handlerOf(EXPORT_QUEUE, runExport),
  [EXPORT_EXPIRE_QUEUE.name]: handlerOf(EXPORT_EXPIRE_QUEUE, expireExports),
  [SIGNALS_QUEUE.name]: handlerOf(SIGNALS_QUEUE, evaluateSignals),
  [SIGNAL_MAIL_QUEUE.name]: handlerOf(SIGNAL_MAIL_QUEUE, mailSignals),
  [WEBHOOKS_QUEUE.name]: handlerOf(WEBHOOKS_QUEUE, deliverWebhooks),
  [SNAPSHOT_QUEUE.name]: handlerOf(SNAPSHOT_QUEUE, buildSnapshot),
  [SCREEN_QUEUE.name]: handlerOf(SCREEN_QUEUE, runScreenJob),
  [SQL_QUEUE.name]: handlerOf(SQL_QUEUE, runSqlJob),
  [LAKE_QUEUE.name]: handlerOf(LAKE_QUEUE, writeLake),
  [REMOVE_OBJECTS_QUEUE.name]: handlerOf(REMOVE_OBJECTS_QUEUE, removeObjects),
  [REMOVE_ORPHANS_QUEUE.name]: handlerOf(REMOVE_ORPHANS_QUEUE, removeOrphans),
  [SYNC_SYMBOLS_QUEUE.name]: handlerOf(SYNC_SYMBOLS_QUEUE, (context, { syncJobId }) =>
    runSync(context, syncJobId, syncSymbols),
  ),
  [SYNC_ADJUSTMENTS_QUEUE.name]: handlerOf(SYNC_ADJUSTMENTS_QUEUE, (context, { syncJobId }) =>
    runSync(context, syncJobId, syncAdjustments),
  ),
  [SYNC_DAILY_BARS_QUEUE.name]: handlerOf(SYNC_DAILY_BARS_QUEUE, (context, { syncJobId }) =>
    runSync(context, syncJobId, syncDailyBars),
  ),
} satisfies Readonly<Record<QueueName, Handler>>;
