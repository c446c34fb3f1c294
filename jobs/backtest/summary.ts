/** The summary of a finished backtest, stored with its trades, bars, and equity curve. It has no text in a language. */
import type { BacktestOutcome, PricedRange } from '../../engine/backtest/backtest.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { isForced } from '../../engine/backtest/execution.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { gapsOf, type HistoryGaps } from '../../engine/market/history-gaps.ts';
import type { SessionLedger } from '../../engine/market/session-ledger.ts';
import type { RangeReason } from '../../engine/market/time-range.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RuleTexts } from '../../engine/strategies/strategy.ts';
import { keysOf } from '../../engine/util/values.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { BacktestSpec, SavedReference } from '../contracts/backtest.ts';
import type { Receipt } from '../contracts/evidence.ts';
import type { Evidence } from './evidence.ts';
import type { History } from './history.ts';
import { type DetailsByCode, dividendNotes, doubtNotes, evidenceNotes, type NoteCode, noteCodesOf } from './notes.ts';
import { type MetricsView, metricsView } from './report.ts';
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

/** The gaps among the bars `from` (included) to `to` (excluded) of a series, in the range of a specification. */
export function gapsOfSpec(
  spec: BacktestSpec,
  { series, from, to, rangeReasons, wantedStart }: Omit<PricedRange, 'finalReason' | 'cut'>,
  ledger: SessionLedger,
): HistoryGaps {
  const { listedOn, delistedOn, end, asOf } = spec;
  return gapsOf({
    ledger,
    days: series.day.subarray(from, to),
    start: wantedStart,
    end,
    asOf,
    lifetime: { listedOn, delistedOn },
    reasons: rangeReasons,
  });
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

/** The stored part of a single backtest. */
export function backtestSummary(stored: unknown): BacktestSummary {
  // Only jobs of backtests write it. One of an earlier version may lack fields.
  return stored as BacktestSummary;
}

/** Everything in a summary except the outcome of the run. */
export interface SummaryContext {
  readonly spec: BacktestSpec;
  readonly ledger: SessionLedger;
  readonly history: History;
  readonly evidence: Evidence;
}

export function summaryOf(
  outcome: BacktestOutcome,
  { spec, ledger, history, evidence }: SummaryContext,
): BacktestSummary {
  const { bars, metrics, rangeReasons, wantedStart, isMixed } = outcome;
  const [firstDay, lastDay] = [bars.day[0], bars.day[bars.length - 1]];
  const gaps = gapsOfSpec(spec, { series: bars, from: 0, to: bars.length, rangeReasons, wantedStart }, ledger);
  const doubts = doubtsOf(spec, outcome, history);
  return {
    symbol: spec.symbol,
    time_range: spec.start === null ? spec.timeRange : 'CUSTOM',
    strategy: spec.strategy,
    rules: spec.rules,
    saved: spec.saved,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: spec.adjust,
    start_date: formatDay(firstDay),
    end_date: formatDay(lastDay),
    ...metricsView(outcome.metrics),
    params: spec.params,
    cost: costView(spec),
    data_range: dataRangeOf(bars.day, gaps),
    data_freshness: freshnessView(spec),
    note_codes: [
      ...noteCodesOf(spec, isMixed, gaps),
      ...dividendNotes(spec.adjust, history.events, firstDay, lastDay),
      ...evidenceNotes(metrics, bars.length, evidence.minTrackRecordBars),
      ...keysOf(doubts),
    ],
    note_details: doubts,
    statistics: evidence.statistics,
    receipt: evidence.receipt,
    selection_basis: evidence.basis,
  };
}

function doubtsOf(
  { symbol, adjust, execution }: BacktestSpec,
  { bars, run }: BacktestOutcome,
  { series, events }: History,
): DetailsByCode {
  const stays = run.trades.map(({ entryIndex, exitIndex }) => ({
    entryDay: series.day[entryIndex],
    exitDay: series.day[exitIndex],
  }));
  const orders = run.trades.flatMap(({ entryIndex, exitIndex, entryPrice, exitPrice, shares, exitReason }) => {
    const purchase = { index: entryIndex, amount: shares * entryPrice };
    return isForced(exitReason) ? [purchase] : [purchase, { index: exitIndex, amount: shares * exitPrice }];
  });
  return doubtNotes([{ ...tradedOf(symbol, series, events), stays, orders }], {
    adjust,
    executeOn: execution.executeOn,
    first: bars.day[0],
    last: bars.day[bars.length - 1],
  });
}
