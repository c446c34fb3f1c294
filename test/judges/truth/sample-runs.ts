/** Backtests of the sample market by our engine: returns, equity, and trades that other programs measure too. */
import type { Execution } from '../../../engine/backtest/execution.ts';
import { type Metrics, metricsOf, YEAR_DAYS } from '../../../engine/backtest/metrics.ts';
import type { Simulation } from '../../../engine/backtest/simulate.ts';
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import { formatDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { type Moments, momentsOf, returnsOf } from '../../../engine/statistics/moments.ts';
import { effectiveParameters, requireStrategy, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { type NamedSeries, sampleSeries } from './sample-series.ts';

/** Fills at the open leave the first bar without a cost: the equity starts at the initial capital for everyone. */
export const RUN_EXECUTION: Execution = {
  executeOn: 'next_open',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 10,
  initialCapital: 100_000,
};

/** Runs a strategy over a whole series; parameters that are not given have their defaults. */
export function runWith(
  code: string,
  given: ParameterValues,
  series: BarSeries,
  execution: Execution = RUN_EXECUTION,
): Simulation {
  const strategy = requireStrategy(code);
  const read = effectiveParameters(strategy, given);
  if ('refused' in read) throw new RangeError(`${code} refuses ${JSON.stringify(given)}`);
  return runStrategy(strategy, read.values, {
    series,
    from: 0,
    to: series.length,
    finalReason: 'end_of_data',
    execution,
  });
}

export interface SampleRun extends NamedSeries {
  /** `sma_cross on ABCD`. */
  readonly name: string;
  readonly run: Simulation;
  readonly metrics: Metrics;
  /** Simple returns per bar, the first of them on the initial capital. */
  readonly returns: Float64Array;
  readonly moments: Moments;
}

/** Every strategy with its defaults on `instruments` series; runs that never trade are left out. */
export function sampleRuns(instruments: number, firstYear?: number, lastYear?: number): SampleRun[] {
  const { initialCapital } = RUN_EXECUTION;
  return sampleSeries(instruments, firstYear, lastYear).flatMap(({ symbol, series }) =>
    STRATEGIES.flatMap(({ code }): SampleRun[] => {
      const run = runWith(code, {}, series);
      const returns = returnsOf(run.equity, initialCapital);
      const moments = momentsOf(returns);
      if (moments === null) return [];
      const metrics = metricsOf(series, run, initialCapital);
      return [{ symbol, series, name: `${code} on ${symbol}`, run, metrics, returns, moments }];
    }),
  );
}

/** Series of instruments that have a bar on every session, so that they make a table without gaps. */
export function wholeSeries(count: number): NamedSeries[] {
  const sample = sampleSeries(3 * count);
  const sessions = Math.max(...sample.map(({ series }) => series.length));
  return sample.filter(({ series }) => series.length === sessions).slice(0, count);
}

/** A run as other programs are given it. */
export function runToJson({ series, run, returns }: SampleRun) {
  const day = Array.from(series.day, formatDay);
  return {
    day,
    close: [...series.close],
    equity: [...run.equity],
    returns: [...returns],
    initial: RUN_EXECUTION.initialCapital,
    /** From the first bar to the last one. */
    years: (series.day[series.length - 1] - series.day[0]) / YEAR_DAYS,
    trades: run.trades.map(({ entryIndex, exitIndex, entryPrice, exitPrice, pnl }) => ({
      entry: day[entryIndex],
      exit: day[exitIndex],
      entryPrice,
      exitPrice,
      pnl,
    })),
  };
}
