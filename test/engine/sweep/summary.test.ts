/** The summary of a sweep's cells, computed by hand. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CellColumn } from '../../../engine/sweep/cells.ts';
import { SweepTotals, summarizeCombination } from '../../../engine/sweep/summary.ts';

const NONE = Number.NaN;

describe('the summary of a combination', () => {
  /** Five instruments: one without a bar in the range, and one that never traded. */
  const columns: Partial<Record<CellColumn, readonly number[]>> = {
    numTrades: [4, NONE, 0, 1, 5],
    winRate: [50, NONE, NONE, 100, 20],
    avgTradePct: [2, NONE, NONE, 8, -1],
    sharpe: [1, NONE, NONE, 0.4, -0.2],
    totalPnlPct: [9, NONE, 2, 8, -4],
    excessReturnPct: [3, NONE, 0, 1, -7],
    wins: [2, NONE, 0, 1, 1],
    gains: [30, NONE, 0, 20, 10],
    losses: [5, NONE, 0, 0, 10],
  };
  const reported = summarizeCombination((column) =>
    Float64Array.from(columns[column] ?? [NONE, NONE, NONE, NONE, NONE]),
  );

  it('counts instruments with bars, and shares of them', () => {
    expect(reported.instruments).toBe(4);
    // 0 does not beat anything; a Sharpe ratio that is not defined is not positive.
    expect([reported.beatsBuyHoldPct, reported.positiveSharpePct]).toEqual([50, 50]);
  });

  it('spreads a figure over the instruments on which it is defined', () => {
    expect(reported.spreads.excessReturnPct).toEqual({
      mean: -0.75,
      median: 0.5,
      lowerQuartile: -1.75,
      upperQuartile: 1.5,
    });
    expect(reported.spreads.winRate).toMatchObject({ median: 50, lowerQuartile: 35, upperQuartile: 75 });
    expect(reported.spreads.calmar).toBeNull();
  });

  it('has the quartiles of a sort, however many values are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 60 }), (values) => {
        const spread = summarizeCombination(() => Float64Array.from(values)).spreads.sharpe;
        const sorted = values.toSorted((a, b) => a - b);
        const at = (share: number) => {
          const place = (sorted.length - 1) * share;
          const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
          return below + (place - Math.floor(place)) * (above - below);
        };
        expect([spread?.lowerQuartile, spread?.median, spread?.upperQuartile]).toEqual([at(0.25), at(0.5), at(0.75)]);
      }),
    );
  });

  it('pools the trades of all instruments', () => {
    // 4 trades of 2 %, one of 8 %, and 5 of -1 %; 60 were won against 15.
    expect(reported.pooled).toEqual({ trades: 10, winRate: 40, avgTradePct: 1.1, profitFactor: 4 });
  });
});

describe('the totals of a sweep', () => {
  const totals = new SweepTotals();
  const add = (to: SweepTotals, combination: number, sharpe: number[], excess: number[], trades: number[] = []) => {
    const numTrades = sharpe.map((_, i) => trades[i] ?? 30);
    // A quarter of the Sharpe ratio, over 16 bars.
    const appraisal = sharpe.map((one) => one / 4);
    const columns = new Map(
      Object.entries({ sharpe, excessReturnPct: excess, numTrades, appraisal, appraisalT: sharpe }),
    );
    to.add(combination, (column) => Float64Array.from(columns.get(column) ?? []));
  };
  add(totals, 0, [1, NONE, 2], [5, NONE, 250]);
  add(totals, 1, [1, NONE, NONE], [-900, NONE, 1]);

  it('rank cells by Sharpe ratio, equal ones in the order of the sweep', () => {
    const places = (cells: SweepTotals['best']['cells']) =>
      cells.map(({ instrument, combination }) => [instrument, combination]);
    expect(places(totals.best.cells)).toEqual([
      [2, 0],
      [0, 0],
      [0, 1],
    ]);
    expect(places(totals.worst.cells)).toEqual([
      [0, 0],
      [0, 1],
      [2, 0],
    ]);
    const columns = new SweepTotals();
    add(columns, 0, [NONE, 1], [NONE, 0]);
    add(columns, 1, [1, NONE], [0, NONE]);
    // Instruments come before combinations.
    expect(places(columns.best.cells)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('rank cells of fewer than 30 trades apart among the best, and together among the worst', () => {
    const some = new SweepTotals();
    add(some, 0, [3, 2, 1, 4], [0, 0, 0, 0], [29, 30, 31, 0]);
    const scores = (cells: SweepTotals['best']['cells']) => cells.map(({ score, trades }) => [score, trades]);
    expect(scores(some.best.cells)).toEqual([
      [2, 30],
      [1, 31],
    ]);
    expect(scores(some.bestOfFewTrades.cells)).toEqual([
      [4, 0],
      [3, 29],
    ]);
    expect(scores(some.worst.cells)).toHaveLength(4);
    expect(some.first?.score).toBe(2);
    const few = new SweepTotals();
    add(few, 0, [3], [0], [29]);
    expect([few.first?.score, new SweepTotals().first]).toEqual([3, null]);
  });

  it('count what lies outside of a histogram in its first and last bin', () => {
    const { counts } = totals.excess;
    expect([counts[0], counts.at(-1), counts.reduce((sum, count) => sum + count, 0)]).toEqual([1, 1, 4]);
  });

  it('take a ratio that is not defined as 0 in the deviation of all cells', () => {
    expect(totals.cells).toBe(4);
    // 1, 2, 1, 0: the mean is 1, and the squares add up to 2.
    expect(totals.sharpeDeviation).toBeCloseTo(Math.sqrt(2 / 3), 12);
  });
});
