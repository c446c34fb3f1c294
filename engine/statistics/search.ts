/** Statistics of a search that account for chance and selection. */
import { excessOf, type Nights } from '../backtest/rates.ts';
import { type CrossValidation, crossValidationOf } from './cross-validation.ts';
import { type Moments, momentsOf, returnsOf } from './moments.ts';
import { type Overfitting, overfittingOf } from './overfitting.ts';
import { type RealityCheck, realityCheckOf } from './reality-check.ts';
import { type Haircut, haircutOf, spreadOf } from './selection.ts';
import { type RunStatistics, statisticsOfRun } from './single-run.ts';
import { appraisalMoments } from './skill.ts';

/** Columns at most of the overfitting test and the reality check. */
const MAX_COLUMNS = 500;

/** The numbers of the columns among so many: all, or an evenly spread sample. */
export function sampledColumns(count: number): number[] {
  const columns = Math.min(count, MAX_COLUMNS);
  return Array.from({ length: columns }, (_, i) => Math.floor((i * count) / columns));
}

/** Keeps what the statistics need of each combination while a search runs. */
export class SearchReturns {
  /** Returns of what is held, per bar. */
  readonly market: Float64Array;
  readonly riskFree: Nights | null;
  private readonly excessMarket: Float64Array;
  private readonly initialCapital: number;
  private readonly sharpes: Float64Array;
  /** Appraisal ratios per bar; NaN where nothing is left beyond the market. */
  readonly appraisals: Float64Array;
  /** By the number of the combination; beyond `MAX_COLUMNS` an evenly spread sample of them. */
  private readonly columns: ReadonlyMap<number, Float64Array>;
  private readonly scratch: Float64Array;
  /** Bars of the longest trade of any combination. */
  longestHolding = 0;

  /** For a grid of `combinations`; `market`: returns of what is held, on the bars of the range. */
  constructor(combinations: number, market: Float64Array, initialCapital: number, riskFree: Nights | null = null) {
    const bars = market.length;
    this.market = market;
    this.riskFree = riskFree;
    this.excessMarket = excessOf(market, riskFree);
    this.initialCapital = initialCapital;
    this.sharpes = new Float64Array(combinations);
    this.appraisals = new Float64Array(combinations);
    this.scratch = new Float64Array(bars);
    this.columns = new Map(sampledColumns(combinations).map((index) => [index, new Float64Array(bars)]));
  }

  /** Takes the equity and the trades of a combination, by its number in grid order. */
  add(
    combination: number,
    equity: Float64Array,
    trades: readonly { readonly entryIndex: number; readonly exitIndex: number }[] = [],
  ): void {
    for (const { entryIndex, exitIndex } of trades)
      this.longestHolding = Math.max(this.longestHolding, exitIndex - entryIndex);
    const returns = returnsOf(equity, this.initialCapital, this.columns.get(combination) ?? this.scratch);
    this.sharpes[combination] = momentsOf(returns)?.sharpe ?? 0;
    this.appraisals[combination] =
      appraisalMoments(excessOf(returns, this.riskFree), this.excessMarket)?.sharpe ?? Number.NaN;
  }

  /** Spread of the Sharpe ratios of all combinations, per bar. */
  get spread(): number | null {
    return spreadOf(this.sharpes);
  }

  /** Spread of the appraisal ratios of the sample, per bar; those of nothing beyond the market are 0. */
  get appraisalSpread(): number | null {
    return spreadOf(Float64Array.from(this.sampled, (combination) => this.appraisals[combination] || 0));
  }

  /** The Sharpe ratio of every combination, per bar; 0 where it has none. */
  get allSharpes(): Float64Array {
    return this.sharpes;
  }

  /** The number of the combination of each column of the sample. */
  get sampled(): readonly number[] {
    return [...this.columns.keys()];
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
  /** Moments of the best's gain beyond the market. */
  readonly appraisal: Moments | null;
  /** Columns of the overfitting test and the reality check. */
  readonly columns: number;
  readonly overfitting: Overfitting | null;
  readonly realityCheck: RealityCheck | null;
  /** Null where the range is short. */
  readonly crossValidation: CrossValidation | null;
  /** Null where the best has no Sharpe ratio above 0. */
  readonly haircut: Haircut | null;
  /** The numbers of the combinations that beat the benchmark in all tests together; null without a reality check. */
  readonly superior: readonly number[] | null;
}

/** `best`: returns of the best combination; `days`: calendar days from its first bar to its last; `seed`: 16 hex digits. */
export function statisticsOfSearch(
  returns: SearchReturns,
  best: Float64Array,
  days: number,
  seed: string,
): SearchStatistics {
  const { sample, sampled, allSharpes, longestHolding, market, riskFree } = returns;
  const [excess, excessMarket] = [best, market].map((one) => excessOf(one, riskFree));
  const moments = momentsOf(best);
  const realityCheck = realityCheckOf(sample, best, market, seed);
  return {
    moments,
    realityCheck,
    appraisal: appraisalMoments(excess, excessMarket),
    run: statisticsOfRun(best, excessMarket, days, seed, undefined, excess),
    columns: sample.length,
    overfitting: overfittingOf(sample),
    crossValidation: crossValidationOf(sample, longestHolding),
    haircut: moments && haircutOf(moments.sharpe, allSharpes, best.length),
    superior: realityCheck?.superior.map((column) => sampled[column]) ?? null,
  };
}
