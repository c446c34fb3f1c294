/** The summary of a finished portfolio. */
import type { PartLengths } from '../../db/schema/runs.ts';
import type { PositionSummary } from '../../engine/tear-sheet/trades.ts';
import type { SkippedSymbols } from '../contracts/portfolio.ts';
import type { BarDays } from '../runs/receipt.ts';
import type { ReportedSelection } from '../runs/statistics.ts';
import { type BacktestSummary, summaryAs } from '../runs/summary.ts';

export interface PortfolioSummary extends Omit<BacktestSummary, 'symbol'> {
  readonly kind: 'portfolio';
  /** All that were requested, as `<TICKER>.US`; those that a rotation of every instrument held. */
  readonly symbols: readonly string[];
  /** Symbols without a bar in the range. */
  readonly symbols_without_bars: readonly string[];
  readonly turnover_pct: number | null;
  readonly avg_positions: number;
  /** Absent in results of earlier versions. */
  readonly position_summary?: PositionSummary;
  readonly allocation: {
    readonly max_positions: number;
    readonly sizing: string;
    readonly volatility_period: number;
    readonly rank_by: { readonly field: string; readonly period: number | null; readonly order: string } | null;
    readonly rebalance: string;
    readonly cash_buffer_pct: number;
  };
  readonly benchmark: string;
  /** Rotations have it. */
  readonly rotation?: { readonly score: string; readonly hold: object };
  /** Absent: none was skipped. */
  readonly skipped_symbols?: SkippedSymbols;
  /** The session by whose figures a screen chose the symbols. */
  readonly screened_on?: string;
  /**
   * Days of the first and the last bar that were read of each instrument, then of the benchmark; not shown. Absent in results of
   * earlier versions.
   */
  readonly bars_read?: readonly (BarDays | null)[];
}

/** The stored part of a portfolio. */
export const portfolioSummary = (stored: unknown) => summaryAs<PortfolioSummary>(stored);

/** Portfolios that ran beside each other. A part of their result is an array of their parts; `lengths` are those of each. */
export interface ComparedSummary {
  readonly runs: readonly {
    readonly name: string;
    readonly summary: PortfolioSummary;
    readonly selection: ReportedSelection | null;
    readonly lengths: PartLengths;
  }[];
}
