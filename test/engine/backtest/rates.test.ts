/** Interest on cash and returns above a risk-free rate: runs by hand, and what holds of every run. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { provePrefixes } from '../../../engine/backtest/look-ahead.ts';
import { excessOf, interestOf, nightsOf, ratesOn } from '../../../engine/backtest/rates.ts';
import { runStrategy, simulate } from '../../../engine/backtest/simulate.ts';
import { stitch, walkForward } from '../../../engine/backtest/walk-forward.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { percentile } from '../../../engine/indicators/indicators.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { clockOf } from '../../../engine/portfolio/clock.ts';
import { NO_EXITS } from '../../../engine/portfolio/portfolio.ts';
import { simulateTargets } from '../../../engine/portfolio/targets.ts';
import { proveRotationPrefixes } from '../../../engine/rotation/look-ahead.ts';
import { FILTER } from '../../../engine/rotation/panel.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import { UniformDraws } from '../../../engine/statistics/draws.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { SearchReturns, statisticsOfSearch } from '../../../engine/statistics/search.ts';
import { statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { appraisalMoments, regress } from '../../../engine/statistics/skill.ts';
import { requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { CellBlock, fillInstrument } from '../../../engine/sweep/cells.ts';
import { randomEntries } from '../../../engine/tear-sheet/chance.ts';
import { randomSets } from '../../../engine/tear-sheet/random-sets.ts';
import { required } from '../../../engine/util/values.ts';
import { panelOf, type ScoreRule, valuesOf } from '../../support/panels.ts';
import { randomMembers } from '../../support/portfolio-members.ts';
import { drawResample } from '../../support/resample.ts';
import { lehmer, randomSeries, seriesOf } from '../../support/series.ts';

const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100,
};
const SEED = '0123456789abcdef';

/** The first of some bars from `from` on, below `to`. */
const at =
  (...bars: readonly number[]) =>
  (from: number, to: number) =>
    bars.find((bar) => bar >= from && bar < to) ?? to;

/** One percent each night. */
const nights = (sessions: number) => Float64Array.from({ length: sessions }, (_, t) => (t === 0 ? 0 : 0.01));

function runByHand(closes: readonly number[], entry: number, exit: number, executeOn: Execution['executeOn']) {
  const series = seriesOf(closes);
  return simulate({
    series,
    from: 0,
    to: series.length,
    signals: { ...NO_EXITS.signals, entry: at(entry), exit: at(exit) },
    overlays: NO_EXITS.overlays,
    execution: { ...FREE, executeOn },
    finalReason: 'end_of_data',
    interest: nights(series.length),
  });
}

function expectClose(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [t, value] of expected.entries()) expect(actual[t]).toBeCloseTo(value, 9);
}

describe('interest by hand', () => {
  it('is earned by cash held through the night, before the fill at a close', () => {
    const { equity, trades, interest } = runByHand([100, 100, 100, 120, 120, 120], 2, 3, 'close');
    expectClose(equity, [100, 101, 102.01, 122.412, 123.63612, 124.8724812]);
    expect(trades.map(({ pnl }) => Math.round(1e6 * pnl) / 1e6)).toEqual([20.402]);
    expect(interest).toBeCloseTo(24.8724812 - 20.402, 9);
  });

  it('is earned before the fill at an open, and from the night after a sale at one', () => {
    const { equity, interest } = runByHand([100, 100, 100, 100, 120, 120, 120], 1, 4, 'next_open');
    expectClose(equity, [100, 101, 102.01, 102.01, 122.412, 122.412, 123.63612]);
    expect(interest).toBeCloseTo(2.01 + 1.22412, 9);
  });

  it('is earned by the part of a portfolio that is cash', () => {
    const series = seriesOf([10, 10, 20]);
    const instruments = [{ symbol: 'ALFA.US', series, from: 0, to: 3, isDelisted: false, ...NO_EXITS }];
    const run = simulateTargets({
      instruments,
      clock: clockOf(instruments),
      allocation: { targets: [{ symbol: 'ALFA.US', weight: 0.5 }], rebalance: 'none', flows: [] },
      execution: FREE,
      interest: Float64Array.of(0, 0.1, 0.1),
    });
    expectClose(run.equity, [100, 105, 160.5]);
    expect(run.interest).toBeCloseTo(10.5, 9);
  });

  it('is earned before money goes out', () => {
    const firstDay = requireDay('2025-01-31');
    const series = seriesOf([10, 10, 10], firstDay);
    const instruments = [{ symbol: 'ALFA.US', series, from: 0, to: 3, isDelisted: false, ...NO_EXITS }];
    const run = simulateTargets({
      instruments,
      clock: clockOf(instruments),
      allocation: {
        targets: [{ symbol: 'ALFA.US', weight: 0.5 }],
        rebalance: 'none',
        flows: [{ amount: -100, every: 'month' }],
      },
      execution: FREE,
      interest: Float64Array.of(0, 0.1, 0.1),
    });
    // 50 and 5 of cash, and 50 of shares go out, so that 5 of cash are left, which earn 0.5.
    expectClose(run.equity, [100, 5, 5.5]);
    expectClose(run.curve, [100, 105, 115.5]);
  });

  it('is taken off by the spread, never below 0, and is told in money and of the mean equity a year', () => {
    const days = Int32Array.of(0, 365, 730);
    const rates = (rate: number, spreadBps: number) => ratesOn(days, { cash: { rate, spreadBps } });
    expectClose(required(rates(4, 150).cash).returns, [0, 0.025, 0.025]);
    expectClose(required(rates(4, 150).riskFree).returns, [0, 0.04, 0.04]);
    expectClose(required(rates(-2, 0).cash).returns, [0, 0, 0]);
    expectClose(required(rates(-2, 0).riskFree).returns, [0, -0.02, -0.02]);
    const interest = required(interestOf(rates(4, 0), 12, days, Float64Array.of(100, 110, 90)));
    expect(interest.money).toBe(12);
    expect(interest.pct_per_year).toBeCloseTo((100 * 12) / 100 / (730 / 365.25), 12);
    expect(interestOf(ratesOn(days, {}), 0, days, Float64Array.of(1, 1, 1))).toBeNull();
    expect(interestOf(rates(4, 0), 0, days.subarray(0, 1), Float64Array.of(1))).toEqual({
      money: 0,
      pct_per_year: null,
    });
  });

  it('needs the column that is named, whose nights without a value earn nothing', () => {
    const column = { at: (days: Int32Array) => Float64Array.from(days, (day) => (day === 1 ? Number.NaN : 10)) };
    const days = Int32Array.of(0, 1, 2, 3);
    const settings = { riskFree: 'bill', cash: { rate: 'bill', spreadBps: 50 } };
    const { cash, riskFree } = ratesOn(days, settings, new Map([['bill', column]]));
    expect([cash?.gaps, riskFree?.gaps]).toEqual([1, 1]);
    expect(cash?.returns[2]).toBe(0);
    expect(riskFree?.returns[3]).toBe(1.1 ** (1 / 365) - 1);
    expect(() => ratesOn(days, settings)).toThrow('no column bill');
    expect([...nightsOf(days, Float64Array.of(-150, 0, 0, 0)).returns]).toEqual([0, -1, 0, 0]);
  });
});

const arbitraryRun = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  length: fc.integer({ min: 1, max: 200 }),
  rate: fc.constantFrom(0, 0.5, 4, 80),
  execution: fc.record({
    executeOn: fc.constantFrom(...EXECUTE_ON),
    commissionRate: fc.constantFrom(0, 0.001, 0.02),
    minCommission: fc.constantFrom(0, 1, 300),
    slippageBps: fc.constantFrom(0, 5, 100),
    initialCapital: fc.constant(100_000),
  }),
});

const STRATEGY = requireStrategy('sma_cross');
const PARAMS = { fast_period: 3, slow_period: 8, stop_loss_pct: 0, take_profit_pct: 0, max_bars: 0 };

function runOf(series: BarSeries, execution: Execution, rate: number | null) {
  const cash = rate === null ? undefined : { rate, spreadBps: 0 };
  const interest = ratesOn(series.day, { cash }).cash?.returns;
  const input = { series, from: 0, to: series.length, execution, finalReason: 'end_of_data', interest } as const;
  return runStrategy(STRATEGY, PARAMS, input);
}

const isClose = (actual: number, expected: number) => Math.abs(actual - expected) <= 1e-9 * Math.max(1e5, expected);
const sumOf = (trades: readonly { readonly pnl: number }[]) => trades.reduce((sum, { pnl }) => sum + pnl, 0);

describe('interest', () => {
  it('is all that a run gains beside its trades, and nothing at a rate of 0', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ seed, length, rate, execution }) => {
        const series = randomSeries(length, seed);
        const { equity, trades, interest } = runOf(series, execution, rate);
        expect(isClose(equity[length - 1], 100_000 + sumOf(trades) + interest)).toBe(true);
        expect(interest >= 0).toBe(true);
        if (rate === 0) expect({ equity, trades }).toEqual(without(runOf(series, execution, null)));
      }),
    );
  });

  it('grows with the money', () => {
    fc.assert(
      fc.property(arbitraryRun, fc.constantFrom(0.5, 3), ({ seed, length, rate, execution }, times) => {
        const series = randomSeries(length, seed);
        const costs = { ...execution, minCommission: 0 };
        const [one, other] = [costs, { ...costs, initialCapital: 100_000 * times }].map((of) =>
          runOf(series, of, rate),
        );
        expect(isClose(other.interest, times * one.interest)).toBe(true);
      }),
    );
  });

  it('is all that a portfolio gains beside its trades and flows', () => {
    fc.assert(
      fc.property(arbitraryRun, fc.boolean(), ({ seed, length, rate, execution }, hasFlows) => {
        const members = randomMembers(3, length, seed)
          .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
          .map((member) => ({ ...member, ...NO_EXITS }));
        const clock = clockOf(members);
        const { equity, trades, interest, flows } = simulateTargets({
          clock,
          execution,
          instruments: members,
          allocation: {
            targets: members.map(({ symbol }) => ({ symbol, weight: 0.2 })),
            rebalance: 'month',
            flows: hasFlows ? [{ amount: -9_000, every: 'month' }] : [],
          },
          interest: ratesOn(clock, { cash: { rate, spreadBps: 0 } }).cash?.returns,
        });
        const paid = flows.reduce((sum, { amount }) => sum + amount, 0);
        expect(isClose(equity[equity.length - 1], 100_000 + paid + sumOf(trades) + interest)).toBe(true);
      }),
    );
  });

  it('goes on between the tests of a walk forward, and starts with the first of them', () => {
    const series = randomSeries(120, 5);
    const interest = ratesOn(series.day, { cash: { rate: 50, spreadBps: 0 } }).cash?.returns;
    const input = { series, from: 0, to: 120, execution: FREE, finalReason: 'end_of_data', interest } as const;
    const rule = { trainBars: 40, testBars: 15 };
    const walk = (strategy = STRATEGY, params: readonly ParameterValues[] = [PARAMS]) =>
      stitch(input, rule, [...walkForward(input, strategy, params, 'sharpe', rule)]);
    const { run } = walk();
    expect(isClose(run.equity[79], 100 + sumOf(run.trades) + run.interest)).toBe(true);
    // A stop that is never reached: it buys on no bar.
    const idle = walk(requireStrategy('roc_momentum'), [{ ...PARAMS, period: 10, entry_above: 100, exit_below: 0 }]);
    const grown = required(interest)
      .subarray(41)
      .reduce((value, night) => value * (1 + night), 100);
    expect(idle.run.trades).toEqual([]);
    expect(idle.run.equity[0]).toBe(100);
    expect(idle.run.equity[79]).toBeCloseTo(grown, 9);
  });

  it('leaves the proof that nothing is seen early as it is', () => {
    const series = randomSeries(90, 11);
    const execution = { ...FREE, executeOn: 'next_open' } as const;
    const proof = provePrefixes(
      {
        series,
        execution,
        from: 30,
        to: 90,
        finalReason: 'end_of_data',
        interest: nights(60),
        cut: (to) => sliceSeries(series, 0, to),
      },
      (bars) => STRATEGY.plan(new IndicatorSet(bars), PARAMS),
    );
    let step = proof.next();
    while (!step.done) step = proof.next();
    expect(step.value).toMatchObject({ prefixes: 60, differences: 0, verdict: 'none' });
  });

  it('is earned by entries at random in the nights in which they hold nothing', () => {
    const bars = seriesOf(Array<number>(100).fill(50));
    const trades = [{ barsHeld: 10 }, { barsHeld: 4 }];
    const total = 1.01 ** (99 - 14) - 1;
    const input = { bars, trades, total, execution: FREE, capital: 100, seed: SEED, interest: nights(100) };
    for (const executeOn of EXECUTE_ON) {
      const { total_pct, rank } = required(randomEntries({ ...input, execution: { ...FREE, executeOn } }));
      expect([total_pct.p5, total_pct.p95].map((pct) => pct.toFixed(6))).toEqual(
        Array(2).fill((100 * total).toFixed(6)),
      );
      expect(rank).toBe(0);
    }
    // Those that cannot pay the commission hold cash throughout.
    const poor = required(randomEntries({ ...input, execution: { ...FREE, minCommission: 1e6 } }));
    expect(poor.total_pct.p5).toBeCloseTo(100 * (1.01 ** 99 - 1), 6);
  });
});

describe('figures above a risk-free rate', () => {
  it('are those of plain loops over the resamples, whether few of the returns move or all', () => {
    const random = lehmer(3);
    const market = Float64Array.from({ length: 250 }, () => 0.02 * (random() - 0.49));
    const riskFree = { returns: Float64Array.from({ length: 250 }, (_, t) => 0.0001 + 1e-6 * (t % 7)), gaps: 0 };
    const mean = (values: Float64Array) => values.reduce((sum, one) => sum + one, 0) / values.length;
    for (const every of [1, 50]) {
      const returns = market.map((y, t) => (t % every === 0 ? 0.6 * y + 0.01 * random() : 0));
      const [x, y] = [returns, market].map((values) => excessOf(values, riskFree));
      const { skill, blockLength } = statisticsOfRun(returns, y, 360, SEED, undefined, x);
      const draws = UniformDraws.fromSeed(SEED);
      const indices = new Int32Array(250);
      const alphas = Float64Array.from({ length: 1_000 }, () => {
        drawResample(draws, required(blockLength), indices);
        const [rx, ry] = [x, y].map((values) => values.map((_, i) => values[indices[i]]));
        const [mx, my] = [mean(rx), mean(ry)];
        const yy = ry.reduce((sum, one) => sum + (one - my) ** 2, 0);
        const beta = rx.reduce((sum, one, t) => sum + (one - mx) * (ry[t] - my), 0) / yy;
        return 25_200 * (mx - beta * my);
      }).sort();
      expect(required(skill?.alphaInterval)[0]).toBeCloseTo(percentile(alphas, 0.05), 8);
      expect(required(skill?.alphaInterval)[1]).toBeCloseTo(percentile(alphas, 0.95), 8);
    }
  });

  it('are those of each cell of a sweep, which is the run of its instrument', () => {
    const series = randomSeries(200, 9);
    const settings = {
      timeRange: 'MAX',
      start: null,
      end: null,
      adjust: 'none',
      execution: FREE,
      cash: { rate: 5, spreadBps: 100 },
    } as const;
    const lifetime = { listedOn: null, delistedOn: null };
    const input = { series, events: [], lifetime, asOf: series.day[199] };
    const block = new CellBlock(1, 1);
    fillInstrument(block, 0, settings, input, [{ strategy: STRATEGY, combinations: [PARAMS] }]);
    const single = required(runBacktest({ ...settings, strategy: 'sma_cross', params: PARAMS }, input));
    expect(single.run.interest).toBeGreaterThan(0);
    expect(block.column(0, 'finalEquity')[0]).toBe(single.metrics.finalEquity);
    const [x, y] = [returnsOf(single.run.equity, 100), holdingReturns(series.close)].map((values) =>
      excessOf(values, single.rates.riskFree),
    );
    expect(block.column(0, 'appraisal')[0]).toBe(appraisalMoments(x, y)?.sharpe);
  });

  it('are those of the combinations of a search', () => {
    const riskFree = { returns: nights(100), gaps: 0 };
    const [equity, close] = [7, 8].map((seed) => randomSeries(100, seed).close);
    const market = holdingReturns(close);
    const search = new SearchReturns(1, market, equity[0], riskFree);
    search.add(0, equity);
    const [x, y] = [returnsOf(equity, equity[0]), market].map((values) => excessOf(values, riskFree));
    expect(search.appraisals[0]).toBe(appraisalMoments(x, y)?.sharpe);
    expect(statisticsOfSearch(search, returnsOf(equity, equity[0]), 150, SEED)).toMatchObject({
      run: { skill: { beta: regress(x, y).beta } },
      appraisal: { sharpe: search.appraisals[0] },
    });
  });
});

const without = ({ equity, trades }: ReturnType<typeof runOf>) => ({ equity, trades });

describe('interest of a rotation', () => {
  const MOMENTUM: ScoreRule = {
    columns: [({ series: { close } }) => close.map((price, t) => (t < 10 ? Number.NaN : price / close[t - 10]))],
    combine: (values) => values,
  };
  const panel = panelOf(
    ['ALFA', 'BETA', 'GAMA', 'DELT'].map((ticker, i) => {
      const series = randomSeries(120, 20 + i);
      return { ticker, series, symbol: `${ticker}.US`, from: 40, to: 120, isDelisted: false };
    }),
  );
  const rule = {
    order: 'desc',
    hold: { top: 2 },
    keep: null,
    weigh: weighBy({
      method: 'equal',
      lookback: 20,
      covariance: 'sample',
      bounds: { min: 0, max: 1 },
      targetVolatilityPct: null,
    }),
    exits: null,
    cashBufferPct: 20,
  } as const;
  const sessions = Array.from({ length: 10 }, (_, i) => 7 * i + 5);
  const closed = new Int8Array(panel.clock.length).fill(FILTER.closed);
  const inputOf = (filter: Int8Array | null) => ({
    panel,
    rule,
    values: valuesOf(panel, sessions, MOMENTUM, filter),
    execution: { ...FREE, executeOn: 'next_open' } as const,
    interest: nights(panel.clock.length),
  });

  it('is all that it gains beside its trades', () => {
    const { equity, trades, interest } = simulateRotation(inputOf(null));
    expect(interest).toBeGreaterThan(1);
    expect(equity[equity.length - 1]).toBeCloseTo(100 + sumOf(trades) + interest, 9);
  });

  it('is earned by sets at random too', () => {
    const input = inputOf(closed);
    const { rank, total_pct } = randomSets(input, simulateRotation(input), SEED);
    const total = 100 * (1.01 ** (panel.clock.length - 1) - 1);
    expect([rank, total_pct.p5.toFixed(6)]).toEqual([0, total.toFixed(6)]);
  });

  it('leaves the proof that nothing is seen early as it is', async () => {
    const proof = proveRotationPrefixes({
      ...inputOf(null),
      cut: (member, to) => sliceSeries(panel.members[member].series, 0, to),
      valuesOf: async (cut, due) => valuesOf(cut, [...due], MOMENTUM, null),
      schedule: { every: { sessions: 7 }, offset: 0 },
    });
    let step = await proof.next();
    while (!step.done) step = await proof.next();
    expect(step.value).toMatchObject({ differences: 0, verdict: 'none' });
  });
});
