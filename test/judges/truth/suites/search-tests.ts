/** The tests of searches: splits of cross-validation, combinations that beat the benchmark, and p-values of many tests. */
import { fileURLToPath } from 'node:url';
import { foldsOf, splitsOf } from '../../../../engine/statistics/cross-validation.ts';
import { UniformDraws } from '../../../../engine/statistics/draws.ts';
import { momentsOf, normalCdf, returnsOf } from '../../../../engine/statistics/moments.ts';
import { realityCheckOf } from '../../../../engine/statistics/reality-check.ts';
import { haircutOf } from '../../../../engine/statistics/selection.ts';
import { RESAMPLES } from '../../../../engine/statistics/single-run.ts';
import { drawResample } from '../../../support/resample.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { RUN_EXECUTION, runWith } from '../sample-runs.ts';
import { sampleSeries } from '../sample-series.ts';
import type { Suite } from '../suite.ts';

const SEED = '0123456789abcdef';
const INSTRUMENTS = 6;
const [FIRST_YEAR, LAST_YEAR] = [2022, 2023];
/** Bars and bars purged. */
const SPLIT = [
  [1260, 0],
  [1237, 17],
  [504, 30],
] as const;
/** Added to the returns of some combinations, so that they beat the benchmark. */
const GAIN = 0.004;

interface Answer {
  readonly splits: readonly Figures[];
  readonly superior: readonly string[];
  readonly pValues: readonly Figures[];
}

function ourSplits(bars: number, purge: number): Figures {
  const folds = foldsOf(bars);
  const text = ({ from, to }: { readonly from: number; readonly to: number }) => `${from}-${to - 1}`;
  const seen = folds.map(() => 0);
  return Object.fromEntries(
    splitsOf(bars, purge).flatMap(({ tests, train }, i) => [
      ...tests.map((test, j) => [`test ${j} of split ${i}`, text(folds[test])] as const),
      [`train of split ${i}`, train.map(text).join(' ')] as const,
      [`paths of split ${i}`, tests.map((test) => seen[test]++).join(' ')] as const,
    ]),
  );
}

/** Crossovers of averages of many lengths, some of them with a gain. */
function searches() {
  return sampleSeries(INSTRUMENTS, FIRST_YEAR, LAST_YEAR).map(({ symbol, series }, instrument) => {
    const columns = [5, 10, 15].flatMap((fast_period) =>
      [25, 30, 40].map((slow_period, i) => {
        const { equity } = runWith('sma_cross', { fast_period, slow_period }, series);
        const gain = i < instrument % 3 ? GAIN : 0;
        return returnsOf(equity, RUN_EXECUTION.initialCapital).map((r) => r + gain);
      }),
    );
    const benchmark = series.close.map((price, t) => (t === 0 ? 0 : price / series.close[t - 1] - 1));
    const check = realityCheckOf(columns, columns[0], benchmark, SEED);
    return { symbol, columns, benchmark, check };
  });
}

function rowsOf(bars: number, blockLength: number): number[][] {
  const draws = UniformDraws.fromSeed(SEED);
  const indices = new Int32Array(bars);
  return Array.from({ length: RESAMPLES }, () => {
    drawResample(draws, blockLength, indices);
    return [...indices];
  });
}

export const SEARCH_TESTS: Suite = {
  name: 'search-tests',
  title: 'Tests of searches by skfolio, arch, and statsmodels',
  source:
    'skfolio 1.12.2: CombinatorialPurgedCV; arch 8.0.0: StepM; statsmodels 0.15.0: multipletests (bonferroni, holm, fdr_by)',
  compares: 'Splits of cross-validation, bar by bar; models of StepM, studentized before; adjusted p-values',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    // StepM of arch fails once no model is left.
    const fit = searches().filter(({ check, columns }) => check !== null && check.superior.length < columns.length);
    const found = choose(fit, 2);
    const sharpes = found.map(({ columns }) => Float64Array.from(columns, (column) => momentsOf(column)?.sharpe ?? 0));
    const bars = found.map(({ benchmark }) => benchmark.length);
    // The best first: theirs are read at the first place.
    const best = sharpes.map((each) => Math.max(...each));
    const pOf = (sharpe: number, i: number) => 2 * normalCdf(-Math.abs(sharpe) * Math.sqrt(bars[i]));
    const theirs = await python.run<Answer>(fileURLToPath(new URL('search-tests.py', import.meta.url)), {
      splits: SPLIT.map(([count, purge]) => ({ bars: count, purge })),
      searches: found.map(({ columns, benchmark, check }) => ({
        columns: columns.map((column) => [...column]),
        benchmark: [...benchmark],
        rows: rowsOf(benchmark.length, check?.blockLength ?? 1),
      })),
      pValues: sharpes.map((each, i) => [...each].sort((a, b) => b - a).map((sharpe) => pOf(sharpe, i))),
    });
    return [
      ...SPLIT.flatMap(([count, purge], i) =>
        pairUp(`${count} bars, purge ${purge}`, theirs.splits[i], ourSplits(count, purge)),
      ),
      ...found.map(({ symbol, check }, i) => ({
        name: `superior on ${symbol}`,
        theirs: theirs.superior[i],
        ours: check?.superior.join(' ') ?? null,
      })),
      ...found.flatMap(({ symbol }, i) => {
        const haircut = haircutOf(best[i], sharpes[i], bars[i]);
        if (haircut === null) return [];
        const { bonferroni, holm, bhy } = haircut;
        return pairUp(symbol, theirs.pValues[i], { bonferroni: bonferroni.p, holm: holm.p, bhy: bhy.p });
      }),
    ];
  },
};
