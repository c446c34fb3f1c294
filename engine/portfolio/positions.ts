/** Positions: the stay of an instrument in a portfolio, from its first purchase until nothing of it is left. */
import type { PortfolioTrade } from './portfolio.ts';

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
