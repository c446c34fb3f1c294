/** Rules on what was known at each bar: levels of prices and volumes do not reflect later splits and dividends. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simulate } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type Adjustment, adjustSeries, adjustToLastBar } from '../../../engine/market/adjust.ts';
import { dayOf } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { readRules, rulesStrategy } from '../../../engine/rules/strategy.ts';
import type { Expression } from '../../../engine/rules/syntax.ts';
import { effectiveParameters } from '../../../engine/strategies/catalogue.ts';
import type { RuleTexts } from '../../../engine/strategies/strategy.ts';
import { asTraded, eventAt, knownBefore, randomEvents } from '../../support/events.ts';
import { arbitraryTrees, textOf } from '../../support/reference-rules.ts';
import { lehmer, randomSeries, seriesOf } from '../../support/series.ts';

function expressionOf(text: string, result: 'value' | 'condition'): Expression {
  const checked = checkRule(text, { result, mayUsePosition: false, parameters: null });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  return checked.expression;
}

const columnsOf = (series: BarSeries) => new HistoryColumns(new IndicatorSet(series));

const maskOf = (series: BarSeries, text: string) => [
  ...columnsOf(series).mask(compileCondition(expressionOf(text, 'condition'))),
];

const knownOf = (series: BarSeries, text: string) => [
  ...columnsOf(series).known(compileValue(expressionOf(text, 'value'))),
];

function tradesOf(series: BarSeries, texts: RuleTexts, executeOn: 'close' | 'next_open' = 'close') {
  const read = readRules(texts);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const strategy = rulesStrategy(read.rules);
  const effective = effectiveParameters(strategy, {});
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  const { trades } = simulate({
    series,
    from: 0,
    to: series.length,
    execution: { executeOn, commissionRate: 0, minCommission: 0, slippageBps: 0, initialCapital: 1000 },
    finalReason: 'end_of_data',
    ...strategy.plan(new IndicatorSet(series), effective.values),
  });
  return trades.map(({ entryIndex, exitIndex, exitReason }) => [entryIndex, exitIndex, exitReason] as const);
}

const { value, condition } = arbitraryTrees(false);
const held = arbitraryTrees(true);
const seed = fc.integer({ min: 1, max: 1e6 });

/** Bars as traded with events between them, and the series of a run over all of them. */
function market(n: number, length: number) {
  const walk = randomSeries(length, n);
  const events = randomEvents(walk, n);
  const traded = asTraded(walk, events);
  return { traded, events, whole: knownBefore(traded, events, length) };
}

describe('at every bar, on series with splits and dividends', () => {
  const LENGTH = 50;
  const bars = Array.from({ length: LENGTH }, (_, t) => t);

  it('a condition is that of the series that ends there', () => {
    let moved = 0;
    fc.assert(
      fc.property(condition, value, seed, (tree, level, n) => {
        const { traded, events, whole } = market(n, LENGTH);
        const random = lehmer(n);
        // Most random comparisons are of values of one dimension, so half of these compare a value with a number.
        const compared = `${textOf(level, random)}, ${Math.floor(100 * random())}`;
        const text = [
          textOf(tree, random),
          `not crosses_above(${compared})`,
          `within_bars(between(${compared}, 1e6), 3)`,
        ][n % 3];
        const atEach = bars.map((t) => maskOf(knownBefore(traded, events, t + 1), text).at(-1));
        expect(maskOf(whole, text)).toEqual(atEach);
        moved += String(maskOf({ ...whole, adjustedFor: [] }, text)) === String(atEach) ? 0 : 1;
      }),
      { numRuns: 500 },
    );
    // These would see the future if the whole series were on one basis: about 17 of 500, and seldom less than 10.
    expect(moved).toBeGreaterThan(3);
  });

  it('a value is that of the series that ends there', () => {
    fc.assert(
      fc.property(value, seed, (tree, n) => {
        const { traded, events, whole } = market(n, LENGTH);
        const text = textOf(tree, lehmer(n));
        const atEach = bars.map((t) => knownOf(knownBefore(traded, events, t + 1), text).at(-1));
        expect(knownOf(whole, text)).toEqual(atEach);
      }),
      { numRuns: 300 },
    );
  });

  it('the trades before it are those of the series that ends there, of positions held over events too', () => {
    let exits = 0;
    fc.assert(
      fc.property(condition, held.condition, held.value, held.value, seed, (entry, exit, stop, trail, n) => {
        const { traded, events, whole } = market(n, LENGTH);
        const random = lehmer(n);
        const texts = [
          { entry: textOf(entry, random), exit: textOf(exit, random) },
          { entry: 'close > 0', stop: textOf(stop, random) },
          { entry: 'close > 0', trail: textOf(trail, random) },
        ];
        for (const rules of texts) {
          for (const executeOn of ['close', 'next_open'] as const) {
            const all = tradesOf(whole, rules, executeOn);
            for (const end of [12, 25, 45]) {
              const past = tradesOf(knownBefore(traded, events, end), rules, executeOn);
              const closed = past.filter(([, , reason]) => reason !== 'end_of_data');
              expect(all.slice(0, closed.length)).toEqual(closed);
              exits += closed.length;
            }
          }
        }
      }),
      { numRuns: 200 },
    );
    expect(exits).toBeGreaterThan(1000);
  });

  it('within rounding for factors that round', () => {
    const walk = randomSeries(300, 12);
    const events = [1 / 3, 0.7, 0.99, 7].map((factor, i) =>
      eventAt(walk, 70 * i + 30, factor, i % 2 === 0 ? 'split' : 'spin_off'),
    );
    const traded = asTraded(walk, events);
    const whole = knownBefore(traded, events, 300);
    for (const text of [
      'close',
      'dollar_volume',
      'sma_of(min(close, 50), 30)',
      'lag(close + 1, 20) / volume',
      'macd()',
    ]) {
      for (const [t, figure] of knownOf(whole, text).entries()) {
        const expected = knownOf(knownBefore(traded, events, t + 1), text).at(-1) ?? Number.NaN;
        if (Number.isNaN(expected)) expect(figure).toBeNaN();
        else expect(Math.abs(figure - expected)).toBeLessThanOrEqual(1e-9 * walk.close[t]);
      }
    }
  });
});

describe('a price level', () => {
  // 4:1 before bar 3.
  const traded = seriesOf([40, 44, 48, 11, 12, 10]);
  const split = [eventAt(traded, 3, 0.25)];
  const series = adjustToLastBar(traded, split);

  it('is the price of the day, and its negative too', () => {
    expect(knownOf(series, 'close')).toEqual([...traded.close]);
    expect(knownOf(series, '-close')).toEqual([...traded.close].map((price) => -price));
    expect(maskOf(series, 'close > 20')).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('of an earlier bar is on the basis of the later one', () => {
    expect(knownOf(series, 'lag(close, 1)')).toEqual([Number.NaN, 40, 44, 12, 11, 12]);
    expect(knownOf(series, 'lag(close + 1, 1)')).toEqual([Number.NaN, 41, 45, 13, 12, 13]);
    expect(knownOf(series, 'sma_of(min(close, 20), 2)')).toEqual([Number.NaN, 20, 20, 11.5, 11.5, 11]);
    // Nothing fell below 20 on the day of the split: the close before was 12 of the new shares.
    expect(maskOf(series, 'crosses_below(close, 20)')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(maskOf(series, 'crosses_above(close, 11.5)')).toEqual([0, 0, 0, 0, 1, 0]);
    expect(maskOf(series, 'for_bars(close > 11.5, 2)')).toEqual([0, 1, 1, 0, 0, 0]);
    expect(maskOf(series, 'within_bars(close > 20, 3)')).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('of volume is in shares of the day, of money in money of the day', () => {
    expect(knownOf(series, 'volume')).toEqual([1000, 1000, 1000, 1000, 1000, 1000]);
    expect(knownOf(series, 'dollar_volume')).toEqual([...traded.close].map((price) => 1000 * price));
    expect(maskOf(series, 'volume > 2000')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(maskOf(series, 'sma_of(volume, 2) > 2000')).toEqual([0, 0, 0, 1, 0, 0]);
    // A dividend of a tenth lowers the prices before it, not the number of shares.
    const paid = [...split, eventAt(traded, 5, 0.9, 'cash_dividend')];
    const total = adjustToLastBar(traded, paid, 'total');
    const money = knownOf(total, 'dollar_volume');
    for (const [t, price] of traded.close.entries()) expect(money[t]).toBeCloseTo(1000 * price, 6);
    expect(maskOf(total, 'dollar_volume >= 12000 and close >= 12')).toEqual([1, 1, 1, 0, 1, 0]);
  });
});

describe('a position over a split', () => {
  // 4:1 before bar 3; 12 is 48 of the old shares.
  const traded = seriesOf([40, 44, 48, 11, 11, 8, 12]);
  const series = adjustToLastBar(traded, [eventAt(traded, 3, 0.25)]);
  const entry = 'close > 0';
  const sold = (texts: Omit<RuleTexts, 'entry'>) => tradesOf(series, { entry, ...texts })[0].slice(1);

  it('has its fill, peak, and trough on the new share count', () => {
    expect(sold({ exit: 'entry_price < 20' })).toEqual([3, 'signal']);
    expect(sold({ exit: 'peak < 20 and close <= peak - 1' })).toEqual([3, 'signal']);
    expect(sold({ exit: 'trough_close <= 8' })).toEqual([5, 'signal']);
    expect(sold({ exit: 'close > entry_price + 3' })).toEqual([1, 'signal']);
    expect(sold({ exit: 'for_bars(close > entry_price + 0.5, 4)' })).toEqual([4, 'signal']);
    // At bar 2 it is 41 against 40.5, at bar 3 it is 11 against 11.5.
    expect(sold({ exit: 'entry_price + 1 < lag(close + 0.5, 2)' })).toEqual([3, 'signal']);
  });

  it('has its stop there, and a trail that is carried over', () => {
    expect(sold({ stop: '9' })).toEqual([5, 'stop_loss']);
    expect(sold({ stop: 'entry_price - 1.5' })).toEqual([5, 'stop_loss']);
    // 48 - 2 is 11.5 of the new shares.
    expect(sold({ trail: 'peak - 2' })).toEqual([3, 'trailing_stop']);
    expect(sold({ trail: 'peak - 6' })).toEqual([5, 'trailing_stop']);
    expect(sold({ trail: 'close - 2' })).toEqual([3, 'trailing_stop']);
    expect(sold({ trail: 'min(close, 46) - 3' })).toEqual([5, 'trailing_stop']);
    // A level of 11.9 at the last bar before is 2.975 of the new shares, and rises to 11.9 again.
    expect(sold({ trail: '11.9' })).toEqual([3, 'trailing_stop']);
  });
});

describe('what needs no basis', () => {
  const series = randomSeries(400, 3);
  const split: Adjustment[] = [{ exDay: dayOf(2020, 6, 1), kind: 'split', factor: 0.5 }];
  const splitSeries = adjustSeries(series, split);

  /** Figures in the columns that a rule makes. */
  function cost(bars: BarSeries, text: string): number {
    const indicators = new IndicatorSet(bars);
    let figures = 0;
    const keep = indicators.keep.bind(indicators);
    indicators.keep = (key, compute) =>
      keep(key, () => {
        const column = compute();
        figures += column.length;
        return column;
      });
    new HistoryColumns(indicators).mask(compileCondition(expressionOf(text, 'condition')));
    return figures;
  }

  it.each([
    'crosses_above(sma(20), sma(50)) and close > sma(200) and rsi(14) < 70',
    'close > sma(50) + 0.5 * atr(22) and macd() > macd_signal()',
    'volume > 2 * sma_of(volume, 20) and roc(20) > 5 and close - sma(20) > 0',
    'for_bars(close > lag(close, 5), 3) or month <= 1',
  ])('is computed once, as on a series without events: %s', (text) => {
    expect(compileCondition(expressionOf(text, 'condition')).mixes).toBe(false);
    expect(cost(splitSeries, text)).toBe(cost(series, text));
    expect(maskOf(splitSeries, text)).toEqual(maskOf({ ...splitSeries, adjustedFor: [] }, text));
  });

  it('is a series without events', () => {
    const text = 'for_bars(close > 50, 10) and crosses_above(volume, 5e5)';
    expect(compileCondition(expressionOf(text, 'condition'))).toMatchObject({ mixes: true, reach: 9 });
    expect(maskOf(adjustToLastBar(series, [{ ...split[0], exDay: dayOf(2019, 1, 2) }]), text)).toEqual(
      maskOf(series, text),
    );
  });
});
