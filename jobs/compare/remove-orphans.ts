/** Removes what old comparisons list, and files of comparisons that no row names. */
import { deleteOldDifferences } from '../../db/market/comparison-differences.ts';
import { selectComparisonIds } from '../../db/market/comparisons.ts';
import { COMPARISONS_PREFIX, comparisonKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';

/** Comparisons whose differences are listed. Files are kept longer. */
const LISTED_COMPARISONS = 20;

export async function removeUnknownComparisons({ pool, storage, signal }: JobContext): Promise<void> {
  await deleteOldDifferences(pool, LISTED_COMPARISONS);
  const stored: string[] = [];
  for await (const { key } of storage.list(COMPARISONS_PREFIX)) stored.push(key);
  // Rows are read after objects: a comparison is recorded before its file is stored.
  const known = new Set((await selectComparisonIds(pool)).map(comparisonKey));
  for (const key of stored.filter((one) => !known.has(one))) {
    signal.throwIfAborted();
    await storage.remove(key);
  }
}
