/**
 * Proofs that a portfolio used nothing from its future, and that it had enough of its past: it is computed again on its series,
 * cut after every session and each adjusted to its last bar, and on its series cut before the range.
 */
import {
  hasSameSignals,
  isEqual,
  type LookAheadDifference,
  type PrefixProof,
  type Rules,
  type WarmUp,
  warmUpsOf,
} from '../backtest/look-ahead.ts';
import { basisOf } from '../market/basis.ts';
import { type BarSeries, sliceSeries } from '../market/series.ts';
import {
  instrumentOf,
  type PortfolioSettings,
  type PreparationSettings,
  type PreparedInstrument,
  type PreparedPortfolio,
} from './backtest.ts';
import type { PortfolioInstrument, PortfolioRun, PortfolioTrade } from './portfolio.ts';

/** A portfolio whose run is checked. */
export interface ProvedPortfolio {
  readonly prepared: PreparedPortfolio;
  readonly settings: Pick<PreparationSettings, 'allocation'>;
  readonly rules: Rules;
  /** Trades instruments on the sessions of a cut. */
  readonly simulate: (instruments: readonly PortfolioInstrument[], clock: Int32Array) => PortfolioRun;
  /** Called with the bars of all instruments of a cut before their rules are, which may compare them. */
  readonly compare?: (cut: readonly CutBars[]) => void;
}

export interface CutBars {
  readonly one: PreparedInstrument;
  readonly bars: BarSeries;
  /** Index of the first bar in the series. */
  readonly start?: number;
}

/** The instruments on some of their bars, with figures and signals of these alone. */
function cutInstruments(portfolio: ProvedPortfolio, cuts: readonly CutBars[]): PortfolioInstrument[] {
  portfolio.compare?.(cuts);
  return cuts.map((cut) => cutInstrument(portfolio, cut));
}

function cutInstrument({ settings, rules }: ProvedPortfolio, { one, bars, start = 0 }: CutBars): PortfolioInstrument {
  const { series, from, to: end } = one.range;
  const range = { ...one.range, series: bars, from: from - start, to: bars.length };
  // When an instrument trades for the last time is a fact of the market, not of the strategy.
  return { ...instrumentOf(settings.allocation, rules, one.symbol, range), lastDay: series.day[end - 1] };
}

/** The identity of a trade, independent of the other instruments; its prices are on the basis of the whole run. */
export interface TradeFacts {
  readonly symbol: string;
  readonly trade: Pick<PortfolioTrade, 'entryIndex' | 'exitIndex' | 'exitDay' | 'entryPrice' | 'exitPrice' | 'shares'>;
}

/** `factors`: of the prices of each instrument. */
export function factsOf(
  instruments: readonly { readonly symbol: string }[],
  { trades }: PortfolioRun,
  factors: readonly number[],
): TradeFacts[] {
  return trades.map((trade) => {
    const factor = factors[trade.instrument];
    const [entryPrice, exitPrice] = [trade.entryPrice * factor, trade.exitPrice * factor];
    const shares = trade.shares / factor;
    return { symbol: instruments[trade.instrument].symbol, trade: { ...trade, entryPrice, exitPrice, shares } };
  });
}

function isSameTrade(a: TradeFacts, b: TradeFacts | undefined): boolean {
  return (
    b !== undefined &&
    a.symbol === b.symbol &&
    a.trade.entryIndex === b.trade.entryIndex &&
    a.trade.exitIndex === b.trade.exitIndex &&
    isEqual(a.trade.entryPrice, b.trade.entryPrice) &&
    isEqual(a.trade.exitPrice, b.trade.exitPrice) &&
    isEqual(a.trade.shares, b.trade.shares)
  );
}

/** A run on the sessions of a cut, or of the whole range. */
export interface ComputedRun {
  readonly clock: Int32Array;
  readonly run: PortfolioRun;
  readonly facts: readonly TradeFacts[];
}

function compute(
  portfolio: ProvedPortfolio,
  instruments: PortfolioInstrument[],
  clock: Int32Array,
  factors = instruments.map(() => 1),
): ComputedRun {
  const run = portfolio.simulate(instruments, clock);
  return { clock, run, facts: factsOf(instruments, run, factors) };
}

/** The first session before the last at which a cut and the run differ; null: they do not. */
export function firstDifference(
  cut: ComputedRun,
  whole: Pick<ComputedRun, 'run' | 'facts'>,
): Omit<LookAheadDifference, 'cutAfter'> | null {
  const { clock } = cut;
  const last = clock.length - 1;
  const closed = cut.facts.filter(({ trade }) => trade.exitDay < clock[last]);
  const trade = closed.findIndex((own, i) => !isSameTrade(own, whole.facts[i]));
  const point = cut.run.equity.subarray(0, last).findIndex((value, t) => !isEqual(value, whole.run.equity[t]));
  if (point !== -1 && (trade === -1 || clock[point] < closed[trade].trade.exitDay)) {
    return { day: clock[point], kind: 'equity' };
  }
  return trade === -1 ? null : { day: closed[trade].trade.exitDay, kind: 'trade' };
}

/** Whether signals, rank, and volatility of an instrument at its last bar of a cut are those of the whole run. */
function hasSameFigures(cut: PortfolioInstrument, whole: PortfolioInstrument): boolean {
  const last = cut.to - 1;
  const isSame = (a: number | undefined, b: number | undefined) => Object.is(a, b) || isEqual(a ?? 0, b ?? 0);
  return (
    isSame(cut.rank?.at(last), whole.rank?.at(last)) &&
    isSame(cut.volatility?.at(last), whole.volatility?.at(last)) &&
    hasSameSignals(cut, whole, last)
  );
}

/**
 * Compares the run with itself on every prefix of its sessions, each instrument on its own basis. The last session of a cut,
 * and the closing on it, is not compared. Yields after every cut, so that its caller can stop it.
 */
export function* provePortfolioPrefixes(portfolio: ProvedPortfolio): Generator<number, PrefixProof> {
  const { clock, instruments } = portfolio.prepared;
  const uncut = cutInstruments(
    portfolio,
    instruments.map((one) => ({ one, bars: sliceSeries(one.range.series, 0, one.range.to) })),
  );
  const whole = compute(portfolio, uncut, clock);
  const ends = instruments.map(({ range }) => range.from);
  let differences = 0;
  let first: LookAheadDifference | null = null;
  for (let t = 0; t < clock.length; t++) {
    const day = clock[t];
    const traded = instruments.map(({ range }, i) => {
      const isToday = ends[i] < range.to && range.series.day[ends[i]] === day;
      if (isToday) ends[i]++;
      return isToday;
    });
    const taking = instruments.map((_, i) => i).filter((i) => ends[i] > instruments[i].range.from);
    const inCut = cutInstruments(
      portfolio,
      taking.map((i) => ({ one: instruments[i], bars: instruments[i].range.cut(ends[i]) })),
    );
    const factors = taking.map((i) => factorOf(instruments[i].range.series, ends[i]));
    const cut = compute(portfolio, inCut, clock.subarray(0, t + 1), factors);
    const differs = taking.some((i, k) => traded[i] && !hasSameFigures(inCut[k], uncut[i]));
    const found = firstDifference(cut, whole) ?? (differs ? { day, kind: 'signal' as const } : null);
    if (found) {
      differences++;
      first ??= { cutAfter: day, ...found };
    }
    yield (t + 1) / clock.length;
  }
  return { prefixes: clock.length, differences, verdict: differences > 0 ? 'found' : 'none', first };
}

/** Factor that puts prices of a series that is cut before bar `end` on the basis of the whole. */
export function factorOf(series: BarSeries, end: number): number {
  return basisOf(series, series.day[end - 1]).price;
}

/** The run with the history of each instrument cut to 1, 2, 4 … times `longestPeriod` bars before its range. */
export function measurePortfolioWarmUp(portfolio: ProvedPortfolio, longestPeriod: number): WarmUp {
  const { clock, instruments } = portfolio.prepared;
  const available = Math.max(...instruments.map(({ range }) => range.from));
  const tradesAfter = (warmUp: number) => {
    const starts = new Map<string, number>();
    const cuts = instruments.map((one): CutBars => {
      const start = Math.max(0, one.range.from - warmUp);
      starts.set(one.symbol, start);
      return { one, start, bars: sliceSeries(one.range.series, start, one.range.to) };
    });
    return compute(portfolio, cutInstruments(portfolio, cuts), clock).facts.map(({ symbol, trade }): TradeFacts => {
      const start = starts.get(symbol) ?? 0;
      return {
        symbol,
        trade: { ...trade, entryIndex: trade.entryIndex + start, exitIndex: trade.exitIndex + start },
      };
    });
  };
  return warmUpsOf(available, longestPeriod, tradesAfter, isSameTrade);
}

/** The longest look-back of a portfolio besides that of its strategy, in bars. */
export function allocationPeriod({ rankBy, sizing, volatilityPeriod }: PortfolioSettings['allocation']): number {
  return Math.max(rankBy?.period ?? 1, sizing === 'equal' ? 1 : volatilityPeriod);
}
