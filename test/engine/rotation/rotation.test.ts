/** Schedules, target sets, the market filter, and the orders of a rotation. */
import { describe, expect, it } from '@jest/globals';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { endedLines, spansVolumeBases, survivorshipGap, survivorsOf } from '../../../engine/rotation/notes.ts';
import { FILTER, type Panel } from '../../../engine/rotation/panel.ts';
import { isMarketOpen } from '../../../engine/rotation/rebalance.ts';
import {
  type RotationInput,
  type RotationRule,
  rebalanceSessions,
  type Schedule,
} from '../../../engine/rotation/rotation.ts';
import { countOf, type Selection, targetSet } from '../../../engine/rotation/selection.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { panelOf } from '../../support/panels.ts';
import { pick } from '../../support/portfolio-members.ts';
import { type Bar, seriesOf } from '../../support/series.ts';

describe('a schedule', () => {
  // Weekdays of 2025-01-06 (a Monday) to 2025-04-04 (a Friday).
  const days = Array.from({ length: 89 }, (_, i) => requireDay('2025-01-06') + i).filter((_, i) => i % 7 < 5);
  const clock = Int32Array.from(days);
  const dates = (schedule: Schedule) => rebalanceSessions(clock, schedule).map((t) => formatDay(clock[t]));

  it('has the last session of each period, but not that of the range', () => {
    expect(dates({ every: 'month', offset: 0 })).toEqual(['2025-01-31', '2025-02-28', '2025-03-31']);
    expect(dates({ every: 'quarter', offset: 0 })).toEqual(['2025-03-31']);
    const weeks = dates({ every: 'week', offset: 0 });
    expect(weeks).toHaveLength(12);
    expect(weeks.slice(0, 2)).toEqual(['2025-01-10', '2025-01-17']);
    expect(weeks.at(-1)).toBe('2025-03-28');
  });

  it('counts sessions from 1, and moves all later', () => {
    expect(rebalanceSessions(clock, { every: { sessions: 20 }, offset: 0 })).toEqual([19, 39, 59]);
    expect(rebalanceSessions(clock, { every: { sessions: 20 }, offset: 4 })).toEqual([23, 43, 63]);
    expect(rebalanceSessions(clock, { every: { sessions: 20 }, offset: 5 })).toEqual([24, 44]);
    expect(dates({ every: 'month', offset: 3 })).toEqual(['2025-02-05', '2025-03-05', '2025-04-03']);
    expect(dates({ every: 'month', offset: 4 })).toEqual(['2025-02-06', '2025-03-06']);
  });

  it('is empty where the range is too short', () => {
    expect(rebalanceSessions(clock, { every: { sessions: 65 }, offset: 0 })).toEqual([]);
  });
});

describe('a target set', () => {
  const select = (score: readonly number[], held: readonly number[], selection: Partial<Selection>) =>
    targetSet(Float64Array.from(score), (member) => held.includes(member), {
      order: 'desc',
      hold: { top: 2 },
      keep: null,
      ...selection,
    });
  const score = [1, 5, 3, Number.NaN, 4, 2];

  it.each([
    ['the best', [], {}, [1, 4]],
    ['the smallest', [], { order: 'asc' }, [0, 5]],
    ['held names within keep', [2], { keep: { top: 3 } }, [1, 2]],
    ['not those beyond it', [5], { keep: { top: 3 } }, [1, 4]],
    ['the best of the held, at most as many as are held', [5, 2, 4], { keep: { top: 5 } }, [2, 4]],
    ['a keep below hold counts as hold', [2], { keep: { top: 1 }, hold: { top: 3 } }, [1, 2, 4]],
    ['a share of those with a score', [], { hold: { topPct: 41 } }, [1, 2, 4]],
    ['no more than there are', [], { hold: { top: 9 } }, [0, 1, 2, 4, 5]],
  ] as const)('has %s', (_, held, selection, names) => {
    expect(select(score, held, selection)).toEqual({ scored: 5, names });
  });

  it('breaks ties by ticker, and sees none in rounding', () => {
    expect(select([0.3, 0.1 + 0.2, 0.3, 0.2], [], {}).names).toEqual([0, 1]);
  });

  it('has no name more because a product is not exact', () => {
    expect(countOf({ topPct: 7 }, 100)).toBe(7);
    expect(countOf({ topPct: 1.1 }, 1000)).toBe(11);
    expect(countOf({ topPct: 10 }, 91)).toBe(10);
  });
});

describe('a market filter', () => {
  const { undefined: unknown, open, closed } = FILTER;
  it.each([
    ['its value', [closed, open], true],
    ['its last value of five sessions', [open, closed, unknown, unknown, unknown, unknown, unknown], false],
    ['true where it has none in six sessions', [closed, ...Array(6).fill(unknown)], true],
  ] as const)('is %s', (_, filter, expected) => {
    expect(isMarketOpen({ filter: Int8Array.from(filter), rebalances: [] }, filter.length - 1)).toBe(expected);
  });
});

interface Member {
  readonly ticker: string;
  readonly bars: BarSeries;
  readonly isDelisted?: boolean;
}

const panelWith = (...members: readonly Member[]): Panel =>
  panelOf(
    members.map(({ ticker, bars, isDelisted = false }) => ({
      ticker,
      isDelisted,
      series: bars,
      symbol: `${ticker}.US`,
      from: 0,
      to: bars.length,
    })),
  );
const flat = (price: number, length: number) => seriesOf(Array<number>(length).fill(price));

/** Holds as many equal parts as there are scores. */
function inputOf(
  panel: Panel,
  scores: Readonly<Record<number, readonly number[]>>,
  {
    executeOn = 'close',
    commissionRate = 0,
    ...rule
  }: Partial<RotationRule> & { readonly executeOn?: 'close' | 'next_open'; readonly commissionRate?: number } = {},
): RotationInput {
  const rebalances = Object.entries(scores).map(([session, score]) => ({
    session: Number(session),
    eligible: score.filter((one) => !Number.isNaN(one)).length,
    score: Float64Array.from(score),
  }));
  return {
    panel,
    values: { rebalances, filter: null },
    rule: {
      order: 'desc',
      hold: { top: 2 },
      keep: null,
      weigh: (_panel, _at, { length }) => ({
        weights: new Float64Array(length).fill(1 / length),
        total: 1,
        areDefined: true,
      }),
      exits: null,
      cashBufferPct: 0,
      ...rule,
    },
    execution: { executeOn, commissionRate, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
  };
}

const tradesOf = (input: RotationInput) =>
  simulateRotation(input).trades.map(({ instrument, exitDay, exitReason, shares }) => ({
    ticker: input.panel.members[instrument].ticker,
    at: input.panel.clock.indexOf(exitDay),
    exitReason,
    shares,
  }));

describe('orders', () => {
  const x = Number.NaN;
  const panel = panelWith(
    { ticker: 'A', bars: flat(10, 12) },
    { ticker: 'B', bars: flat(20, 12) },
    { ticker: 'C', bars: flat(50, 12) },
  );

  it('sell what leaves, with the reason of a rebalance, and buy what enters', () => {
    const input = inputOf(panel, { 2: [3, 2, 1], 6: [1, 2, 3] });
    expect(tradesOf(input)).toEqual([
      { ticker: 'A', at: 6, exitReason: 'rebalance', shares: 5000 },
      { ticker: 'B', at: 11, exitReason: 'end_of_data', shares: 2500 },
      { ticker: 'C', at: 11, exitReason: 'end_of_data', shares: 1000 },
    ]);
    const { rebalances, positions } = simulateRotation(input);
    expect(rebalances).toMatchObject([
      { day: panel.clock[2], eligible: 3, scored: 3, entered: [0, 1], left: [], turnoverPct: 50, filter: true },
      { day: panel.clock[6], entered: [2], left: [0], turnoverPct: 50 },
    ]);
    expect([...positions]).toEqual([0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0]);
  });

  it('share too little cash in proportion', () => {
    const { trades } = simulateRotation(inputOf(panel, { 2: [3, 2, x] }, { commissionRate: 0.01 }));
    const [a, b] = trades.map(({ instrument, shares }) => shares * panel.members[instrument].series.close[0]);
    expect(a).toBeCloseTo(50_000 / 1.01, 6);
    expect(b).toBeCloseTo(a, 6);
  });

  it('leave a difference below 5 % of its target alone, but never what is to be sold whole', () => {
    const rising = seriesOf([10, 10, 10, 10, 10.8, 10.8, 10.8, 10.8].map((price) => price));
    const small = panelWith({ ticker: 'A', bars: rising }, { ticker: 'B', bars: flat(20, 8) });
    expect(tradesOf(inputOf(small, { 1: [2, 1], 5: [2, 1] })).map(({ exitReason }) => exitReason)).toEqual([
      'end_of_data',
      'end_of_data',
    ]);
    const weigh: RotationRule['weigh'] = (_panel, _at, members) => ({
      weights: Float64Array.from(members, (_, i) => (i === 0 ? 0.99 : 0.01)),
      total: 1,
      areDefined: true,
    });
    const tiny = inputOf(small, { 1: [2, 1], 5: [2, x] }, { weigh });
    expect(tradesOf(tiny)[0]).toMatchObject({ ticker: 'B', at: 5, exitReason: 'rebalance' });
  });

  it('that wait are voided by the next rebalance, but for sales of whole positions', () => {
    const all = flat(10, 12);
    const gaps = (missing: readonly number[]) =>
      pick(
        all,
        [...all.day.keys()].filter((t) => !missing.includes(t)),
      );
    const halting = panelWith(
      { ticker: 'A', bars: gaps([3, 4, 5]) },
      { ticker: 'B', bars: flat(20, 12) },
      { ticker: 'C', bars: gaps([7, 8, 9]) },
    );
    // A is ordered at 2 and halts until 6: the rebalance at 4 voids it. C is to be sold at 6 and halts until 10.
    const input = inputOf(
      halting,
      { 2: [3, x, 2], 4: [x, 2, 1], 6: [x, 2, x], 8: [x, 2, x] },
      { executeOn: 'next_open' },
    );
    const trades = tradesOf(input);
    expect(trades.find(({ ticker }) => ticker === 'A')).toBeUndefined();
    expect(trades.filter(({ ticker }) => ticker === 'C').at(-1)).toMatchObject({ at: 10, exitReason: 'rebalance' });
  });

  it('leave a position without a bar alone, and share out the rest', () => {
    const all = flat(10, 12);
    const halted = pick(
      all,
      [...all.day.keys()].filter((t) => t < 4 || t > 8),
    );
    const input = inputOf(
      panelWith(
        { ticker: 'A', bars: halted },
        { ticker: 'B', bars: flat(20, 12) },
        { ticker: 'C', bars: flat(50, 12) },
      ),
      { 2: [3, 2, x], 6: [x, 1, 2] },
    );
    const { trades, rebalances } = simulateRotation(input);
    expect(rebalances[1]).toMatchObject({ entered: [2], left: [] });
    expect(trades.map(({ instrument, shares }) => [instrument, shares])).toEqual([
      [1, 1250],
      [0, 5000],
      [1, 1250],
      [2, 500],
    ]);
  });

  it('close a delisted position on its last bar', () => {
    const ending = panelWith({ ticker: 'A', bars: flat(10, 6), isDelisted: true }, { ticker: 'B', bars: flat(20, 12) });
    expect(tradesOf(inputOf(ending, { 2: [2, 1], 8: [x, 1] }))[0]).toMatchObject({
      ticker: 'A',
      at: 5,
      exitReason: 'delisted',
    });
  });

  it('sell everything while the market is closed', () => {
    const input = inputOf(panel, { 2: [3, 2, 1], 6: [3, 2, 1] });
    const filter = Int8Array.from(panel.clock, (_, t) => (t < 5 ? FILTER.open : FILTER.closed));
    const { rebalances, trades } = simulateRotation({ ...input, values: { ...input.values, filter } });
    expect(rebalances[1]).toMatchObject({ filter: false, left: [0, 1], weights: new Map(), scored: 3 });
    expect(trades).toHaveLength(2);
  });
});

describe('exits between rebalances', () => {
  const falling = (at: number, price: number): readonly (number | Bar)[] =>
    Array.from({ length: 12 }, (_, t) => (t < at ? 10 : price));
  const exits = { stopLossPct: 10, takeProfitPct: 0, stop: null, trail: null };
  const input = (at: number, more: Partial<RotationRule>) =>
    inputOf(
      panelWith({ ticker: 'A', bars: seriesOf(falling(at, 8)) }, { ticker: 'B', bars: flat(20, 12) }),
      { 2: [2, 1], 6: [2, 1] },
      more,
    );

  it('sell at the session, and stay out until the next rebalance', () => {
    const { trades, positions } = simulateRotation(input(4, { exits }));
    expect(trades[0]).toMatchObject({ instrument: 0, exitReason: 'stop_loss', exitIndex: 4 });
    expect([...positions].slice(3, 7)).toEqual([2, 1, 1, 2]);
  });

  it('are not looked at on the session of a rebalance', () => {
    const { trades } = simulateRotation(input(6, { exits }));
    expect(trades.find(({ exitReason }) => exitReason === 'stop_loss')).toMatchObject({ exitIndex: 7 });
  });

  it('follow rules, whose stops go on counting from the first purchase', () => {
    const peak = seriesOf([10, 10, 10, 12, 12, 12, 10, 10, 10, 10, 10, 10]);
    const panel = panelWith({ ticker: 'A', bars: peak }, { ticker: 'B', bars: flat(20, 12) });
    const rules = { stopLossPct: 0, takeProfitPct: 0, stop: null, trail: ['*', ['close'], 0.9] as const };
    const { trades } = simulateRotation(inputOf(panel, { 2: [2, 1], 6: [2, 1] }, { exits: rules }));
    expect(trades.find(({ exitReason }) => exitReason === 'trailing_stop')).toMatchObject({
      instrument: 0,
      exitIndex: 7,
    });
  });
});

describe('survivors', () => {
  it('have a bar on the last session', () => {
    const panel = panelWith({ ticker: 'A', bars: flat(10, 6) }, { ticker: 'B', bars: flat(20, 12) });
    expect(survivorsOf(panel).map(({ ticker }) => ticker)).toEqual(['B']);
  });

  it('gain what the others lost, where both have a figure', () => {
    expect(survivorshipGap({ sharpe: 1.5, calmar: null }, { sharpe: 1, calmar: 2 })).toEqual({
      sharpe: 0.5,
      calmar: null,
    });
  });
});

describe('notes', () => {
  it('name what is held through twenty sessions without a bar', () => {
    const all = flat(10, 60);
    const until = (last: number) =>
      pick(
        all,
        [...all.day.keys()].filter((t) => t <= last || t >= 50),
      );
    const panel = panelWith(
      { ticker: 'A', bars: until(29) },
      { ticker: 'B', bars: until(30) },
      { ticker: 'C', bars: flat(10, 35) },
      { ticker: 'D', bars: flat(20, 60) },
    );
    const run = simulateRotation(inputOf(panel, { 2: [4, 3, 2, 1] }, { hold: { top: 4 } }));
    expect(endedLines(panel, run)).toEqual([0, 2]);
  });

  it('notes ranges on both sides of the day from which volumes are those of all venues', () => {
    const clock = (...days: readonly string[]) => ({ clock: Int32Array.from(days, requireDay) });
    expect(spansVolumeBases(clock('2024-06-28', '2024-07-01'))).toBe(true);
    expect(spansVolumeBases(clock('2024-06-27', '2024-06-28'))).toBe(false);
    expect(spansVolumeBases(clock('2024-07-01', '2024-07-02'))).toBe(false);
  });
});
