/** Figures of papers and of the tests of other packages, which need no data: statistics of runs and searches, and draws. */
import { readFileSync } from 'node:fs';
import { TRADING_DAYS_PER_YEAR } from '../../../../engine/indicators/indicators.ts';
import { splitMix64, UniformDraws } from '../../../../engine/statistics/draws.ts';
import { minTrackRecord, probabilisticSharpe } from '../../../../engine/statistics/moments.ts';
import { deflationOf, expectedMaximum, selectionOf } from '../../../../engine/statistics/selection.ts';
import type { Pair, Suite } from '../suite.ts';

/** Sharpe ratios, and the variance of those of the trials, are a year's. */
interface Published {
  readonly source: string;
  readonly figure: keyof typeof OURS;
  readonly value: number;
  readonly decimals: number;
  readonly sharpe: number;
  readonly benchmark: number;
  readonly perYear: number;
  readonly count: number;
  readonly skewness: number;
  readonly kurtosis: number;
  readonly variance: number;
  readonly trials: number;
}

interface Draws {
  readonly source: string;
  readonly outputs: readonly string[];
}

interface Recorded {
  readonly figures: readonly Published[];
  readonly splitMix64: Draws & { readonly seed: string };
  readonly xoshiro256: Draws & { readonly state: readonly string[] };
}

/** The moments of returns of which a year has `perYear`. */
function momentsOf({ sharpe, perYear, count, skewness, kurtosis }: Published) {
  return { count, skewness, kurtosis, sharpe: sharpe / Math.sqrt(perYear) };
}

const perReturn = ({ benchmark, perYear }: Published) => benchmark / Math.sqrt(perYear);
const trackRecord = (published: Published) => minTrackRecord(momentsOf(published), perReturn(published));

const OURS = {
  'expected maximum': ({ trials }: Published) => expectedMaximum(trials),
  'probabilistic Sharpe ratio': (published: Published) =>
    probabilisticSharpe(momentsOf(published), perReturn(published)),
  'deflated Sharpe ratio': (published: Published) => {
    const { trials, variance, perYear } = published;
    return deflationOf(trials, Math.sqrt(variance / perYear), momentsOf(published)).dsr;
  },
  'minimum track record in returns': trackRecord,
  'minimum track record in years': (published: Published) => (trackRecord(published) ?? Number.NaN) / published.perYear,
  'minimum backtest length in years': ({ trials, sharpe }: Published) =>
    selectionOf(trials, { sharpe: sharpe / Math.sqrt(TRADING_DAYS_PER_YEAR) }).minBacktestYears,
} satisfies Readonly<Record<string, (published: Published) => number | null>>;

/** A figure in [0, 1) has the upper 53 bits of an output. */
function drawPairs({ splitMix64: mixed, xoshiro256 }: Recorded): Pair[] {
  const words = splitMix64(BigInt(mixed.seed), mixed.outputs.length);
  const draws = new UniformDraws(xoshiro256.state.map(BigInt));
  return [
    ...mixed.outputs.map((theirs, i) => ({ theirs, name: `${mixed.source}: output ${i + 1}`, ours: String(words[i]) })),
    ...xoshiro256.outputs.map((output, i) => ({
      name: `${xoshiro256.source}: upper 53 bits of output ${i + 1}`,
      theirs: String(BigInt(output) >> 11n),
      ours: String(BigInt(draws.next() * 2 ** 53)),
    })),
  ];
}

export const PUBLISHED_STATISTICS: Suite = {
  name: 'published-statistics',
  title: 'Papers, pypbo, PerformanceAnalytics, and rand_xoshiro',
  source:
    'Recorded from Bailey and López de Prado (2012, 2014), pypbo 0.1, PerformanceAnalytics 2.1.0, and rand_xoshiro 0.8, ' +
    'each with file, line, and call',
  compares:
    'Probabilistic and deflated Sharpe ratios, the expected maximum of trials, minimum lengths of track records and ' +
    'backtests, and the draws of every bootstrap',
  tolerance: 1e-11,
  needsPython: false,
  async pairs() {
    const recorded: Recorded = JSON.parse(readFileSync(new URL('published-statistics.json', import.meta.url), 'utf8'));
    return [
      ...recorded.figures.map((published) => ({
        name: `${published.figure}: ${published.source}`,
        theirs: published.value,
        ours: OURS[published.figure](published),
        rounding: 0.5 * 10 ** -published.decimals,
      })),
      ...drawPairs(recorded),
    ];
  },
};
