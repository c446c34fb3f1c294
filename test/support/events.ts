/** Events that change prices, for tests of what was known before them. */
import { type Adjustment, type AdjustmentKind, adjustSeries, adjustToLastBar } from '../../engine/market/adjust.ts';
import { type BarSeries, sliceSeries } from '../../engine/market/series.ts';
import { lehmer } from './series.ts';

/** An event that a bar is the first to trade without. */
export function eventAt({ day }: BarSeries, bar: number, factor: number, kind: AdjustmentKind = 'split'): Adjustment {
  return { exDay: day[bar], kind, factor };
}

/** Factors that are powers of two: they round nothing, so that figures on another basis are equal to the last digit. */
const EXACT_FACTORS = [0.5, 0.25, 2, 4];

/** Events at one to six random bars, of both kinds. */
export function randomEvents(series: BarSeries, seed: number, factors = EXACT_FACTORS): Adjustment[] {
  const random = lehmer(seed);
  const bars = Array.from({ length: 1 + Math.floor(random() * 6) }, () => Math.floor(random() * series.length));
  return bars
    .toSorted((a, b) => a - b)
    .map((bar) => {
      const factor = factors[Math.floor(random() * factors.length)];
      return eventAt(series, bar, factor, random() < 0.5 ? 'split' : 'cash_dividend');
    });
}

/** The bars as traded whose adjusted prices are those of `series`. */
export function asTraded(series: BarSeries, events: readonly Adjustment[]): BarSeries {
  const inverse = adjustSeries(
    series,
    events.map((event) => ({ ...event, factor: 1 / event.factor })),
  );
  return { ...inverse, adjustedFor: [] };
}

/** The series of a run that ends before bar `to`. */
export function knownBefore(traded: BarSeries, events: readonly Adjustment[], to: number): BarSeries {
  return adjustToLastBar(sliceSeries(traded, 0, to), events, 'total');
}
