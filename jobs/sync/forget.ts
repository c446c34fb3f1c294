/** Forgets files: bars and events that vanished with them, or from them, are removed, and nothing else is. */
import type { PgBoss } from 'pg-boss';
import type { Actor } from '../../db/actors.ts';
import type { Connection, Queryable } from '../../db/pool.ts';
import {
  deleteFileReadings,
  type ReadFile,
  selectFilesRead,
  selectPartialFilesBeside,
} from '../../db/queue/file-readings.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import type { TickerBook } from '../../engine/market/ticker-book.ts';
import { placeOf } from '../providers/files/facts.ts';
import type { LoadUnit } from '../providers/provider.ts';
import { enqueueSync } from './enqueue.ts';

/** The files to forget, and the reasons why some cannot be forgotten. */
interface Forgettable {
  readonly files: readonly ReadFile[];
  /** No load has read these. */
  readonly unknown: readonly string[];
  /** Other files that are gone or not loaded whole: what came from them could not be told from what vanished. */
  readonly beside: readonly string[];
}

export async function readForgettable(db: Queryable, paths: readonly string[]): Promise<Forgettable> {
  const files = await selectFilesRead(db, paths);
  const known = new Set(files.map(({ path }) => path));
  const bases = new Set(paths.map(basisOf));
  const partial = await selectPartialFilesBeside(db, paths);
  return {
    files,
    unknown: paths.filter((path) => !known.has(path)),
    beside: partial.filter((path) => bases.has(basisOf(path)) && !placeOf(path).isColumn),
  };
}

/** Queues the jobs that remove what vanished, and returns their ids. A file that is there is read again by the next load. */
export async function forgetFiles(
  connection: Connection,
  boss: PgBoss,
  files: readonly ReadFile[],
  requestedBy: Actor,
): Promise<number[]> {
  const ids: (number | null)[] = [];
  for (const { path, start, end, tickers } of files) {
    const forget = { path, tickers: tickers && [...tickers] };
    if (tickers !== null) {
      ids.push(await enqueueSync(connection, boss, { jobType: 'adjustments', spec: { forget }, requestedBy }));
    }
    if (start !== null && end !== null) {
      const spec = { forget, start, end, venue_mode: basisOf(path) };
      ids.push(await enqueueSync(connection, boss, { jobType: 'daily_bars', spec, requestedBy }));
    }
    await deleteFileReadings(connection, path);
  }
  return ids.filter((id) => id !== null);
}

const basisOf = (path: string) => placeOf(path).venueBasis;

/** Everything that has had one of the tickers. */
export function instrumentsOf(book: TickerBook, tickers: readonly string[]): number[] {
  return [...new Set(tickers.flatMap((ticker) => book.spans(ticker).map(({ instrumentId }) => instrumentId)))];
}

/** One unit of all days, also of those for which there is no file any more. */
export function wholeUnit(planned: readonly LoadUnit[], start: Day, end: Day, files: ReadonlySet<string>): LoadUnit {
  const weight = planned.reduce((sum, unit) => sum + unit.weight, 1);
  const parts = planned.flatMap((unit) => unit.parts).filter((path) => files.has(path));
  return { key: `${formatDay(start)}..${formatDay(end)}`, start, end, isClipped: true, weight, parts };
}
