/** Compares portfolios with a second implementation, known answers, and general properties. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { simulate } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { sliceSeries } from '../../../engine/market/series.ts';
import { preparePortfolio } from '../../../engine/portfolio/backtest.ts';
import { equalWeightValue, singleValue } from '../../../engine/portfolio/benchmark.ts';
import { Cash } from '../../../engine/portfolio/cash.ts';
import { clockOf, periodEnds, REBALANCE_PERIODS } from '../../../engine/portfolio/clock.ts';
import { contributionsOf, portfolioFigures } from '../../../engine/portfolio/figures.ts';
import { type Allocation, type PortfolioInput, SIZINGS } from '../../../engine/portfolio/portfolio.ts';
import { weights } from '../../../engine/portfolio/selection.ts';
import { simulatePortfolio } from '../../../engine/portfolio/simulate.ts';
import { FigureHistory } from '../../../engine/screener/figure-history.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { pick, randomMembers } from '../../support/portfolio-members.ts';
import { type ReferenceMember, referencePortfolio } from '../../support/reference-portfolio.ts';
import { seriesOf } from '../../support/series.ts';

const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
};
const PLAIN: Allocation = {
  maxPositions: 10,
  sizing: 'equal',
  volatilityPeriod: 63,
  rankBy: null,
  rebalance: 'none',
  cashBufferPct: 0,
};

interface Run {
  readonly strategy: string;
  readonly params?: ParameterValues;
  readonly allocation?: Partial<Allocation>;
  readonly execution?: Partial<Execution>;
}

function valuesOf(code: string, given: ParameterValues = {}): ParameterValues {
  const effective = effectiveParameters(requireStrategy(code), given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return effective.values;
}

function inputOf(
  members: readonly ReferenceMember[],
  { strategy, params, allocation, execution }: Run,
): PortfolioInput {
  const values = valuesOf(strategy, params);
  const rules = { ...PLAIN, ...allocation };
  const { rankBy } = rules;
  const instruments = members
    .toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
    .map((member) => {
      const indicators = new IndicatorSet(member.series);
      return {
        ...member,
        ...requireStrategy(strategy).plan(indicators, values),
        rank: rankBy && new FigureHistory(indicators, rankBy.field, rankBy.period ?? 0),
        volatility:
          rules.sizing === 'equal' ? null : new FigureHistory(indicators, 'volatility_pct', rules.volatilityPeriod),
      };
    });
  return {
    instruments,
    clock: clockOf(instruments),
    allocation: rules,
    execution: { ...FREE, ...execution },
  };
}

const run = (members: readonly ReferenceMember[], how: Run) => simulatePortfolio(inputOf(members, how));

const isClose = (actual: number, expected: number) =>
  Object.is(actual, expected) || Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));

/** Settings that make something happen within a hundred bars. */
const arbitraryStrategy = fc.constantFrom<[string, ParameterValues]>(
  ['sma_cross', { fast_period: 3, slow_period: 8 }],
  ['donchian', { entry_period: 5, exit_period: 3, max_bars: 9 }],
  ['rsi_reversion', { rsi_period: 3, entry_below: 40, trend_period: 0, stop_loss_pct: 4, take_profit_pct: 6 }],
  ['bollinger_reversion', { period: 6, mult: 0.7, stop_loss_pct: 3 }],
  ['roc_momentum', { period: 4 }],
  ['chandelier', { sma_period: 4, atr_period: 3, exit_mult: 1.5, take_profit_pct: 8 }],
  ['chandelier', { sma_period: 4, atr_period: 3, exit_mult: 2, trail_mode: 'close', ratchet: false, max_bars: 12 }],
  ['buy_hold', { stop_loss_pct: 5 }],
);

const arbitraryRun = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  count: fc.integer({ min: 1, max: 9 }),
  length: fc.integer({ min: 1, max: 110 }),
  strategy: arbitraryStrategy,
  allocation: fc.record({
    maxPositions: fc.integer({ min: 1, max: 6 }),
    sizing: fc.constantFrom(...SIZINGS),
    volatilityPeriod: fc.integer({ min: 2, max: 12 }),
    rankBy: fc.constantFrom(
      null,
      { field: 'roc_pct', period: 5, order: 'desc' as const },
      { field: 'rsi', period: 4, order: 'asc' as const },
      { field: 'atr_pct', period: 6, order: 'desc' as const },
      { field: 'close', period: null, order: 'desc' as const },
      { field: 'volume', period: null, order: 'asc' as const },
    ),
    rebalance: fc.constantFrom(...REBALANCE_PERIODS),
    cashBufferPct: fc.constantFrom(0, 5, 50),
  }),
  execution: fc.record({
    executeOn: fc.constantFrom(...EXECUTE_ON),
    commissionRate: fc.constantFrom(0, 0.001, 0.02),
    minCommission: fc.constantFrom(0, 1, 900),
    slippageBps: fc.constantFrom(0, 5, 100),
    initialCapital: fc.constantFrom(100_000, 2_000),
  }),
});

describe('a portfolio', () => {
  it('trades as its rules read', () => {
    const reasons = new Set<string>();
    fc.assert(
      fc.property(arbitraryRun, ({ seed, count, length, strategy: [strategy, params], allocation, execution }) => {
        const members = randomMembers(count, length, seed);
        const input = inputOf(members, { strategy, params, allocation, execution });
        const actual = simulatePortfolio(input);
        const expected = referencePortfolio({
          members,
          strategy,
          allocation,
          execution,
          params: valuesOf(strategy, params),
        });
        expect([...input.clock]).toEqual(expected.days);
        const reported = actual.trades.map(({ instrument, ...trade }) => ({
          symbol: input.instruments[instrument].symbol,
          entryDay: input.instruments[instrument].series.day[trade.entryIndex],
          barsHeld: trade.exitIndex - trade.entryIndex,
          ...trade,
        }));
        for (const [i, trade] of expected.trades.entries()) {
          reasons.add(trade.exitReason);
          for (const [name, value] of Object.entries(trade)) {
            const same = reported[i]?.[name as keyof (typeof reported)[number]];
            if (typeof value === 'number' ? !isClose(Number(same), value) : same !== value) {
              expect({ i, name, of: reported[i] }).toEqual({ i, name, of: trade });
            }
          }
        }
        expect(actual.trades).toHaveLength(expected.trades.length);
        expect([...actual.positions]).toEqual(expected.counts);
        for (const [t, equity] of expected.equity.entries()) {
          if (!isClose(actual.equity[t], equity)) expect([t, actual.equity[t]]).toEqual([t, equity]);
        }
        expect(isClose(actual.purchases, expected.bought) && isClose(actual.sales, expected.sold)).toBe(true);
      }),
      { numRuns: 400 },
    );
    // Every exit reason must occur, or the property would prove little.
    expect([...reasons].sort()).toEqual([
      'delisted',
      'end_of_data',
      'rebalance',
      'signal',
      'stop_loss',
      'take_profit',
      'time_stop',
      'trailing_stop',
    ]);
  });

  it('of one instrument and one place is the single backtest', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ seed, length, strategy: [strategy, params], execution }) => {
        const [{ series, from, to }] = randomMembers(1, length, seed);
        const input = inputOf([{ symbol: 'A.US', series, from, to, isDelisted: false }], {
          strategy,
          params,
          execution,
          allocation: { maxPositions: 1 },
        });
        const [{ signals, overlays }] = input.instruments;
        const single = simulate({
          series,
          from,
          to,
          signals,
          execution,
          overlays,
          finalReason: 'end_of_data',
        });
        const portfolio = simulatePortfolio(input);
        const day = (index: number) => series.day[index];
        const wanted = single.trades.map((trade) => ({ ...trade, instrument: 0, exitDay: day(trade.exitIndex) }));
        expect(portfolio.trades).toHaveLength(wanted.length);
        for (const [i, trade] of wanted.entries()) {
          for (const [name, value] of Object.entries(trade)) {
            const same = portfolio.trades[i][name as keyof typeof trade];
            if (typeof value === 'number' ? !isClose(Number(same), value) : same !== value) {
              expect({ i, name, same }).toEqual({ i, name, same: value });
            }
          }
        }
        expect(portfolio.equity.every((equity, t) => isClose(equity, single.equity[t]))).toBe(true);
        expect(portfolio.positions.reduce((sum, count) => sum + count, 0)).toBe(single.barsExposed);
      }),
      { numRuns: 200 },
    );
  });

  it('does not depend on the order of its instruments, nor on the unit of the prices', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ seed, count, length, strategy: [strategy, params], allocation, execution }) => {
        const members = randomMembers(count, length, seed);
        const how = { strategy, params, allocation, execution };
        const plain = run(members, how);
        expect(run(members.toReversed(), how)).toEqual(plain);
        const times = (values: Float64Array) => values.map((value) => value * 4);
        const dearer = members.map((member) => ({
          ...member,
          series: {
            ...member.series,
            open: times(member.series.open),
            high: times(member.series.high),
            low: times(member.series.low),
            close: times(member.series.close),
          },
        }));
        // A factor of a power of two changes no digit.
        expect([...run(dearer, how).equity]).toEqual([...plain.equity]);
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on later bars', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ seed, count, length, strategy: [strategy, params], allocation, execution }) => {
        const members = randomMembers(count, length, seed).map((member) => ({ ...member, isDelisted: false }));
        const how = { strategy, params, allocation, execution };
        const whole = inputOf(members, how);
        const cut = whole.clock[Math.floor((2 * whole.clock.length) / 3)];
        const earlier = members.flatMap((member) => {
          const to = member.series.day.findIndex((day) => day > cut);
          const series = sliceSeries(member.series, 0, to === -1 ? member.series.length : to);
          return series.length > member.from ? [{ ...member, series, to: series.length }] : [];
        });
        // An order for an instrument without a later bar is dropped; such a range knows that it is over.
        if (earlier.some(({ series }) => series.day[series.length - 1] < cut)) return;
        const before = run(earlier, how);
        const last = before.equity.length - 1;
        const after = simulatePortfolio(whole);
        expect([...after.equity.subarray(0, last)]).toEqual([...before.equity.subarray(0, last)]);
        expect([...after.positions.subarray(0, last)]).toEqual([...before.positions.subarray(0, last)]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('cash', () => {
  const monday = dayOf(2025, 1, 6);
  const member = (symbol: string, bars: Parameters<typeof seriesOf>[0], more: Partial<ReferenceMember> = {}) => {
    const series = seriesOf(bars, monday);
    return { symbol, series, from: 0, to: series.length, isDelisted: false, ...more };
  };

  it('never spends what it does not have, and drops a purchase that the cash reduces to almost nothing', () => {
    // Three places of a third each; commissions eat into the cash of the last.
    const members = ['A.US', 'B.US', 'C.US'].map((symbol) => member(symbol, [100, 100, 100, 100]));
    const how: Run = { strategy: 'buy_hold', allocation: { maxPositions: 3 }, execution: { minCommission: 50 } };
    const { trades, positions, equity } = run(members, how);
    expect([...positions]).toEqual([3, 3, 3, 0]);
    expect(trades.map(({ shares }) => Math.round(shares * 100) / 100)).toEqual([333.33, 333.33, 331.83]);
    expect(equity[0]).toBeCloseTo(100_000 - 150, 6);
    const dear = run(members, { ...how, execution: { minCommission: 16_666.6 } });
    // 100,000 - 2 × (33,333.3 + 16,666.6) leaves 0.13, which is no third of it.
    expect([...dear.positions]).toEqual([2, 2, 2, 0]);
  });

  it('sells a part with its part of the cost, and keeps the mean fill of the rest', () => {
    // Saturday and Sunday are left out by the calendar of the test: the week ends between the days 5 and 8.
    const days = [0, 1, 2, 3, 4, 7, 8].map((offset) => monday + offset);
    const onDays = (symbol: string, closes: number[]) => {
      const series = { ...seriesOf(closes, monday), day: Int32Array.from(days) };
      return { symbol, series, from: 0, to: series.length, isDelisted: false };
    };
    const members = [onDays('A.US', [10, 10, 10, 10, 30, 30, 30]), onDays('B.US', [10, 10, 10, 10, 10, 10, 10])];
    const { trades } = run(members, { strategy: 'buy_hold', allocation: { maxPositions: 2, rebalance: 'week' } });
    // Worth 200,000 on Friday: A holds 150,000 of it and gives 50,000 to B.
    expect(trades.map(({ instrument, exitReason, pnl }) => [instrument, exitReason, Math.round(pnl)])).toEqual([
      [0, 'rebalance', 33_333],
      [0, 'end_of_data', 66_667],
      [1, 'end_of_data', 0],
    ]);
    expect(trades.map(({ shares }) => Math.round(shares))).toEqual([1667, 3333, 10_000]);
    expect(trades.every(({ entryIndex, entryPrice }) => entryIndex === 0 && entryPrice === 10)).toBe(true);
  });

  it('ranks figures as the screener rounds them: closer ones are equal, and go by symbol', () => {
    const chosen = (closeOfB: number) => {
      const members = [member('A.US', [10, 11, 11]), member('B.US', [10, closeOfB, closeOfB])];
      const ranked = members.map((one) => ({ ...one, from: 1 }));
      const allocation: Partial<Allocation> = {
        maxPositions: 1,
        rankBy: { field: 'roc_pct', period: 1, order: 'desc' },
      };
      return run(ranked, { strategy: 'buy_hold', allocation }).trades.map(({ instrument }) => instrument);
    };
    // Changes of 10.0000001 % and of 10.000002 % against 10 %.
    expect(chosen(11.00000001)).toEqual([0]);
    expect(chosen(11.0000002)).toEqual([1]);
  });

  it('sells no more than it holds, and does not buy again at the same close', () => {
    const days = [0, 1, 2, 3, 4, 7, 8].map((offset) => monday + offset);
    const onDays = (symbol: string, closes: number[]) => ({
      ...member(symbol, closes),
      series: { ...seriesOf(closes, monday), day: Int32Array.from(days) },
    });
    // A moves so much more than B that its share of the money is less than what slippage takes of its sale.
    const members = [
      onDays('A.US', [10, 20, 10, 20, 10, 10, 10]),
      onDays('B.US', [10, 10.01, 10, 10.01, 10, 10.01, 10]),
    ];
    const { trades, positions } = run(members, {
      strategy: 'buy_hold',
      execution: { slippageBps: 100 },
      allocation: {
        maxPositions: 2,
        sizing: 'inverse_volatility',
        volatilityPeriod: 3,
        rebalance: 'week',
        cashBufferPct: 10,
      },
    });
    // All of A goes at the close of Friday; it is bought again on Monday.
    expect([...positions]).toEqual([2, 2, 2, 2, 1, 2, 0]);
    expect(trades[0]).toMatchObject({ instrument: 0, exitIndex: 4, exitReason: 'rebalance' });
    expect(trades[0].shares).toBeCloseTo(45_000 / 10.1, 6);
  });

  it('re-weights from exactly 5 % on', () => {
    const days = [0, 4, 7, 8].map((offset) => monday + offset);
    const reasons = (...friday: readonly number[]) => {
      const members = friday.map((close, i) => {
        const symbol = `${'AB'[i]}.US`;
        const closes = [10, close, close, close];
        return { ...member(symbol, closes), series: { ...seriesOf(closes, monday), day: Int32Array.from(days) } };
      });
      const how: Run = { strategy: 'buy_hold', allocation: { maxPositions: 2, rebalance: 'week' } };
      return run(members, how).trades.map(({ exitReason }) => exitReason);
    };
    expect(reasons(9.5, 10.5)).toContain('rebalance');
    expect(reasons(9.51, 10.49)).not.toContain('rebalance');
  });

  it('makes a purchase that the cash reduces to 1 %, and none that it reduces further', () => {
    const input = inputOf([member('A.US', [10, 10])], { strategy: 'buy_hold' });
    const fill = { index: 0, day: monday, price: 10, isAtClose: true };
    const isMadeWith = (balance: number) => {
      const cash = new Cash(input);
      cash.balance = balance;
      return cash.buy(0, 100, fill);
    };
    expect([1, 0.99].map(isMadeWith)).toEqual([true, false]);
  });

  it('counts a volatility of 0, and one that is not defined, as the largest', () => {
    const volatilities = [10, 20, 0, Number.NaN];
    const sharing = (counted: readonly number[], maxPositions: number) => {
      const weightOf = weights({ sizing: 'inverse_volatility', maxPositions }, counted, (i) => volatilities[i]);
      return counted.map(weightOf);
    };
    expect(sharing([0, 1, 2, 3], 4)).toEqual([0.4, 0.2, 0.2, 0.2].map((share) => expect.closeTo(share, 12)));
    // At most twice an equal share.
    expect(sharing([0, 1, 2, 3], 8)[0]).toBe(0.25);
    expect(sharing([2, 3], 2)).toEqual([0.5, 0.5]);
  });

  it('keeps the places of orders that wait', () => {
    const ranked = (symbol: string, closes: number[], bars: number[]) => {
      const whole = member(symbol, closes);
      return { ...whole, series: pick(whole.series, bars), from: 1, to: bars.length };
    };
    const { trades } = run(
      [
        ranked('A.US', [10, 11, 11, 11, 11], [0, 1, 3, 4]),
        ranked('B.US', [10, 12, 12, 12, 12], [0, 1, 3, 4]),
        ranked('C.US', [10, 10, 10, 10, 10], [0, 1, 2, 3, 4]),
      ],
      {
        strategy: 'buy_hold',
        execution: { executeOn: 'next_open', minCommission: 50 },
        allocation: { maxPositions: 3, rankBy: { field: 'roc_pct', period: 1, order: 'desc' } },
      },
    );
    // B was ordered before A; both wait for two sessions, and the commissions are missing from the last purchase.
    const paid = trades.map(({ instrument, shares, entryPrice }) => [instrument, Math.round(shares * entryPrice)]);
    expect(paid).toEqual([
      [0, 33_183],
      [1, 33_333],
      [2, 33_333],
    ]);
  });

  it('waits with an order for the next bar of its instrument, and drops it when there is none', () => {
    const gap = member('A.US', [10, 10, 10, 10, 10]);
    const sparse = { ...gap, symbol: 'B.US', series: pick(gap.series, [0, 3, 4]), to: 3 };
    const ending = { ...gap, symbol: 'C.US', series: pick(gap.series, [0]), to: 1 };
    const { positions } = run([gap, sparse, ending], {
      strategy: 'buy_hold',
      execution: { executeOn: 'next_open' },
      allocation: { maxPositions: 3 },
    });
    // Ordered on day 0: A filled on day 1, B on day 3, C never.
    expect([...positions]).toEqual([0, 1, 1, 2, 0]);
  });
});

describe('the range of a portfolio', () => {
  it('counts back from the newest bar of any instrument; one without a bar in it takes no part', () => {
    const day = dayOf(2025, 1, 6);
    const lasting = (symbol: string, bars: number) => ({
      symbol,
      series: seriesOf(
        Array.from({ length: bars }, () => 10),
        day,
      ),
      events: [],
      asOf: day + 400,
      lifetime: { listedOn: null, delistedOn: null },
    });
    const settings = {
      strategy: 'buy_hold',
      params: {},
      adjust: 'split',
      start: null,
      end: null,
      timeRange: '1M',
      execution: FREE,
      allocation: PLAIN,
    } as const;
    const members = [lasting('A.US', 380), lasting('B.US', 399), lasting('C.US', 300)];
    const prepared = preparePortfolio(settings, members, null);
    const newest = day + 398;
    expect(prepared?.instruments.map(({ symbol }) => symbol)).toEqual(['A.US', 'B.US']);
    expect(prepared?.clock.at(-1)).toBe(newest);
    // From 2026-02-08 back to 2026-01-08.
    expect(prepared?.wantedStart).toBe(dayOf(2026, 1, 8));
    expect(prepared?.clock[0]).toBe(prepared?.wantedStart);
  });
});

describe('the figures of a portfolio', () => {
  const day = dayOf(2024, 1, 2);
  const at = (offset: number) => day + offset;

  it('compare with equal amounts in what could be bought on the first session, or with one series', () => {
    const series = seriesOf([10, 20, 30], day);
    const late = seriesOf([5, 50], at(1));
    const members = [
      { series, from: 0, to: 3 },
      { series: late, from: 0, to: 2 },
    ];
    const clock = clockOf(members);
    expect([...equalWeightValue(members, clock, 100)]).toEqual([100, 200, 300]);
    expect([...singleValue(late, clock, 100)]).toEqual([100, 100, 1000]);
    // Bars before the first session are no part of it.
    expect([...singleValue(seriesOf([1, 2, 4], at(-1)), clock, 100)]).toEqual([100, 200, 200]);
  });

  it('include turnover per year, mean positions, and the contribution of each instrument', () => {
    const trades = [
      { instrument: 1, pnl: 30 },
      { instrument: 0, pnl: -10 },
      { instrument: 1, pnl: 20 },
    ] as never;
    const figures = { equity: Float64Array.of(100, 300), positions: Int32Array.of(1, 0), purchases: 500, sales: 400 };
    const clock = Int32Array.of(day, day + 731);
    expect(portfolioFigures(figures, clock)).toEqual({
      turnoverPct: (100 * 400) / 200 / (731 / 365.25),
      avgPositions: 0.5,
    });
    expect(portfolioFigures(figures, Int32Array.of(day, day)).turnoverPct).toBeNull();
    expect(contributionsOf(trades)).toEqual([
      { instrument: 1, trades: 2, pnl: 50, pnlSharePct: 125 },
      { instrument: 0, trades: 1, pnl: -10, pnlSharePct: -25 },
    ]);
    expect(contributionsOf([{ instrument: 0, pnl: 0 }] as never)).toEqual([
      { instrument: 0, trades: 1, pnl: 0, pnlSharePct: null },
    ]);
  });

  it('find the ends of weeks, months and quarters between sessions', () => {
    const days = ['2025-03-27', '2025-03-28', '2025-03-31', '2025-04-01', '2025-04-30', '2025-05-02', '2025-05-05'];
    const clock = Int32Array.from(days, (text) => Date.parse(text) / 86_400_000);
    expect([...periodEnds(clock, 'week')]).toEqual([0, 1, 0, 1, 0, 1, 0]);
    expect([...periodEnds(clock, 'month')]).toEqual([0, 0, 1, 0, 1, 0, 0]);
    expect([...periodEnds(clock, 'quarter')]).toEqual([0, 0, 1, 0, 0, 0, 0]);
    expect([...periodEnds(clock, 'none')]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
