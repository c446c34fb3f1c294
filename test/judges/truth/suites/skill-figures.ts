/** Gains of runs beyond the market that they held, and reality checks of searches that do not beat it. */
import { fileURLToPath } from 'node:url';
import { holdingReturns } from '../../../../engine/portfolio/benchmark.ts';
import { meanBlockLength } from '../../../../engine/statistics/draws.ts';
import { returnsOf } from '../../../../engine/statistics/moments.ts';
import { realityCheckOf } from '../../../../engine/statistics/reality-check.ts';
import { statisticsOfRun } from '../../../../engine/statistics/single-run.ts';
import { required } from '../../../../engine/util/values.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { RUN_EXECUTION, runWith, type SampleRun, sampleRuns } from '../sample-runs.ts';
import { sampleSeries } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';
import { type Rows, rowsOf, SEED } from './resamples.ts';

const SCRIPT = fileURLToPath(new URL('skill-figures.py', import.meta.url));
const INSTRUMENTS = 8;
/** Resamples of one year, so that their indices are not too many to hand over. */
const [FIRST_YEAR, LAST_YEAR] = [2023, 2023];
const LEAST_RETURNS = 120;
const SEARCHED = 12;

interface Request {
  readonly runs: readonly { readonly run: readonly number[]; readonly market: readonly number[] }[];
  readonly intervals: readonly {
    readonly run: readonly number[];
    readonly market: readonly number[];
    readonly rows: Rows;
  }[];
  readonly searches: readonly {
    readonly columns: readonly (readonly number[])[];
    readonly market: readonly number[];
    readonly rows: Rows;
  }[];
}

interface Answer {
  readonly runs: readonly Figures[];
  readonly intervals: readonly Figures[];
  readonly searches: readonly Figures[];
}

const skillOfRun = ({ returns, series }: SampleRun) => {
  const market = holdingReturns(series.close);
  const { day, length } = series;
  return { market, skill: statisticsOfRun(returns, market, day[length - 1] - day[0], SEED).skill };
};

function ours(run: SampleRun): Figures {
  const skill = required(skillOfRun(run).skill, 'the skill');
  return {
    beta: skill.beta,
    alpha: skill.alphaPct,
    't of alpha': skill.alphaT,
    appraisal: skill.appraisal,
    psr: skill.psr,
    'ex-ante psr': skill.exAnte?.psr ?? null,
    'ex-ante t': skill.exAnte?.t ?? null,
    shown: Number(skill.shown),
    '5th percentile of alpha': skill.alphaInterval?.[0] ?? null,
    '95th percentile of alpha': skill.alphaInterval?.[1] ?? null,
    '5th percentile of appraisal': skill.appraisalInterval?.[0] ?? null,
    '95th percentile of appraisal': skill.appraisalInterval?.[1] ?? null,
  };
}

/** Few trades in a rising market: most of these searches are below holding in every column. */
function searches() {
  return sampleSeries(SEARCHED, FIRST_YEAR, LAST_YEAR).flatMap(({ symbol, series }) => {
    const columns = [20, 30, 40].map((period) => {
      const { equity } = runWith('bollinger_reversion', { period }, series);
      return returnsOf(equity, RUN_EXECUTION.initialCapital);
    });
    const market = holdingReturns(series.close);
    const check = realityCheckOf(columns, columns[0], market, SEED);
    return check ? [{ symbol, columns, market, check }] : [];
  });
}

export const SKILL: Suite = {
  name: 'skill',
  title: 'statsmodels and numpy: skill',
  source: 'statsmodels 0.15.0: OLS with HAC errors; numpy 2.4.6, scipy 1.17.1',
  compares:
    'What runs earned beyond holding: slope, alpha and its t, appraisal, probabilities, the test with the slope known before ' +
    'each bar, and intervals over the same resampled indices; reality checks of searches, those that lose to holding included',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python): Promise<readonly Pair[]> {
    const isLong = (run: SampleRun) => run.returns.length >= LEAST_RETURNS && skillOfRun(run).skill?.appraisal != null;
    const runs = choose(sampleRuns(INSTRUMENTS).filter(isLong), 15);
    const short = choose(sampleRuns(2, FIRST_YEAR, LAST_YEAR).filter(isLong), 3);
    const searched = choose(searches(), 3);
    const request: Request = {
      runs: runs.map((run) => ({ run: [...run.returns], market: [...skillOfRun(run).market] })),
      intervals: short.map((run) => ({
        run: [...run.returns],
        market: [...skillOfRun(run).market],
        rows: rowsOf(run.returns.length, meanBlockLength(run.returns)),
      })),
      searches: searched.map(({ columns, market, check }) => ({
        columns: columns.map((column) => [...column]),
        market: [...market],
        rows: rowsOf(market.length, check.blockLength),
      })),
    };
    const theirs = await python.run<Answer>(SCRIPT, request);
    return [
      ...runs.flatMap((run, i) => pairUp(run.name, theirs.runs[i], ours(run))),
      ...short.flatMap((run, i) => pairUp(`${run.name} of a year`, theirs.intervals[i], ours(run))),
      ...searched.flatMap(({ symbol, check }, i) =>
        pairUp(`the search on ${symbol}`, theirs.searches[i], { ...check, superior: null }),
      ),
    ];
  },
};
