/** What is kept of a finished portfolio beside its long parts: facts and figures, in no language. */
import { formatDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import {
  isMixedSource,
  type PortfolioMetrics,
  type PreparedPortfolio,
  portfolioMetrics,
} from '../../engine/portfolio/backtest.ts';
import { EQUAL_WEIGHT } from '../../engine/portfolio/benchmark.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { type NoteCode, noteCodesOf } from '../backtest/notes.ts';
import { metricsView, percent } from '../backtest/report.ts';
import { type BacktestSummary, dataRangeOf } from '../backtest/summary.ts';
import type { PortfolioSpec } from './contract.ts';
import { gapsOfPortfolio } from './gaps.ts';

/** A list with a smaller share of delisted instruments was probably made from those that have survived. */
const EXPECTED_DELISTED_SHARE = 0.05;

export interface PortfolioSummary extends Omit<BacktestSummary, 'symbol'> {
  readonly kind: 'portfolio';
  /** All that were asked for, as `<TICKER>.US`. */
  readonly symbols: readonly string[];
  /** Those of them that have no bar in the range. */
  readonly symbols_without_bars: readonly string[];
  readonly turnover_pct: number | null;
  readonly avg_positions: number;
  readonly allocation: {
    readonly max_positions: number;
    readonly sizing: string;
    readonly volatility_period: number;
    readonly rank_by: { readonly field: string; readonly period: number | null; readonly order: string } | null;
    readonly rebalance: string;
    readonly cash_buffer_pct: number;
  };
  readonly benchmark: string;
}

/** What is stored of a portfolio. */
export function portfolioSummary(stored: unknown): PortfolioSummary {
  // Only the jobs of portfolios write it, in the form of the version that wrote it.
  return stored as PortfolioSummary;
}

/** Metrics of a portfolio. Stored results keep this order. */
function portfolioMetricsView({ turnoverPct, avgPositions, ...metrics }: PortfolioMetrics) {
  return { ...metricsView(metrics), turnover_pct: percent(turnoverPct), avg_positions: percent(avgPositions) };
}

export function summaryOf(
  spec: PortfolioSpec,
  prepared: PreparedPortfolio,
  run: PortfolioRun,
  ledger: SessionLedger,
): PortfolioSummary {
  const { execution, allocation } = spec;
  const { clock } = prepared;
  const gaps = gapsOfPortfolio(spec, prepared, ledger);
  const taking = new Set(prepared.instruments.map(({ symbol }) => symbol));
  const symbols = spec.instruments.map(({ symbol }) => symbol);
  return {
    kind: 'portfolio',
    symbols,
    symbols_without_bars: symbols.filter((symbol) => !taking.has(symbol)),
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: spec.adjust,
    start_date: formatDay(clock[0]),
    end_date: formatDay(clock[clock.length - 1]),
    ...portfolioMetricsView(portfolioMetrics(prepared, run, execution.initialCapital)),
    params: spec.params,
    cost: {
      commission_rate: execution.commissionRate,
      min_commission: execution.minCommission,
      slippage_bps: execution.slippageBps,
      initial_capital: execution.initialCapital,
      execute_on: execution.executeOn,
    },
    allocation: {
      max_positions: allocation.maxPositions,
      sizing: allocation.sizing,
      volatility_period: allocation.volatilityPeriod,
      rank_by: allocation.rankBy,
      rebalance: allocation.rebalance,
      cash_buffer_pct: allocation.cashBufferPct,
    },
    benchmark: spec.benchmark?.symbol ?? EQUAL_WEIGHT,
    data_range: dataRangeOf(clock, gaps),
    data_freshness: {
      distribution_mode: spec.distributionMode,
      as_of: spec.dataAsOf === null ? null : formatDay(spec.dataAsOf),
      delayed: spec.distributionMode !== 'realtime',
    },
    note_codes: [...noteCodesOf(spec, isMixedSource(prepared), gaps), ...listNotes(spec)],
  };
}

/** What there is to say about how the instruments were chosen. */
function listNotes({ instruments, asOf, isPointInTime }: PortfolioSpec): NoteCode[] {
  const delisted = instruments.filter(({ delistedOn }) => delistedOn !== null && delistedOn <= asOf).length;
  const notes: NoteCode[] = delisted < EXPECTED_DELISTED_SHARE * instruments.length ? ['survivorship'] : [];
  if (isPointInTime) notes.push('point_in_time');
  return notes;
}
