/** Snapshots of the screener, made of whole histories. */
import { allocateSeries, type BarSeries } from '../../engine/market/series.ts';
import { blocksOf } from '../../engine/screener/blocks.ts';
import { allocateMeans, keepMeans, SNAPSHOT_BARS } from '../../engine/screener/running-means.ts';
import type { MarketSnapshot } from '../../engine/screener/snapshot.ts';

/** The histories, each cut to its newest bars as a snapshot is. */
export function snapshotOf(series: readonly BarSeries[], newest = SNAPSHOT_BARS): MarketSnapshot {
  const total = series.reduce((sum, { length }) => sum + Math.min(length, newest), 0);
  const bars = allocateSeries(total);
  const running = allocateMeans(series.length);
  const offsets = [0];
  for (const [i, one] of series.entries()) {
    const first = Math.max(0, one.length - newest);
    for (const column of ['day', 'open', 'high', 'low', 'close', 'volume'] as const) {
      bars[column].set(one[column].subarray(first), offsets[i]);
    }
    if (first > 0) keepMeans(running, i, one, first);
    offsets.push(offsets[i] + one.length - first);
  }
  return {
    bars,
    offsets: Int32Array.from(offsets),
    instrumentIds: Int32Array.from(series, (_, i) => 100 + i),
    running,
    lastSplits: new Float64Array(series.length).fill(1),
    blocks: blocksOf(bars),
  };
}
