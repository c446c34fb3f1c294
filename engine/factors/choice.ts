/** The choice of one factor among many: whether the best spread is more than luck (Hansen 2005; Bailey & López de Prado 2014). */
import { type RealityCheck, realityCheckOf } from '../statistics/reality-check.ts';
import { expectedMaximum, skillDeflationOf, spreadOf } from '../statistics/selection.ts';
import { appraisalMoments, MIN_RETURNS } from '../statistics/skill.ts';
import { type Horizon, leastSpan, type StudySessions, separateRows } from './sessions.ts';

export interface FactorChoice {
  /** Factors that the account has tried, these among them. */
  readonly trials: number;
  readonly emax: number;
  /** Rows on which all factors have a spread, none of which overlaps another. */
  readonly sessions: number;
  /** Null, as what follows, below 60 rows. Index of the factor with the largest appraisal. */
  readonly best: number | null;
  readonly hurdle: number | null;
  readonly dsr: number | null;
  readonly spa: RealityCheck | null;
}

/** Index of the shortest horizon, whose spreads are compared. */
export function shortestOf(sessions: StudySessions, horizons: readonly Horizon[]): number {
  const spans = horizons.map((horizon) => leastSpan(sessions, horizon));
  return spans.indexOf(Math.min(...spans));
}

/** `spreads` and `market`, the mean return of the eligible, by row at the shortest horizon; NaN where undefined. */
export function choiceOf(
  sessions: StudySessions,
  horizon: Horizon,
  spreads: readonly Float64Array[],
  market: Float64Array,
  { trials, seed }: { readonly trials: number; readonly seed: string },
): FactorChoice {
  const rows = separateRows(sessions, horizon).filter((row) => spreads.every((series) => !Number.isNaN(series[row])));
  const none = { trials, emax: expectedMaximum(trials), sessions: rows.length };
  if (rows.length < MIN_RETURNS) return { ...none, best: null, hurdle: null, dsr: null, spa: null };
  const at = (series: Float64Array) => Float64Array.from(rows, (row) => series[row]);
  const returns = spreads.map(at);
  const beside = at(market);
  const appraisals = returns.map((own) => appraisalMoments(own, beside));
  const sizes = Float64Array.from(appraisals, (moments) => moments?.sharpe ?? 0);
  const best = sizes.indexOf(Math.max(...sizes));
  const spa = realityCheckOf(returns, returns[best], new Float64Array(rows.length), seed);
  const { hurdle, dsr } = skillDeflationOf(trials, spreadOf(sizes), appraisals[best]);
  return { ...none, best, hurdle, dsr, spa };
}
