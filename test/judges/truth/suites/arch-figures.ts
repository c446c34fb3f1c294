/** Block lengths, intervals, and reality checks by arch, over the same series and the same resampled indices. */
import { fileURLToPath } from 'node:url';
import type { BarSeries } from '../../../../engine/market/series.ts';
import { holdingReturns } from '../../../../engine/portfolio/benchmark.ts';
import { meanBlockLength } from '../../../../engine/statistics/draws.ts';
import { returnsOf } from '../../../../engine/statistics/moments.ts';
import { realityCheckOf } from '../../../../engine/statistics/reality-check.ts';
import { statisticsOfRun } from '../../../../engine/statistics/single-run.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { RUN_EXECUTION, runWith, type SampleRun, sampleRuns } from '../sample-runs.ts';
import { sampleSeries } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';
import { type Rows, rowsOf, SEED } from './resamples.ts';

const SCRIPT = fileURLToPath(new URL('arch-figures.py', import.meta.url));
/** Resamples of one year, so that their indices are not too many to hand over. */
const [FIRST_YEAR, LAST_YEAR] = [2023, 2023];
const SEARCHED = 8;
const SERIES = 8;

interface Request {
  readonly series: readonly (readonly number[])[];
  readonly runs: readonly { readonly returns: readonly number[]; readonly days: number; readonly rows: Rows }[];
  readonly searches: readonly {
    readonly columns: readonly (readonly number[])[];
    readonly benchmark: readonly number[];
    readonly length: number;
    readonly rows: Rows;
  }[];
}

interface Answer {
  readonly lengths: readonly number[];
  readonly intervals: readonly Figures[];
  readonly searches: readonly Figures[];
}

/** Crossovers of averages of many lengths, and what they are compared with. */
function searchOn(series: BarSeries) {
  const columns = [5, 10, 15, 20].flatMap((fast_period) =>
    [25, 30, 40].map((slow_period) => {
      const { equity } = runWith('sma_cross', { fast_period, slow_period }, series);
      return returnsOf(equity, RUN_EXECUTION.initialCapital);
    }),
  );
  const benchmark = holdingReturns(series.close);
  const sums = columns.map((column) => column.reduce((sum, r) => sum + r, 0));
  const best = columns[sums.indexOf(Math.max(...sums))];
  return { columns, benchmark, best, check: realityCheckOf(columns, best, benchmark, SEED) };
}

const daysOf = ({ day, length }: BarSeries) => day[length - 1] - day[0];

function intervalsOf({ returns, series }: SampleRun): Figures {
  const { sharpeInterval, annualizedInterval } = statisticsOfRun(
    returns,
    holdingReturns(series.close),
    daysOf(series),
    SEED,
  );
  return {
    '5th percentile of sharpe': sharpeInterval?.[0] ?? null,
    '95th percentile of sharpe': sharpeInterval?.[1] ?? null,
    '5th percentile of annual return': annualizedInterval?.[0] ?? null,
    '95th percentile of annual return': annualizedInterval?.[1] ?? null,
  };
}

export const ARCH: Suite = {
  name: 'arch',
  title: 'arch',
  source: 'arch 8.0.0: optimal_block_length, IIDBootstrap.conf_int, SPA',
  compares:
    'Mean block lengths of returns, intervals of bootstraps, and p-values of the reality check over the same resampled ' +
    'indices; the differences of returns are studentized before SPA of arch, which does not, compares their means',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python): Promise<readonly Pair[]> {
    const long = choose(sampleRuns(SERIES), 15);
    const series = long.flatMap(({ name, returns, series }) => {
      const held = holdingReturns(series.close);
      return [
        { name, values: returns },
        { name: `${name} against holding`, values: returns.map((r, t) => r - held[t]) },
      ];
    });
    const short = choose(sampleRuns(2, FIRST_YEAR, LAST_YEAR), 3);
    // Where none beats the benchmark our statistic is 0, and that of arch below it.
    const searched = sampleSeries(SEARCHED, FIRST_YEAR, LAST_YEAR)
      .map(({ symbol, series }) => ({ symbol, bars: series.length, ...searchOn(series) }))
      .filter(({ check }) => check !== null && check.statistic > 0);
    const searches = choose(searched, 2);
    const request: Request = {
      series: series.map(({ values }) => [...values]),
      runs: short.map(({ returns, series }) => ({
        returns: [...returns],
        days: daysOf(series),
        rows: rowsOf(returns.length, meanBlockLength(returns)),
      })),
      searches: searches.map(({ columns, benchmark, bars, check }) => ({
        columns: columns.map((column) => [...column]),
        benchmark: [...benchmark],
        length: check?.blockLength ?? 1,
        rows: rowsOf(bars, check?.blockLength ?? 1),
      })),
    };
    const theirs = await python.run<Answer>(SCRIPT, request);
    return [
      ...series.map(({ name, values }, i) => ({
        name: `block length of ${name}`,
        theirs: theirs.lengths[i],
        ours: meanBlockLength(values),
      })),
      ...short.flatMap((run, i) => pairUp(run.name, theirs.intervals[i], intervalsOf(run))),
      ...searches.flatMap(({ symbol, check }, i) =>
        pairUp(`the search on ${symbol}`, theirs.searches[i], { ...check, superior: null }),
      ),
    ];
  },
};
