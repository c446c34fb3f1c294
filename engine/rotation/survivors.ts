/** How much better a universe looks from which those that failed were left out. */
import { fromKeys, keysOf } from '../util/values.ts';
import type { Panel, PanelMember } from './panel.ts';

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
