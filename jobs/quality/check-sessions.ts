/**
 * Checks newly loaded sessions before anything is computed from them, and the events of the whole market against its prices. A session
 * that looks wrong holds back the screener's snapshot until it is loaded again and passes, or an operator releases it.
 */
import type { Logger } from 'pino';
import { selectAdjustments } from '../../db/market/adjustments.ts';
import { type FoundOf, saveFindings } from '../../db/market/findings.ts';
import { selectInstrumentKeys } from '../../db/market/instrument-list.ts';
import { selectUnlistedTickers } from '../../db/market/instruments.ts';
import { selectNewestSession } from '../../db/market/loaded-sessions.ts';
import { streamSeries } from '../../db/market/series-stream.ts';
import {
  type HeldSession,
  type SessionFigures,
  saveSessionCheck,
  selectHeldSessions,
  selectSessionFigures,
  selectUncheckedSessions,
} from '../../db/market/session-checks.ts';
import { type Connection, type Pool, transaction } from '../../db/pool.ts';
import { tellOfTicker } from '../../db/queue/file-readings.ts';
import { endStep } from '../../db/queue/session-steps.ts';
import { newestDistributableDay } from '../../engine/market/calendar.ts';
import { type Day, FAR_FUTURE, formatDay } from '../../engine/market/dates.ts';
import { type Finding, findEventDoubts, findHoles } from '../../engine/market/findings.ts';
import { reusedMemory } from '../../engine/market/series.ts';
import { lifeOf, likelyRenames, renameSentence, type TickerLife } from '../../engine/market/ticker-book.ts';
import { SPLICE_YEAR, spliceSeries } from '../../engine/market/venue-basis.ts';
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
    await transaction(pool, (connection) => checkSession(connection, day, now, log));
  }
  return selectHeldSessions(pool, CHECKED_VENUE_BASIS);
}

/** Checks a loaded session in the caller's transaction. An earlier release no longer counts. */
export async function checkSession(connection: Connection, day: Day, now: number, log: Logger): Promise<void> {
  const figures = await selectSessionFigures(connection, CHECKED_VENUE_BASIS, day);
  const problems = problemsOf(figures);
  const held = problems.length > 0 ? problems.join('; ') : null;
  await saveSessionCheck(connection, CHECKED_VENUE_BASIS, day, figures, problems);
  await endStep(connection, { step: 'check', days: [day], at: new Date(now), rows: figures.rows, held });
  if (held === null) return;
  log.error({ session: formatDay(day), problems, runbook: 'ops/docs/RUNBOOK.md#quality' }, 'a session is held back');
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

/** Records what is in doubt among the events, and likely renames of tickers without a list. Reads every bar. */
export async function checkFindings(pool: Pool, now: number, log: Logger, signal?: AbortSignal): Promise<void> {
  const events = await selectAdjustments(pool);
  const ids = (await selectInstrumentKeys(pool)).map(({ id }) => id);
  const unlisted = await selectUnlistedTickers(pool);
  const lives: TickerLife[] = [];
  const allocate = reusedMemory();
  const found: FoundOf[] = [];
  for await (const { instrumentId, primary, consolidated } of streamSeries(pool, ids, SPLICE_YEAR)) {
    signal?.throwIfAborted();
    const series = spliceSeries(primary, consolidated, FAR_FUTURE, allocate);
    const ticker = unlisted.get(instrumentId);
    if (ticker !== undefined && series.length > 0) lives.push(lifeOf(ticker, series));
    const doubts = findEventDoubts(series, events.get(instrumentId) ?? []);
    for (const finding of [...doubts, ...withoutTwins([...findHoles(primary), ...findHoles(consolidated)])]) {
      found.push({ ...finding, instrumentId });
    }
  }
  const renames = likelyRenames(lives);
  const changed = await transaction(pool, async (connection) => {
    for (const one of renames) await tellOfTicker(connection, one.to, one.lastDay + 1, renameSentence(one));
    return saveFindings(connection, found, new Date(now));
  });
  if (changed > 0) log.info({ findings: found.length, changed }, 'events and prices were checked');
}

/** Both venue bases may lack the same days. */
function withoutTwins(holes: readonly Finding[]): Finding[] {
  return [...new Map(holes.map((hole) => [hole.day, hole])).values()];
}
