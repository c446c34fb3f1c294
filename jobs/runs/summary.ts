/** The summary of a finished run, stored with its long parts. */
import { formatDay } from '../../engine/market/dates.ts';
import type { HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { RangeReason } from '../../engine/market/time-range.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RuleTexts } from '../../engine/strategies/strategy.ts';
import type { BacktestSpec, SavedReference } from '../contracts/backtest.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { DetailsByCode, NoteCode } from './notes.ts';
import type { ColumnView } from './own-columns.ts';
import type { MetricsView } from './report.ts';
import type { ReportedStatistics, SelectionBasis } from './statistics.ts';

/** The range of bars that a result covers, and the gaps in it. */
export interface StoredDataRange {
  readonly actual_start: string;
  readonly actual_end: string;
  readonly bars: number;
  readonly truncated: boolean;
  readonly reason_codes: readonly RangeReason[];
  /** Absent, like `missing_bars`, in results of earlier versions. */
  readonly missing_sessions?: {
    readonly count: number;
    readonly ranges: readonly { readonly start: string; readonly end: string }[];
  };
  readonly missing_bars?: number;
}

export function dataRangeOf(days: Int32Array, { reasons, missingSessions, missingBars }: HistoryGaps): StoredDataRange {
  return {
    actual_start: formatDay(days[0]),
    actual_end: formatDay(days[days.length - 1]),
    bars: days.length,
    truncated: reasons.length > 0,
    reason_codes: reasons,
    missing_sessions: {
      count: missingSessions.count,
      ranges: missingSessions.ranges.map(({ start, end }) => ({ start: formatDay(start), end: formatDay(end) })),
    },
    missing_bars: missingBars,
  };
}

export interface BacktestSummary extends MetricsView {
  readonly symbol: string;
  /** `CUSTOM` when a start was given. */
  readonly time_range: string;
  readonly strategy: string;
  /** Only for the strategy `rules`. */
  readonly rules?: RuleTexts;
  readonly saved?: SavedReference;
  readonly engine_version: string;
  readonly venue_mode: 'consolidated';
  readonly adjust: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly params: ParameterValues;
  /** The own columns that the rules read. Absent: none. */
  readonly columns?: readonly ColumnView[];
  readonly cost: {
    readonly commission_rate: number;
    readonly min_commission: number;
    readonly slippage_bps: number;
    readonly initial_capital: number;
    readonly execute_on: string;
  };
  readonly data_range: StoredDataRange;
  readonly data_freshness: {
    readonly distribution_mode: string;
    readonly as_of: string | null;
    readonly delayed: boolean;
  };
  readonly note_codes: readonly NoteCode[];
  /** The details of notes, if they have any. Absent in results of earlier versions. */
  readonly note_details?: DetailsByCode;
  /** Like the next two, absent in results of earlier versions, and if they were not requested. */
  readonly statistics?: ReportedStatistics;
  readonly receipt?: Receipt;
  /** The figures that a selection is computed from; not shown. */
  readonly selection_basis: SelectionBasis;
}

/** Costs, capital, and fills of a run of any kind, as its summary has them. */
export function costView({ execution }: Pick<BacktestSpec, 'execution'>): BacktestSummary['cost'] {
  return {
    commission_rate: execution.commissionRate,
    min_commission: execution.minCommission,
    slippage_bps: execution.slippageBps,
    initial_capital: execution.initialCapital,
    execute_on: execution.executeOn,
  };
}

export function freshnessView({
  distributionMode,
  dataAsOf,
}: Pick<BacktestSpec, 'distributionMode' | 'dataAsOf'>): BacktestSummary['data_freshness'] {
  return {
    distribution_mode: distributionMode,
    as_of: dataAsOf === null ? null : formatDay(dataAsOf),
    delayed: distributionMode !== 'realtime',
  };
}

/** The stored part of a run. */
export function summaryAs<Summary extends object>(stored: unknown): Summary {
  // Only jobs of its kind write it. One of an earlier version may lack fields.
  return stored as Summary;
}

/** The stored part of a single backtest. */
export const backtestSummary = (stored: unknown) => summaryAs<BacktestSummary>(stored);

/** The summary of a kept run of any kind, as any version of the service has written it. */
export type KeptSummary = Omit<BacktestSummary, 'symbol'>;

export const keptSummary = (stored: unknown) => summaryAs<KeptSummary>(stored);
