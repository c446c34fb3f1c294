/** Section 3 of a tear sheet: the run in time, its drawdowns, what it held, and what it paid. */
import { YEAR_DAYS } from '../backtest/metrics.ts';
import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { civilDate, formatDayCached } from '../market/dates.ts';
import { type Drawdown, drawdownsOf, underwaterOf } from './drawdowns.ts';
import { deviationOf, deviationOfSquares, meanOf, percentOf, productsOf, ratioOf, sumOf } from './figures.ts';
import { monthName, monthsOf, type Period, returnsOfPeriods, yearsOf } from './periods.ts';
import type { SheetTrade } from './trades.ts';

const WINDOWS = [63, 252] as const;

/** The positions at the end of each session. */
export interface Holdings {
  readonly positions: Int32Array;
  /** Money in positions, that of the largest one, and the sum of the squares of all. */
  readonly invested: Float64Array;
  readonly largest: Float64Array;
  readonly squares: Float64Array;
}

interface Rolling {
  readonly ts: string;
  readonly volatility_pct: number;
  readonly sharpe: number | null;
  readonly beta: number | null;
}

interface Costs {
  readonly commission: number;
  readonly slippage: number;
  readonly commission_pct_per_year: number | null;
  readonly slippage_pct_per_year: number | null;
}

interface Concentration {
  readonly largest_weight_pct: number | null;
  readonly mean_largest_weight_pct: number | null;
  readonly mean_effective_number: number | null;
}

interface PeriodReturns {
  readonly run_pct: number;
  /** Null without a benchmark. */
  readonly benchmark_pct: number | null;
}

/** The figures that returns alone tell. */
export interface CurveFigures {
  readonly months: readonly (PeriodReturns & { readonly month: string })[];
  readonly years: readonly (PeriodReturns & { readonly year: number })[];
  readonly rolling: Readonly<Record<`${(typeof WINDOWS)[number]}`, readonly Rolling[]>>;
  readonly drawdowns: readonly Drawdown[];
  readonly underwater: readonly { readonly ts: string; readonly drawdown_pct: number }[];
}

export interface TimeFigures extends CurveFigures {
  readonly exposure_pct: number;
  readonly avg_positions: number;
  readonly turnover_pct: number | null;
  readonly costs: Costs;
  readonly concentration: Concentration;
}

export interface CurveInput {
  readonly days: Int32Array;
  /** Returns of both, without noise; null: there is no benchmark. */
  readonly returns: Float64Array;
  readonly benchmark: Float64Array | null;
  /** Both less the risk-free ones. */
  readonly excess: { readonly returns: Float64Array; readonly benchmark: Float64Array | null };
  /** The curve of the returns, with the initial capital as its first point. */
  readonly equity: Float64Array;
  /** Returns of a year; absent: those of sessions. */
  readonly perYear?: number;
}

export interface TimeInput extends CurveInput {
  /** Money at the end of each session, with the initial capital as its first point. */
  readonly money: Float64Array;
  readonly trades: readonly SheetTrade[];
  readonly holdings: Holdings;
}

function rollingOf({ days, returns, excess, perYear }: CurveInput, window: number): Rolling[] {
  const { benchmark } = excess;
  const yearRoot = Math.sqrt(perYear ?? TRADING_DAYS_PER_YEAR);
  return Array.from({ length: Math.max(0, days.length - window + 1) }, (_, from) => {
    const to = from + window;
    const { ab, aa, bb, meanA } = productsOf(excess.returns, benchmark ?? excess.returns, from, to);
    const deviation = deviationOfSquares(aa, window);
    const own = excess.returns === returns ? deviation : deviationOf(returns.subarray(from, to));
    const ratio = ratioOf(meanA, deviation);
    return {
      ts: formatDayCached(days[to - 1]),
      volatility_pct: percentOf(own * yearRoot),
      sharpe: ratio && ratio * yearRoot,
      beta: benchmark === null || deviationOfSquares(bb, window) === 0 ? null : ab / bb,
    };
  });
}

/** Amounts of money as a share of its mean a year, in percent; null where no time passed. */
function perYear({ days, money }: TimeInput): (amount: number) => number | null {
  const years = (days[days.length - 1] - days[0]) / YEAR_DAYS;
  const mean = sumOf(money.subarray(1)) / days.length;
  return (amount) => percentOf(ratioOf(ratioOf(amount, mean), years));
}

function costsOf(input: TimeInput): Costs {
  const commission = sumOf(input.trades.map((trade) => trade.commission));
  const slippage = sumOf(input.trades.map((trade) => trade.slippage));
  const yearly = perYear(input);
  return {
    commission,
    slippage,
    commission_pct_per_year: yearly(commission),
    slippage_pct_per_year: yearly(slippage),
  };
}

function concentrationOf({ money, holdings }: TimeInput): Concentration {
  const weights: number[] = [];
  const effective: number[] = [];
  holdings.positions.forEach((count, t) => {
    if (count === 0 || money[t + 1] === 0) return;
    weights.push((100 * holdings.largest[t]) / money[t + 1]);
    effective.push(holdings.invested[t] ** 2 / holdings.squares[t]);
  });
  return {
    largest_weight_pct: weights.length === 0 ? null : weights.reduce((a, b) => Math.max(a, b)),
    mean_largest_weight_pct: meanOf(weights),
    mean_effective_number: meanOf(effective),
  };
}

function periodReturns({ returns, benchmark }: CurveInput, periods: readonly Period[]): PeriodReturns[] {
  const own = returnsOfPeriods(periods, returns);
  const other = benchmark && returnsOfPeriods(periods, benchmark);
  return periods.map((_, i) => ({ run_pct: percentOf(own[i]), benchmark_pct: other && percentOf(other[i]) }));
}

export function curveFigures(input: CurveInput): CurveFigures {
  const { days, equity } = input;
  const [months, years] = [monthsOf(days), yearsOf(days)];
  return {
    months: periodReturns(input, months).map((figures, i) => ({ month: monthName(days[months[i].from]), ...figures })),
    years: periodReturns(input, years).map((figures, i) => ({ year: civilDate(days[years[i].from]).year, ...figures })),
    rolling: { '63': rollingOf(input, WINDOWS[0]), '252': rollingOf(input, WINDOWS[1]) },
    drawdowns: drawdownsOf(days, equity),
    underwater: underwaterOf(days, equity),
  };
}

export function timeFigures(input: TimeInput): TimeFigures {
  const { days, trades, holdings } = input;
  const purchases = sumOf(trades.map(({ shares, entryPrice }) => shares * entryPrice));
  const sales = sumOf(trades.map(({ shares, exitPrice }) => shares * exitPrice));
  return {
    ...curveFigures(input),
    exposure_pct: (100 * holdings.positions.filter((count) => count > 0).length) / days.length,
    avg_positions: sumOf(holdings.positions) / days.length,
    turnover_pct: perYear(input)(Math.min(purchases, sales)),
    costs: costsOf(input),
    concentration: concentrationOf(input),
  };
}
