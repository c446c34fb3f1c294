/** Runs over bars without sense: flat, alike, two of them, tiny, vast. None throws, every figure is finite or null, and bounds hold. */
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import { FiguresOverflow } from '../../../engine/market/figures.ts';
import { allocateSeries, type BarSeries } from '../../../engine/market/series.ts';
import { SessionLedger } from '../../../engine/market/session-ledger.ts';
import { portfolioMetrics, runPrepared } from '../../../engine/portfolio/backtest.ts';
import { equalWeightReturns, equalWeightValue } from '../../../engine/portfolio/benchmark.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { RotationFailure, weighBy } from '../../../engine/rotation/weigh.ts';
import { COVARIANCES } from '../../../engine/rotation/weights/covariance.ts';
import { WEIGHT_METHODS } from '../../../engine/rotation/weights/methods.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { effectiveParameters, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import { partOfBacktest, partOfPortfolio } from '../../../engine/tear-sheet/inputs.ts';
import type { BacktestSpec } from '../../../jobs/contracts/backtest.ts';
import type { PortfolioSpec } from '../../../jobs/contracts/portfolio.ts';
import { PORTFOLIO } from '../../../jobs/portfolio/kind.ts';
import { prepareData } from '../../../jobs/portfolio/prepare.ts';
import { partsOf, portfolioMetricsView } from '../../../jobs/portfolio/report.ts';
import { measureRun } from '../../../jobs/runs/measured-run.ts';
import { resultOf } from '../../../jobs/runs/result.ts';
import { sheetOf } from '../../../jobs/runs/tear-sheet.ts';
import { panelOf } from '../../support/panels.ts';
import { backtestResult } from '../../support/results.ts';
import { lehmer, randomSeries } from '../../support/series.ts';

const LOOKBACK = 20;
const SEED = '0123456789abcdef';
const DAYS = randomSeries(90, 1).day;
const LEDGER = SessionLedger.ofVenueBasis({ published: null, complete: [] });
const COMPUTATION = { dataVersion: '', at: new Date(0) };

const price = fc.constantFrom(5e-324, 1e-300, 1e-6, 1, 100, 1e9, 1e154, 1e308);
const closes = fc.oneof(
  price.map((one) => () => one),
  fc.tuple(price, price).map(
    ([a, b]) =>
      (t: number) =>
        t % 2 ? a : b,
  ),
  fc.tuple(price, price, fc.integer({ min: 0, max: 89 })).map(
    ([a, b, at]) =>
      (t: number) =>
        t === at ? b : a,
  ),
  // Few seeds, so that members are alike.
  fc.tuple(price, fc.integer({ min: 1, max: 3 })).map(([start, seed]) => {
    const random = lehmer(seed);
    const steps = Array.from({ length: 90 }, () => 0.9 + 0.2 * random());
    return (t: number) => Math.min(Number.MAX_VALUE, start * steps[t]);
  }),
);
const member = fc.record({ closes, length: fc.constantFrom(2, 60, 90, 90, 90), isDelisted: fc.boolean() });
const members = fc.array(member, { minLength: 1, maxLength: 6 });
const execution = fc.record({
  executeOn: fc.constantFrom('close' as const, 'next_open' as const),
  commissionRate: fc.constantFrom(0, 0.001),
  minCommission: fc.constantFrom(0, 1),
  slippageBps: fc.constantFrom(0, 10_000),
  initialCapital: fc.constantFrom(1, 100_000),
});

const cash = fc.constantFrom(undefined, { rate: 100, spreadBps: 0 }, { rate: -20, spreadBps: 10_000 });

function barsOf({ closes, length }: { readonly closes: (t: number) => number; readonly length: number }): BarSeries {
  const series = allocateSeries(length);
  for (let t = 0; t < length; t++) {
    const open = closes(Math.max(0, t - 1));
    series.day[t] = DAYS[t];
    series.open[t] = open;
    series.close[t] = closes(t);
    series.high[t] = Math.max(open, closes(t));
    series.low[t] = Math.min(open, closes(t));
    series.volume[t] = t % 3;
  }
  return series;
}

const NO_FIGURE = /:-?(?:Infinity|NaN)\b/;

/** Everything that is served is finite or null; where money overflows nothing is served. */
function expectServed(make: () => unknown): void {
  try {
    const made = make();
    const text = JSON.stringify(made, (_, value) => {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is served`);
      return value;
    });
    expect(text.replaceAll('\\"', '"')).not.toMatch(NO_FIGURE);
  } catch (error) {
    if (!(error instanceof FiguresOverflow)) throw error;
  }
}

const paramsOf = (strategy: (typeof STRATEGIES)[number]) => {
  const effective = effectiveParameters(strategy, {});
  if ('refused' in effective) throw new Error('bad parameters');
  return effective.values;
};
const specOf = (changes: Partial<BacktestSpec>): BacktestSpec => ({
  instrumentId: 1,
  symbol: 'A.US',
  listedOn: null,
  delistedOn: null,
  strategy: 'buy_hold',
  params: {},
  timeRange: 'MAX',
  start: null,
  end: null,
  adjust: 'split',
  isCostless: true,
  execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
  asOf: DAYS[89] + 1,
  dataAsOf: null,
  distributionMode: 'eod_only',
  includeStatistics: true,
  ...changes,
});
const NOTHING_COMPARED = { benchmark: null, factors: [] };

it('runs of one instrument', () => {
  fc.assert(
    fc.property(member, fc.constantFrom(...STRATEGIES), execution, cash, (one, strategy, costs, lent) => {
      const spec = specOf({ strategy: strategy.code, params: paramsOf(strategy), execution: costs, cash: lent });
      const history = { series: barsOf(one), events: [] };
      expectServed(() => backtestResult(spec, history, LEDGER, COMPUTATION));
      const lifetime = { listedOn: null, delistedOn: null };
      const outcome = runBacktest(spec, { ...history, asOf: spec.asOf, lifetime });
      if (!outcome) return;
      const part = partOfBacktest(outcome, spec.symbol, costs);
      expectServed(() => sheetOf(part, outcome.bars.close, spec, NOTHING_COMPARED, '0123456789abcdef'));
    }),
    { numRuns: 120 },
  );
});

it('portfolios', () => {
  const allocation = fc.record({
    maxPositions: fc.integer({ min: 1, max: 4 }),
    sizing: fc.constantFrom('equal' as const, 'inverse_volatility' as const),
    volatilityPeriod: fc.constant(20),
    rankBy: fc.constant(null),
    rebalance: fc.constantFrom('none' as const, 'week' as const),
    cashBufferPct: fc.constantFrom(0, 10),
  });
  fc.assert(
    fc.property(
      members,
      fc.constantFrom(...STRATEGIES),
      execution,
      allocation,
      cash,
      (some, strategy, costs, shared, lent) => {
        const lifetime = { listedOn: null, delistedOn: null };
        const instruments = some.map((_, i) => ({ instrumentId: i, symbol: `M${i}.US`, ...lifetime }));
        const {
          instrumentId: _id,
          symbol: _symbol,
          ...own
        } = specOf({
          strategy: strategy.code,
          params: paramsOf(strategy),
          execution: costs,
          cash: lent,
        });
        const spec: PortfolioSpec = {
          ...own,
          instruments,
          allocation: shared,
          benchmark: null,
          isPointInTime: false,
          screenedOn: null,
          skipped: null,
        };
        const data = some.map((one, i) => ({
          symbol: `M${i}.US`,
          asOf: own.asOf,
          series: barsOf(one),
          events: [],
          lifetime,
        }));
        const all = { members: data, single: null, others: undefined };
        const read = prepareData(spec, all);
        if (!read) return;
        const run = runPrepared(read.prepared, spec, spec.params);
        const { rates } = read.prepared;
        const outcome = { read, run, rates, metrics: portfolioMetrics(read.prepared, run, costs.initialCapital) };
        expectServed(() =>
          resultOf(PORTFOLIO, spec, outcome, PORTFOLIO.report(spec, all, outcome, LEDGER), COMPUTATION),
        );
      },
    ),
    { numRuns: 100 },
  );
});

it('rotations, whose weights keep their bounds', () => {
  const weighing = fc.record({
    method: fc.constantFrom(...WEIGHT_METHODS),
    covariance: fc.constantFrom(...COVARIANCES),
    min: fc.constantFrom(0, 0.1, 0.16),
    max: fc.constantFrom(0.17, 0.3, 1),
    targetVolatilityPct: fc.constantFrom(null, null, 10),
  });
  fc.assert(
    fc.property(members, weighing, execution, fc.integer({ min: 1, max: 1e6 }), (some, weighed, costs, seed) => {
      const { min, max, targetVolatilityPct, ...how } = weighed;
      const takesMin = how.method === 'min_variance' || how.method === 'max_diversification';
      const bounds = { min: takesMin ? min : 0, max };
      const panel = panelOf(
        some.map((one, i) => ({
          series: barsOf(one),
          symbol: `M${i}.US`,
          ticker: `M${i}`,
          from: 0,
          to: one.length,
          isDelisted: one.isDelisted,
        })),
      );
      const random = lehmer(seed);
      const rebalances = Array.from({ length: panel.clock.length }, (_, t) => t)
        .filter((t) => t >= LOOKBACK && t < panel.clock.length - 1 && t % 5 === 0)
        .map((session) => {
          const hasBar = panel.members.map(({ series }) => series.day.includes(panel.clock[session]));
          const score = Float64Array.from(hasBar, (is) => (is ? random() : Number.NaN));
          return { session, score, eligible: hasBar.filter(Boolean).length };
        });
      const rule = {
        order: 'desc' as const,
        hold: { top: 4 },
        keep: null,
        weigh: weighBy({ ...how, bounds, targetVolatilityPct, lookback: LOOKBACK }, { M0: 0.5, M1: 0.5 }),
        exits: null,
        cashBufferPct: 0,
      };
      let run: ReturnType<typeof simulateRotation>;
      try {
        run = simulateRotation({ panel, values: { rebalances, filter: null }, rule, execution: costs });
      } catch (error) {
        if (error instanceof RotationFailure) return;
        throw error;
      }
      for (const { weights } of run.rebalances) {
        const held = [...weights.values()];
        for (const weight of held) expect(weight).toBeLessThanOrEqual(max + 1e-9);
        expect(held.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(1 + 1e-9);
        const names = held.length;
        if (!takesMin || targetVolatilityPct !== null || names * max < 1) continue;
        for (const weight of held) expect(weight).toBeGreaterThanOrEqual(min - 1e-9);
      }
      const ranges = panel.members.map(({ series, from, to }) => ({ series, from, to }));
      const benchmark = equalWeightValue(ranges, panel.clock, costs.initialCapital);
      const reported = {
        clock: panel.clock,
        benchmark,
        instruments: panel.members.map(({ symbol, series }) => ({ symbol, range: { series } })),
      };
      const market = equalWeightReturns(ranges, panel.clock);
      const days = panel.clock[panel.clock.length - 1] - panel.clock[0];
      expectServed(() => portfolioMetricsView(portfolioMetrics(reported, run, costs.initialCapital)));
      expectServed(() => partsOf({ execution: costs }, reported, run));
      expectServed(() => {
        const returns = returnsOf(run.equity, costs.initialCapital);
        const held = { name: 'equal_weight_daily', returns: market };
        const { statistics, basis } = measureRun(returns, held, null, { days, seed: SEED, isWanted: true });
        return { statistics, basis };
      });
      const part = partOfPortfolio(reported, run, market, costs);
      expectServed(() => sheetOf(part, benchmark, { end: null, adjust: 'split' }, NOTHING_COMPARED, SEED));
    }),
    { numRuns: 200 },
  );
});
