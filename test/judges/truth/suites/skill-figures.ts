/** Gains of runs beyond the market that they held, and reality checks of searches that do not beat it. */
import { fileURLToPath } from 'node:url';
import { excessOf, ratesOn } from '../../../../engine/backtest/rates.ts';
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

/** `isAbove`: beside a risk-free rate, which is taken off the returns of the run and of the market. */
function measured({ name, returns, series }: SampleRun, isAbove: boolean) {
  const { riskFree } = ratesOn(series.day, isAbove ? { cash: { rate: 4, spreadBps: 0 } } : {});
  const [run, market] = [returns, holdingReturns(series.close)].map((one) => excessOf(one, riskFree));
  const { day, length } = series;
  const { skill } = statisticsOfRun(returns, market, day[length - 1] - day[0], SEED, undefined, run);
  return { name: isAbove ? `${name} above a risk-free rate` : name, returns, run, market, skill };
}

type Measured = ReturnType<typeof measured>;

function ours({ skill: found }: Measured): Figures {
  const skill = required(found, 'the skill');
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
    const isLong = (run: SampleRun) =>
      run.returns.length >= LEAST_RETURNS && measured(run, false).skill?.appraisal != null;
    const half = (run: SampleRun, i: number) => measured(run, i % 2 === 1);
    const runs = choose(sampleRuns(INSTRUMENTS).filter(isLong), 15).map(half);
    const short = choose(sampleRuns(2, FIRST_YEAR, LAST_YEAR).filter(isLong), 3).map(half);
    const searched = choose(searches(), 3);
    const request: Request = {
      runs: runs.map(({ run, market }) => ({ run: [...run], market: [...market] })),
      intervals: short.map(({ returns, run, market }) => ({
        run: [...run],
        market: [...market],
        rows: rowsOf(returns.length, meanBlockLength(returns)),
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
