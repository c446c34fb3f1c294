/** A backtest of a portfolio from bars to figures. */

import { type BacktestInput, type BacktestSettings, type PricedRange, pricedRangeOf } from '../backtest/backtest.ts';
import { type Metrics, metricsOf } from '../backtest/metrics.ts';
import { type MarketColumns, type RateSettings, type RunRates, ratesOn } from '../backtest/rates.ts';
import { IndicatorSet } from '../indicators/indicator-set.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, EMPTY_SERIES } from '../market/series.ts';
import { withoutMarket } from '../market/symbols.ts';
import { rangeStart } from '../market/time-range.ts';
import { CONSOLIDATED_FROM } from '../market/venue-basis.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import { compareWithPeers, type Peer, withIndicesOf } from '../rules/peers.ts';
import { acrossOfRules, indicesOfRules, strategyOf } from '../rules/strategy.ts';
import { FigureHistory } from '../screener/figure-history.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { StrategyPlan } from '../strategies/strategy.ts';
import { equalWeightReturns, equalWeightValue, holdingReturns, singleValue } from './benchmark.ts';
import { clockOf } from './clock.ts';
import { type PortfolioFigures, portfolioFigures } from './figures.ts';
import type { Allocation, PortfolioInstrument, PortfolioRun } from './portfolio.ts';
import { simulatePortfolio } from './simulate.ts';

/** Everything that a caller decides about a portfolio besides its instruments. */
export interface PortfolioSettings extends BacktestSettings {
  readonly allocation: Allocation;
}

/** The settings that select the bars of a portfolio, and the figures that it reads of each instrument. */
export interface PreparationSettings
  extends RateSettings,
    Pick<BacktestSettings, 'timeRange' | 'start' | 'end' | 'adjust' | 'rules' | 'columns'> {
  readonly execution: Pick<BacktestSettings['execution'], 'initialCapital'>;
  readonly allocation: Pick<Allocation, 'rankBy' | 'sizing' | 'volatilityPeriod'>;
  /** A session after the last one, on which no instrument has a bar yet: what is decided at the last one is then known. */
  readonly sessionAhead?: Day;
}

export interface PortfolioMember extends BacktestInput {
  /** `<TICKER>.US` */
  readonly symbol: string;
  /** Read only for rules. */
  readonly groups?: Peer['groups'];
}

/** An instrument with bars in the range. */
export interface PreparedInstrument {
  readonly symbol: string;
  readonly range: PricedRange;
  readonly indicators: IndicatorSet;
  readonly groups: Peer['groups'];
  readonly rank: FigureHistory | null;
  readonly volatility: FigureHistory | null;
}

/** The data that the runs of one portfolio share for all parameters. */
export interface PreparedPortfolio {
  /** By symbol. */
  readonly instruments: readonly PreparedInstrument[];
  readonly clock: Int32Array;
  /** Value of the benchmark at each session. */
  readonly benchmark: Float64Array;
  /** Returns of what its skill is told beside: the single benchmark, or the instruments in equal parts every session. */
  readonly market: Float64Array;
  readonly rates: RunRates;
  /** First requested day; null: the whole history. */
  readonly wantedStart: Day | null;
  /** Other instruments that the rules name. */
  readonly others?: OtherInstruments | undefined;
}

/**
 * The instruments with bars in the range, each on its own basis. A time range counts back from the newest bar of any of them;
 * `single` is the benchmark, null for equal weights; `columns`: those that the rates name. Null when no instrument has a bar in the range.
 */
export function preparePortfolio(
  settings: PreparationSettings,
  members: readonly PortfolioMember[],
  single: PortfolioMember | null,
  others?: OtherInstruments,
  columns?: MarketColumns,
): PreparedPortfolio | null {
  const start = startOf(settings, members);
  const fixed: PreparationSettings = { ...settings, start, timeRange: 'MAX' };
  const instruments = members
    .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .flatMap((member) => prepareInstrument(fixed, member) ?? []);
  if (instruments.length === 0) return null;
  const ranges = instruments.map(({ range }) => range);
  const { sessionAhead } = settings;
  const clock = Int32Array.of(...clockOf(ranges), ...(sessionAhead === undefined ? [] : [sessionAhead]));
  const { initialCapital } = settings.execution;
  const compared = single && pricedRangeOf(fixed, single);
  const held = single && singleValue(compared?.series ?? EMPTY_SERIES, clock, initialCapital);
  return {
    instruments,
    clock,
    benchmark: held ?? equalWeightValue(ranges, clock, initialCapital),
    market: held ? holdingReturns(held) : equalWeightReturns(ranges, clock),
    rates: ratesOn(clock, settings, columns),
    wantedStart: start,
    others: withIndicesOf(
      ranges.map(({ series }) => series),
      indicesOfRules(settings.rules, settings.columns),
      others,
    ),
  };
}

function startOf({ start, end, timeRange }: PreparationSettings, members: readonly PortfolioMember[]): Day | null {
  if (start !== null) return start;
  const newest = members.map(({ series }) => lastDay(series, end)).filter((day) => day !== null);
  return newest.length === 0
    ? null
    : rangeStart(
        timeRange,
        newest.reduce((a, b) => Math.max(a, b)),
      );
}

/** The newest day with a bar, up to `end`; null: there is none. */
function lastDay({ day, length }: BarSeries, end: Day | null): Day | null {
  for (let index = length - 1; index >= 0; index--) if (end === null || day[index] <= end) return day[index];
  return null;
}

const NO_GROUPS: Peer['groups'] = { asset_type: '', venue: '' };

function prepareInstrument(settings: PreparationSettings, member: PortfolioMember): PreparedInstrument | null {
  const range = pricedRangeOf(settings, member);
  if (range === null) return null;
  const indicators = new IndicatorSet(range.series);
  const { symbol, groups = NO_GROUPS } = member;
  return { range, indicators, symbol, groups, ...figuresOf(settings.allocation, indicators) };
}

/** The figures that the allocation needs of each instrument. */
function figuresOf({ rankBy, sizing, volatilityPeriod }: PreparationSettings['allocation'], indicators: IndicatorSet) {
  return {
    rank: rankBy && new FigureHistory(indicators, rankBy.field, rankBy.period ?? 0),
    volatility: sizing === 'equal' ? null : new FigureHistory(indicators, 'volatility_pct', volatilityPeriod),
  };
}

/** An instrument with everything recomputed on the bars of a range. */
export function instrumentOf(
  allocation: PreparationSettings['allocation'],
  rules: (series: BarSeries) => StrategyPlan,
  symbol: string,
  range: Pick<PricedRange, 'series' | 'from' | 'to' | 'finalReason'>,
): PortfolioInstrument {
  return {
    symbol,
    series: range.series,
    from: range.from,
    to: range.to,
    isDelisted: range.finalReason === 'delisted',
    ...figuresOf(allocation, new IndicatorSet(range.series)),
    ...rules(range.series),
  };
}

/** A prepared portfolio with empty indicator caches: indicators of many parameters would fill the memory. */
export function withFreshIndicators(prepared: PreparedPortfolio): PreparedPortfolio {
  const fresh = (one: PreparedInstrument) => ({ ...one, indicators: new IndicatorSet(one.range.series) });
  return { ...prepared, instruments: prepared.instruments.map(fresh) };
}

/** An instrument with the indicators of some of its bars, which may be cut before its last one of all. */
type ComparedInstrument = Pick<PreparedInstrument, 'symbol' | 'range' | 'groups' | 'indicators'>;

/** Computes what the rules compare across the instruments, for their plans to find. */
export function compareInstruments(
  instruments: readonly ComparedInstrument[],
  { rules, columns }: Pick<PortfolioSettings, 'rules' | 'columns'>,
  params: ParameterValues,
  others: OtherInstruments | undefined,
): void {
  const tickerOf = ({ symbol }: ComparedInstrument) => withoutMarket(symbol);
  const peers = instruments
    .toSorted((a, b) => (tickerOf(a) < tickerOf(b) ? -1 : 1))
    .map(({ range, groups, indicators }): Peer => {
      const { day, length } = indicators.series;
      const isDelisted = range.finalReason === 'delisted' && day[length - 1] === range.series.day[range.to - 1];
      return { groups, indicators, isDelisted };
    });
  compareWithPeers(peers, acrossOfRules(rules, params, columns), others);
}

/** One run of the strategy with its parameters. */
export function runPrepared(
  prepared: PreparedPortfolio,
  settings: PortfolioSettings,
  params: ParameterValues,
): PortfolioRun {
  const strategy = strategyOf(settings, prepared.others);
  compareInstruments(prepared.instruments, settings, params, prepared.others);
  const { allocation, execution } = settings;
  const instruments = prepared.instruments.map(
    ({ symbol, range, indicators, rank, volatility }): PortfolioInstrument => ({
      symbol,
      rank,
      volatility,
      series: range.series,
      from: range.from,
      to: range.to,
      isDelisted: range.finalReason === 'delisted',
      ...strategy.plan(indicators, params),
    }),
  );
  const { clock, rates } = prepared;
  const interest = rates.cash?.returns;
  return simulatePortfolio({ instruments, clock, allocation, execution, interest, keepsOrders: true });
}

export interface PortfolioMetrics extends Metrics, PortfolioFigures {}

/** The sessions of a portfolio, and the value of its benchmark at each. */
export type ComparedPortfolio = Pick<PreparedPortfolio, 'clock' | 'benchmark'>;

/** The sessions as bars whose closes are the value of the benchmark. */
export function comparedBars({ clock, benchmark }: ComparedPortfolio): Pick<BarSeries, 'length' | 'day' | 'close'> {
  return { length: clock.length, day: clock, close: benchmark };
}

/** Returns and risk are those of the curve without flows; final equity, turnover, and positions those of the money. */
export function portfolioMetrics(
  prepared: ComparedPortfolio,
  run: PortfolioRun,
  initialCapital: number,
): PortfolioMetrics {
  const barsExposed = run.positions.reduce((sum, count) => sum + Number(count > 0), 0);
  const { equity, curve = equity } = run;
  const measured = { trades: run.trades, equity: curve, barsExposed };
  return {
    ...metricsOf(comparedBars(prepared), measured, initialCapital),
    ...portfolioFigures(run, prepared.clock),
    finalEquity: equity[equity.length - 1],
  };
}

/** Whether bars of the primary session are among those of the range. */
export function isMixedSource({ clock }: PreparedPortfolio): boolean {
  return clock[0] < CONSOLIDATED_FROM;
}
