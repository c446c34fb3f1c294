/** Builds a snapshot, instrument by instrument. */
import type { Instrument } from '../../db/market/instruments.ts';
import { type Adjustment, effectiveSplits, priceFactors } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { adjustToLastBar } from '../../engine/market/splice.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { PERIOD_COUNT, SNAPSHOT_BARS } from '../../engine/screener/periods.ts';
import { allocateMeans, keepMeans, type RunningMeans } from '../../engine/screener/running-means.ts';
import type { StoredSnapshot } from '../../engine/screener/snapshot.ts';

export interface Collected {
  readonly snapshot: StoredSnapshot;
  readonly symbols: readonly string[];
  /** Newest session with a bar. */
  readonly asOf: Day;
}

/** A snapshot under construction: columns with room for every instrument. */
export class SnapshotCollector {
  private readonly bars: BarSeries;
  private readonly running: RunningMeans;
  private readonly lastSplits: Float64Array;
  private readonly offsets = [0];
  private readonly kept: Instrument[] = [];
  private asOf: Day = 0;

  constructor(instruments: number) {
    this.bars = allocateSeries(instruments * SNAPSHOT_BARS);
    this.running = allocateMeans(instruments);
    this.lastSplits = new Float64Array(instruments);
  }

  /** Adds the newest bars of a whole history as traded. */
  add(instrument: Instrument, traded: BarSeries, events: readonly Adjustment[]): void {
    const { bars, kept, offsets } = this;
    const { length } = traded;
    const newest = traded.day[length - 1];
    const series = adjustToLastBar(traded, events);
    const first = Math.max(0, length - SNAPSHOT_BARS);
    const from = offsets[kept.length];
    bars.day.set(series.day.subarray(first), from);
    for (const column of VALUE_COLUMNS) bars[column].set(series[column].subarray(first), from);
    if (first > 0) keepMeans(this.running, kept.length, series, first);
    const [split] = priceFactors(traded.day.subarray(Math.max(0, length - 2)), effectiveSplits(events, newest));
    this.lastSplits[kept.length] = split;
    offsets.push(from + length - first);
    kept.push(instrument);
    this.asOf = Math.max(this.asOf, newest);
  }

  end(): Collected {
    const { bars, running, lastSplits, offsets, kept, asOf } = this;
    const count = kept.length;
    const { barsBefore, means } = running;
    const of = (column: Float32Array) => column.subarray(0, count * PERIOD_COUNT);
    return {
      snapshot: {
        bars: sliceSeries(bars, 0, offsets[count]),
        offsets: Int32Array.from(offsets),
        instrumentIds: Int32Array.from(kept, ({ id }) => id),
        running: {
          barsBefore: barsBefore.subarray(0, count),
          means: { close: of(means.close), gain: of(means.gain), loss: of(means.loss), range: of(means.range) },
        },
        lastSplits: lastSplits.subarray(0, count),
      },
      symbols: kept.map(({ symbol }) => qualifiedSymbol(symbol)),
      asOf,
    };
  }
}
