/** The sessions on which a rotation is rebalanced. */
import { periodEnds, type RebalancePeriod } from '../portfolio/clock.ts';

export const SESSIONS_RANGE = { min: 1, max: 252 } as const;
export const OFFSET_RANGE = { min: 0, max: 20 } as const;

export interface Schedule {
  /** The last session of each period, or every so many sessions of the range. */
  readonly every: Exclude<RebalancePeriod, 'none'> | { readonly sessions: number };
  /** Sessions later. */
  readonly offset: number;
}

/** Indices in the clock, oldest first. The last session of the range is never one: nothing bought on it could be held. */
export function rebalanceSessions(clock: Int32Array, { every, offset }: Schedule): number[] {
  const isDue =
    typeof every === 'string'
      ? periodEnds(clock, every)
      : Uint8Array.from(clock, (_, t) => Number((t + 1) % every.sessions === 0));
  const last = clock.length - 1;
  return [...isDue.keys()].filter((t) => isDue[t] === 1).flatMap((t) => (t + offset < last ? [t + offset] : []));
}
