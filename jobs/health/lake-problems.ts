/** Whether the files of the lake are there as its manifest says, and as new as the loaded data. */
import { selectLake, selectLakeFiles } from '../../db/lake/lake-files.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import type { Pool } from '../../db/pool.ts';
import { newestDistributableDay, sessionsAfter } from '../../engine/market/calendar.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { LAKE_PREFIX, lakeKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { Problem } from './check.ts';

/** `at` in Unix milliseconds; `most`: loaded sessions that the files may lack. Before the first write there is no problem. */
export async function lakeProblems(pool: Pool, storage: ObjectStorage, at: number, most: number): Promise<Problem[]> {
  const newest = await selectNewestSession(pool, 'consolidated', newestDistributableDay(at));
  const lake = await selectLake(pool);
  if (newest === null || !lake) return [];
  const behind = sessionsAfter(requireDay(lake.newestSession), newest);
  if (behind > most) return [{ text: `they are ${behind} sessions behind`, count: behind }];
  const stored = new Map<string, number>();
  for await (const { key, bytes } of storage.list(LAKE_PREFIX)) stored.set(key, bytes);
  const files = (await selectLakeFiles(pool)).filter(({ isBeingReplaced }) => !isBeingReplaced);
  const wrong = files.filter(({ path, bytes }) => stored.get(lakeKey(path)) !== bytes);
  if (wrong.length === 0) return [];
  const [{ path }] = wrong;
  return [
    {
      text: `${wrong.length} of ${files.length} files are missing or of another size, ${path} first`,
      count: wrong.length,
      detail: path,
    },
  ];
}
