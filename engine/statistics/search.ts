/** Statistics of a search that account for chance and selection. */
import { type Moments, momentsOf, returnsOf } from './moments.ts';
import { type Overfitting, overfittingOf } from './overfitting.ts';
import { type RealityCheck, realityCheckOf } from './reality-check.ts';
import { spreadOf } from './selection.ts';
import { type RunStatistics, statisticsOfRun } from './single-run.ts';

/** Columns at most of the overfitting test and the reality check. */
const MAX_COLUMNS = 500;

/** Keeps what the statistics need of each combination while a search runs. */
export class SearchReturns {
  private readonly initialCapital: number;
  private readonly sharpes: Float64Array;
  /** By the number of the combination; beyond `MAX_COLUMNS` an evenly spread sample of them. */
  private readonly columns: ReadonlyMap<number, Float64Array>;
  private readonly scratch: Float64Array;

  /** For a grid of `combinations` over `bars`. */
  constructor(combinations: number, bars: number, initialCapital: number) {
    this.initialCapital = initialCapital;
    this.sharpes = new Float64Array(combinations);
    this.scratch = new Float64Array(bars);
    const count = Math.min(combinations, MAX_COLUMNS);
    const sampled = Array.from({ length: count }, (_, i) => Math.floor((i * combinations) / count));
    this.columns = new Map(sampled.map((index) => [index, new Float64Array(bars)]));
  }

  /** Takes the equity of a combination, by its number in grid order. */
  add(combination: number, equity: Float64Array): void {
    const returns = returnsOf(equity, this.initialCapital, this.columns.get(combination) ?? this.scratch);
    this.sharpes[combination] = momentsOf(returns)?.sharpe ?? 0;
  }

  /** Spread of the Sharpe ratios of all combinations, per bar. */
  get spread(): number | null {
    return spreadOf(this.sharpes);
  }

  /** In grid order. */
  get sample(): readonly Float64Array[] {
    return [...this.columns.values()];
  }
}

export interface SearchStatistics {
  /** The statistics of the best combination over the whole range. */
  readonly run: RunStatistics;
  readonly moments: Moments | null;
  /** Columns of the overfitting test and the reality check. */
  readonly columns: number;
  readonly overfitting: Overfitting | null;
  readonly realityCheck: RealityCheck | null;
}

/** Returns of buying at the first close and holding, 0 on the first bar; no costs. */
function holdingReturns(close: Float64Array): Float64Array {
  return close.map((price, t) => (t === 0 ? 0 : price / close[t - 1] - 1));
}

/**
 * `best`: returns of the best combination; `close`: of the range; `days`: calendar days from its first bar to its last;
 * `seed`: 16 hex digits.
 */
export function statisticsOfSearch(
  { sample }: SearchReturns,
  best: Float64Array,
  close: Float64Array,
  days: number,
  seed: string,
): SearchStatistics {
  return {
    run: statisticsOfRun(best, days, seed),
    moments: momentsOf(best),
    columns: sample.length,
    overfitting: overfittingOf(sample),
    realityCheck: realityCheckOf(sample, best, holdingReturns(close), seed),
  };
}
