/** Figures that only a portfolio has. Not rounded; undefined figures are null. */
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
