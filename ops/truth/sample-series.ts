/** Series of the sample market, without a database: what other programs and ours are given alike. */
import { adjustSeries, effectiveEvents } from '../../engine/market/adjust.ts';
import { type Day, dayOf, formatDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { drawYear } from '../../jobs/providers/sample/prices.ts';
import { type SampleInstrument, sampleUniverse } from '../../jobs/providers/sample/universe.ts';

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

function seriesOf(instrument: SampleInstrument, firstYear: number, lastYear: number): BarSeries {
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
  return adjustSeries(joined, effectiveEvents(instrument.events, dayOf(lastYear, 12, 31), 'split'));
}

/** Returns series adjusted for splits, of instruments that traded on every session from 1 January to 31 December of those years. */
export function sampleSeries(count: number, firstYear = 2019, lastYear = 2023): NamedSeries[] {
  const [first, last]: [Day, Day] = [dayOf(firstYear, 1, 1), dayOf(lastYear, 12, 31)];
  return sampleUniverse(8 * count)
    .filter(({ listedOn, delistedOn }) => listedOn < first && (delistedOn === null || delistedOn > last))
    .map((instrument) => ({ symbol: instrument.ticker, series: seriesOf(instrument, firstYear, lastYear) }))
    .filter(({ series }) => series.length > 0)
    .slice(0, count);
}

export function toJson({ symbol, series }: NamedSeries): SeriesJson {
  const columns = VALUE_COLUMNS.map((name) => [name, [...series[name]]] as const);
  return { symbol, day: Array.from(series.day, formatDay), ...Object.fromEntries(columns) } as SeriesJson;
}

/** The first bars of a series. */
export const beginningOf = (series: BarSeries, bars: number): BarSeries => sliceSeries(series, 0, bars);
