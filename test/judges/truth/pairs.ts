/** Figures of the same names on both sides. */
import type { Pair } from './suite.ts';

export type Figures = Readonly<Record<string, number | string | null>>;

/** A pair for each of their figures; ours may have more. `of` is what they are figures of. */
export function pairUp(of: string, theirs: Figures, ours: Figures): Pair[] {
  return Object.entries(theirs).map(([name, figure]) => {
    if (!Object.hasOwn(ours, name)) throw new RangeError(`no figure of ours is called ${name}`);
    return { name: `${name} of ${of}`, theirs: figure, ours: ours[name] };
  });
}
