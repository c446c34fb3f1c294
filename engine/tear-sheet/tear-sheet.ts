/** A tear sheet: what a run earned, for which risk, and how much of it chance could have made; with the decimals of its figures. */
import type { Execution } from '../backtest/execution.ts';
import { excessOf, type Interest, interestOf, NO_RATES, type RunRates } from '../backtest/rates.ts';
import { formatDayCached } from '../market/dates.ts';
import { figure, finiteOrNull } from '../market/figures.ts';
import type { BarSeries } from '../market/series.ts';
import { returnsOf } from '../statistics/moments.ts';
import { regress, skillOf } from '../statistics/skill.ts';
import { type BenchmarkFigures, benchmarkFigures } from './benchmark.ts';
import { type ChanceFigures, chanceFigures, type ResampledPaths } from './chance.ts';
import { finiteSection, sumOf, withoutNoise } from './figures.ts';
import type { RandomRuns } from './random-sets.ts';
import { type Regression, regressionOf } from './regression.ts';
import { type ReturnFigures, returnFigures } from './returns.ts';
import type { Sentence } from './sentence.ts';
import { type Holdings, type TimeFigures, timeFigures } from './time.ts';
import { type SheetPosition, type SheetTrade, type TradeFigures, tradeFigures } from './trades.ts';
import { verdictOf } from './verdict.ts';

/** The value of an instrument at each session, bought at its first bar in the range. */
export interface FactorValue {
  /** As it is served. */
  readonly symbol: string;
  readonly value: Float64Array;
  /** The session of its first bar in the range. */
  readonly first: number;
}

export interface TearSheetInput {
  /** The sessions of the run, at least one. */
  readonly days: Int32Array;
  /** The initial capital, grown by the return of each session. */
  readonly equity: Float64Array;
  /** Money at the end of each session, where flows make it another curve; absent: it is `equity`. */
  readonly money?: Float64Array;
  readonly initialCapital: number;
  /** The value of the benchmark at each session. */
  readonly benchmark: Float64Array;
  readonly factors: readonly FactorValue[];
  /** In the order in which they ended. */
  readonly trades: readonly SheetTrade[];
  /** The positions of a portfolio, of which `trades` are the sales; null: the run has one instrument. */
  readonly positions: readonly SheetPosition[] | null;
  readonly holdings: Holdings;
  /** Returns of what was held beside the run, by which its skill is told. */
  readonly market: Float64Array;
  /** 16 hex digits. */
  readonly seed: string;
  /** The bars of the range and how orders are filled; null: the run has many instruments. */
  readonly single: { readonly bars: BarSeries; readonly execution: Execution } | null;
  /** Absent: the run names none. */
  readonly rates?: RunRates;
  /** Interest on the cash, as money. */
  readonly interest?: number;
  /** The runs of a rotation that choose at random; absent: there are none. */
  readonly randomSets?: () => RandomRuns | null;
  /** As `ChanceInput` has it. */
  readonly paths?: ResampledPaths;
  /** Whether they were too many to compute. */
  readonly areSetsSkipped?: boolean;
}

export interface TearSheet {
  readonly sessions: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly series: readonly {
    readonly ts: string;
    readonly run: number;
    readonly benchmark: number;
    /** The return that skill is told beside, where it is not the benchmark. */
    readonly market?: number;
    /** The return that is taken off the others, where there is one. */
    readonly risk_free?: number;
  }[];
  readonly returns: ReturnFigures;
  readonly benchmark: BenchmarkFigures;
  readonly regression: Regression | null;
  /** Null without a rate of cash. */
  readonly interest: Interest | null;
  readonly time: TimeFigures;
  readonly trades: TradeFigures;
  readonly chance: ChanceFigures;
  readonly verdict: { readonly sentences: readonly Sentence[] };
}

/** Simple returns without noise; the first is that on `start`. */
function quietReturns(values: Float64Array, start: number): Float64Array {
  return returnsOf(values, start).map(withoutNoise);
}

/** Everything is sold at the end: a run gains what its trades and its cash do. */
function interestOfGainPct(interest: Interest | null, trades: readonly SheetTrade[]): number | null {
  if (interest === null) return null;
  const gain = interest.money + sumOf(trades.map(({ pnl }) => pnl));
  return gain > 0 ? finiteOrNull((100 * interest.money) / gain) : null;
}

/** No figure is rounded. */
export function tearSheetOf(input: TearSheetInput): TearSheet {
  const { days, initialCapital, trades, positions, holdings } = input;
  const rates = input.rates ?? NO_RATES;
  const { riskFree } = rates;
  const lessRiskFree = (values: Float64Array) =>
    riskFree === null ? values : excessOf(values, riskFree).map(withoutNoise);
  const returns = quietReturns(input.equity, initialCapital);
  const compared = quietReturns(input.benchmark, input.benchmark[0]);
  const excess = { returns: lessRiskFree(returns), benchmark: lessRiskFree(compared) };
  const factors = input.factors.map(({ symbol, value, first }) => ({
    name: symbol,
    returns: lessRiskFree(quietReturns(value, value[0])),
    first,
  }));
  const fromStart = (values: Float64Array) => {
    const points = new Float64Array(days.length + 1);
    points[0] = initialCapital;
    points.set(values, 1);
    return points;
  };
  const equity = fromStart(input.equity);
  const money = input.money === undefined ? equity : fromStart(input.money);
  const market = input.market.map(withoutNoise);
  const held = lessRiskFree(market);
  const skill = skillOf(excess.returns, held, regress(excess.returns, held));
  const sections = {
    sessions: days.length,
    returns: returnFigures(days, returns, excess.returns),
    benchmark: benchmarkFigures(days, returns, compared, excess),
    regression: finiteSection(regressionOf(excess.returns, factors)),
    interest: interestOf(rates, input.interest ?? 0, days, money.subarray(1)),
    time: timeFigures({ days, returns, benchmark: compared, excess, equity, money, trades, holdings }),
    trades: tradeFigures(positions ?? trades, positions && trades.length - positions.length),
    chance: chanceFigures({ ...input, returns, equity, money, interest: rates.cash?.returns }),
  };
  const verdict = verdictOf({
    ...sections,
    skill,
    areSetsSkipped: input.areSetsSkipped ?? false,
    interestOfGainPct: interestOfGainPct(sections.interest, trades),
  });
  const hasMarket = market.every(Number.isFinite) && market.some((r, t) => r !== compared[t]);
  const { sessions, ...figures } = sections;
  return {
    sessions,
    start_date: formatDayCached(days[0]),
    end_date: formatDayCached(days[days.length - 1]),
    series: Array.from(days, (day, t) => {
      const row = { ts: formatDayCached(day), run: returns[t], benchmark: compared[t] };
      const beside = hasMarket ? { ...row, market: market[t] } : row;
      return riskFree === null ? beside : { ...beside, risk_free: riskFree.returns[t] };
    }),
    ...figures,
    verdict: { sentences: verdict },
  };
}

const DECIMALS = 4;
const MONEY = ['money', 'commission', 'slippage', 'expectancy', 'pnl', 'bands', 'final_equity'];
const PROBABILITIES = [
  'p',
  'p_loss',
  'p_drawdown_above',
  'rank',
  'chance.random_entries.rank',
  'chance.random_sets.rank',
  'chance.bootstrap.p_loss',
];
const COEFFICIENTS = ['coefficient', 'regression.terms.0.coefficient', 'statistics.skill.beta'];

const DECIMALS_OF: ReadonlyMap<string, number> = new Map([
  ...MONEY.map((name) => [name, 2] as const),
  ...[...PROBABILITIES, 'regression.terms.0.p'].map((name) => [name, 6] as const),
  ...COEFFICIENTS.map((name) => [name, 8] as const),
]);
/** Its figures are not rounded. */
const EXACT = 'series';

/**
 * Rounds the figures of a sheet, in place, as they are served. What a name holds is rounded as the name says. Throws
 * `FiguresOverflow`.
 */
export function rounded<Sheet extends object>(sheet: Sheet): Sheet {
  roundIn(sheet, DECIMALS);
  return sheet;
}

const isSection = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function roundIn(section: unknown, decimals: number): void {
  if (!isSection(section)) return;
  for (const name in section) {
    const value = section[name];
    if (typeof value === 'string' || name === EXACT) continue;
    const own = DECIMALS_OF.get(name) ?? decimals;
    if (typeof value === 'number') section[name] = figure(value, own);
    else roundIn(value, own);
  }
}
