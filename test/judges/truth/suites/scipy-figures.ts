/** The normal distribution and moments of returns by scipy and statsmodels. */
import { fileURLToPath } from 'node:url';
import { TRADING_DAYS_PER_YEAR } from '../../../../engine/indicators/indicators.ts';
import { normalCdf, normalQuantile } from '../../../../engine/statistics/moments.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { type SampleRun, sampleRuns } from '../sample-runs.ts';
import type { Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('scipy-figures.py', import.meta.url));
const INSTRUMENTS = 8;
/** -37.5 to 37.5, in steps that binary numbers have exactly. */
const FIGURES = Array.from({ length: 301 }, (_, i) => (i - 150) / 4);
/** Tails down to 1e-300, and everything between them. */
const PROBABILITIES = [
  ...Array.from({ length: 100 }, (_, i) => 10 ** (-300 + 3 * i)),
  ...Array.from({ length: 199 }, (_, i) => (i + 1) / 200),
];

interface Answer {
  readonly cdf: readonly number[];
  readonly 'logarithm of cdf': readonly number[];
  readonly quantile: readonly number[];
  readonly scipy: readonly Figures[];
  readonly statsmodels: readonly Figures[];
}

const momentFigures = ({ moments }: SampleRun): Figures => ({
  'mean return': 100 * TRADING_DAYS_PER_YEAR * moments.mean,
  volatility: 100 * Math.sqrt(TRADING_DAYS_PER_YEAR) * moments.stdev,
  skewness: moments.skewness,
  kurtosis: moments.kurtosis,
});

export const SCIPY: Suite = {
  name: 'scipy',
  title: 'scipy and statsmodels',
  source: 'scipy 1.17.1: stats.norm, stats.describe; statsmodels 0.15.0: jarque_bera',
  compares:
    'The normal distribution function, its logarithm (which shows the digits of small tails), and its inverse; mean, ' +
    'deviation, skewness, and kurtosis of the returns of backtests, annualized with 252 bars',
  tolerance: 1e-11,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const runs = choose(sampleRuns(INSTRUMENTS), 30);
    const returns = runs.map((run) => [...run.returns]);
    const theirs = await python.run<Answer>(SCRIPT, { figures: FIGURES, probabilities: PROBABILITIES, returns });
    return [
      ...FIGURES.flatMap((x, i) => [
        { name: `normal cdf at ${x}`, theirs: theirs.cdf[i], ours: normalCdf(x) },
        {
          name: `logarithm of normal cdf at ${x}`,
          theirs: theirs['logarithm of cdf'][i],
          ours: Math.log(normalCdf(x)),
        },
      ]),
      ...PROBABILITIES.map((p, i) => ({
        name: `normal quantile of ${p}`,
        theirs: theirs.quantile[i],
        ours: normalQuantile(p),
      })),
      ...runs.flatMap((run, i) => pairUp(run.name, theirs.scipy[i], momentFigures(run))),
      ...runs.flatMap((run, i) => pairUp(`${run.name} (statsmodels)`, theirs.statsmodels[i], momentFigures(run))),
    ];
  },
};
