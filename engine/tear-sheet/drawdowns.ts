/** Falls of equity below its highest point so far, with the ties of the engine: rounding is no fall. */

import { isAbove } from '../indicators/ties.ts';
import { formatDayCached } from '../market/dates.ts';

const DEEPEST = 10;

export interface Drawdown {
  readonly peak: string;
  readonly valley: string;
  /** Null: not by the end. */
  readonly recovery: string | null;
  readonly depth_pct: number;
  readonly bars_down: number;
  readonly bars_up: number | null;
}

/** Points of the equity curve, whose point 0 is the start. */
interface Fall {
  readonly peak: number;
  readonly valley: number;
  readonly recovery: number | null;
  readonly depth: number;
}

/** `equity`: with the start as its first point. */
function fallsOf(equity: Float64Array): Fall[] {
  const falls: Fall[] = [];
  let [peak, peakAt] = [equity[0], 0];
  let valleyAt: number | null = null;
  const end = (recovery: number | null) => {
    if (valleyAt !== null) falls.push({ recovery, peak: peakAt, valley: valleyAt, depth: 1 - equity[valleyAt] / peak });
    valleyAt = null;
  };
  for (let i = 1; i < equity.length; i++) {
    if (isAbove(peak, equity[i])) {
      if (valleyAt === null || equity[i] < equity[valleyAt]) valleyAt = i;
      continue;
    }
    end(i);
    peak = Math.max(peak, equity[i]);
    peakAt = i;
  }
  end(null);
  return falls;
}

/** The deepest falls; equally deep ones by their peaks. */
export function drawdownsOf(days: Int32Array, equity: Float64Array): Drawdown[] {
  // The start is on the day of the first session.
  const date = (i: number) => formatDayCached(days[Math.max(0, i - 1)]);
  return fallsOf(equity)
    .sort((a, b) => b.depth - a.depth || a.peak - b.peak)
    .slice(0, DEEPEST)
    .map(({ peak, valley, recovery, depth }) => ({
      peak: date(peak),
      valley: date(valley),
      recovery: recovery === null ? null : date(recovery),
      depth_pct: 100 * depth,
      bars_down: valley - peak,
      bars_up: recovery === null ? null : recovery - valley,
    }));
}

/** How far the equity of each session is below its peak, in percent. */
export function underwaterOf(
  days: Int32Array,
  equity: Float64Array,
): { readonly ts: string; readonly drawdown_pct: number }[] {
  let peak = equity[0];
  return Array.from(days, (day, t) => {
    const value = equity[t + 1];
    const isUnder = isAbove(peak, value);
    peak = Math.max(peak, value);
    return { ts: formatDayCached(day), drawdown_pct: isUnder ? 100 * (1 - value / peak) : 0 };
  });
}

/** The worst of a curve of equity. */
export interface Worst {
  /** Largest drawdown, as a fraction. */
  readonly drawdown: number;
  /** Longest time under water in points: from a peak to its recovery or to the end. */
  readonly underWater: number;
}

/** `equity`: with the start as its first point. */
export function worstOf(equity: Float64Array): Worst {
  let [peak, peakAt, drawdown, underWater] = [equity[0], 0, 0, 0];
  /** The lowest point since the peak, if it is under water. */
  let valley = peak;
  for (let i = 1; i < equity.length; i++) {
    const value = equity[i];
    if (isAbove(peak, value)) {
      if (value < valley) valley = value;
      continue;
    }
    if (valley < peak) {
      underWater = Math.max(underWater, i - peakAt);
      drawdown = Math.max(drawdown, 1 - valley / peak);
    }
    if (value > peak) peak = value;
    peakAt = i;
    valley = peak;
  }
  if (valley < peak) {
    underWater = Math.max(underWater, equity.length - 1 - peakAt);
    drawdown = Math.max(drawdown, 1 - valley / peak);
  }
  return { drawdown, underWater };
}
