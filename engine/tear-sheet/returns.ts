/** Section 1 of a tear sheet: what the run earned, and for which risk. */

import { percentile, TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { formatDayCached } from '../market/dates.ts';
import { momentsOf } from '../statistics/moments.ts';
import {
  annualReturn,
  compound,
  deviationOf,
  meanOf,
  percentOf,
  productsOf,
  ratioOf,
  sharpeOf,
  sumOf,
  withoutNoise,
} from './figures.ts';
import { type DayPeriods, dayPeriodsOf, monthName, returnsOfPeriods } from './periods.ts';

interface DayReturn {
  readonly ts: string;
  readonly pct: number;
}

interface MonthReturn {
  readonly month: string;
  readonly pct: number;
}

export interface ReturnFigures {
  readonly total_pct: number;
  readonly annual_return_pct: number | null;
  readonly volatility_pct: number | null;
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  readonly max_drawdown_pct: number;
  readonly omega: number | null;
  readonly skewness: number | null;
  readonly excess_kurtosis: number | null;
  readonly tail_ratio: number | null;
  readonly stability: number | null;
  readonly var_95_pct: number;
  readonly var_99_pct: number;
  readonly cvar_95_pct: number;
  readonly cvar_99_pct: number;
  readonly best_day: DayReturn;
  readonly worst_day: DayReturn;
  /** `ts`: the last session of the week. */
  readonly best_week: DayReturn;
  readonly worst_week: DayReturn;
  readonly best_month: MonthReturn;
  readonly worst_month: MonthReturn;
  readonly positive_days_pct: number;
  readonly positive_months_pct: number;
  readonly longest_up_days: number;
  readonly longest_down_days: number;
}

/** Mean ÷ root of the mean square of the losses, annualized. */
function sortinoOf(returns: Float64Array, perYear: number): number | null {
  let squares = 0;
  for (let t = 0; t < returns.length; t++) if (returns[t] < 0) squares += returns[t] * returns[t];
  const ratio = ratioOf(meanOf(returns), Math.sqrt(squares / returns.length));
  return ratio === null ? null : ratio * Math.sqrt(perYear);
}

/** Sum of the gains ÷ sum of the losses. */
function omegaOf(returns: Float64Array): number | null {
  let [gains, losses] = [0, 0];
  for (let t = 0; t < returns.length; t++) {
    if (returns[t] > 0) gains += returns[t];
    else losses -= returns[t];
  }
  return ratioOf(gains, losses);
}

/** R² of the logarithm of the growth against time. */
function stabilityOf(returns: Float64Array): number | null {
  let growth = 0;
  const [logs, time] = [new Float64Array(returns.length), new Float64Array(returns.length)];
  for (let t = 0; t < returns.length; t++) {
    growth += Math.log1p(returns[t]);
    logs[t] = growth;
    time[t] = t;
  }
  if (deviationOf(logs) === 0 || !Number.isFinite(growth)) return null;
  const { ab, aa, bb } = productsOf(logs, time);
  return (ab * ab) / (aa * bb);
}

/** Mean of the lowest returns: a share `cutoff` of all, and at least one. */
function expectedShortfall(sorted: Float64Array, cutoff: number): number {
  const count = Math.floor((sorted.length - 1) * cutoff) + 1;
  return sumOf(sorted.subarray(0, count)) / count;
}

/** The longest runs of returns above 0, and below. */
function longestRuns(returns: Float64Array): { readonly up: number; readonly down: number } {
  let [up, down, rising, falling] = [0, 0, 0, 0];
  for (let t = 0; t < returns.length; t++) {
    rising = returns[t] > 0 ? rising + 1 : 0;
    falling = returns[t] < 0 ? falling + 1 : 0;
    if (rising > up) up = rising;
    if (falling > down) down = falling;
  }
  return { up, down };
}

/** The first of the largest figures, and of the smallest ones. */
function extremesOf(figures: Float64Array): { readonly best: number; readonly worst: number } {
  let [best, worst] = [0, 0];
  for (let i = 1; i < figures.length; i++) {
    if (figures[i] > figures[best]) best = i;
    if (figures[i] < figures[worst]) worst = i;
  }
  return { best, worst };
}

/** Returns above 0. */
function positiveCount(returns: Float64Array): number {
  let count = 0;
  for (let t = 0; t < returns.length; t++) if (returns[t] > 0) count++;
  return count;
}

function extremePeriods(days: Int32Array, returns: Float64Array, { weeks, months }: DayPeriods) {
  const day = (t: number): DayReturn => ({ ts: formatDayCached(days[t]), pct: percentOf(returns[t]) });
  const byDay = extremesOf(returns);
  const weekly = returnsOfPeriods(weeks, returns);
  const week = (i: number): DayReturn => ({ ts: formatDayCached(days[weeks[i].to - 1]), pct: percentOf(weekly[i]) });
  const byWeek = extremesOf(weekly);
  const monthly = returnsOfPeriods(months, returns);
  const month = (i: number): MonthReturn => ({ month: monthName(days[months[i].from]), pct: percentOf(monthly[i]) });
  const byMonth = extremesOf(monthly);
  return {
    best_day: day(byDay.best),
    worst_day: day(byDay.worst),
    best_week: week(byWeek.best),
    worst_week: week(byWeek.worst),
    best_month: month(byMonth.best),
    worst_month: month(byMonth.worst),
    positive_days_pct: (100 * positiveCount(returns)) / returns.length,
    positive_months_pct: (100 * monthly.filter((r) => r > 0).length) / monthly.length,
  };
}

function largestDrawdown(returns: Float64Array): number {
  let [growth, peak, largest] = [1, 1, 0];
  for (let t = 0; t < returns.length; t++) {
    growth *= 1 + returns[t];
    if (growth > peak) peak = growth;
    else largest = Math.max(largest, 1 - growth / peak);
  }
  return withoutNoise(largest);
}

/** `returns`: simple returns, and `excess`: less the risk-free ones, both without noise; `perYear`: how many a year has. */
export function returnFigures(
  days: Int32Array,
  returns: Float64Array,
  excess = returns,
  perYear = TRADING_DAYS_PER_YEAR,
  periods = dayPeriodsOf(days),
): ReturnFigures {
  const count = returns.length;
  const total = compound(returns);
  const annual = annualReturn(total, count, perYear);
  const drawdown = largestDrawdown(returns);
  const deviation = deviationOf(returns);
  const moments = deviation === 0 ? null : momentsOf(returns);
  const sorted = returns.toSorted();
  const longest = longestRuns(returns);
  return {
    total_pct: percentOf(total),
    annual_return_pct: percentOf(annual),
    volatility_pct: count < 2 ? null : percentOf(deviation * Math.sqrt(perYear)),
    sharpe: sharpeOf(excess, perYear),
    sortino: sortinoOf(excess, perYear),
    calmar: ratioOf(annual, drawdown),
    max_drawdown_pct: percentOf(drawdown),
    omega: omegaOf(excess),
    skewness: moments?.skewness ?? null,
    excess_kurtosis: moments && moments.kurtosis - 3,
    tail_ratio: ratioOf(Math.abs(percentile(sorted, 0.95)), Math.abs(percentile(sorted, 0.05))),
    stability: stabilityOf(returns),
    var_95_pct: percentOf(percentile(sorted, 0.05)),
    var_99_pct: percentOf(percentile(sorted, 0.01)),
    cvar_95_pct: percentOf(expectedShortfall(sorted, 0.05)),
    cvar_99_pct: percentOf(expectedShortfall(sorted, 0.01)),
    ...extremePeriods(days, returns, periods),
    longest_up_days: longest.up,
    longest_down_days: longest.down,
  };
}
