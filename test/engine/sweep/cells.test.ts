/** Cells of sweeps against the single backtests of the same specification, and how sweeps are cut. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runBacktest } from '../../../engine/backtest/backtest.ts';
import { EXECUTE_ON } from '../../../engine/backtest/execution.ts';
import { expandGrid } from '../../../engine/backtest/optimize.ts';
import { ADJUST_MODES } from '../../../engine/market/adjust.ts';
import { strategyOf } from '../../../engine/rules/strategy.ts';
import { requireStrategy, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import type { Strategy } from '../../../engine/strategies/strategy.ts';
import { CELL_METRICS, CellBlock, cutIntoChunks, fillInstrument } from '../../../engine/sweep/cells.ts';
import { randomSeries, seriesOf } from '../../support/series.ts';

const GRIDS: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  sma_cross: { fast_period: [3, 6], slow_period: [9, 14] },
  donchian: { entry_period: [4, 8], exit_period: [3] },
  rsi_reversion: { rsi_period: [3], entry_below: [35, 45] },
};

function combinationsOf(strategy: Strategy, grid = GRIDS[strategy.code] ?? {}) {
  const expanded = expandGrid(strategy, grid);
  if ('refused' in expanded) throw new Error(JSON.stringify(expanded.refused));
  return expanded.combinations;
}

function runsOf(codes: readonly string[]) {
  return codes.map((code) => {
    const strategy = requireStrategy(code);
    return { strategy, combinations: combinationsOf(strategy) };
  });
}

describe('a cell', () => {
  it('has every figure of the single backtest, whatever strategy, range, adjustment, costs, and events', () => {
    const codes = fc.subarray(
      STRATEGIES.map(({ code }) => code),
      { minLength: 1 },
    );
    const execution = fc.record({
      executeOn: fc.constantFrom(...EXECUTE_ON),
      commissionRate: fc.constantFrom(0, 0.001),
      minCommission: fc.constantFrom(0, 5),
      slippageBps: fc.constantFrom(0, 10),
      initialCapital: fc.constant(100_000),
    });
    fc.assert(
      fc.property(
        fc.nat(1e6),
        codes,
        execution,
        fc.constantFrom(...ADJUST_MODES),
        fc.constantFrom('MAX', '6M', '1M'),
        fc.boolean(),
        (seed, chosen, costs, adjust, timeRange, isDelisted) => {
          const series = randomSeries(220, seed);
          const last = series.day[series.length - 1];
          const events = [
            { kind: 'split' as const, exDay: series.day[100], factor: 0.5 },
            { kind: 'cash_dividend' as const, exDay: series.day[150], factor: 0.97 },
          ];
          const lifetime = { listedOn: null, delistedOn: isDelisted ? last : null };
          const input = { series, events, lifetime, asOf: last + 5 };
          const settings = { timeRange, adjust, execution: costs, start: null, end: null } as const;
          const runs = runsOf(chosen);
          const block = new CellBlock(
            1,
            runs.reduce((sum, { combinations }) => sum + combinations.length, 0),
          );
          fillInstrument(block, 0, settings, input, runs);
          let combination = 0;
          for (const { strategy, combinations } of runs) {
            for (const params of combinations) {
              const single = runBacktest({ ...settings, strategy: strategy.code, params }, input);
              const cell = CELL_METRICS.map((name) => block.column(combination, name)[0]);
              expect(cell).toEqual(CELL_METRICS.map((name) => single?.metrics[name] ?? Number.NaN));
              expect(block.range('bars', 0)).toBe(single?.bars.length ?? 0);
              combination++;
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a cell of one history', () => {
  const lifetime = { listedOn: null, delistedOn: null };
  const execution = {
    executeOn: 'close',
    commissionRate: 0,
    minCommission: 0,
    slippageBps: 0,
    initialCapital: 1,
  } as const;
  const settings = { timeRange: 'MAX', adjust: 'split', execution, start: null, end: null } as const;
  const series = randomSeries(220, 1);
  const input = { series, lifetime, asOf: series.day[219], events: [] };

  it('counts wins as the single run does: a gain that is reported as 0 % is none', () => {
    const rising = seriesOf([100, 100.00003, 100.00006, 101, 102]);
    const strategy = requireStrategy('buy_hold');
    const runs = [{ strategy, combinations: combinationsOf(strategy, { max_bars: [1] }) }];
    const block = new CellBlock(1, 1);
    fillInstrument(block, 0, settings, { ...input, series: rising, asOf: rising.day[4] }, runs);
    const [trades, wins, winRate] = (['numTrades', 'wins', 'winRate'] as const).map((name) => block.column(0, name)[0]);
    expect([trades, wins, winRate]).toEqual([2, 1, 50]);
  });

  it('leaves the history as it was, even where a rule names its columns', () => {
    const rules = { entry: 'close > open', exit: 'close < open' };
    const strategy = strategyOf({ strategy: 'rules', rules, params: {} });
    const copy = Float64Array.from(series.close);
    const figures = [0, 1].map(() => {
      const block = new CellBlock(1, 1);
      fillInstrument(block, 0, settings, input, [{ strategy, combinations: combinationsOf(strategy) }]);
      return [...block.figures];
    });
    expect(figures[1]).toEqual(figures[0]);
    expect(series.close).toEqual(copy);
  });
});

describe('chunks', () => {
  const items = (n: number) => Array.from({ length: n }, (_, i) => i);

  it('hold every instrument once, none more than the one before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.nat(6_000),
        (n, combinations, bars) => {
          const parts = cutIntoChunks(items(n), combinations, bars);
          expect(parts.flat()).toEqual(items(n));
          const sizes = parts.map(({ length }) => length);
          expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
          expect(sizes).not.toContain(0);
        },
      ),
    );
  });

  it('are many enough for a fleet, and few where there is little work', () => {
    const sizes = (n: number, combinations: number, bars: number) =>
      cutIntoChunks(items(n), combinations, bars).map(({ length }) => length);
    const market = sizes(12_000, 8, 1_260);
    expect(market.length).toBeGreaterThan(12);
    expect(market.length).toBeLessThan(24);
    // The last ones are small, so that workers end together.
    expect(market[market.length - 2]).toBeLessThan(market[0] / 4);
    expect(sizes(12_000, 800, 1_260).length).toBeGreaterThan(400);
    expect(sizes(600, 8, 1_260).length).toBeLessThan(4);
    expect(sizes(3, 1, 250)).toEqual([3]);
    // Many combinations over few bars: little time, but much memory.
    expect(5_000 * Math.max(...sizes(4_000, 5_000, 21))).toBeLessThanOrEqual(50_000);
  });
});
