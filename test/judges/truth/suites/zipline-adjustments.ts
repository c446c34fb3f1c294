/** Prices and volumes as they were known at the first open of each month, against the adjustments of zipline. */
import { fileURLToPath } from 'node:url';
import { adjustSeries, effectiveEvents } from '../../../../engine/market/adjust.ts';
import { formatDay } from '../../../../engine/market/dates.ts';
import { resample, sliceSeries } from '../../../../engine/market/series.ts';
import { type TradedSeries, toJson, tradedSample } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('zipline-adjustments.py', import.meta.url));
/** Bars that are looked back on. */
const BARS = 120;
const COLUMNS = ['close', 'volume'] as const;

/** By symbol and column: the bars of the window at each end. */
type Windows = Readonly<Record<string, Readonly<Record<(typeof COLUMNS)[number], readonly (readonly number[])[]>>>>;

/** Indexes of the last sessions of months, from the first full window on, that have a session after them. */
function monthEnds({ series }: TradedSeries): number[] {
  const ends = [...resample(series, 'month').day].map((day) => series.day.indexOf(day));
  return ends.filter((end) => end >= BARS - 1 && end < series.length - 1);
}

function toInput(one: TradedSeries) {
  const events = one.events.map(({ exDay, kind, factor }) => ({ day: formatDay(exDay), kind, factor }));
  return { ...toJson(one), events, ends: monthEnds(one), bars: BARS };
}

function compare(one: TradedSeries, theirs: Windows[string]): Pair[] {
  const { symbol, series, events } = one;
  return monthEnds(one).flatMap((end, i) => {
    const asOf = series.day[end + 1];
    const known = adjustSeries(sliceSeries(series, 0, end + 1), effectiveEvents(events, asOf, 'total'));
    return COLUMNS.flatMap((column) =>
      [...known[column].slice(-BARS)].map((ours, bar) => ({
        name: `${column} of ${symbol} on ${formatDay(series.day[end + 1 - BARS + bar])}, known on ${formatDay(asOf)}`,
        theirs: theirs[column][i][bar],
        ours,
      })),
    );
  });
}

export const ZIPLINE: Suite = {
  name: 'zipline',
  title: 'zipline',
  source: 'zipline-reloaded 3.2.1',
  compares:
    'Closes and volumes of the 120 sessions before the first open of each month, adjusted by the rows of splits and dividends that zipline writes and reads',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-zipline.txt',
  async pairs(choose, python) {
    const withEvents = tradedSample(60).filter(({ events }) => events.length > 0);
    const sample = choose(withEvents.slice(0, 8), 1);
    const theirs = await python.run<Windows>(SCRIPT, sample.map(toInput));
    return sample.flatMap((one) => compare(one, theirs[one.symbol]));
  },
};
