/** The signal of a strategy at the newest bar of a whole history. */
import { IndicatorSet } from '../indicators/indicator-set.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../market/series.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { ExitReason } from './execution.ts';
import { runStrategy } from './run-strategy.ts';

export interface NewestSignal {
  readonly kind: 'entry' | 'exit';
  readonly reason: ExitReason;
}

/**
 * The newest bar of a run is closed there and makes no entry. So the history gets one more bar, a copy of the newest, which
 * no indicator of an earlier bar sees.
 */
export function withBarAhead(series: BarSeries): BarSeries {
  const { length } = series;
  const ahead = allocateSeries(length + 1, series.adjustedFor);
  ahead.day.set(series.day);
  ahead.day[length] = series.day[length - 1] + 1;
  for (const name of VALUE_COLUMNS) {
    ahead[name].set(series[name]);
    ahead[name][length] = series[name][length - 1];
  }
  return ahead;
}

/** `ahead`: the history with a bar ahead, whose indicators are `indicators`. Filled at closes, as a backtest without costs. */
export function newestSignal(
  strategy: Strategy,
  params: ParameterValues,
  ahead: BarSeries,
  indicators = new IndicatorSet(ahead),
): NewestSignal | null {
  const { trades } = runStrategy(
    strategy,
    params,
    {
      series: ahead,
      from: 0,
      to: ahead.length,
      finalReason: 'end_of_data',
      execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 1 },
    },
    indicators,
  );
  const newest = ahead.length - 2;
  const last = trades.at(-1);
  if (last?.entryIndex === newest) return { kind: 'entry', reason: 'signal' };
  return last?.exitIndex === newest ? { kind: 'exit', reason: last.exitReason } : null;
}
