/** Runs of backtesting.py on its bars of GOOG: trades, equity, and statistics. */
import { fileURLToPath } from 'node:url';
import type { ExecuteOn, Execution } from '../../../../engine/backtest/execution.ts';
import { metricsOf } from '../../../../engine/backtest/metrics.ts';
import { formatDay, requireDay } from '../../../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, sliceSeries, VALUE_COLUMNS } from '../../../../engine/market/series.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { runWith } from '../sample-runs.ts';
import type { SeriesJson } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('backtesting-runs.py', import.meta.url));
const INITIAL_CAPITAL = 1e6;
/** Bars between the points of an equity curve that are compared. */
const EVERY_BARS = 20;

interface GivenRun {
  readonly strategy: string;
  readonly params: Readonly<Record<string, number>>;
  readonly executeOn: ExecuteOn;
  readonly commission: number;
  /** The first bars of the series. */
  readonly bars: number;
}

/** Up to bars at which none of them holds a position. */
const RULES: readonly Pick<GivenRun, 'strategy' | 'params' | 'bars'>[] = [
  { strategy: 'sma_cross', params: { fast_period: 10, slow_period: 30 }, bars: 2080 },
  { strategy: 'sma_cross', params: { fast_period: 20, slow_period: 50 }, bars: 2080 },
  { strategy: 'sma_cross', params: { fast_period: 50, slow_period: 200 }, bars: 2000 },
  { strategy: 'donchian', params: { entry_period: 30, exit_period: 15 }, bars: 2080 },
  { strategy: 'donchian', params: { entry_period: 55, exit_period: 20 }, bars: 2080 },
];
const MODES: readonly Pick<GivenRun, 'executeOn' | 'commission'>[] = [
  { executeOn: 'close', commission: 0 },
  { executeOn: 'next_open', commission: 0 },
  { executeOn: 'next_open', commission: 0.001 },
];
const ALL_BARS = 2148;
const RUNS: readonly GivenRun[] = [
  ...RULES.flatMap((rules) => MODES.map((mode) => ({ ...rules, ...mode }))),
  // This one holds a position at the last bar.
  { ...RULES[0], ...MODES[1], bars: ALL_BARS },
];

interface Answer {
  readonly bars: Omit<SeriesJson, 'symbol'>;
  readonly runs: readonly {
    readonly trades: readonly Figures[];
    /** Money at each bar, of an initial capital of 1. */
    readonly equity: readonly number[];
    readonly statistics: Figures;
  }[];
}

function seriesOf(bars: Answer['bars']): BarSeries {
  const series = allocateSeries(bars.day.length);
  series.day.set(bars.day.map(requireDay));
  for (const column of VALUE_COLUMNS) series[column].set(bars[column]);
  return series;
}

const nameOf = ({ strategy, params, executeOn, commission, bars }: GivenRun) =>
  `${strategy} ${Object.values(params).join('/')} at the ${executeOn === 'close' ? 'close' : 'next open'}` +
  `${commission === 0 ? '' : ` with ${100 * commission} % commission`} over ${bars} bars`;

function compareRun(given: GivenRun, all: BarSeries, theirs: Answer['runs'][number]): Pair[] {
  const { strategy, params, executeOn, commission, bars } = given;
  const series = sliceSeries(all, 0, bars);
  const execution: Execution = {
    executeOn,
    commissionRate: commission,
    minCommission: 0,
    slippageBps: 0,
    initialCapital: INITIAL_CAPITAL,
  };
  const run = runWith(strategy, params, series, execution);
  const metrics = metricsOf(series, run, INITIAL_CAPITAL);
  const of = nameOf(given);
  const points = Array.from(run.equity, (equity, t) => ({
    name: `equity of ${of} at bar ${t}`,
    theirs: theirs.equity[t],
    ours: equity / INITIAL_CAPITAL,
  }));
  return [
    ...theirs.trades.flatMap((trade, i) => {
      const own = run.trades[i];
      return pairUp(`trade ${i + 1} of ${of}`, trade, {
        entry: own && formatDay(series.day[own.entryIndex]),
        exit: own && formatDay(series.day[own.exitIndex]),
        'entry price': own?.entryPrice,
        'exit price': own?.exitPrice,
        return: own?.pnlPct,
      });
    }),
    ...points.filter((_, t) => t % EVERY_BARS === 0),
    ...pairUp(of, theirs.statistics, {
      'total return': metrics.totalPnlPct,
      exposure: metrics.exposurePct,
      'largest drawdown': metrics.maxDrawdownPct,
      'longest drawdown': metrics.maxDrawdownDays,
      'number of trades': metrics.numTrades,
      'win rate': metrics.winRate,
      'best trade': metrics.bestTradePct,
      'worst trade': metrics.worstTradePct,
      'average trade': metrics.avgTradePct,
    }),
  ];
}

export const BACKTESTING: Suite = {
  name: 'backtesting.py',
  title: 'backtesting.py',
  source: 'backtesting 0.6.6: Backtest.run on its own bars of GOOG, 2004 to 2013',
  compares:
    'Trades, equity, and statistics of crossovers and Donchian channels, filled at the close and at the next open, with and ' +
    'without commission; so much money that its whole shares are as good as fractions',
  tolerance: 1e-9,
  deviations: [
    {
      matches: ({ name }) => name.endsWith(`over ${ALL_BARS} bars`),
      within: 0.1,
      reason:
        'A position that is open at the end is sold by theirs at the open of the last bar, by ours at its close ' +
        '(ops/docs/FIGURES.md).',
    },
  ],
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const given = choose(RUNS, 4);
    const { bars, runs } = await python.run<Answer>(SCRIPT, given);
    const series = seriesOf(bars);
    return given.flatMap((one, i) => compareRun(one, series, runs[i]));
  },
};
