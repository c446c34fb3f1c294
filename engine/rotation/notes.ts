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

/**
 * Whether volumes of one venue and of all venues are mixed: a window of so many bars of volume, at one of the rebalances, begins
 * before the bars of all venues do and ends after.
 */
export function mixesVolumes({ sessions, first, clock }: Panel, rebalances: readonly number[], bars: number): boolean {
  return rebalances.some((t) => {
    const begin = sessions[Math.max(0, first + t + 1 - bars)];
    return clock[t] >= CONSOLIDATED_FROM && begin < CONSOLIDATED_FROM;
  });
}
