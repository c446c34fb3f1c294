/** The inputs of a tear sheet: a finished run, its benchmark, and its factors. */
import { type BacktestInput, type BacktestOutcome, pricedRangeOf } from '../backtest/backtest.ts';
import type { Execution } from '../backtest/execution.ts';
import type { RunRates } from '../backtest/rates.ts';
import type { AdjustMode } from '../market/adjust.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, heldPrices } from '../market/series.ts';
import { holdingReturns, singleValue } from '../portfolio/benchmark.ts';
import { positionsOf } from '../portfolio/figures.ts';
import type { PortfolioRun, PortfolioTrade } from '../portfolio/portfolio.ts';
import type { FactorValue, TearSheetInput } from './tear-sheet.ts';
import type { Holdings } from './time.ts';
import { slippageOf } from './trades.ts';

/** An instrument that a run is compared with. */
export interface Compared extends BacktestInput {
  /** `<TICKER>.US` */
  readonly symbol: string;
}

export interface ComparedRange {
  readonly end: Day | null;
  readonly adjust: AdjustMode;
}

/** The value of an instrument at the sessions of a run, on the basis of the run; null without a bar in its range. */
export function comparedValue(
  { end, adjust }: ComparedRange,
  days: Int32Array,
  compared: Compared,
): FactorValue | null {
  const series = pricedRangeOf({ end, adjust, start: null, timeRange: 'MAX' }, compared)?.series;
  const last = days[days.length - 1];
  const bar = series?.day.find((day) => day >= days[0]);
  if (series === undefined || bar === undefined || bar > last) return null;
  return {
    symbol: compared.symbol,
    value: singleValue(series, days, 1),
    first: days.findIndex((day) => day >= bar),
  };
}

/** The part that comes from the run alone. */
export type RunPart = Pick<
  TearSheetInput,
  | 'days'
  | 'equity'
  | 'money'
  | 'initialCapital'
  | 'trades'
  | 'positions'
  | 'holdings'
  | 'market'
  | 'single'
  | 'randomSets'
  | 'areSetsSkipped'
  | 'paths'
  | 'rates'
  | 'interest'
>;

type SheetOutcome = Pick<BacktestOutcome, 'bars' | 'run' | 'offset' | 'rates'>;

/** One position at most, which is all that is invested. */
function singleHoldings({ run, offset }: SheetOutcome): Holdings {
  const sessions = run.equity.length;
  const holdings = {
    positions: new Int32Array(sessions),
    invested: new Float64Array(sessions),
    largest: new Float64Array(sessions),
    squares: new Float64Array(sessions),
  };
  for (const { entryIndex, exitIndex } of run.trades) {
    for (let t = entryIndex - offset; t < exitIndex - offset; t++) {
      const worth = run.equity[t];
      holdings.positions[t] = 1;
      holdings.invested[t] = worth;
      holdings.largest[t] = worth;
      holdings.squares[t] = worth * worth;
    }
  }
  return holdings;
}

export function partOfBacktest(outcome: SheetOutcome, symbol: string, execution: Execution): RunPart {
  const { bars, run, offset, rates } = outcome;
  return {
    rates,
    interest: run.interest,
    days: bars.day,
    equity: run.equity,
    initialCapital: execution.initialCapital,
    trades: run.trades.map((trade) => ({
      ...trade,
      symbol,
      entryDay: bars.day[trade.entryIndex - offset],
      entrySession: trade.entryIndex - offset,
      barsHeld: trade.exitIndex - trade.entryIndex,
      slippage: slippageOf(trade, execution.slippageBps),
    })),
    positions: null,
    holdings: singleHoldings(outcome),
    market: holdingReturns(heldPrices(bars)),
    single: { bars, execution },
  };
}

/** The sessions and instruments of a portfolio, as far as a sheet reads them. */
interface HeldInstruments {
  readonly clock: Int32Array;
  readonly instruments: readonly {
    readonly symbol: string;
    readonly range: { readonly series: Pick<BarSeries, 'day'> };
  }[];
}

export function partOfPortfolio(
  { instruments, clock }: HeldInstruments,
  run: PortfolioRun,
  market: Float64Array,
  execution: Execution,
  rates?: RunRates,
): RunPart {
  const sessions = new Map(Array.from(clock, (day, t) => [day, t] as const));
  const placed = ({
    instrument,
    entryIndex,
    exitIndex,
  }: Pick<PortfolioTrade, 'instrument' | 'entryIndex' | 'exitIndex'>) => {
    const { symbol, range } = instruments[instrument];
    const entryDay = range.series.day[entryIndex];
    return { symbol, entryDay, entrySession: sessions.get(entryDay) ?? 0, barsHeld: exitIndex - entryIndex };
  };
  const trades = run.trades.map((trade) => ({
    ...trade,
    ...placed(trade),
    slippage: slippageOf(trade, execution.slippageBps),
  }));
  return {
    rates,
    market,
    trades,
    interest: run.interest,
    days: clock,
    equity: run.curve ?? run.equity,
    money: run.equity,
    initialCapital: execution.initialCapital,
    positions: positionsOf(run.trades).map((position) => ({ ...position, ...placed(position) })),
    holdings: run,
    single: null,
  };
}
