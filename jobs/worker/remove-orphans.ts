/** Once a night: removes what processes that died have left behind in the storage. */
import { MS_PER_DAY } from '../../engine/market/dates.ts';
import { removeBacktestOrphans } from '../backtest/remove-orphans.ts';
import { removeUnknownComparisons } from '../compare/remove-orphans.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { removeExportOrphans } from '../export/expire.ts';
import { removePastSnapshots } from '../screen/run.ts';
import { removeSweepOrphans } from '../sweep/remove-orphans.ts';

export async function removeOrphans(context: JobContext): Promise<void> {
  const { storage, now, log } = context;
  const unfinished = await storage.removeUnfinished(new Date(now() - MS_PER_DAY));
  if (unfinished > 0) log.warn({ writes: unfinished }, 'unfinished writes were removed');
  await removeExportOrphans(context);
  await removeBacktestOrphans(context);
  await removeSweepOrphans(context);
  await removePastSnapshots(context);
  await removeUnknownComparisons(context);
}
