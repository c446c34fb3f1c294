/**
 * Bars of calendar months and ISO weeks that are over by the exchange's calendar: at a session the newest one is that whose last
 * session is not after it, so that none is known in part.
 */
import { lowerBound } from '../util/values.ts';
import { type Day, dayOf, weekStart } from './dates.ts';
import { dividendsOn } from './dividends.ts';
import { allocateSeries, type BarSeries, factsOf, type Period, PRICE_COLUMNS } from './series.ts';
import { sessionAt, sessionsUpTo } from './session-index.ts';

export type WholePeriod = Exclude<Period, 'day'>;

const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

/** The last calendar day of each period. */
function lastDaysOf(period: WholePeriod): Day[] {
  const last = dayOf(LAST_YEAR, 12, 31);
  if (period === 'month') {
    const months = 12 * (LAST_YEAR + 1 - FIRST_YEAR);
    return Array.from({ length: months }, (_, i) => dayOf(FIRST_YEAR, i + 2, 1) - 1);
  }
  const sunday = weekStart(dayOf(FIRST_YEAR, 1, 8)) - 1;
  return Array.from({ length: Math.floor((last - sunday) / 7) }, (_, i) => sunday + 7 * i);
}

const endsOf = new Map<WholePeriod, Int32Array>();

/** The last session of each period, oldest first. */
function periodEnds(period: WholePeriod): Int32Array {
  const known = endsOf.get(period);
  if (known !== undefined) return known;
  const ends = Int32Array.from(lastDaysOf(period), (day) => sessionAt(sessionsUpTo(day) - 1));
  endsOf.set(period, ends);
  return ends;
}

/**
 * The periods of a series that are over at a day, the first of them from its first bar on; each has the day of its last session.
 * Without a bar it has the close before and no volume. A bar after the last session of its period counts to the next one.
 */
export function periodBars(series: BarSeries, period: WholePeriod, through: Day): BarSeries {
  if (series.length === 0) return series;
  const ends = periodEnds(period);
  const first = lowerBound(ends, series.day[0]);
  const length = Math.max(0, lowerBound(ends, through + 1) - first);
  const bars = allocateSeries(length, series.adjustedFor);
  bars.day.set(ends.subarray(first, first + length));
  const sums = { dollarVolume: new Float64Array(length), dividend: new Float64Array(length) };
  const paid = dividendsOn(series);
  for (let k = 0, t = 0; k < length; k++) {
    const from = t;
    while (t < series.length && series.day[t] <= bars.day[k]) t++;
    if (from === t) {
      for (const name of PRICE_COLUMNS) bars[name][k] = bars.close[k - 1];
      continue;
    }
    bars.open[k] = series.open[from];
    bars.close[k] = series.close[t - 1];
    bars.high[k] = Math.max(...series.high.subarray(from, t));
    bars.low[k] = Math.min(...series.low.subarray(from, t));
    for (let i = from; i < t; i++) {
      bars.volume[k] += series.volume[i];
      sums.dollarVolume[k] += series.close[i] * series.volume[i];
      sums.dividend[k] += paid[i];
    }
  }
  return { ...bars, ...factsOf(series), own: series.own, sums };
}

/** At each day the index of the newest bar of periods that is over; -1: there is none. */
export function newestPeriodAt(days: Int32Array, bars: BarSeries): Int32Array {
  let over = -1;
  return days.map((day) => {
    while (over + 1 < bars.length && bars.day[over + 1] <= day) over++;
    return over;
  });
}
