/**
 * Known answers on forty bars of whole prices. They were computed apart from the engine, in exact fractions and straight from
 * the definitions.
 */
import { describe, expect, it } from '@jest/globals';
import type { ExecuteOn } from '../../../engine/backtest/execution.ts';
import { metricsOf } from '../../../engine/backtest/metrics.ts';
import { runStrategy, type Simulation } from '../../../engine/backtest/simulate.ts';
import * as indicators from '../../../engine/indicators/indicators.ts';
import { adjustSeries, effectiveSplits, roundAdjusted } from '../../../engine/market/adjust.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import { effectiveParameters, requireStrategy } from '../../../engine/strategies/catalogue.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import { type Bar, seriesOf } from '../../support/series.ts';

const CLOSES = [
  50, 51, 52, 51, 53, 55, 54, 56, 58, 57, 55, 53, 52, 50, 48, 47, 49, 48, 50, 52, 54, 53, 55, 57, 60, 59, 62, 61, 58,
  56, 55, 53, 54, 52, 51, 53, 56, 58, 57, 60,
];
const FIRST_DAY = dayOf(2025, 1, 6);

/** Bars that open at the previous close, with a high one above and a low one below open and close. */
const series = seriesOf(
  CLOSES.map((close, i): Bar => {
    const open = CLOSES[Math.max(0, i - 1)];
    return [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close];
  }),
  FIRST_DAY,
);
const { close, high, low } = series;

function run(code: string, given: ParameterValues, executeOn: ExecuteOn = 'close'): Simulation {
  const strategy = requireStrategy(code);
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return runStrategy(strategy, effective.values, {
    series,
    from: 0,
    to: series.length,
    execution: { executeOn, commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
    finalReason: 'end_of_data',
  });
}

describe('an indicator', () => {
  const macd = indicators.macd(close, 3, 6, 3);
  it.each<[string, Float64Array, first: number, answers: Record<number, number>]>([
    ['sma 5', indicators.sma(close, 5), 4, { 4: 257 / 5, 20: 253 / 5, 39: 284 / 5 }],
    ['ema 5', indicators.ema(close, 5), 4, { 4: 257 / 5, 5: 263 / 5, 6: 796 / 15, 39: 57.26582963907555 }],
    ['true range', indicators.trueRange(series), 1, { 1: 3, 4: 4, 24: 5 }],
    ['atr 4', indicators.atr(series, 4), 4, { 4: 13 / 4, 5: 55 / 16, 6: 213 / 64, 39: 4.061658507552952 }],
    ['rsi 4', indicators.rsi(close, 4), 4, { 4: 80, 5: 2000 / 23, 6: 1200 / 17, 39: 76.71427446934796 }],
    ['macd line 3 6', macd.line, 5, { 5: 3 / 2, 7: 519 / 392, 39: 1.3455285793961567 }],
    ['macd signal 3 6 3', macd.signal, 7, { 7: 523 / 392, 8: 16187 / 10976, 39: 0.9536225387579615 }],
    ['stdev 5', indicators.stdev(close, 5), 4, { 4: Math.sqrt(1.04), 20: Math.sqrt(4.64), 39: Math.sqrt(5.36) }],
    ['highest before 5', indicators.highestBefore(high, 5), 5, { 5: 54, 39: 59 }],
    ['lowest before 5', indicators.lowestBefore(low, 5), 5, { 5: 49, 39: 50 }],
    ['roc 5', indicators.roc(close, 5), 5, { 5: 10, 39: 300 / 17 }],
    ['volatility 5', indicators.volatility(close, 5), 5, { 39: 46.23836242455357 }],
  ])('has its known answers: %s', (_name, column, first, answers) => {
    expect(column.findIndex((figure) => !Number.isNaN(figure))).toBe(first);
    for (const [t, answer] of Object.entries(answers)) expect(column[Number(t)]).toBeCloseTo(answer, 11);
  });
});

describe('a strategy', () => {
  it.each<[string, ParameterValues, [entry: number, exit: number][]]>([
    [
      'sma_cross',
      { fast_period: 3, slow_period: 8 },
      [
        [19, 29],
        [37, 39],
      ],
    ],
    [
      'donchian',
      { entry_period: 6, exit_period: 4 },
      [
        [8, 13],
        [20, 29],
        [37, 39],
      ],
    ],
    [
      'rsi_reversion',
      { rsi_period: 4, entry_below: 40, exit_above: 60, trend_period: 0 },
      [
        [11, 19],
        [29, 36],
      ],
    ],
    [
      'rsi_reversion',
      { rsi_period: 4, entry_below: 50, exit_above: 60, trend_period: 10 },
      [
        [10, 19],
        [28, 36],
      ],
    ],
    [
      'bollinger_reversion',
      { period: 8, mult: 1.5 },
      [
        [12, 18],
        [30, 36],
      ],
    ],
    [
      'macd',
      { fast_period: 3, slow_period: 6, signal_period: 3 },
      [
        [8, 9],
        [16, 27],
        [35, 39],
      ],
    ],
    [
      'roc_momentum',
      { period: 5, entry_above: 2, exit_below: -2 },
      [
        [5, 12],
        [19, 29],
        [36, 39],
      ],
    ],
    ['buy_hold', {}, [[0, 39]]],
    [
      'chandelier',
      { sma_period: 6, atr_period: 4, exit_mult: 2 },
      [
        [5, 12],
        [19, 30],
        [36, 39],
      ],
    ],
    [
      'chandelier',
      { sma_period: 6, atr_period: 4, exit_mult: 1.5, entry_mode: 'cross', trail_mode: 'close', ratchet: false },
      [
        [7, 12],
        [19, 30],
        [36, 39],
      ],
    ],
    [
      'chandelier',
      { sma_period: 6, atr_period: 4, exit_mult: 2, entry_mode: 'breakout' },
      [
        [8, 12],
        [20, 30],
        [37, 39],
      ],
    ],
  ])('makes its known trades: %s %j', (code, given, expected) => {
    const { trades } = run(code, given);
    expect(trades.map(({ entryIndex, exitIndex }) => [entryIndex, exitIndex])).toEqual(expected);
    const ends = code === 'chandelier' ? 'trailing_stop' : 'signal';
    expect(trades.map(({ exitReason }) => exitReason)).toEqual(
      expected.map(([, exit]) => (exit === CLOSES.length - 1 ? 'end_of_data' : ends)),
    );
    expect(trades.map(({ entryPrice, exitPrice }) => [entryPrice, exitPrice])).toEqual(
      expected.map(([entry, exit]) => [CLOSES[entry], CLOSES[exit]]),
    );
  });

  it('fills at the open of the bar after each signal when it executes at the next open', () => {
    const { trades } = run('sma_cross', { fast_period: 3, slow_period: 8 }, 'next_open');
    expect(trades.map((trade) => [trade.entryIndex, trade.entryPrice, trade.exitIndex, trade.exitPrice])).toEqual([
      [20, 52, 30, 56],
      [38, 58, 39, 60],
    ]);
  });
});

describe('the metrics of a run', () => {
  it('have their known answers', () => {
    // Bought at 52 and 58, sold at 56 and 60.
    const metrics = metricsOf(series, run('sma_cross', { fast_period: 3, slow_period: 8 }), 100_000);
    const expected: typeof metrics = {
      numTrades: 2,
      winRate: 100,
      totalPnlPct: 11.405835543766575,
      annualizedPct: 174.98620115102682,
      maxDrawdownPct: 11.23470522803115,
      maxDrawdownDays: 13,
      sharpe: 2.226861490513261,
      sortino: 4.225124021962917,
      calmar: 15.57550443908644,
      profitFactor: null,
      buyHoldPnlPct: 20,
      excessReturnPct: -8.594164456233425,
      exposurePct: 30,
      avgTradePct: (400 / 52 + 200 / 58) / 2,
      bestTradePct: 400 / 52,
      worstTradePct: 200 / 58,
      avgBarsHeld: 6,
      finalEquity: 111_405.83554376657,
    };
    for (const [name, value] of Object.entries(expected)) {
      expect({ [name]: Object.entries(metrics).find(([one]) => one === name)?.[1] }).toEqual({
        [name]: value === null ? null : expect.closeTo(value, 8),
      });
    }
    expect(Object.keys(metrics).sort()).toEqual(Object.keys(expected).sort());
  });

  it('have a profit factor where a trade lost', () => {
    // Bought at 58, sold at 57; bought at 49, sold at 61; bought at 53, sold at 60.
    const macd = run('macd', { fast_period: 3, slow_period: 6, signal_period: 3 });
    const { profitFactor, winRate } = metricsOf(series, macd, 100_000);
    const loss = 100_000 * (1 / 58);
    const gains = [12 / 49, 7 / 53];
    const first = (100_000 - loss) * gains[0];
    const second = (100_000 - loss + first) * gains[1];
    expect(profitFactor).toBeCloseTo((first + second) / loss, 9);
    expect(winRate).toBeCloseTo(200 / 3, 9);
  });
});

describe('an adjustment', () => {
  it('puts every bar on the share count of the last one', () => {
    // A 4:1 split, a stock dividend of a quarter, a 1:10 reverse split; the cash dividend changes no share count.
    const events = [
      { exDay: FIRST_DAY + 30, kind: 'reverse_split', factor: 10 },
      { exDay: FIRST_DAY + 10, kind: 'split', factor: 0.25 },
      { exDay: FIRST_DAY + 15, kind: 'cash_dividend', factor: 0.9 },
      { exDay: FIRST_DAY + 20, kind: 'stock_dividend', factor: 0.8 },
    ] as const;
    const last = FIRST_DAY + CLOSES.length - 1;
    const adjusted = roundAdjusted(adjustSeries(series, effectiveSplits(events, last)));
    expect([9, 10, 19, 20, 29, 30].map((i) => [adjusted.close[i], adjusted.volume[i]])).toEqual([
      [57 * 2, 500],
      [55 * 8, 125],
      [52 * 8, 125],
      [54 * 10, 100],
      [56 * 10, 100],
      [55, 1000],
    ]);
  });
});
