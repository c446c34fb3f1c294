/** A portfolio's result as it is stored: its summary, and the long parts as text. */
import { type StoredResult, storedResult } from '../../db/backtests/run-results.ts';
import { formatDayCached } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { comparedBars, type PreparedPortfolio } from '../../engine/portfolio/backtest.ts';
import { contributionsOf } from '../../engine/portfolio/figures.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { equityJson, money, percent, tradeView } from '../backtest/report.ts';
import type { PortfolioSpec } from './contract.ts';
import { summaryOf } from './summary.ts';

export function resultOf(
  spec: PortfolioSpec,
  prepared: PreparedPortfolio,
  run: PortfolioRun,
  ledger: SessionLedger,
): StoredResult {
  return storedResult(summaryOf(spec, prepared, run, ledger), {
    trades: tradesJson(prepared, run),
    equity: equityJson({ bars: comparedBars(prepared), run }, spec.execution.initialCapital),
    positions: positionsJson(prepared, run),
    contributions: contributionsJson(prepared, run),
  });
}

function tradesJson({ instruments }: PreparedPortfolio, { trades }: PortfolioRun): string {
  return JSON.stringify(
    trades.map((trade, i) => {
      const { symbol, range } = instruments[trade.instrument];
      const entryDate = formatDayCached(range.series.day[trade.entryIndex]);
      return { symbol, ...tradeView(trade, i + 1, entryDate, formatDayCached(trade.exitDay)) };
    }),
  );
}

function positionsJson({ clock }: PreparedPortfolio, { equity, positions, invested }: PortfolioRun): string {
  return JSON.stringify(
    Array.from(clock, (day, t) => ({
      ts: formatDayCached(day),
      count: positions[t],
      invested_pct: equity[t] === 0 ? null : percent((100 * invested[t]) / equity[t]),
    })),
  );
}

function contributionsJson({ instruments }: PreparedPortfolio, { trades }: PortfolioRun): string {
  return JSON.stringify(
    contributionsOf(trades).map((contribution) => ({
      symbol: instruments[contribution.instrument].symbol,
      trades: contribution.trades,
      pnl: money(contribution.pnl),
      pnl_share_pct: percent(contribution.pnlSharePct),
    })),
  );
}
