/** The first pass over the histories of a rotation: by its job alone, or, if they do not fit in its memory, in chunks. */
import { countBars } from '../backtest/history.ts';
import { cutIntoChunks } from './chunks.ts';
import type { Fleet } from './fleet.ts';
import { type Facts, type RangeSpec, readFacts, type UniverseContext } from './histories.ts';
import { KEPT_LIMITS, KeptHistories, type KeptLimits } from './kept-histories.ts';

export interface ReadingOptions {
  readonly limits?: KeptLimits;
  /** Other workers, for a universe beyond the limits. Absent: this job reads it alone. */
  readonly fleet?: Fleet | undefined;
}

/** How histories are read after the first pass. */
export interface Reading {
  /** Null: none are in memory. */
  readonly kept: KeptHistories | null;
  /** Null: by this job alone. */
  readonly fleet: Fleet | null;
}

/** `ids`: ascending. */
export async function firstPass(
  context: UniverseContext,
  spec: RangeSpec,
  ids: readonly number[],
  isOfCloses: boolean,
  { limits = KEPT_LIMITS, fleet }: ReadingOptions,
): Promise<{ readonly facts: readonly Facts[]; readonly reading: Reading }> {
  const bars = fleet ? await countBars(context.pool, ids, spec.end ?? spec.asOf) : 0;
  if (fleet && bars > (isOfCloses ? limits.closes : limits.whole)) {
    const works = cutIntoChunks(ids, bars, fleet.chunkBars).map((some) => ({ ids: some }));
    return { facts: await fleet.compute('facts', works, (result) => result), reading: { kept: null, fleet } };
  }
  const kept = new KeptHistories(isOfCloses ? limits : { ...limits, closes: 0 });
  const facts = await readFacts(context, spec, ids, (id, history) => kept.add(id, history));
  return { facts: [facts], reading: { kept, fleet: null } };
}
