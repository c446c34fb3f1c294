/** Positions, and figures that only a portfolio has. Not rounded; undefined figures are null. */
import { YEAR_DAYS } from '../backtest/metrics.ts';
import { finiteOrNull } from '../market/figures.ts';
import type { PortfolioRun, PortfolioTrade } from './portfolio.ts';

export interface PortfolioFigures {
  /** The smaller of purchases and sales ÷ mean equity, per year, in percent. */
  readonly turnoverPct: number | null;
  /** Mean number of positions at the ends of the sessions. */
  readonly avgPositions: number;
}

export function portfolioFigures(
  run: Pick<PortfolioRun, 'equity' | 'positions' | 'purchases' | 'sales'>,
  clock: Int32Array,
): PortfolioFigures {
  const years = (clock[clock.length - 1] - clock[0]) / YEAR_DAYS;
  const meanEquity = meanOf(run.equity);
  const traded = Math.min(run.purchases, run.sales);
  return {
    turnoverPct: years === 0 || meanEquity === 0 ? null : finiteOrNull((100 * traded) / meanEquity / years),
    avgPositions: meanOf(run.positions),
  };
}

function meanOf(values: Float64Array | Int32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export interface Contribution {
  /** Index in the instruments. */
  readonly instrument: number;
  readonly trades: number;
  readonly pnl: number;
  /** Share of the summed pnl; null where that is 0. */
  readonly pnlSharePct: number | null;
}

/** Returns the contribution of each traded instrument, largest gain first; equal ones by symbol. */
export function contributionsOf(trades: readonly PortfolioTrade[]): Contribution[] {
  const byInstrument = new Map<number, { trades: number; pnl: number }>();
  for (const { instrument, pnl } of trades) {
    const sum = byInstrument.get(instrument) ?? { trades: 0, pnl: 0 };
    sum.trades++;
    sum.pnl += pnl;
    byInstrument.set(instrument, sum);
  }
  const total = trades.reduce((sum, { pnl }) => sum + pnl, 0);
  return [...byInstrument]
    .map(([instrument, sum]) => ({
      instrument,
      trades: sum.trades,
      pnl: sum.pnl,
      pnlSharePct: total === 0 ? null : finiteOrNull((100 * sum.pnl) / total),
    }))
    .sort((a, b) => b.pnl - a.pnl || a.instrument - b.instrument);
}

/** The sales of a position as one trade: its reason is that of the last, its extremes are those of all. */
export interface ClosedPosition
  extends Omit<PortfolioTrade, 'isLast' | 'shares' | 'entryPrice' | 'exitPrice' | 'commission'> {
  readonly sales: number;
}

/** In the order in which they ended. `trades`: in the order of the sales. */
export function positionsOf(trades: readonly PortfolioTrade[]): ClosedPosition[] {
  const open = new Map<number, PortfolioTrade[]>();
  const closed: ClosedPosition[] = [];
  for (const trade of trades) {
    const sales = open.get(trade.instrument) ?? [];
    sales.push(trade);
    open.set(trade.instrument, sales);
    if (!trade.isLast) continue;
    open.delete(trade.instrument);
    closed.push(closedPosition(sales, trade));
  }
  return closed;
}

function closedPosition(sales: readonly PortfolioTrade[], last: PortfolioTrade): ClosedPosition {
  const sum = (figure: 'pnl' | 'cost') => sales.reduce((total, sale) => total + sale[figure], 0);
  const [pnl, cost] = [sum('pnl'), sum('cost')];
  return {
    instrument: last.instrument,
    entryIndex: last.entryIndex,
    exitIndex: last.exitIndex,
    exitDay: last.exitDay,
    exitReason: last.exitReason,
    pnl,
    cost,
    pnlPct: (100 * pnl) / cost,
    maePct: sales.reduce((least, { maePct }) => Math.min(least, maePct), Number.POSITIVE_INFINITY),
    mfePct: sales.reduce((most, { mfePct }) => Math.max(most, mfePct), Number.NEGATIVE_INFINITY),
    sales: sales.length,
  };
}
