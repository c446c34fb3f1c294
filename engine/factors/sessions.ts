/** The sessions of a factor study: those whose values are looked at, and those that forward returns end on. */
import { civilDate, type Day } from '../market/dates.ts';
import { periodEnds } from '../portfolio/clock.ts';

export const EVERY = ['day', 'week', 'month'] as const;
export type Every = (typeof EVERY)[number];

/** Sessions of the clock, or to the next session that is looked at. */
export type Horizon = number | 'step';

export interface StudySessions {
  /** Every day of the range on which any member has a bar. */
  readonly clock: Int32Array;
  /** Indices in the clock, ascending: the last one of each period, that of the range included. */
  readonly looked: readonly number[];
  /** Indices in the clock: the last session of each month. */
  readonly monthEnds: readonly number[];
  /** Sessions between a value and the closes that its forward return begins at. */
  readonly delay: 0 | 1;
}

export function studySessions(clock: Int32Array, every: Every, delay: 0 | 1): StudySessions {
  const looked = every === 'day' ? [...clock.keys()] : lastOfEach(clock, every);
  return { clock, looked, monthEnds: lastOfEach(clock, 'month'), delay };
}

function lastOfEach(clock: Int32Array, every: 'week' | 'month'): number[] {
  const ends = periodEnds(clock, every);
  return [...clock.keys()].filter((t) => ends[t] === 1 || t === clock.length - 1);
}

/** Indices in the clock of the closes of a forward return; null: it ends after the range. `row`: index in `looked`. */
export function spanOf(
  { clock, looked, delay }: StudySessions,
  row: number,
  horizon: Horizon,
): readonly [from: number, to: number] | null {
  const from = looked[row] + delay;
  const to = horizon === 'step' ? (looked[row + 1] ?? clock.length) + delay : from + horizon;
  return to < clock.length ? [from, to] : null;
}

/** The fewest sessions that a horizon takes: how horizons are ordered by length. */
export function leastSpan({ looked }: StudySessions, horizon: Horizon): number {
  if (horizon !== 'step') return horizon;
  return looked.reduce((least, at, row) => (row === 0 ? least : Math.min(least, at - looked[row - 1])), Infinity);
}

/** How many rows back forward returns may overlap: the most rows of which the last lies within a horizon of the first. */
export function overlapOf({ looked }: StudySessions, horizon: Horizon): number {
  if (horizon === 'step') return 0;
  let most = 0;
  for (let row = 0, first = 0; row < looked.length; row++) {
    while (looked[row] - looked[first] >= horizon) first++;
    most = Math.max(most, row - first);
  }
  return most;
}

/** Rows whose forward returns do not overlap: from the first on, the next that begins where the one before has ended. */
export function separateRows({ looked }: StudySessions, horizon: Horizon): number[] {
  const rows: number[] = [];
  let next = 0;
  for (const [row, at] of looked.entries()) {
    if (horizon !== 'step' && at < next) continue;
    rows.push(row);
    if (horizon !== 'step') next = at + horizon;
  }
  return rows;
}

export const yearOf = (day: Day): number => civilDate(day).year;
