/** The stored part of a finished portfolio beside its long arrays: facts and figures, in no language. */
import { formatDay } from '../../engine/market/dates.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import { isMixedSource, type PortfolioMetrics } from '../../engine/portfolio/backtest.ts';
import type { PortfolioRun } from '../../engine/portfolio/portfolio.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import { dividendNotes, evidenceNotes, type NoteCode, noteCodesOf, survivorNotes } from '../backtest/notes.ts';
import type { BarDays } from '../backtest/receipt.ts';
import { type BacktestSummary, dataRangeOf } from '../backtest/summary.ts';
import type { PortfolioSpec, SkippedSymbols } from '../contracts/portfolio.ts';
import type { PortfolioEvidence } from './evidence.ts';
import { gapsOfPortfolio } from './gaps.ts';
import type { ReadPortfolio } from './prepare.ts';
import { allocationView, benchmarkView, portfolioMetricsView } from './report.ts';

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
  /** Absent: none. */
  readonly skipped_symbols?: SkippedSymbols;
  /** Where a screen chose the symbols. */
  readonly screened_on?: string;
  /**
   * Days of the first and the last bar that were read of each instrument, then of the benchmark; not shown. Absent in results
   * of earlier versions.
   */
  readonly bars_read?: readonly (BarDays | null)[];
}

/** The stored part of a portfolio. */
export function portfolioSummary(stored: unknown): PortfolioSummary {
  // Only jobs of portfolios write it. One of an older version may lack fields.
  return stored as PortfolioSummary;
}

/** Everything in a summary except the specification. */
export interface PortfolioOutcome {
  readonly read: ReadPortfolio;
  readonly run: PortfolioRun;
  readonly metrics: PortfolioMetrics;
  readonly evidence: PortfolioEvidence;
}

export function summaryOf(
  spec: PortfolioSpec,
  { read, run, metrics, evidence }: PortfolioOutcome,
  ledger: SessionLedger,
): PortfolioSummary {
  const { execution } = spec;
  const { prepared } = read;
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
    ...portfolioMetricsView(metrics),
    params: spec.params,
    cost: {
      commission_rate: execution.commissionRate,
      min_commission: execution.minCommission,
      slippage_bps: execution.slippageBps,
      initial_capital: execution.initialCapital,
      execute_on: execution.executeOn,
    },
    allocation: allocationView(spec),
    benchmark: benchmarkView(spec),
    skipped_symbols: spec.skipped ?? undefined,
    screened_on: spec.screenedOn === null ? undefined : formatDay(spec.screenedOn),
    data_range: dataRangeOf(clock, gaps),
    data_freshness: {
      distribution_mode: spec.distributionMode,
      as_of: spec.dataAsOf === null ? null : formatDay(spec.dataAsOf),
      delayed: spec.distributionMode !== 'realtime',
    },
    note_codes: [
      ...noteCodesOf(spec, isMixedSource(prepared), gaps),
      ...unpaidNotes(spec, read),
      ...evidenceNotes(run.trades.length, clock.length, evidence.minTrackRecordBars),
      ...survivorNotes(spec.instruments, spec),
    ],
    statistics: evidence.statistics,
    receipt: evidence.receipt,
    selection_basis: evidence.basis,
    bars_read: evidence.data.each,
  };
}

/** The note on dividends of any instrument, within its own bars of the range. */
export function unpaidNotes({ adjust }: PortfolioSpec, { prepared, members }: ReadPortfolio): readonly NoteCode[] {
  const events = new Map(members.map((member) => [member.symbol, member.events]));
  for (const { symbol, range } of prepared.instruments) {
    const { day } = range.series;
    const codes = dividendNotes(adjust, events.get(symbol) ?? [], day[range.from], day[range.to - 1]);
    if (codes.length > 0) return codes;
  }
  return [];
}
