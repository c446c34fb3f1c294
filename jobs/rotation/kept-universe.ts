/**
 * The universe of a thread's latest rotation, in memory for the next one: a desk tries one rule after another on one market, and
 * reading the bars of a whole market takes longer than everything else of a rotation (`rotation.market_s`: 4.3 s, the first one 10).
 */
import type { RotationSpec } from '../contracts/rotation.ts';
import type { UniverseContext } from './histories.ts';
import type { KeptLimits } from './kept-histories.ts';
import { Universe } from './universe.ts';

/** Memory is given back when no rotation has needed it for so long. */
const KEPT_MS = 2 * 60_000;

class KeptUniverse {
  private kept: { readonly key: string; readonly universe: Universe } | null = null;
  private end: NodeJS.Timeout | undefined;

  /** The universe as it is at a version of the data; null when no instrument has a bar in the range. */
  async get(
    context: UniverseContext,
    spec: RotationSpec,
    isOfCloses: boolean,
    version: string,
    limits?: KeptLimits,
  ): Promise<Universe | null> {
    const { start, end, timeRange, asOf, adjust, universe: members } = spec;
    const key = JSON.stringify({ version, isOfCloses, start, end, timeRange, asOf, adjust, members });
    if (this.kept?.key === key) {
      this.keep(key, this.kept.universe);
      return this.kept.universe.forJob(context);
    }
    // Before another one is read, so that memory never holds both.
    this.drop();
    const universe = await Universe.read(context, spec, isOfCloses, limits);
    if (universe?.isInMemory) this.keep(key, universe);
    return universe;
  }

  private keep(key: string, universe: Universe): void {
    clearTimeout(this.end);
    this.kept = { key, universe };
    this.end = setTimeout(() => this.drop(), KEPT_MS).unref();
  }

  private drop(): void {
    clearTimeout(this.end);
    this.kept = null;
  }
}

/** The one that this thread keeps. */
export const keptUniverse = new KeptUniverse();
