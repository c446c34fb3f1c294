/** Splicing: backtests run over one history that joins two venue bases. */
import { type AdjustMode, type Adjustment, adjustSeries, effectiveEvents } from './adjust.ts';
import { type Day, dayOf } from './dates.ts';
import { allocateSeries, type BarSeries, firstIndexFrom, sliceSeries, VALUE_COLUMNS } from './series.ts';
import type { VenueBasis } from './venue-basis.ts';

/** The first session with consolidated bars; earlier bars are of the primary venue's session. */
export const CONSOLIDATED_FROM: Day = dayOf(2024, 7, 1);

/** The venue basis whose bar of a day a spliced history has. */
export function splicedBasisOn(day: Day): VenueBasis {
  return day < CONSOLIDATED_FROM ? 'primary_session' : 'consolidated';
}

/** Joins `primary` before the first consolidated session and `consolidated` from then on, both up to `end`. */
export function spliceSeries(primary: BarSeries, consolidated: BarSeries, end: Day): BarSeries {
  const before = sliceSeries(primary, 0, firstIndexFrom(primary, Math.min(CONSOLIDATED_FROM, end + 1)));
  const start = firstIndexFrom(consolidated, CONSOLIDATED_FROM);
  const after = sliceSeries(consolidated, start, Math.max(start, firstIndexFrom(consolidated, end + 1)));
  const out = allocateSeries(before.length + after.length);
  out.day.set(before.day);
  out.day.set(after.day, before.length);
  for (const column of VALUE_COLUMNS) {
    out[column].set(before[column]);
    out[column].set(after[column], before.length);
  }
  return out;
}

/** Adjusts prices to the basis of the last bar, so that later events do not change an old run. */
export function adjustToLastBar(
  series: BarSeries,
  events: readonly Adjustment[],
  mode: AdjustMode = 'split',
): BarSeries {
  if (series.length === 0) return series;
  return adjustSeries(series, effectiveEvents(events, series.day[series.length - 1], mode));
}
