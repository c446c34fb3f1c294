/** Weekly and monthly bars from daily ones, by pandas. */
import { fileURLToPath } from 'node:url';
import { formatDay } from '../../../../engine/market/dates.ts';
import { type BarSeries, resample, VALUE_COLUMNS } from '../../../../engine/market/series.ts';
import { type SeriesJson, sampleSeries, toJson } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('pandas-bars.py', import.meta.url));
const INSTRUMENTS = 3;
const PERIODS = ['week', 'month'] as const;

type Answer = Readonly<Record<(typeof PERIODS)[number], Omit<SeriesJson, 'symbol'>>>;

function pairsOfBars(of: string, theirs: Omit<SeriesJson, 'symbol'>, ours: BarSeries): Pair[] {
  return theirs.day.flatMap((day, i) => [
    {
      name: `day of the ${of} that ends on ${day}`,
      theirs: day,
      ours: i < ours.length ? formatDay(ours.day[i]) : null,
    },
    ...VALUE_COLUMNS.map((column) => ({
      name: `${column} of the ${of} that ends on ${day}`,
      theirs: theirs[column][i],
      ours: ours[column][i] ?? null,
    })),
  ]);
}

export const PANDAS: Suite = {
  name: 'pandas',
  title: 'pandas',
  source: 'pandas 2.3.3: DataFrame.resample("W-SUN" and "ME") with first, max, min, last, and sum',
  compares: 'Weekly and monthly bars of five years of daily ones: last session, open, high, low, close, and volume',
  tolerance: 1e-12,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const sample = choose(sampleSeries(INSTRUMENTS), 1);
    const theirs = await python.run<readonly Answer[]>(SCRIPT, sample.map(toJson));
    return sample.flatMap(({ symbol, series }, i) =>
      PERIODS.flatMap((period) => [
        {
          name: `number of ${period}s of ${symbol}`,
          theirs: theirs[i][period].day.length,
          ours: resample(series, period).length,
        },
        ...pairsOfBars(`${period} of ${symbol}`, theirs[i][period], resample(series, period)),
      ]),
    );
  },
};
