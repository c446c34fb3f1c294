/** Target weights by hand and by general properties. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { clockOf, TARGET_PERIODS } from '../../../engine/portfolio/clock.ts';
import { FLOW_PERIODS, type Flow } from '../../../engine/portfolio/flows.ts';
import { moneyWeightedPct, type Payment } from '../../../engine/portfolio/money-weighted.ts';
import { NO_EXITS } from '../../../engine/portfolio/portfolio.ts';
import { simulateTargets, type TargetAllocation, targetMetrics } from '../../../engine/portfolio/targets.ts';
import { randomMembers } from '../../support/portfolio-members.ts';
import { seriesOf } from '../../support/series.ts';

const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
};

type Members = Parameters<typeof simulateTargets>[0]['instruments'];

function run(members: Members, allocation: Partial<TargetAllocation>, execution: Partial<Execution> = {}) {
  const clock = clockOf(members);
  const targets = members.map(({ symbol }) => ({ symbol, weight: 0.95 / members.length }));
  const found = simulateTargets({
    clock,
    instruments: members,
    allocation: { targets, rebalance: 'none', flows: [], ...allocation },
    execution: { ...FREE, ...execution },
  });
  return { ...found, clock };
}

/** Members by symbol that nothing but their targets trades. */
function randomTargets(count: number, length: number, seed: number): Members {
  return randomMembers(count, length, seed)
    .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .map((member) => ({ ...member, ...NO_EXITS }));
}

const arbitraryRebalance = fc.oneof(
  fc.constantFrom(...TARGET_PERIODS),
  fc.constantFrom(0.5, 3, 20).map((bandPct) => ({ bandPct })),
);
const arbitraryExecution = fc.record({
  executeOn: fc.constantFrom(...EXECUTE_ON),
  commissionRate: fc.constantFrom(0, 0.001, 0.02),
  minCommission: fc.constantFrom(0, 1, 900),
  slippageBps: fc.constantFrom(0, 5, 100),
});
const arbitraryFlows = fc.array(
  fc.record({ amount: fc.constantFrom(700, 20_000, -700, -9_000, -70_000), every: fc.constantFrom(...FLOW_PERIODS) }),
  { maxLength: 3 },
);
const arbitraryRun = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  count: fc.integer({ min: 1, max: 6 }),
  length: fc.integer({ min: 1, max: 160 }),
  rebalance: arbitraryRebalance,
  execution: arbitraryExecution,
});

const isClose = (actual: number, expected: number) =>
  Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected), 100_000);

describe('target weights', () => {
  it('lose and make no money but by trades and flows', () => {
    fc.assert(
      fc.property(arbitraryRun, arbitraryFlows, ({ seed, count, length, rebalance, execution }, flows) => {
        const { equity, curve, trades, ...found } = run(
          randomTargets(count, length, seed),
          { rebalance, flows },
          execution,
        );
        const paid = found.flows.reduce((sum, { amount }) => sum + amount, 0);
        const earned = trades.reduce((sum, { pnl }) => sum + pnl, 0);
        expect(isClose(equity[equity.length - 1], 100_000 + paid + earned)).toBe(true);
        for (const [t, value] of equity.entries()) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(curve[t]).toBeGreaterThanOrEqual(0);
          expect(found.invested[t]).toBeLessThanOrEqual(value * (1 + 1e-9));
        }
      }),
    );
  });

  it('are the same without flows and with flows that add up to nothing', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ seed, count, length, rebalance, execution }) => {
        const members = randomTargets(count, length, seed);
        const flows: Flow[] = [
          { amount: 4_000, every: 'month' },
          { amount: -4_000, every: 'month' },
        ];
        const without = run(members, { rebalance }, execution);
        expect(run(members, { rebalance, flows }, execution)).toEqual(without);
        expect(without.curve).toEqual(without.equity);
      }),
    );
  });

  it('are what is held after a rebalance, and the rest is cash', () => {
    fc.assert(
      fc.property(arbitraryRun, arbitraryFlows, ({ seed, count, length, rebalance }, flows) => {
        const members = randomTargets(count, length, seed).map((one) => ({ ...one, isDelisted: false }));
        const found = run(members, { rebalance, flows });
        for (const t of found.rebalances) {
          const day = found.clock[t];
          const isTraded = ({ series, from }: Members[number]) => series.day.indexOf(day) >= from;
          if (!members.every(isTraded)) continue;
          expect(isClose(found.invested[t], 0.95 * found.equity[t])).toBe(true);
          expect(isClose(found.largest[t], (0.95 / count) * found.equity[t])).toBe(true);
        }
      }),
    );
  });

  it('of one instrument return the same whatever goes in and out, until nothing is left', () => {
    fc.assert(
      fc.property(arbitraryRun, arbitraryFlows, ({ seed, length, execution: { executeOn } }, flows) => {
        const [member] = randomTargets(1, length, seed);
        const targets = [{ symbol: member.symbol, weight: 1 }];
        const holding = run([member], { targets }, { executeOn });
        const found = run([member], { targets, flows }, { executeOn });
        // Money that is paid in before the first purchase dilutes it.
        fc.pre(found.flows.every(({ session }) => session > 1) && found.exhausted === null);
        fc.pre(found.flows.every(({ session }) => session < found.clock.length - 1));
        expect(found.curve.findIndex((value, t) => !isClose(value, holding.curve[t]))).toBe(-1);
      }),
    );
  });

  const monday = dayOf(2024, 1, 29);
  const flat = (closes: readonly number[]) => ({
    ...seriesOf(closes),
    day: Int32Array.from(closes, (_, i) => monday + i + 2 * Math.floor(i / 5)),
  });
  const member = (symbol: string, closes: readonly number[]): Members[number] => ({
    symbol,
    series: flat(closes),
    from: 0,
    to: closes.length,
    isDelisted: false,
    ...NO_EXITS,
  });

  it('are brought back when one is more than the band off, and not when it is exactly that', () => {
    const targets = [{ symbol: 'A.US', weight: 0.5 }];
    // 60 of 110 is 54.5454… %
    const off = 100 * (60 / 110 - 0.5);
    const rebalancesOf = (bandPct: number) =>
      run([member('A.US', [10, 12, 12])], { targets, rebalance: { bandPct } }).rebalances;
    expect(rebalancesOf(off)).toEqual([]);
    expect(rebalancesOf(off - 1e-6)).toEqual([1]);
  });

  it('pay out what is left, once, and begin again with what is paid in', () => {
    const targets = [{ symbol: 'A.US', weight: 1 }];
    const flows: Flow[] = [{ amount: -150_000, every: 'month' }];
    const closes = [10, 10, 10, 11, 11];
    const found = run([member('A.US', closes)], { targets, flows });
    expect(found.flows).toEqual([{ session: 3, amount: -110_000, value: 0 }]);
    expect(found.exhausted).toBe(3);
    expect([...found.curve].map((value) => Math.round(value))).toEqual([100_000, 100_000, 100_000, 110_000, 110_000]);
    expect(found.trades.map(({ exitReason }) => exitReason)).toEqual(['withdrawal']);
  });
});

describe('the money-weighted return', () => {
  const start = dayOf(2020, 1, 1);
  const rateOf = (...payments: [number, number][]) =>
    moneyWeightedPct(payments.map(([years, amount]) => ({ amount, day: start + 365 * years })));

  it('is the yearly rate of a single deposit', () => {
    expect(rateOf([0, -100], [2, 121])).toBeCloseTo(10, 10);
    expect(rateOf([0, -100], [2, 25])).toBeCloseTo(-50, 10);
    expect(rateOf([0, -100], [1, 0])).toBeNull();
  });

  it('is the one nearest to nothing of several', () => {
    // (1 + r)² - 2.3 (1 + r) + 1.32 = 0 at 10 % and 20 %, and at -40 % and 20 %.
    expect(rateOf([0, -100], [1, 230], [2, -132])).toBeCloseTo(10, 8);
    expect(rateOf([0, -100], [1, 180], [2, -72])).toBeCloseTo(20, 8);
  });

  it('is null within a day', () => {
    expect(rateOf([0, -100], [0, 130])).toBeNull();
  });

  it('makes the payments worth nothing', () => {
    const payment = fc.record({ amount: fc.integer({ min: -500, max: 500 }), day: fc.integer({ min: 1, max: 4_000 }) });
    fc.assert(
      fc.property(fc.array(payment, { maxLength: 30 }), fc.integer({ min: 1, max: 30_000 }), (more, final) => {
        const payments: Payment[] = [
          { day: 0, amount: -10_000 },
          ...more.toSorted((a, b) => a.day - b.day),
          { day: 4_000, amount: final },
        ];
        const rate = moneyWeightedPct(payments);
        // Near -100 % the difference from it has few digits.
        fc.pre(rate !== null && rate > -99);
        const worth = payments.map(({ day, amount }) => amount * (1 + (rate ?? 0) / 100) ** ((4_000 - day) / 365));
        const size = worth.reduce((sum, value) => sum + Math.abs(value), 0);
        expect(Math.abs(worth.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-9 * size);
      }),
    );
  });
});

describe('figures of target weights', () => {
  it('are of the returns, but for the money', () => {
    const members = randomTargets(3, 120, 5);
    const found = run(members, { flows: [{ amount: 2_500, every: 'month' }] });
    const benchmark = new Float64Array(found.clock.length).fill(1);
    const metrics = targetMetrics({ clock: found.clock, benchmark }, found, 100_000);
    expect(metrics.finalEquity).toBe(found.equity[found.equity.length - 1]);
    expect(metrics.totalPnlPct).toBeCloseTo(100 * (found.curve[found.curve.length - 1] / 100_000 - 1), 10);
    expect(metrics.contributed).toBe(100_000 + 2_500 * found.flows.length);
  });
});
