/**
 * Looks at newly loaded sessions before anything is computed from them. What looks wrong holds the screener's snapshot back
 * until the session is loaded again and looks right, or somebody releases it.
 */
import type { Logger } from 'pino';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import {
  type HeldSession,
  type SessionFigures,
  saveSessionCheck,
  selectHeldSessions,
  selectSessionFigures,
  selectUncheckedSessions,
} from '../../db/market/session-checks.ts';
import type { Pool } from '../../db/pool.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { formatDay } from '../../engine/market/dates.ts';

/** The one basis that is served and screened on. */
export const CHECKED_VENUE_BASIS = 'consolidated';

/** Older sessions are history: a first load of ten years is not held back by a crash of the market in 2020. */
const LOOK_BACK_DAYS = 10;

/** Fewer than this many are chance, whatever their share. */
const FEW = 10;
const MIN_ROWS_SHARE = 0.9;
const MAX_ZERO_VOLUME_SHARE = 0.05;
const MAX_JUMPS_SHARE = 0.01;

/** What is wrong with a session, in words for operators; empty: nothing. */
function problemsOf({ rows, rowsBefore, zeroVolume, zeroVolumeBefore, jumps }: SessionFigures): string[] {
  const problems: string[] = [];
  const missing = (rowsBefore ?? 0) - rows;
  if (missing > FEW && rows < MIN_ROWS_SHARE * (rowsBefore ?? 0)) {
    problems.push(`${rows} rows, ${missing} fewer than the session before`);
  }
  const usualZeroes = zeroVolumeBefore ?? 0;
  if (zeroVolume > FEW && zeroVolume > MAX_ZERO_VOLUME_SHARE * rows && zeroVolume > 2 * usualZeroes) {
    problems.push(`${zeroVolume} of ${rows} bars without volume, ${usualZeroes} the session before`);
  }
  if (jumps > FEW && jumps > MAX_JUMPS_SHARE * rows) {
    problems.push(`${jumps} prices have doubled or halved without a split`);
  }
  return problems;
}

/** Looks at what was loaded since the last look; resolves with what is held back now. */
export async function checkNewSessions(pool: Pool, now: number, log: Logger): Promise<HeldSession[]> {
  const newest = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(now));
  if (newest === null) return [];
  for (const day of await selectUncheckedSessions(pool, CHECKED_VENUE_BASIS, newest - LOOK_BACK_DAYS)) {
    const figures = await selectSessionFigures(pool, CHECKED_VENUE_BASIS, day);
    const problems = problemsOf(figures);
    await saveSessionCheck(pool, CHECKED_VENUE_BASIS, day, figures, problems);
    if (problems.length > 0) {
      log.error({ session: formatDay(day), problems, runbook: 'ops/RUNBOOK.md#quality' }, 'a session is held back');
    }
  }
  return selectHeldSessions(pool, CHECKED_VENUE_BASIS);
}

/** Held sessions in one line. */
export function describeHeld(held: readonly HeldSession[]): string {
  return held.map(({ day, problems }) => `${formatDay(day)}: ${problems.join('; ')}`).join(' | ');
}
