/**
 * Proofs that a portfolio used nothing from its future, and that it had enough of its past: it is computed again on its own
 * series, cut after every session, and cut before the range.
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
import { sliceSeries } from '../market/series.ts';
import { instrumentOf, type PortfolioSettings, type PreparedInstrument, type PreparedPortfolio } from './backtest.ts';
import type { PortfolioInput, PortfolioInstrument, PortfolioRun, PortfolioTrade } from './portfolio.ts';
import { simulatePortfolio } from './simulate.ts';

/** A portfolio whose run is looked at. */
export interface ProvedPortfolio {
  readonly prepared: PreparedPortfolio;
  readonly settings: Pick<PortfolioSettings, 'allocation' | 'execution'>;
  readonly rules: Rules;
}

/** The instrument on the bars `start` (included) to `to` (excluded) of its series, with figures and signals of these alone. */
function cutInstrument(
  { settings, rules }: ProvedPortfolio,
  one: PreparedInstrument,
  start: number,
  to: number,
): PortfolioInstrument {
  const { series, from, to: end } = one.range;
  const range = { ...one.range, series: sliceSeries(series, start, to), from: from - start, to: to - start };
  // When an instrument trades for the last time is a fact of the market, not of the strategy.
  return { ...instrumentOf(settings.allocation, rules, one.symbol, range), lastDay: series.day[end - 1] };
}

function inputOf({ settings }: ProvedPortfolio, instruments: PortfolioInstrument[], clock: Int32Array): PortfolioInput {
  const { allocation, execution } = settings;
  return { instruments, clock, allocation, execution };
}

/** A trade by what it is, whatever the instruments beside it; indices count from the beginning of the whole series. */
interface TradeFacts {
  readonly symbol: string;
  readonly trade: Pick<PortfolioTrade, 'entryIndex' | 'exitIndex' | 'exitDay' | 'entryPrice' | 'exitPrice' | 'shares'>;
}

function factsOf({ instruments }: PortfolioInput, { trades }: PortfolioRun): TradeFacts[] {
  return trades.map((trade) => ({ symbol: instruments[trade.instrument].symbol, trade }));
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

interface Computed {
  readonly input: PortfolioInput;
  readonly run: PortfolioRun;
  readonly facts: readonly TradeFacts[];
}

function compute(portfolio: ProvedPortfolio, instruments: PortfolioInstrument[], clock: Int32Array): Computed {
  const input = inputOf(portfolio, instruments, clock);
  const run = simulatePortfolio(input);
  return { input, run, facts: factsOf(input, run) };
}

/** The first session before the last at which a cut and the run differ; null: they do not. */
function firstDifference(cut: Computed, whole: Computed): Omit<LookAheadDifference, 'cutAfter'> | null {
  const { clock } = cut.input;
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
    hasSameSignals(cut.signals, whole.signals, last, whole.series.close[last])
  );
}

/**
 * Compares the run with itself on every prefix of its sessions. The last session of a cut, and the closing on it, is not
 * compared. Yields after every cut, so that its caller can stop it.
 */
export function* provePortfolioPrefixes(portfolio: ProvedPortfolio): Generator<number, PrefixProof> {
  const { clock, instruments } = portfolio.prepared;
  const uncut = instruments.map((one) => cutInstrument(portfolio, one, 0, one.range.to));
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
    const cutInstruments = taking.map((i) => cutInstrument(portfolio, instruments[i], 0, ends[i]));
    const cut = compute(portfolio, cutInstruments, clock.subarray(0, t + 1));
    const differs = taking.some((i, k) => traded[i] && !hasSameFigures(cutInstruments[k], uncut[i]));
    const found = firstDifference(cut, whole) ?? (differs ? { day, kind: 'signal' as const } : null);
    if (found) {
      differences++;
      first ??= { cutAfter: day, ...found };
    }
    yield (t + 1) / clock.length;
  }
  return { prefixes: clock.length, differences, verdict: differences > 0 ? 'found' : 'none', first };
}

/** The run with the history of each instrument cut to 1, 2, 4 … times `longestPeriod` bars before its range. */
export function measurePortfolioWarmUp(portfolio: ProvedPortfolio, longestPeriod: number): WarmUp {
  const { clock, instruments } = portfolio.prepared;
  const available = Math.max(...instruments.map(({ range }) => range.from));
  const tradesAfter = (warmUp: number) => {
    const starts = new Map<string, number>();
    const cut = instruments.map((one) => {
      const start = Math.max(0, one.range.from - warmUp);
      starts.set(one.symbol, start);
      return cutInstrument(portfolio, one, start, one.range.to);
    });
    return compute(portfolio, cut, clock).facts.map(({ symbol, trade }): TradeFacts => {
      const start = starts.get(symbol) ?? 0;
      return {
        symbol,
        trade: { ...trade, entryIndex: trade.entryIndex + start, exitIndex: trade.exitIndex + start },
      };
    });
  };
  return warmUpsOf(available, longestPeriod, tradesAfter, isSameTrade);
}

/** The longest look-back of a portfolio beside that of its strategy, bars. */
export function allocationPeriod({ rankBy, sizing, volatilityPeriod }: PortfolioSettings['allocation']): number {
  return Math.max(rankBy?.period ?? 1, sizing === 'equal' ? 1 : volatilityPeriod);
}
