/** The overfitting test of searches by pypbo. */
import { fileURLToPath } from 'node:url';
import { returnsOf } from '../../../../engine/statistics/moments.ts';
import { overfittingOf } from '../../../../engine/statistics/overfitting.ts';
import { required } from '../../../../engine/util/values.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { RUN_EXECUTION, runWith } from '../sample-runs.ts';
import { sampleSeries } from '../sample-series.ts';
import type { Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('overfitting-figures.py', import.meta.url));
const SEARCHED = 5;
/** pypbo keeps all 12,870 splits of a search in memory. */
const [FIRST_YEAR, LAST_YEAR] = [2022, 2023];
const [FAST, SLOW] = [
  [3, 5, 8, 12],
  [15, 25, 40],
];

/** Crossovers of averages of many lengths: the returns of each. */
function searches() {
  return sampleSeries(SEARCHED, FIRST_YEAR, LAST_YEAR).map(({ symbol, series }) => ({
    symbol,
    columns: FAST.flatMap((fast_period) =>
      SLOW.map((slow_period) =>
        returnsOf(runWith('sma_cross', { fast_period, slow_period }, series).equity, RUN_EXECUTION.initialCapital),
      ),
    ),
  }));
}

function ours(columns: readonly Float64Array[]): Figures {
  const { pbo, slope, counts } = required(overfittingOf(columns));
  return { pbo, slope, ...Object.fromEntries(counts.map((count, i) => [`choices in bin ${i + 1}`, count])) };
}

export const OVERFITTING: Suite = {
  name: 'pypbo',
  title: 'pypbo',
  source: 'rltrade-pypbo 0.0.3: pbo',
  compares:
    'The probability of backtest overfitting of searches over 12 combinations and two years, the ranks behind it, and the slope of the loss of performance',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const searched = choose(searches(), 1);
    const theirs = await python.run<readonly Figures[]>(
      SCRIPT,
      searched.map(({ columns }) => columns.map((column) => [...column])),
    );
    return searched.flatMap(({ symbol, columns }, i) => pairUp(`the search on ${symbol}`, theirs[i], ours(columns)));
  },
};
