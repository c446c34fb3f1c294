/**
 * Known answers of public packages over bars of the sample market. `fixtures/package-answers.json` names the package, its version,
 * and the call of each.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import Papa from 'papaparse';
import type { ExecuteOn } from '../../engine/backtest/execution.ts';
import { runStrategy } from '../../engine/backtest/simulate.ts';
import * as indicators from '../../engine/indicators/indicators.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { effectiveParameters, requireStrategy } from '../../engine/strategies/catalogue.ts';
import { required } from '../../engine/util/values.ts';

interface KnownTrade {
  readonly entry: string;
  readonly exit: string;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly returnPct: number;
}

interface KnownAnswers {
  readonly indicators: readonly {
    readonly call: string;
    /** Index of the first defined figure. */
    readonly first: number;
    /** Figures by index. */
    readonly answers: Readonly<Record<string, number>>;
  }[];
  readonly trades: Readonly<Record<ExecuteOn, readonly KnownTrade[]>>;
}

const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const known: KnownAnswers = JSON.parse(read('package-answers.json'));

function readBars(): BarSeries {
  const { data: rows } = Papa.parse<Record<string, string>>(read('sample-bars.csv'), {
    header: true,
    skipEmptyLines: true,
  });
  const series = allocateSeries(rows.length);
  for (const [i, row] of rows.entries()) {
    series.day[i] = requireDay(row.date);
    for (const column of VALUE_COLUMNS) series[column][i] = Number(row[column]);
  }
  return series;
}

const series = readBars();
const { high, low, close } = series;
const mean = indicators.sma(close, 20);
const deviation = indicators.stdev(close, 20);
const macd = indicators.macd(close, 12, 26, 9);

/** Our column for each call of a package. */
const COLUMNS: Readonly<Record<string, Float64Array>> = {
  'SMA(close, 20)': mean,
  'EMA(close, 20)': indicators.ema(close, 20),
  'RSI(close, 14)': indicators.rsi(close, 14),
  'TRANGE(high, low, close)': indicators.trueRange(series),
  'ATR(high, low, close, 14)': indicators.atr(series, 14),
  'ROC(close, 20)': indicators.roc(close, 20),
  'STDDEV(close, 20)': deviation,
  'BBANDS(close, 20, 2, 2) upper': mean.map((value, t) => value + 2 * deviation[t]),
  'BBANDS(close, 20, 2, 2) lower': mean.map((value, t) => value - 2 * deviation[t]),
  // Ours end with the bar before.
  'MAX(high, 20)': indicators.highestBefore(high, 20).subarray(1),
  'MIN(low, 20)': indicators.lowestBefore(low, 20).subarray(1),
  // The package seeds the fast mean later than we do, so only late figures are known.
  'MACD(close, 12, 26, 9) macd': macd.line,
  'MACD(close, 12, 26, 9) signal': macd.signal,
};

describe('the figures of TA-Lib', () => {
  it('are known for every indicator that is compared', () => {
    expect(known.indicators.map(({ call }) => call).sort()).toEqual(Object.keys(COLUMNS).sort());
  });

  it.each(known.indicators.map((one) => [one.call, one] as const))('are ours: %s', (call, { first, answers }) => {
    const column = required(COLUMNS[call]);
    if (!call.startsWith('MACD')) expect(column.findIndex((figure) => !Number.isNaN(figure))).toBe(first);
    const compared = Object.entries(answers).filter(([t]) => Number(t) < column.length);
    expect(compared.length).toBeGreaterThan(5);
    for (const [t, answer] of compared) {
      expect([t, Math.abs(column[Number(t)] / answer - 1) < 1e-8]).toEqual([t, true]);
    }
  });
});

describe('the trades of backtesting.py', () => {
  it.each(['close', 'next_open'] as const)('are ours for fills at the %s', (executeOn) => {
    const strategy = requireStrategy('sma_cross');
    const effective = effectiveParameters(strategy, { fast_period: 10, slow_period: 30 });
    if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
    const { trades } = runStrategy(strategy, effective.values, {
      series,
      from: 0,
      to: series.length,
      execution: { executeOn, commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 100_000 },
      finalReason: 'end_of_data',
    });
    const closed = trades.filter(({ exitReason }) => exitReason === 'signal');
    const dateOf = (index: number) => formatDay(series.day[index]);
    const answers = known.trades[executeOn];
    expect(answers.length).toBeGreaterThan(3);
    expect(closed.map((t) => [dateOf(t.entryIndex), dateOf(t.exitIndex), t.entryPrice, t.exitPrice])).toEqual(
      answers.map((t) => [t.entry, t.exit, t.entryPrice, t.exitPrice]),
    );
    for (const [i, { pnlPct }] of closed.entries()) expect(pnlPct).toBeCloseTo(answers[i].returnPct, 8);
  });
});
