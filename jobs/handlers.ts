/** Which function runs the jobs of which queue. */
import { runBacktestJob } from './backtest/run.ts';
import { runOptimizeJob } from './backtest/run-optimize.ts';
import { expireExports } from './export/expire.ts';
import { runExport } from './export/run.ts';
import type { JobContext } from './job-context.ts';
import { sendLoginCode } from './mail/run.ts';
import type { Payload, QueueName } from './queue/queues.ts';
import { buildSnapshot } from './snapshot/run.ts';
import { removeObjects } from './storage/remove-objects.ts';
import { removeOrphans } from './storage/remove-orphans.ts';
import { syncAdjustments } from './sync/adjustments.ts';
import { syncDailyBars } from './sync/daily-bars.ts';
import { runSync } from './sync/run.ts';
import { syncSymbols } from './sync/symbols.ts';

type Handlers = { readonly [Q in QueueName]: (context: JobContext, payload: Payload<Q>) => Promise<void> };

export const HANDLERS: Handlers = {
  backtest: runBacktestJob,
  optimize: runOptimizeJob,
  'mail.login_code': sendLoginCode,
  export: runExport,
  'export.expire': expireExports,
  'snapshot.build': buildSnapshot,
  'storage.remove': removeObjects,
  'storage.sweep': removeOrphans,
  'sync.symbols': (context, payload) => runSync(context, payload.syncJobId, syncSymbols),
  'sync.adjustments': (context, payload) => runSync(context, payload.syncJobId, syncAdjustments),
  'sync.daily_bars': (context, payload) => runSync(context, payload.syncJobId, syncDailyBars),
};
