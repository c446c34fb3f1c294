/** Performance figures of our backtests of the sample market, computed again from their returns, equity, and trades. */
import { fileURLToPath } from 'node:url';
import { TRADING_DAYS_PER_YEAR } from '../../../../engine/indicators/indicators.ts';
import { probabilisticSharpe } from '../../../../engine/statistics/moments.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { runToJson, type SampleRun, sampleRuns } from '../sample-runs.ts';
import type { Suite } from '../suite.ts';

const INSTRUMENTS = 6;
/** Points of an equity curve that are compared. */
const EVERY_BARS = 50;

/** Our figures, by the names that the scripts give theirs. */
function ours({ metrics, moments, run }: SampleRun): Figures {
  const points = Array.from(run.equity, (equity, t) => [`equity at bar ${t}`, equity] as const);
  return {
    'total return': metrics.totalPnlPct,
    'annual return': metrics.annualizedPct,
    'mean return': 100 * TRADING_DAYS_PER_YEAR * moments.mean,
    volatility: 100 * Math.sqrt(TRADING_DAYS_PER_YEAR) * moments.stdev,
    skewness: moments.skewness,
    kurtosis: moments.kurtosis,
    sharpe: metrics.sharpe,
    sortino: metrics.sortino,
    calmar: metrics.calmar,
    'largest drawdown': metrics.maxDrawdownPct,
    'longest drawdown': metrics.maxDrawdownDays,
    'return of holding': metrics.buyHoldPnlPct,
    'final equity': metrics.finalEquity,
    trades: metrics.numTrades,
    'win rate': metrics.winRate,
    'profit factor': metrics.profitFactor,
    'average trade': metrics.avgTradePct,
    'best trade': metrics.bestTradePct,
    'worst trade': metrics.worstTradePct,
    'probabilistic sharpe': probabilisticSharpe(moments, 0),
    ...Object.fromEntries(points.filter((_, t) => t % EVERY_BARS === 0)),
  };
}

function returnSuite(suite: Omit<Suite, 'tolerance' | 'needsPython' | 'pairs'>, script: string): Suite {
  return {
    ...suite,
    tolerance: 1e-9,
    needsPython: true,
    requirements: 'requirements-performance.txt',
    async pairs(choose, python) {
      const runs = choose(sampleRuns(INSTRUMENTS), 15);
      const request = { runs: runs.map(runToJson), every: EVERY_BARS };
      const theirs = await python.run<Figures[]>(fileURLToPath(new URL(script, import.meta.url)), request);
      return runs.flatMap((run, i) => pairUp(run.name, theirs[i], ours(run)));
    },
  };
}

export const RETURN_FIGURES: readonly Suite[] = [
  returnSuite(
    {
      name: 'empyrical',
      title: 'empyrical',
      source: 'empyrical-reloaded 0.7.1: stats',
      compares:
        'Returns, largest drawdowns, volatility, Sharpe, Sortino, and Calmar ratios, and equity of backtests; annual returns over calendar days',
    },
    'empyrical-figures.py',
  ),
  returnSuite(
    {
      name: 'pyfolio',
      title: 'pyfolio',
      source:
        'pyfolio-reloaded 0.10.1: timeseries.perf_stats, timeseries.gen_drawdown_table, round_trips.extract_round_trips',
      compares: 'Returns, ratios, moments, and drawdowns of backtests, and their trades as round trips of their fills',
    },
    'pyfolio-figures.py',
  ),
  returnSuite(
    {
      name: 'quantstats',
      title: 'quantstats',
      source: 'quantstats 0.0.86: stats',
      compares:
        'Returns, ratios, moments, and trades of backtests; skewness and kurtosis brought from a sample to the population',
      deviations: [
        {
          matches: ({ name }) => name.startsWith('probabilistic sharpe'),
          within: 3e-5,
          reason:
            'Theirs takes skewness and kurtosis that are corrected for the bias of a sample, ours those of the returns as they ' +
            'are (ops/docs/FIGURES.md).',
        },
      ],
    },
    'quantstats-figures.py',
  ),
  returnSuite(
    {
      name: 'ffn',
      title: 'ffn',
      source: 'ffn 1.4.1: PerformanceStats, calc_cagr, calc_calmar_ratio',
      compares: 'Returns, ratios, moments, and drawdowns of the equity of backtests',
    },
    'ffn-figures.py',
  ),
];
