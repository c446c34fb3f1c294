/** Portfolios that are brought back to equal weights, by bt. */
import { fileURLToPath } from 'node:url';
import type { Execution } from '../../../../engine/backtest/execution.ts';
import { metricsOf } from '../../../../engine/backtest/metrics.ts';
import { IndicatorSet } from '../../../../engine/indicators/indicator-set.ts';
import { formatDay } from '../../../../engine/market/dates.ts';
import { equalWeightValue } from '../../../../engine/portfolio/benchmark.ts';
import { clockOf, type RebalancePeriod } from '../../../../engine/portfolio/clock.ts';
import type { Allocation, PortfolioInstrument, PortfolioRun } from '../../../../engine/portfolio/portfolio.ts';
import { simulatePortfolio } from '../../../../engine/portfolio/simulate.ts';
import { effectiveParameters, requireStrategy } from '../../../../engine/strategies/catalogue.ts';
import { type Figures, pairUp } from '../pairs.ts';
import { wholeSeries } from '../sample-runs.ts';
import type { NamedSeries } from '../sample-series.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('bt-portfolios.py', import.meta.url));
const INSTRUMENTS = 8;
const EVERY_SESSIONS = 10;
/** Our re-weighting leaves alone what is off its target by less. */
const TOLERANCE = 0.05;
const CAPITAL = 1_000_000;
const EXECUTION: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: CAPITAL,
};

interface GivenPortfolio {
  readonly rebalance: Exclude<RebalancePeriod, 'none'>;
  readonly cashBufferPct: number;
}

/** With cash at hand: where purchases lack it, bt borrows, and ours are cut. */
const PORTFOLIOS: readonly GivenPortfolio[] = [
  { rebalance: 'week', cashBufferPct: 20 },
  { rebalance: 'month', cashBufferPct: 20 },
  { rebalance: 'quarter', cashBufferPct: 30 },
];

interface Sale {
  readonly day: string;
  readonly symbol: string;
  readonly price: number;
  readonly shares: number;
}

interface Answer {
  readonly equity: readonly number[];
  readonly sales: readonly Sale[];
  readonly statistics: Figures;
}

/** Bought at the first close and held. */
function heldInstrument({ symbol, series }: NamedSeries): PortfolioInstrument {
  const holding = requireStrategy('buy_hold');
  const read = effectiveParameters(holding, {});
  if ('refused' in read) throw new RangeError('holding has no valid defaults');
  return {
    symbol,
    series,
    from: 0,
    to: series.length,
    isDelisted: false,
    rank: null,
    volatility: null,
    ...holding.plan(new IndicatorSet(series), read.values),
  };
}

function runPortfolio(sample: readonly NamedSeries[], { rebalance, cashBufferPct }: GivenPortfolio) {
  const instruments = sample.map(heldInstrument);
  const clock = clockOf(instruments);
  const allocation: Allocation = {
    maxPositions: instruments.length,
    sizing: 'equal',
    volatilityPeriod: 63,
    rankBy: null,
    rebalance,
    cashBufferPct,
  };
  const run = simulatePortfolio({ instruments, clock, allocation, execution: EXECUTION });
  const close = equalWeightValue(instruments, clock, CAPITAL);
  const measured = { trades: run.trades, equity: run.equity, barsExposed: clock.length };
  return { clock, run, metrics: metricsOf({ length: clock.length, day: clock, close }, measured, CAPITAL) };
}

function salesOf(run: PortfolioRun, sample: readonly NamedSeries[]): ReadonlyMap<string, Sale> {
  const sales = run.trades
    .filter(({ exitReason }) => exitReason === 'rebalance')
    .map(({ instrument, exitDay, exitPrice, shares }) => ({
      day: formatDay(exitDay),
      symbol: sample[instrument].symbol,
      price: exitPrice,
      shares,
    }));
  return new Map(sales.map((sale) => [`${sale.symbol} on ${sale.day}`, sale]));
}

function comparePortfolio(sample: readonly NamedSeries[], given: GivenPortfolio, theirs: Answer): Pair[] {
  const { clock, run, metrics } = runPortfolio(sample, given);
  const of = `equal weights by the ${given.rebalance} with ${given.cashBufferPct} % in cash`;
  const ours = salesOf(run, sample);
  const points = Array.from(run.equity, (equity, t) => ({
    name: `equity of ${of} on ${formatDay(clock[t])}`,
    theirs: theirs.equity[t],
    ours: equity,
  }));
  return [
    { name: `number of sales of ${of}`, theirs: theirs.sales.length, ours: ours.size },
    ...points.filter((_, t) => t % EVERY_SESSIONS === 0),
    ...theirs.sales.flatMap((sale) => {
      const own = ours.get(`${sale.symbol} on ${sale.day}`);
      const name = `sale of ${sale.symbol} on ${sale.day} of ${of}`;
      return [
        { name: `price of the ${name}`, theirs: sale.price, ours: own?.price ?? null },
        { name: `shares of the ${name}`, theirs: sale.shares, ours: own?.shares ?? null },
      ];
    }),
    ...pairUp(of, theirs.statistics, {
      'total return': metrics.totalPnlPct,
      'largest drawdown': metrics.maxDrawdownPct,
      'annual return': metrics.annualizedPct,
    }),
  ];
}

export const BT: Suite = {
  name: 'bt',
  title: 'bt',
  source:
    'bt 1.4.1: Strategy with SelectAll, WeighEqually, ScaleWeights, and a rebalance of what is 5 % off its weight',
  compares:
    'Equity, sales, and statistics of portfolios that the end of each week, month, or quarter brings back to equal weights, ' +
    'part of them in cash',
  tolerance: 1e-9,
  needsPython: true,
  requirements: 'requirements-performance.txt',
  async pairs(choose, python) {
    const portfolios = choose(PORTFOLIOS, 1);
    const sample = wholeSeries(INSTRUMENTS).toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
    const [{ series }] = sample;
    const theirs = await python.run<readonly Answer[]>(SCRIPT, {
      day: Array.from(series.day, formatDay),
      close: Object.fromEntries(sample.map((one) => [one.symbol, [...one.series.close]])),
      portfolios: portfolios.map(({ rebalance, cashBufferPct }) => ({
        rebalance,
        invested: 1 - cashBufferPct / 100,
        tolerance: TOLERANCE,
        capital: CAPITAL,
      })),
    });
    return portfolios.flatMap((given, i) => comparePortfolio(sample, given, theirs[i]));
  },
};
