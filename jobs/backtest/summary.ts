/** What is kept of a finished backtest beside its trades, bars and curve: facts and figures, in no language. */
import { type BacktestOutcome, reportMetrics } from '../../engine/backtest.ts';
import { formatDay } from '../../engine/dates.ts';
import type { Metrics } from '../../engine/metrics.ts';
import type { ParameterValues } from '../../engine/strategies/parameters.ts';
import type { RangeReason } from '../../engine/time-range.ts';
import { ENGINE_VERSION } from '../../engine/version.ts';
import type { BacktestOrder, NoteCode } from './order.ts';

export interface BacktestSummary extends Metrics {
  readonly symbol: string;
  /** `CUSTOM` when a start was given. */
  readonly time_range: string;
  readonly strategy: string;
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
  readonly data_range: {
    readonly actual_start: string;
    readonly actual_end: string;
    readonly bars: number;
    readonly truncated: boolean;
    readonly reason_codes: readonly RangeReason[];
  };
  readonly data_freshness: {
    readonly distribution_mode: string;
    readonly as_of: string | null;
    readonly delayed: boolean;
  };
  readonly note_codes: readonly NoteCode[];
}

export function summaryOf(order: BacktestOrder, outcome: BacktestOutcome): BacktestSummary {
  const { bars, rangeReasons, isMixed } = outcome;
  const { execution } = order;
  const [first, last] = [formatDay(bars.day[0]), formatDay(bars.day[bars.length - 1])];
  return {
    symbol: order.symbol,
    time_range: order.start === null ? order.timeRange : 'CUSTOM',
    strategy: order.strategy,
    engine_version: ENGINE_VERSION,
    venue_mode: 'consolidated',
    adjust: order.adjust,
    start_date: first,
    end_date: last,
    ...reportMetrics(outcome.metrics),
    params: order.params,
    cost: {
      commission_rate: execution.commissionRate,
      min_commission: execution.minCommission,
      slippage_bps: execution.slippageBps,
      initial_capital: execution.initialCapital,
      execute_on: execution.executeOn,
    },
    data_range: {
      actual_start: first,
      actual_end: last,
      bars: bars.length,
      truncated: rangeReasons.length > 0,
      reason_codes: rangeReasons,
    },
    data_freshness: {
      distribution_mode: order.distributionMode,
      as_of: order.dataAsOf === null ? null : formatDay(order.dataAsOf),
      delayed: order.distributionMode !== 'realtime',
    },
    note_codes: [
      ...(order.isCostless ? (['no_cost_model'] as const) : []),
      ...(isMixed ? (['mixed_session_source'] as const) : []),
    ],
  };
}
