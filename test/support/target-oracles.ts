/** Portfolios of weights that other programs compute too: bt their money, scipy the yearly rate of it. */
import { expect } from '@jest/globals';
import { formatDay } from '../../engine/market/dates.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { NO_EXITS } from '../../engine/portfolio/portfolio.ts';
import { simulateTargets, targetMetrics } from '../../engine/portfolio/targets.ts';

const CAPITAL = 100_000;
const MONTHLY = 500;
const BAND_PCT = 5;

export interface NamedSeries {
  readonly symbol: string;
  readonly series: BarSeries;
}

export interface TargetAnswer {
  readonly equity: readonly number[];
  readonly curve: readonly number[];
  readonly money_weighted_pct: number;
  readonly contributed: number;
}

/** Weights of stocks, long bonds, bonds, gold, and commodities, and of three others. */
const WEIGHTS = {
  '60/40': [0.6, 0.4],
  'all-weather': [0.3, 0.4, 0.15, 0.075, 0.075],
  own: [0, 0, 0.25, 0, 0, 0.5, 0.25],
};

interface OracleCase {
  readonly name: string;
  readonly targets: Readonly<Record<string, number>>;
  /** Points of a band. */
  readonly rebalance: 'year' | number;
  readonly monthly: number;
}

/** `sample`: seven instruments with the same sessions. */
function oracleCases(sample: readonly NamedSeries[]): OracleCase[] {
  return Object.entries(WEIGHTS).flatMap(([of, weights]) =>
    (['year', BAND_PCT] as const).map((rebalance) => ({
      name: `${of}, ${rebalance === 'year' ? 'yearly' : `a band of ${rebalance} points`}`,
      targets: Object.fromEntries(weights.flatMap((weight, i) => (weight > 0 ? [[sample[i].symbol, weight]] : []))),
      rebalance,
      monthly: MONTHLY,
    })),
  );
}

/** The input of `oracles/targets.py`. */
export function oracleRequest(sample: readonly NamedSeries[]): object {
  return {
    day: Array.from(sample[0].series.day, formatDay),
    close: Object.fromEntries(sample.map(({ symbol, series }) => [symbol, [...series.close]])),
    capital: CAPITAL,
    cases: oracleCases(sample),
  };
}

/** `every`: theirs has so many sessions apart, and the last one. */
export function expectOracle(sample: readonly NamedSeries[], theirs: readonly TargetAnswer[], every = 1): void {
  const clock = sample[0].series.day;
  for (const [i, { name, targets, rebalance, monthly }] of oracleCases(sample).entries()) {
    const instruments = sample
      .filter(({ symbol }) => symbol in targets)
      .map(({ symbol, series }) => ({ symbol, series, from: 0, to: series.length, isDelisted: false, ...NO_EXITS }))
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    const run = simulateTargets({
      instruments,
      clock,
      allocation: {
        targets: Object.entries(targets).map(([symbol, weight]) => ({ symbol, weight })),
        rebalance: typeof rebalance === 'number' ? { bandPct: rebalance } : rebalance,
        flows: [{ amount: monthly, every: 'month' }],
      },
      execution: { executeOn: 'close', commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: CAPITAL },
    });
    const { moneyWeightedPct, contributed } = targetMetrics(
      { clock, benchmark: Float64Array.from(clock, () => 1) },
      run,
      CAPITAL,
    );
    const { equity, curve, ...figures } = theirs[i];
    const difference = (ours: ArrayLike<number>, other: readonly number[]) =>
      Math.max(...other.map((value, k) => Math.abs(value / ours[Math.min(k * every, ours.length - 1)] - 1)));
    expect({ name, equity: difference(run.equity, equity) < 1e-9, curve: difference(run.curve, curve) < 1e-9 }).toEqual(
      {
        name,
        equity: true,
        curve: true,
      },
    );
    expect(run.rebalances.length).toBeGreaterThan(rebalance === 'year' ? 3 : 0);
    expect(moneyWeightedPct).toBeCloseTo(figures.money_weighted_pct, 9);
    expect(contributed).toBeCloseTo(figures.contributed, 9);
  }
}

/** Sessions between recorded figures; the last one is recorded too. */
export const RECORDED_EVERY = 63;

export function thinned({ equity, curve, ...figures }: TargetAnswer): TargetAnswer {
  const some = (values: readonly number[]) =>
    values
      .filter((_, t) => t % RECORDED_EVERY === 0)
      .concat((values.length - 1) % RECORDED_EVERY === 0 ? [] : values.slice(-1));
  return { equity: some(equity), curve: some(curve), ...figures };
}
