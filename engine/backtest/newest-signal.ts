/** The newest bar of a whole history: the signal of a strategy there, and the figures of a rule. */

import { IndicatorSet } from '../indicators/indicator-set.ts';
import { allocateSeries, type BarSeries, factsOf, VALUE_COLUMNS } from '../market/series.ts';
import { substitute } from '../rules/canonical.ts';
import type { HistoryColumns } from '../rules/columns.ts';
import { compileCondition, compileValue } from '../rules/compile.ts';
import { comparedValues, printExpression } from '../rules/print.ts';
import type { Expression } from '../rules/syntax.ts';
import type { ParameterValues } from '../strategies/parameters.ts';
import type { Strategy } from '../strategies/strategy.ts';
import type { ExitReason } from './execution.ts';
import { runStrategy } from './simulate.ts';

export interface NewestSignal {
  readonly kind: 'entry' | 'exit';
  readonly reason: ExitReason;
}

/**
 * A run closes its position at its last bar and makes no entry there, nor one that would be filled there. So the history gets more bars,
 * copies of the newest, which no indicator of an earlier bar sees.
 */
export function withBarsAhead(series: BarSeries, bars: number): BarSeries {
  const { length } = series;
  const ahead = allocateSeries(length + bars, series.adjustedFor);
  ahead.day.set(series.day);
  for (let i = 0; i < bars; i++) ahead.day[length + i] = series.day[length - 1] + 1 + i;
  for (const name of VALUE_COLUMNS) {
    ahead[name].set(series[name]);
    ahead[name].fill(series[name][length - 1], length);
  }
  return { ...ahead, ...factsOf(series), own: series.own };
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

/** The compared values of a condition, by their text; null where one is undefined or depends on the position. */
export function figuresAtNewest(
  columns: HistoryColumns,
  condition: Expression,
  params: Readonly<Record<string, unknown>>,
): Record<string, number | null> {
  const figures = comparedValues(substitute(condition, params)).map((value): [string, number | null] => {
    const node = compileValue(value);
    const figure = node.isOfPosition ? Number.NaN : (columns.value(node).at(-1) ?? Number.NaN);
    return [printExpression(value), Number.isNaN(figure) ? null : figure];
  });
  return Object.fromEntries(figures);
}

/** Returns whether a condition is true at the newest bar. */
export function holdsAtNewest(columns: HistoryColumns, condition: Expression): boolean {
  return columns.mask(compileCondition(condition)).at(-1) === 1;
}
