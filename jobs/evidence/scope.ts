/**
 * Cuts a history to the bars that a kept run has read. Loads add bars before and after it in the ordinary course of time: they are no change of the data
 * of the run.
 */
import { countingKinds } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { keepDays } from '../../engine/market/series.ts';
import type { History } from '../backtest/history.ts';
import type { BarDays } from '../backtest/receipt.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';

export interface Scope {
  readonly readsBar: (day: Day) => boolean;
  readonly readsEvent: (event: Pick<History['events'][number], 'kind' | 'exDay'>) => boolean;
}

/**
 * `days`: of the first and the last bar that the run read; null: none. Bars after its `end` are no part of it, but tell that there it
 * was not the end of the history.
 */
export function scopeOf(
  days: BarDays | null,
  { end, asOf, adjust }: Pick<BacktestSpec, 'end' | 'asOf' | 'adjust'>,
): Scope {
  const [first, last] = days ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const kinds = countingKinds(adjust);
  return {
    readsBar: (day) => day <= asOf && ((first <= day && day <= last) || (end !== null && day > end)),
    readsEvent: ({ kind, exDay }) => kinds.includes(kind) && exDay <= last,
  };
}

export function withinScope<H extends History>(history: H, { readsBar }: Scope): H {
  return { ...history, series: keepDays(history.series, readsBar) };
}
