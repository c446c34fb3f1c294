/** Correlations of the weekly returns of instruments. */
import type { Kline } from '../types.ts';

/** Weeks that two instruments must share: fewer say nothing. */
const LEAST_WEEKS = 8;

export interface Correlations {
  readonly symbols: readonly string[];
  /** Row by row; null: too few weeks. */
  readonly values: readonly (readonly (number | null)[])[];
  /** Weekly returns of the instrument that has most. */
  readonly weeks: number;
}

/** Returns by the last day of their week. */
function returnsOf(bars: Kline['bars']): ReadonlyMap<string, number> {
  return new Map(bars.slice(1).map(({ ts, close }, i) => [ts, close / bars[i].close - 1]));
}

/** Null if the instruments share too few weeks, or one of them never moved. */
function correlation(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number | null {
  const pairs = [...a].flatMap(([ts, x]) => {
    const y = b.get(ts);
    return y === undefined ? [] : [[x, y] as const];
  });
  if (pairs.length < LEAST_WEEKS) return null;
  const [meanX, meanY] = [0, 1].map((k) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length);
  let [xy, xx, yy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** `candles`: weekly, by symbol. */
export function correlationsOf(candles: readonly Pick<Kline, 'symbol' | 'bars'>[]): Correlations {
  const returns = candles.map(({ bars }) => returnsOf(bars));
  return {
    symbols: candles.map(({ symbol }) => symbol),
    values: returns.map((a, i) => returns.map((b, j) => (i === j ? 1 : correlation(a, b)))),
    weeks: Math.max(0, ...returns.map(({ size }) => size)),
  };
}
