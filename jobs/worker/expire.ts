/** Once an hour: removes files whose time is over. */

import type { JobContext } from '../contracts/job-context.ts';
import { expireExports } from '../export/expire.ts';
import { removeSqlResults } from '../sql/expire.ts';

export async function removeExpired(context: JobContext): Promise<void> {
  await expireExports(context);
  await removeSqlResults(context);
}
