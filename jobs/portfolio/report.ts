/** A portfolio's result under the names of the API: figures, and the long parts as text. */
import { METRIC_NAMES } from '../../engine/backtest/metrics.ts';
import { formatDayCached } from '../../engine/market/dates.ts';
import { figure } from '../../engine/market/figures.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import {
  type ComparedPortfolio,
  comparedBars,
  type PortfolioMetrics,
  type PreparedPortfolio,
} from '../../engine/portfolio/backtest.ts';
import { EQUAL_WEIGHT, EQUAL_WEIGHT_DAILY } from '../../engine/portfolio/benchmark.ts';
import { contributionsOf, positionsOf } from '../../engine/portfolio/figures.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { type PositionSummary, positionSummary } from '../../engine/tear-sheet/trades.ts';
import { fromKeys, keysOf } from '../../engine/util/values.ts';
import type { PortfolioSpec } from '../contracts/portfolio.ts';
import type { OpenRun } from '../runs/kind.ts';
import type { HeldMarket } from '../runs/measured-run.ts';
import { equityJson, metricsView, money, percent, tradeView } from '../runs/report.ts';

/** Metrics of a portfolio. Stored results keep this order. */
export function portfolioMetricsView({ turnoverPct, avgPositions, ...metrics }: PortfolioMetrics) {
  return { ...metricsView(metrics), turnover_pct: percent(turnoverPct), avg_positions: percent(avgPositions) };
}

/** The positions of a run, each from its first purchase until nothing was left. */
export function positionSummaryView({ trades }: Pick<PortfolioRun, 'trades'>): PositionSummary {
  const positions = positionsOf(trades);
  const closed = positions.map((one) => ({ ...one, barsHeld: one.exitIndex - one.entryIndex }));
  const summary = positionSummary(closed, trades.length - positions.length);
  return {
    ...summary,
    win_rate_pct: percent(summary.win_rate_pct),
    payoff: percent(summary.payoff),
    profit_factor: percent(summary.profit_factor),
    expectancy_pct: percent(summary.expectancy_pct),
    expectancy: figure(summary.expectancy, 2),
    holding_bars: fromKeys(keysOf(summary.holding_bars), (key) => percent(summary.holding_bars[key])),
  };
}

/** Names of metrics in results of portfolios. */
export const PORTFOLIO_METRIC_NAMES = [...Object.values(METRIC_NAMES), 'turnover_pct', 'avg_positions'];

export function allocationView({ allocation }: Pick<PortfolioSpec, 'allocation'>) {
  return {
    max_positions: allocation.maxPositions,
    sizing: allocation.sizing,
    volatility_period: allocation.volatilityPeriod,
    rank_by: allocation.rankBy,
    rebalance: allocation.rebalance,
    cash_buffer_pct: allocation.cashBufferPct,
  };
}

export function benchmarkView({ benchmark }: Pick<PortfolioSpec, 'benchmark'>): string {
  return benchmark?.symbol ?? EQUAL_WEIGHT;
}

/** The market that is held beside a portfolio: its benchmark where that is an instrument, else its instruments in equal parts. */
export function marketOf(
  { benchmark }: Pick<PortfolioSpec, 'benchmark'>,
  { market }: Pick<PreparedPortfolio, 'market'>,
): HeldMarket {
  return { name: benchmark?.symbol ?? EQUAL_WEIGHT_DAILY, returns: market };
}

/** A run with a session ahead, as it is before that session. `clock` and `market` have it, too. */
export function openRun(
  symbolOf: (instrument: number) => string,
  { clock, market }: Pick<PreparedPortfolio, 'clock' | 'market'>,
  { equity, curve = equity, open }: PortfolioRun,
): OpenRun {
  const count = clock.length - 1;
  const { positions = [], orders = [] } = open ?? {};
  return {
    days: clock.subarray(0, count),
    equity: curve.subarray(0, count),
    market: market.subarray(0, count),
    positions: positions.map(({ instrument, shares }) => ({ symbol: symbolOf(instrument), shares })),
    orders: orders.map(({ instrument, ...order }) => ({ symbol: symbolOf(instrument), ...order })),
  };
}

/** The data that the long parts of a result are written from. */
export interface ReportedPortfolio extends ComparedPortfolio {
  readonly instruments: readonly {
    readonly symbol: string;
    readonly range: { readonly series: Pick<BarSeries, 'day'> };
  }[];
}

/** The long parts of a result, as text. */
export function partsOf(
  { execution }: Pick<PortfolioSpec, 'execution'>,
  prepared: ReportedPortfolio,
  run: PortfolioRun,
) {
  return {
    trades: tradesJson(prepared, run),
    equity: equityJson({ bars: comparedBars(prepared), run }, execution.initialCapital),
    positions: positionsJson(prepared, run),
    contributions: contributionsJson(prepared, run),
  };
}

function tradesJson({ instruments }: ReportedPortfolio, { trades }: PortfolioRun): string {
  return JSON.stringify(
    trades.map((trade, i) => {
      const { symbol, range } = instruments[trade.instrument];
      const entryDate = formatDayCached(range.series.day[trade.entryIndex]);
      return { symbol, ...tradeView(trade, i + 1, entryDate, formatDayCached(trade.exitDay)) };
    }),
  );
}

function positionsJson({ clock }: ReportedPortfolio, { equity, positions, invested }: PortfolioRun): string {
  return JSON.stringify(
    Array.from(clock, (day, t) => ({
      ts: formatDayCached(day),
      count: positions[t],
      invested_pct: equity[t] === 0 ? null : percent((100 * invested[t]) / equity[t]),
    })),
  );
}

function contributionsJson({ instruments }: ReportedPortfolio, { trades }: PortfolioRun): string {
  return JSON.stringify(
    contributionsOf(trades).map((contribution) => ({
      symbol: instruments[contribution.instrument].symbol,
      trades: contribution.trades,
      pnl: money(contribution.pnl),
      pnl_share_pct: percent(contribution.pnlSharePct),
    })),
  );
}
