/**
 * Checks newly loaded sessions before anything is computed from them. A session that looks wrong holds back the screener's
 * snapshot until the session is loaded again and passes, or an operator releases it.
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
import { PermanentFailure } from '../contracts/job-context.ts';

/** The venue basis that is served and screened. */
export const CHECKED_VENUE_BASIS = 'consolidated';

/** Older sessions are not checked, so that the crash of 2020 does not hold back a first load of ten years. */
const LOOK_BACK_DAYS = 10;

/** Smaller counts are ignored, whatever their share. */
const FEW = 10;
const MIN_ROWS_SHARE = 0.9;
const MAX_ZERO_VOLUME_SHARE = 0.05;
const MAX_JUMPS_SHARE = 0.01;

/** The problems of a session, as text for operators; empty: none. */
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

/** Checks the sessions that were loaded since the last check; resolves with all held sessions. */
export async function checkNewSessions(pool: Pool, now: number, log: Logger): Promise<HeldSession[]> {
  const newest = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(now));
  if (newest === null) return [];
  for (const day of await selectUncheckedSessions(pool, CHECKED_VENUE_BASIS, newest - LOOK_BACK_DAYS)) {
    const figures = await selectSessionFigures(pool, CHECKED_VENUE_BASIS, day);
    const problems = problemsOf(figures);
    await saveSessionCheck(pool, CHECKED_VENUE_BASIS, day, figures, problems);
    if (problems.length > 0) {
      log.error(
        { session: formatDay(day), problems, runbook: 'ops/docs/RUNBOOK.md#quality' },
        'a session is held back',
      );
    }
  }
  return selectHeldSessions(pool, CHECKED_VENUE_BASIS);
}

/** Throws when a session is held back, because no file may be built from it. */
export async function assertNoneHeld(pool: Pool, now: number, log: Logger): Promise<void> {
  const held = await checkNewSessions(pool, now, log);
  if (held.length > 0) throw new PermanentFailure(`held back: ${describeHeld(held)}`);
}

/** Describes held sessions in one line. */
export function describeHeld(held: readonly HeldSession[]): string {
  return held.map(({ day, problems }) => `${formatDay(day)}: ${problems.join('; ')}`).join(' | ');
}
