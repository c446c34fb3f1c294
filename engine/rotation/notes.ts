/** Doubts about the data of a rotation that its result mentions, and how much better its universe looks without those that failed. */
import type { Day } from '../market/dates.ts';
import { CONSOLIDATED_FROM } from '../market/venue-basis.ts';
import { fromKeys, keysOf } from '../util/values.ts';
import type { Panel, PanelMember } from './panel.ts';
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

/** The members with a bar on the last session. */
export function survivorsOf({ members, clock }: Panel): PanelMember[] {
  const last = clock[clock.length - 1];
  return members.filter(({ series, to }) => to > 0 && series.day[to - 1] === last);
}

/** A figure of the survivors less that of the run, for every figure that both have. */
export function survivorshipGap<K extends string>(
  survivors: Readonly<Record<K, number | null>>,
  run: Readonly<Record<K, number | null>>,
): Record<K, number | null> {
  return fromKeys(keysOf(run), (key) => {
    const [theirs, ours] = [survivors[key], run[key]];
    return theirs === null || ours === null ? null : theirs - ours;
  });
}
