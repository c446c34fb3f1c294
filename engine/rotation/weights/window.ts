/** The returns that weights are computed from. */
import { type BarSeries, firstIndexFrom } from '../../market/series.ts';
import type { Panel } from '../panel.ts';
import { deviationOf, type Returns } from './covariance.ts';

export interface ReturnWindow {
  /** A column per name, a return per session; 0 where the name has no bar. */
  readonly returns: Returns;
  /** Names with too few returns, or without any movement: nothing can be computed for them. */
  readonly isThin: readonly boolean[];
}

/** Names with returns on fewer of the sessions are thin: 90 of 100. */
const SMALLEST_SHARE = 90;
/** A deviation that is rounding alone. */
const NO_DEVIATION = 1e-12;

/** Simple returns from own bar to own bar over the last `lookback` sessions up to session `t` of the clock. */
export function returnWindow(
  { members, sessions, first }: Panel,
  names: readonly number[],
  t: number,
  lookback: number,
) {
  const end = first + t + 1;
  const window = sessions.subarray(end - lookback, end);
  const columns = names.map((name) => returnsOf(members[name].series, window));
  return {
    returns: columns.map(({ returns }) => returns),
    isThin: columns.map(
      ({ returns, count }) => 100 * count < SMALLEST_SHARE * lookback || deviationOf(returns) <= NO_DEVIATION,
    ),
  } satisfies ReturnWindow;
}

function returnsOf(series: BarSeries, window: Int32Array) {
  const { day, close, length } = series;
  const returns = new Float64Array(window.length);
  let count = 0;
  let index = firstIndexFrom(series, window[window.length - 1] + 1);
  for (let s = window.length - 1; s >= 0; s--) {
    while (index > 0 && (index === length || day[index] > window[s])) index--;
    if (index <= 0) break;
    if (day[index] !== window[s]) continue;
    returns[s] = close[index] / close[index - 1] - 1;
    count++;
  }
  return { returns, count };
}
