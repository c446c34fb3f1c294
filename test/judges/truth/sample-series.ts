/** Series of the sample market, without a database: what other programs and ours are given alike. */
import { type Adjustment, adjustSeries, effectiveEvents } from '../../../engine/market/adjust.ts';
import { type Day, dayOf, formatDay } from '../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceSeries, VALUE_COLUMNS } from '../../../engine/market/series.ts';
import { fromKeys } from '../../../engine/util/values.ts';
import { drawYear } from '../../../jobs/providers/sample/prices.ts';
import { type SampleInstrument, sampleUniverse } from '../../../jobs/providers/sample/universe.ts';

export interface NamedSeries {
  readonly symbol: string;
  readonly series: BarSeries;
}

/** How a series is written to JSON for Python. */
export interface SeriesJson {
  readonly symbol: string;
  /** YYYY-MM-DD. */
  readonly day: readonly string[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  readonly volume: readonly number[];
}

/** Bars as they were traded, and the events of their instrument. */
export interface TradedSeries extends NamedSeries {
  readonly events: readonly Adjustment[];
}

function tradedSeries(instrument: SampleInstrument, firstYear: number, lastYear: number): BarSeries {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, i) => {
    const year = firstYear + i;
    return drawYear(instrument, 'single_venue', year, dayOf(year, 1, 1), dayOf(year, 12, 31));
  });
  const joined = allocateSeries(years.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const year of years) {
    const bars = sliceSeries(year, 0, year.length);
    for (const column of ['day', ...VALUE_COLUMNS] as const) joined[column].set(bars[column], at);
    at += year.length;
  }
  return joined;
}

/** Returns series as they were traded, of instruments that are listed from 1 January to 31 December of those years. */
export function tradedSample(count: number, firstYear = 2019, lastYear = 2023): TradedSeries[] {
  const [first, last]: [Day, Day] = [dayOf(firstYear, 1, 1), dayOf(lastYear, 12, 31)];
  return sampleUniverse(8 * count)
    .filter(({ listedOn, delistedOn }) => listedOn < first && (delistedOn === null || delistedOn > last))
    .slice(0, count)
    .map((instrument) => ({
      symbol: instrument.ticker,
      series: tradedSeries(instrument, firstYear, lastYear),
      events: effectiveEvents(instrument.events, last, 'total'),
    }));
}

/** Returns the same series adjusted for splits. */
export function sampleSeries(count: number, firstYear = 2019, lastYear = 2023): NamedSeries[] {
  return tradedSample(count, firstYear, lastYear).map(({ symbol, series, events }) => ({
    symbol,
    series: adjustSeries(series, effectiveEvents(events, dayOf(lastYear, 12, 31), 'split')),
  }));
}

export function toJson({ symbol, series }: NamedSeries): SeriesJson {
  const columns = fromKeys(VALUE_COLUMNS, (name) => [...series[name]]);
  return { symbol, day: Array.from(series.day, formatDay), ...columns };
}
