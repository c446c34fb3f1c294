/** Doubts about the data of a rotation that its result mentions. */
import type { Day } from '../market/dates.ts';
import { CONSOLIDATED_FROM } from '../market/venue-basis.ts';
import type { Panel } from './panel.ts';
import type { RotationRun } from './rotation.ts';

/** Sessions without a bar after which the line of a name may have ended without a delisting on record. */
const LONG_SILENCE = 20;

/** Members that were held while they had no bar for many sessions. */
export function endedLines({ members, clock }: Panel, { trades }: Pick<RotationRun, 'trades'>): number[] {
  const sessionOf = new Map(Array.from(clock, (day, t) => [day, t]));
  const between = (from: Day, to: Day) => (sessionOf.get(to) ?? 0) - (sessionOf.get(from) ?? 0);
  const found = new Set<number>();
  for (const { instrument, entryIndex, exitIndex, exitDay } of trades) {
    const { day } = members[instrument].series;
    let silence = between(day[exitIndex], exitDay);
    for (let bar = entryIndex; bar < exitIndex; bar++) silence = Math.max(silence, between(day[bar], day[bar + 1]) - 1);
    if (silence >= LONG_SILENCE) found.add(instrument);
  }
  return [...found].sort((a, b) => a - b);
}

/** Whether a range lies on both sides of the day from which volumes are those of all venues: a threshold on them then means two things. */
export function spansVolumeBases({ clock }: Pick<Panel, 'clock'>): boolean {
  return clock[0] < CONSOLIDATED_FROM && clock[clock.length - 1] >= CONSOLIDATED_FROM;
}
