/** Tear sheets of runs whose figures are known by hand, and of runs for which many figures are not defined. */
import { describe, expect, it } from '@jest/globals';
import type { Execution } from '../../../engine/backtest/execution.ts';
import { NO_RATES, ratesOn } from '../../../engine/backtest/rates.ts';
import { sessionsBetween } from '../../../engine/market/calendar.ts';
import { requireDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import { statisticsOfRun } from '../../../engine/statistics/single-run.ts';
import { ResampledPaths } from '../../../engine/tear-sheet/chance.ts';
import { drawdownsOf, worstOf } from '../../../engine/tear-sheet/drawdowns.ts';
import { regressionOf } from '../../../engine/tear-sheet/regression.ts';
import { type TearSheetInput, tearSheetOf } from '../../../engine/tear-sheet/tear-sheet.ts';
import { type SheetTrade, slippageOf, tradeFigures } from '../../../engine/tear-sheet/trades.ts';
import { required } from '../../../engine/util/values.ts';
import { lehmer } from '../../support/series.ts';

const DAYS = Int32Array.from(sessionsBetween(requireDay('2024-01-02'), requireDay('2025-12-31')));
const EXECUTION: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100,
};

function trade(more: Partial<SheetTrade> = {}): SheetTrade {
  return {
    symbol: 'ALFA.US',
    entryDay: DAYS[0],
    entrySession: 0,
    barsHeld: 1,
    entryPrice: 10,
    exitPrice: 11,
    shares: 10,
    pnl: 10,
    pnlPct: 10,
    commission: 0,
    slippage: 0,
    maePct: 0,
    mfePct: 10,
    exitReason: 'signal',
    ...more,
  };
}

function input(equity: readonly number[], more: Partial<TearSheetInput> = {}): TearSheetInput {
  const sessions = equity.length;
  const column = () => new Float64Array(sessions);
  return {
    days: DAYS.subarray(0, sessions),
    equity: Float64Array.from(equity),
    initialCapital: 100,
    benchmark: new Float64Array(sessions).fill(1),
    factors: [],
    trades: [],
    positions: null,
    market: new Float64Array(sessions),
    holdings: { positions: new Int32Array(sessions), invested: column(), largest: column(), squares: column() },
    seed: '0123456789abcdef',
    single: null,
    ...more,
  };
}

function walk(count: number, seed: number, drift = 0): number[] {
  const random = lehmer(seed);
  let value = 100;
  return Array.from({ length: count }, () => {
    value *= 1 + drift + 0.03 * (random() - 0.5);
    return value;
  });
}

/** Places with something that JSON has no form for. */
function undefinedFigures(value: unknown, place = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [place];
  if (typeof value !== 'object' || value === null) return value === undefined ? [place] : [];
  return Object.entries(value).flatMap(([name, part]) => undefinedFigures(part, `${place}.${name}`));
}

describe('a tear sheet', () => {
  it.each([
    ['of one session', [100]],
    ['of two sessions', [101, 99]],
    ['of a run that never moves', Array(80).fill(100)],
    ['of a run that loses everything', [...walk(70, 3), 0, 0, 0]],
    ['of a run that only gains', Array.from({ length: 80 }, (_, t) => 100 * 1.001 ** (t + 1))],
  ])('has null for what is not defined: %s', (_, equity) => {
    const trades = [trade(), trade({ pnl: 0, pnlPct: 0, maePct: 0, mfePct: 0 })];
    expect(undefinedFigures(tearSheetOf(input(equity)))).toEqual([]);
    expect(undefinedFigures(tearSheetOf(input(equity, { trades })))).toEqual([]);
  });

  it('tells in its first sentence how much of the gain is interest on cash, where that is more than a tenth', () => {
    const equity = walk(300, 3, 0.001);
    const days = DAYS.subarray(0, 300);
    const rates = ratesOn(days, { cash: { rate: 3, spreadBps: 0 } });
    const first = (pnl: number, interest: number, more: Partial<TearSheetInput> = {}) => {
      const trades = pnl === 0 ? [] : [trade({ pnl })];
      const { verdict, interest: told } = tearSheetOf(input(equity, { trades, rates, interest, ...more }));
      return { money: told?.money, ofGain: verdict.sentences[0].figures.of_gain };
    };
    expect(first(30, 10)).toEqual({ money: 10, ofGain: 25 });
    expect(first(-5, 10)).toEqual({ money: 10, ofGain: 200 });
    expect(first(0, 10)).toEqual({ money: 10, ofGain: 100 });
    expect(first(90, 10)).toEqual({ money: 10, ofGain: undefined });
    expect(first(-30, 10)).toEqual({ money: 10, ofGain: undefined });
    expect(first(30, 0, { rates: NO_RATES })).toEqual({ money: undefined, ofGain: undefined });
  });

  it('regresses what is above the risk-free rate on the factors above it, and leaves volatility to the returns', () => {
    const equity = walk(300, 3, 0.001);
    const value = Float64Array.from(walk(300, 4));
    const rates = ratesOn(DAYS.subarray(0, 300), { cash: { rate: 8, spreadBps: 0 } });
    const factors = [{ symbol: 'ALFA.US', value, first: 0 }];
    const plain = tearSheetOf(input(equity, { factors, benchmark: value }));
    const above = tearSheetOf(input(equity, { factors, benchmark: value, rates }));
    const riskFree = required(rates.riskFree).returns;
    expect(above.series.map(({ risk_free }) => risk_free)).toEqual([...riskFree]);
    expect(plain.series.every((row) => !('risk_free' in row))).toBe(true);
    const [x, y] = [above.series.map(({ run }) => run), above.series.map(({ benchmark }) => benchmark)].map((values) =>
      values.map((r, t) => r - riskFree[t]),
    );
    const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
    const slopeOf = (a: readonly number[], b: readonly number[]) => {
      const [ma, mb] = [mean(a), mean(b)];
      const products = (c: readonly number[], mc: number) =>
        c.reduce((sum, one, t) => sum + (one - mc) * (b[t] - mb), 0);
      return products(a, ma) / products(b, mb);
    };
    const beta = slopeOf(x, y);
    expect(above.benchmark.beta).toBeCloseTo(beta, 12);
    expect(above.benchmark.alpha_pct).toBeCloseTo(100 * ((1 + mean(x) - beta * mean(y)) ** 252 - 1), 9);
    const [lateX, lateY] = [x.slice(1), y.slice(1)];
    const slope = slopeOf(lateX, lateY);
    expect(above.regression?.terms.map(({ coefficient }) => coefficient.toFixed(12))).toEqual(
      [mean(lateX) - slope * mean(lateY), slope].map((one) => one.toFixed(12)),
    );
    for (const name of ['volatility_pct', 'skewness', 'calmar', 'var_95_pct'] as const)
      expect(above.returns[name]).toBe(plain.returns[name]);
    expect(above.benchmark.correlation).toBe(plain.benchmark.correlation);
    expect(above.returns.sharpe).toBeLessThan(plain.returns.sharpe ?? 0);
  });

  it('takes returns from the curve, and shares of money from the money', () => {
    const equity = walk(300, 3, 0.001);
    const sold = trade({ commission: 3, slippage: 2 });
    const worth = Float64Array.from(equity, (value) => value / 2);
    const holdings = {
      positions: new Int32Array(300).fill(1),
      invested: worth,
      largest: worth,
      squares: worth.map((v) => v * v),
    };
    const plain = tearSheetOf(input(equity, { holdings, trades: [sold, sold] }));
    const money = Float64Array.from(equity, (value) => 2 * value);
    const paidIn = tearSheetOf(input(equity, { holdings, money, trades: [sold, sold] }));
    expect(paidIn.returns).toEqual(plain.returns);
    expect(paidIn.time.drawdowns).toEqual(plain.time.drawdowns);
    expect(paidIn.time.turnover_pct).toBeCloseTo(required(plain.time.turnover_pct) / 2, 10);
    expect(paidIn.time.costs.commission).toBe(6);
    expect(paidIn.time.costs.commission_pct_per_year).toBeCloseTo(
      required(plain.time.costs.commission_pct_per_year) / 2,
      10,
    );
    expect(plain.time.concentration.largest_weight_pct).toBeCloseTo(50, 10);
    expect(paidIn.time.concentration.largest_weight_pct).toBeCloseTo(25, 10);
  });

  it('says that there is nothing to judge without a trade', () => {
    expect(tearSheetOf(input(walk(100, 5))).verdict.sentences.map(({ key }) => key)).toEqual(['no_trades']);
  });

  it('names figures of the sheet by their places in its verdict', () => {
    const sheet = tearSheetOf(input(walk(400, 9, 0.001), { trades: [trade(), trade({ pnl: -5, pnlPct: -5 })] }));
    const places = sheet.verdict.sentences.flatMap(({ figures }) => Object.entries(figures));
    expect(places.length).toBeGreaterThan(5);
    const isOfSheet = (place: string) => !place.startsWith('statistics.') && place !== 'of_100';
    for (const [place, figure] of places.filter(([one]) => isOfSheet(one))) {
      const found = place.split('.').reduce<unknown>((part, step) => Object(part)[step], sheet);
      expect([place, found]).toEqual([place, figure]);
    }
  });

  it('tells skill from luck', () => {
    const benchmark = Float64Array.from(walk(400, 5));
    const market = holdingReturns(benchmark);
    const keysOf = (drift: number) =>
      tearSheetOf(input(walk(400, 9, drift), { trades: [trade()], benchmark, market })).verdict.sentences.map(
        ({ key }) => key,
      );
    const [first, second] = keysOf(0.003);
    expect(first).toMatch(/^gained_/);
    expect(second).toMatch(/^skill_shown/);
    expect(keysOf(0.003)).toEqual(expect.arrayContaining(['one_choice', 'loss_share', 'few_trades']));
    expect(keysOf(-0.002)).toEqual(expect.arrayContaining(['skill_none', 'no_gain_to_prove']));
  });
});

describe('resampled paths', () => {
  it('are the same whether the statistics of the run draw them or the sheet', () => {
    const equity = walk(300, 3, 0.001);
    const returns = returnsOf(Float64Array.from(equity), 100);
    const paths = new ResampledPaths(returns, 100);
    statisticsOfRun(returns, new Float64Array(300), 435, input(equity).seed, paths);
    expect(paths.count).toBe(1_000);
    const { bootstrap } = tearSheetOf(input(equity)).chance;
    expect(required(bootstrap).block_length).toBe(paths.blockLength);
    expect(tearSheetOf(input(equity, { paths })).chance.bootstrap).toEqual(bootstrap);
  });

  it('are drawn anew where those of the statistics have other blocks', () => {
    const equity = walk(300, 3, 0.001);
    const paths = new ResampledPaths(new Float64Array(300), 100);
    expect(tearSheetOf(input(equity, { paths })).chance).toEqual(tearSheetOf(input(equity)).chance);
  });
});

describe('drawdowns', () => {
  it('count from the start, which is the first peak, and end with a recovery', () => {
    const equity = Float64Array.of(100, 90, 80, 85, 100, 110, 99);
    const [deepest, last] = drawdownsOf(DAYS.subarray(0, 6), equity);
    expect(deepest).toMatchObject({ peak: '2024-01-02', valley: '2024-01-03', recovery: '2024-01-05' });
    expect([deepest.bars_down, deepest.bars_up]).toEqual([2, 2]);
    expect(last).toMatchObject({ recovery: null, bars_down: 1, bars_up: null });
    expect(worstOf(equity)).toEqual({ drawdown: 1 - 80 / 100, underWater: 4 });
    expect(worstOf(Float64Array.of(100, 90, 80)).underWater).toBe(2);
  });

  it('do not begin with rounding', () => {
    expect(drawdownsOf(DAYS.subarray(0, 2), Float64Array.of(100, 100 * (1 - 1e-10), 101))).toEqual([]);
  });
});

describe('the regression', () => {
  it('finds the coefficients of returns that factors explain', () => {
    const [a, b] = [3, 4].map((seed) => {
      const values = walk(200, seed);
      return Float64Array.from(values, (value, t) => (t === 0 ? 0 : value / values[t - 1] - 1));
    });
    const factors = [a, b].map((returns, i) => ({ name: `F${i}`, returns, first: i * 20 }));
    const random = lehmer(8);
    const noisy = a.map((r, t) => 0.001 + 0.5 * r - 0.25 * b[t] + 1e-5 * (random() - 0.5));
    const { sessions, terms, r2 } = required(regressionOf(noisy, factors));
    expect(sessions).toBe(179);
    expect(terms.map(({ coefficient }) => coefficient.toFixed(3))).toEqual(['0.001', '0.500', '-0.250']);
    expect(r2).toBeGreaterThan(0.99);
    expect(regressionOf(noisy, [factors[0], { ...factors[0], name: 'again' }])).toBeNull();
    expect(regressionOf(noisy, [{ ...factors[0], first: 140 }])).toBeNull();
  });
});

describe('trades', () => {
  it('are counted in the narrowest bins that are not too many, each with its lower edge', () => {
    const percents = [-2, -0.1, 0, 0.1, 7.99999];
    const { distributions, wins } = tradeFigures(
      percents.map((pnlPct) => trade({ pnlPct })),
      null,
    );
    expect(distributions.pnl_pct).toEqual({
      width_pct: 1,
      from_pct: -2,
      counts: [1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1],
    });
    expect(wins).toBe(2);
  });

  it('lose to slippage what the fills differ from their prices', () => {
    const share = 0.0005;
    const filled = { shares: 10, entryPrice: 20 * (1 + share), exitPrice: 30 * (1 - share) };
    expect(slippageOf(filled, 5)).toBeCloseTo(10 * share * (20 + 30), 12);
    expect(slippageOf({ ...filled, exitPrice: 0 }, 10_000)).toBeCloseTo(10 * 20 * (1 + share) * 0.5, 9);
  });
});

describe('random entries', () => {
  const prices = Float64Array.from(walk(300, 21));
  const bars: BarSeries = {
    length: 300,
    day: DAYS.subarray(0, 300),
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    volume: prices,
    adjustedFor: [],
  };

  /** Holds from one session to another. */
  function sheetOf(entry: number, exit: number) {
    const equity = Array.from(prices, (_, t) => (100 * prices[Math.min(Math.max(t, entry), exit)]) / prices[entry]);
    const pnl = equity[exit] - 100;
    const one = trade({ entrySession: entry, barsHeld: exit - entry, pnl, pnlPct: pnl });
    return tearSheetOf(input(equity, { trades: [one], single: { bars, execution: EXECUTION } }));
  }

  it('end below the run that has bought at the best time, and above that at the worst', () => {
    const held = 40;
    const gains = Array.from({ length: 300 - held }, (_, t) => prices[t + held] / prices[t]);
    const best = gains.indexOf(Math.max(...gains));
    const worst = gains.indexOf(Math.min(...gains));
    expect(required(sheetOf(best, best + held).chance.random_entries).rank).toBeGreaterThan(0.98);
    expect(required(sheetOf(worst, worst + held).chance.random_entries).rank).toBe(0);
  });

  it('are the run itself where it holds from the first session to the last', () => {
    const { rank, total_pct } = required(sheetOf(0, 299).chance.random_entries);
    expect([rank, total_pct.p5]).toEqual([0, total_pct.p95]);
  });
});
