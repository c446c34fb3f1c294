/** A run as it is measured beside the market that was held. */
import { excessOf, type Nights } from '../../engine/backtest/rates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { minTrackRecord, momentsOf } from '../../engine/statistics/moments.ts';
import type { SearchReturns, SearchStatistics } from '../../engine/statistics/search.ts';
import { tallyOf } from '../../engine/statistics/selection.ts';
import { type ResampleTaker, statisticsOfRun } from '../../engine/statistics/single-run.ts';
import { appraisalMoments, MIN_RETURNS } from '../../engine/statistics/skill.ts';
import { type ReportedStatistics, reportStatistics, type SelectionBasis, sharpeMoments } from './statistics.ts';

/** The market that is held beside a run, by which its skill is told. */
export interface HeldMarket {
  /** `buy_hold`, `equal_weight_daily`, or `<TICKER>.US` */
  readonly name: string;
  /** On the bars of the run, 0 on the first. */
  readonly returns: Float64Array;
}

export const BUY_HOLD = 'buy_hold';

export interface MeasuredRun {
  /** Undefined: none were requested. */
  readonly statistics: ReportedStatistics | undefined;
  /** The minimum track record of what it earned beyond the market, or of a short run by itself, in bars; null: there is none. */
  readonly minTrackRecordBars: number | null;
  readonly basis: SelectionBasis;
}

interface Measuring {
  /** Calendar days from the first bar to the last. */
  readonly days: number;
  readonly seed: string;
  /** Whether statistics were requested. */
  readonly isWanted: boolean;
  readonly taker?: ResampleTaker | undefined;
}

/** `riskFree`: taken off both returns to tell skill; null: nothing is. */
export function measureRun(
  returns: Float64Array,
  { name, returns: market }: HeldMarket,
  riskFree: Nights | null,
  { days, seed, isWanted, taker }: Measuring,
): MeasuredRun {
  const [excess, held] = [returns, market].map((one) => excessOf(one, riskFree));
  const moments = momentsOf(returns);
  const appraisal = appraisalMoments(excess, held);
  const own = returns.length < MIN_RETURNS ? moments : appraisal;
  return {
    statistics: isWanted
      ? reportStatistics(statisticsOfRun(returns, held, days, seed, taker, excess), seed, name)
      : undefined,
    minTrackRecordBars: own && minTrackRecord(own, 0),
    basis: {
      moments: sharpeMoments(moments),
      appraisal: sharpeMoments(appraisal),
      tally: tallyOf([appraisal?.sharpe ?? Number.NaN], returns.length),
      bars: returns.length,
    },
  };
}

/** The basis of a search of so many combinations without statistics, which an account's history counts all the same. */
export function bareBasis(combinations: number, bars: number): SelectionBasis {
  return {
    bars,
    moments: null,
    appraisal: null,
    tally: tallyOf(new Float64Array(combinations).fill(Number.NaN), bars),
  };
}

export function basisOfSearch(returns: SearchReturns, { moments, appraisal }: SearchStatistics): SelectionBasis {
  const bars = returns.market.length;
  return {
    bars,
    moments: sharpeMoments(moments),
    spread: returns.spread,
    appraisal: sharpeMoments(appraisal),
    appraisalSpread: returns.appraisalSpread,
    tally: tallyOf(returns.appraisals, bars),
  };
}

/** Calendar days from the first to the last bar of a range. */
export function calendarDays({ day, length }: Pick<BarSeries, 'day' | 'length'>): number {
  return day[length - 1] - day[0];
}
