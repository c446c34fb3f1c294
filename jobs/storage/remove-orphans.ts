/** Once a night: what deaths of processes have left behind in the storage. */
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { sweepBacktests } from '../backtest/remove-orphans.ts';
import { sweepExports } from '../export/expire-exports.ts';
import type { JobContext } from '../job-context.ts';

export async function sweepStorage(context: JobContext): Promise<void> {
  const { storage, now, log } = context;
  const unfinished = await storage.removeUnfinished(new Date(now() - MS_PER_DAY));
  if (unfinished > 0) log.warn({ writes: unfinished }, 'unfinished writes were removed');
  await sweepExports(context);
  await sweepBacktests(context);
}
