/** Forgets a file: bars and events that vanished with it, or from it, are removed, and nothing else is. */
import type { PgBoss } from 'pg-boss';
import type { Actor } from '../../db/actors.ts';
import type { Connection } from '../../db/pool.ts';
import { deleteFileReadings, selectReadFile } from '../../db/queue/file-readings.ts';
import { VENUE_BASES } from '../../engine/market/venue-basis.ts';
import type { SyncSpec } from '../contracts/sync.ts';
import { enqueueSync } from './enqueue.ts';

/** Queues the jobs that remove them, and returns their ids; none: no load has read the file. A file that is there is read again. */
export async function forgetFile(
  connection: Connection,
  boss: PgBoss,
  path: string,
  requestedBy: Actor,
): Promise<number[]> {
  const read = await selectReadFile(connection, path);
  if (read === null) return [];
  const { start, end, tickers } = read;
  const of: SyncSpec = { forget: path, symbols: tickers ? [...tickers] : undefined };
  const events = await enqueueSync(connection, boss, { jobType: 'adjustments', spec: of, requestedBy });
  const days = start !== null && end !== null ? { start, end, venue_mode: basisOf(path) } : null;
  const bars =
    days && (await enqueueSync(connection, boss, { jobType: 'daily_bars', spec: { ...of, ...days }, requestedBy }));
  await deleteFileReadings(connection, path);
  return [events, bars].filter((id) => id !== null);
}

/** The venue basis of the bars of a file, by its folder. */
function basisOf(path: string) {
  const [top, basis] = path.split('/');
  return (top === 'daily' && VENUE_BASES.find((one) => one === basis)) || 'consolidated';
}
