/** Figures that the tests and documentation of other packages publish for series of returns. */
import { readFileSync } from 'node:fs';
import { type Metrics, metricsOf } from '../../../../engine/backtest/metrics.ts';
import { TRADING_DAYS_PER_YEAR } from '../../../../engine/indicators/indicators.ts';
import { type Moments, momentsOf } from '../../../../engine/statistics/moments.ts';
import type { Pair, Suite } from '../suite.ts';

/** The record of a package. */
interface Published {
  /** Simple returns, by the names that the package gives them. */
  readonly returns: Readonly<Record<string, readonly number[]>>;
  readonly figures: readonly PublishedFigure[];
}

interface PublishedFigure {
  /** File and lines. */
  readonly at: string;
  readonly call: string;
  readonly returns: string;
  /** A rate per return that is taken off first. */
  readonly less?: number;
  readonly figure: keyof typeof OURS;
  /** As it was published; a list has that of the first return, of the first two, and so on. */
  readonly value: number | null | readonly (number | null)[];
  readonly decimals: number;
  /** Returns a year; 252 where it is left out. */
  readonly perYear?: number;
}

interface Measured {
  readonly metrics: Metrics;
  readonly moments: Moments | null;
  readonly perYear: number;
}

function measure(given: readonly number[], perYear: number): Measured {
  const returns = Float64Array.from(given);
  let growth = 1;
  const equity = returns.map((r) => {
    growth *= 1 + r;
    return growth;
  });
  const bars = { length: returns.length, day: Int32Array.from(returns.keys()), close: equity };
  const metrics = metricsOf(bars, { trades: [], equity, barsExposed: 0 }, 1);
  return { metrics, perYear, moments: momentsOf(returns) };
}

/** A ratio of ours, of which a year has 252 returns. */
const annualized = (ratio: number | null, perYear: number) =>
  ratio === null ? null : ratio * Math.sqrt(perYear / TRADING_DAYS_PER_YEAR);

/** Ours in the units of the packages: fractions, and falls below 0. */
const OURS = {
  'total return': ({ metrics }: Measured) => metrics.totalPnlPct / 100,
  'largest drawdown': ({ metrics }: Measured) => -metrics.maxDrawdownPct / 100,
  'longest drawdown': ({ metrics }: Measured) => metrics.maxDrawdownDays,
  mean: ({ moments }: Measured) => moments?.mean ?? null,
  'standard deviation': ({ moments, perYear }: Measured) => moments && moments.stdev * Math.sqrt(perYear),
  skewness: ({ moments }: Measured) => moments?.skewness ?? null,
  kurtosis: ({ moments }: Measured) => moments?.kurtosis ?? null,
  'skewness by kurtosis': ({ moments }: Measured) => moments && moments.skewness / moments.kurtosis,
  'sharpe ratio': ({ metrics, perYear }: Measured) => annualized(metrics.sharpe, perYear),
  'sortino ratio': ({ metrics, perYear }: Measured) => annualized(metrics.sortino, perYear),
} satisfies Readonly<Record<string, (measured: Measured) => number | null>>;

function pairsOf(published: PublishedFigure, returns: readonly number[]): Pair[] {
  const { at, call, figure, value, less = 0, decimals, perYear = TRADING_DAYS_PER_YEAR } = published;
  const isList = typeof value === 'object' && value !== null;
  const values = isList
    ? value.map((theirs, t) => ({ theirs, count: t + 1 }))
    : [{ theirs: value, count: returns.length }];
  return values.map(({ theirs, count }) => {
    const measured = measure(
      returns.slice(0, count).map((r) => r - less),
      perYear,
    );
    const name = `${call} of ${published.returns}, ${count} returns (${at})`;
    return { name, theirs, ours: OURS[figure](measured), rounding: 0.5 * 10 ** -decimals };
  });
}

function publishedSuite(suite: Pick<Suite, 'name' | 'title' | 'source' | 'compares'>): Suite {
  return {
    ...suite,
    tolerance: 1e-12,
    needsPython: false,
    async pairs() {
      const recorded = readFileSync(new URL(`${suite.name}.json`, import.meta.url), 'utf8');
      const { figures, returns }: Published = JSON.parse(recorded);
      return figures.flatMap((figure) => pairsOf(figure, returns[figure.returns]));
    },
  };
}

export const PUBLISHED_RETURNS: readonly Suite[] = [
  publishedSuite({
    name: 'performance-tests',
    title: 'Tests of empyrical, pyfolio, and pypbo',
    source:
      'Recorded from the tests of empyrical-reloaded 0.6.0, pyfolio-reloaded 0.9.7, and pypbo 0.1, with file, lines, and call',
    compares:
      'Growth, drawdowns, deviations, Sharpe and Sortino ratios of short series of returns, each to the decimals of its test',
  }),
  publishedSuite({
    name: 'performance-analytics',
    title: 'PerformanceAnalytics',
    source: 'Recorded from the documented examples of PerformanceAnalytics 2.1.0 (R), with file, lines, and call',
    compares:
      'Growth, drawdowns, deviations, moments, and ratios of the monthly returns of its managers and of its portfolio of Bacon, ' +
      'each to the decimals that were printed; a year has 12 of them',
  }),
];
