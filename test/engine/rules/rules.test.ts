/** Rules: the language, comparison with a second implementation, general properties, and hostile texts. */

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EXECUTE_ON, type Execution } from '../../../engine/backtest/execution.ts';
import { simulate } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { type BarSeries, sliceSeries } from '../../../engine/market/series.ts';
import { substitute } from '../../../engine/rules/canonical.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns, PositionColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { WINDOWS } from '../../../engine/rules/functions/windows.ts';
import { MAX_TEXT } from '../../../engine/rules/lexer.ts';
import { ruleSignals } from '../../../engine/rules/signals.ts';
import { MAX_NODES } from '../../../engine/rules/size.ts';
import { missingParameters, readRules, rulesStrategy } from '../../../engine/rules/strategy.ts';
import type { Expression } from '../../../engine/rules/syntax.ts';
import { effectiveParameters, STRATEGIES } from '../../../engine/strategies/catalogue.ts';
import type { RuleTexts, Strategy } from '../../../engine/strategies/strategy.ts';
import { keysOf } from '../../../engine/util/values.ts';
import { exactStdev } from '../../support/exact.ts';
import { arbitraryTrees, type Held, meaningOf, TooClose, textOf } from '../../support/reference-rules.ts';
import { lehmer, mapSeries, randomSeries, seriesOf, tickSeries } from '../../support/series.ts';

const FREE: Execution = {
  executeOn: 'close',
  commissionRate: 0,
  minCommission: 0,
  slippageBps: 0,
  initialCapital: 100_000,
};

function expressionOf(text: string, options: Partial<Parameters<typeof checkRule>[1]> = {}): Expression {
  const checked = checkRule(text, { result: 'condition', mayUsePosition: true, parameters: null, ...options });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  return checked.expression;
}

function rulesOf(texts: RuleTexts) {
  const read = readRules(texts);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.rules;
}

function run(
  series: BarSeries,
  strategy: Strategy,
  given: Record<string, unknown>,
  execution: Partial<Execution> = {},
) {
  const effective = effectiveParameters(strategy, given);
  if ('refused' in effective) throw new Error(JSON.stringify(effective.refused));
  return simulate({
    series,
    from: 0,
    to: series.length,
    execution: { ...FREE, ...execution },
    finalReason: 'end_of_data',
    ...strategy.plan(new IndicatorSet(series), effective.values),
  });
}

const runRules = (series: BarSeries, texts: RuleTexts, given = {}, execution: Partial<Execution> = {}) =>
  run(series, rulesStrategy(rulesOf(texts), given), given, execution).trades.map((trade) => [
    trade.entryIndex,
    trade.exitIndex,
    trade.exitReason,
  ]);

describe('the built-in strategies as rules', () => {
  const series = Array.from({ length: 50 }, (_, i) =>
    i % 5 === 4 ? tickSeries(700, i + 1, 0.1 + i / 7) : randomSeries(700, i + 1),
  );

  it.each(STRATEGIES.map((strategy) => [strategy.code, strategy] as const))(
    '%s makes the same trades',
    (_, strategy) => {
      const { rules } = strategy;
      if (rules === null) throw new Error('it has no rules');
      const own = Object.keys(strategy.parameters).filter((name) => Object.values(rules).join().includes(`$${name}`));
      const effective = effectiveParameters(strategy, {});
      if ('refused' in effective) throw new Error('its defaults are wrong');
      const given = Object.fromEntries(own.map((name) => [name, effective.values[name]]));
      const asRules = rulesStrategy(rulesOf(rules), given);
      let trades = 0;
      for (const bars of series) {
        for (const executeOn of EXECUTE_ON) {
          const builtIn = run(bars, strategy, {}, { executeOn });
          expect(run(bars, asRules, given, { executeOn }).trades).toEqual(builtIn.trades);
          trades += builtIn.trades.length;
        }
      }
      expect(trades).toBeGreaterThanOrEqual(30);
    },
  );
});

describe('the meaning of a rule', () => {
  const { value, condition } = arbitraryTrees(false);
  const held = arbitraryTrees(true);
  const seed = fc.integer({ min: 1, max: 1e6 });
  /**
   * Every second one has prices of whole ticks, which repeat: of three bars one is put on another share count and back, which
   * breaks equality by rounding alone, and one is higher by a little more than a tie.
   */
  const seriesFor = (length: number, n: number) =>
    n % 2 === 0
      ? randomSeries(length, n)
      : mapSeries(tickSeries(length, n, 1), (figure, column, i) => {
          if (column === 'day' || column === 'volume' || i % 3 === 2) return figure;
          return i % 3 === 1 ? figure * (1 + 1e-8) : (figure / 7) * 7;
        });

  /** Runs a comparison, or skips it if rounding hides the result in both implementations. */
  const compare = (check: () => void) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof TooClose)) throw error;
    }
  };

  it('is that of the second implementation at every bar', () => {
    let compared = 0;
    let truths = 0;
    fc.assert(
      fc.property(condition, seed, (tree, n) => {
        const series = seriesFor(30, n);
        const mask = maskOf(series, expressionOf(textOf(tree, lehmer(n))));
        compare(() => {
          const { holds } = meaningOf(series, null);
          const expected = Array.from({ length: series.length }, (_, t) => (holds(tree, t) === true ? 1 : 0));
          expect([...mask]).toEqual(expected);
          compared++;
          truths += expected.includes(1) && expected.includes(0) ? 1 : 0;
        });
      }),
      { numRuns: 400 },
    );
    expect(compared).toBeGreaterThan(250);
    expect(truths).toBeGreaterThan(80);
  });

  it('is that of the second implementation for values, of a position too', () => {
    const compareValues = (isHeld: boolean) =>
      fc.property(isHeld ? held.value : value, seed, fc.integer({ min: 1, max: 39 }), (tree, n, from) => {
        const series = seriesFor(40, n);
        const node = compileValue(expressionOf(textOf(tree, lehmer(n)), { result: 'value' }));
        const position = isHeld ? { from, entryPrice: series.close[from - 1] } : null;
        const history = new HistoryColumns(new IndicatorSet(series));
        const column = position ? new PositionColumns(history, position, 40).value(node) : history.value(node);
        const first = position ? from : 0;
        expect(column).toHaveLength(40 - first);
        compare(() => {
          const { figureAt } = meaningOf(series, position);
          for (const [i, figure] of column.entries()) {
            const { value: expected, size } = figureAt(tree, first + i);
            if (Number.isNaN(expected)) expect(figure).toBeNaN();
            else expect(Math.abs(figure - expected)).toBeLessThanOrEqual(1e-11 * size);
          }
        });
      });
    fc.assert(compareValues(false), { numRuns: 150 });
    fc.assert(compareValues(true), { numRuns: 150 });
  });

  it('is that of the second implementation while a position is held, up to the end of a range', () => {
    let exits = 0;
    const ends = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(held.condition, seed, fc.integer({ min: 1, max: 30 }), ends, (tree, n, from, bars) => {
        const series = seriesFor(60, n);
        const to = Math.min(series.length, from + bars);
        const position: Held = { from, entryPrice: series.close[from - 1] };
        const rules = rulesOf({ entry: 'close > 0', exit: textOf(tree, lehmer(n)) });
        const { exit } = ruleSignals(rules, new IndicatorSet(series), {});
        const found = exit?.(from, to, position.entryPrice);
        compare(() => {
          const { holds } = meaningOf(series, position);
          let expected = from;
          while (expected < to && holds(tree, expected) !== true) expected++;
          expect(found).toBe(expected);
          exits += expected < to && expected > from ? 1 : 0;
        });
      }),
      { numRuns: 400 },
    );
    expect(exits).toBeGreaterThan(20);
  });

  it('is undefined where a window holds an undefined value, and at no other bar', () => {
    const figure = fc.oneof({ weight: 2, arbitrary: fc.integer({ min: -9, max: 9 }) }, fc.constant(Number.NaN));
    const byHand = {
      sma_of: (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length,
      highest_of: (values: number[]) => Math.max(...values),
      lowest_of: (values: number[]) => Math.min(...values),
      stdev_of: exactStdev,
    } satisfies Partial<Record<keyof typeof WINDOWS, (values: number[]) => number>>;
    fc.assert(
      fc.property(fc.array(figure, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (values, n) => {
        for (const name of keysOf(byHand)) {
          const column = WINDOWS[name].column(Float64Array.from(values), n);
          for (const [t, found] of column.entries()) {
            const last = values.slice(Math.max(0, t - n + 1), t + 1);
            if (last.length < n || last.some(Number.isNaN)) expect(found).toBeNaN();
            else expect(found).toBeCloseTo(byHand[name](last), 12);
          }
        }
      }),
    );
  });

  it('compares the MACD with its signal within a share of the price', () => {
    // After the fall the MACD rises towards a constant, and so ever closer above its signal.
    const series = seriesOf(Array.from({ length: 500 }, (_, i) => 100 + i - (i < 50 ? 0 : 20)));
    const { line, signal } = new IndicatorSet(series).macd(12, 26, 9);
    const bars = Array.from({ length: 500 }, (_, t) => t);
    const above = bars.map((t) => (line[t] - signal[t] > 1e-12 * series.close[t] ? 1 : 0));
    // A tie of other figures, at some of these bars.
    expect(bars.some((t) => above[t] === 1 && line[t] - signal[t] < 1e-9 * line[t])).toBe(true);
    const maskFor = (text: string) => [...maskOf(series, expressionOf(text))];
    expect(maskFor('macd() > macd_signal()')).toEqual(above);
    expect(maskFor('macd_signal() < macd()')).toEqual(above);
    expect(maskFor('macd() <= macd_signal()')).toEqual(above.map((one, t) => (t < 33 ? 0 : 1 - one)));
  });

  it('does not depend on the rules that were computed before from the same columns', () => {
    fc.assert(
      fc.property(condition, condition, seed, (one, other, n) => {
        const series = seriesFor(40, n);
        const columns = new HistoryColumns(new IndicatorSet(series));
        const [a, b] = [textOf(one, lehmer(n)), textOf(other, lehmer(n))];
        for (const text of [`(${a}) and (${b})`, `(${a}) or (${b})`, a, b]) {
          const checked = checkRule(text, { result: 'condition', mayUsePosition: false, parameters: null });
          // Two of them may be larger than one rule may be.
          if ('problems' in checked) continue;
          const { expression } = checked;
          expect([...columns.mask(compileCondition(expression))]).toEqual([...maskOf(series, expression)]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('does not depend on later bars', () => {
    fc.assert(
      fc.property(condition, seed, fc.integer({ min: 1, max: 60 }), (tree, n, cut) => {
        const series = seriesFor(60, n);
        const expression = expressionOf(textOf(tree, lehmer(n)));
        expect([...maskOf(sliceSeries(series, 0, cut), expression)]).toEqual([
          ...maskOf(series, expression).subarray(0, cut),
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it('makes trades that later bars do not change', () => {
    fc.assert(
      fc.property(
        condition,
        held.condition,
        held.value,
        seed,
        fc.integer({ min: 1, max: 120 }),
        (entry, exit, trail, n, cut) => {
          const series = seriesFor(120, n);
          const random = lehmer(n);
          const texts = { entry: textOf(entry, random), exit: textOf(exit, random), trail: textOf(trail, random) };
          const whole = runRules(series, texts);
          const past = runRules(sliceSeries(series, 0, cut), texts).filter(([, , reason]) => reason !== 'end_of_data');
          expect(whole.slice(0, past.length)).toEqual(past);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is one tree in all of its spellings', () => {
    fc.assert(
      fc.property(condition, seed, seed, (tree, one, other) => {
        expect(expressionOf(textOf(tree, lehmer(one)))).toEqual(expressionOf(textOf(tree, lehmer(other))));
      }),
      { numRuns: 500 },
    );
  });

  it('is computed in a bounded number of steps', () => {
    const length = 2_000;
    const series = randomSeries(length, 5);
    fc.assert(
      fc.property(condition, held.condition, held.value, seed, (entry, exit, stop, n) => {
        const random = lehmer(n);
        const indicators = new IndicatorSet(series);
        const steps = countSteps(indicators);
        const rules = rulesOf({ entry: textOf(entry, random), exit: textOf(exit, random), stop: textOf(stop, random) });
        ruleSignals(rules, indicators, {});
        expect(steps()).toBeLessThanOrEqual(3 * 4 * MAX_NODES * length);
      }),
      { numRuns: 100 },
    );
  });
});

/** Returns the number of figures in the cached columns of a set of indicators. */
function countSteps(indicators: IndicatorSet): () => number {
  let steps = 0;
  const keep = indicators.keep.bind(indicators);
  indicators.keep = (key, compute) =>
    keep(key, () => {
      const column = compute();
      steps += column.length;
      return column;
    });
  return () => steps;
}

function maskOf(series: BarSeries, expression: Expression): Uint8Array {
  return new HistoryColumns(new IndicatorSet(series)).mask(compileCondition(expression));
}

describe('the language', () => {
  it.each([
    [
      'close > 5 or close > 6 and close > 7',
      ['or', ['>', ['close'], 5], ['and', ['>', ['close'], 6], ['>', ['close'], 7]]],
    ],
    ['not close > 5 and close > 6', ['and', ['>', ['close'], 6], ['not', ['>', ['close'], 5]]]],
    ['not not close > 5', ['>', ['close'], 5]],
    ['1 + 2 * 3 - 4 / 5 > -close', ['>', ['-', ['+', 1, ['*', 2, 3]], ['/', 4, 5]], ['neg', ['close']]]],
    ['8 - 4 - 2 > 0', ['>', ['-', ['-', 8, 4], 2], 0]],
    ['-(-5) < close', ['>', ['close'], 5]],
    ['CLOSE>=Sma( 20 )', ['>=', ['close'], ['sma', 20]]],
    ['close <= ema()', ['>=', ['ema', 20], ['close']]],
    ['crosses_below(close, macd_signal())', ['crosses_above', ['macd_signal', 12, 26, 9], ['close']]],
    ['dollar_volume > 1e6', ['>', ['*', ['close'], ['volume']], 1_000_000]],
    ['close > 5 && (close > 5 && close > 6)', ['and', ['>', ['close'], 5], ['>', ['close'], 6]]],
    ['for_bars(rsi < 30, 3)'.replace('rsi', 'rsi(14)'), ['for_bars', ['>', 30, ['rsi', 14]], 3]],
    ['\tclose\n>\r\n.5', ['>', ['close'], 0.5]],
    ['close > 6 or (close > 5 or close > 6)', ['or', ['>', ['close'], 5], ['>', ['close'], 6]]],
    ['close > 5 and close > 5', ['>', ['close'], 5]],
    ['min(open, close) > max(open, close)', ['>', ['min', ['close'], ['open']], ['max', ['close'], ['open']]]],
    ['--open > -0', ['>', ['open'], 0]],
  ])('reads %j', (text, expected) => {
    expect(expressionOf(text)).toEqual(expected);
  });

  it.each([
    ['rule_empty', 0, 0, ''],
    ['rule_empty', 0, 3, '  \n'],
    ['rule_character_meant', 6, 7, 'close ＞ 5'],
    ['rule_character_meant', 6, 7, 'close ≥ 5'],
    ['rule_character', 0, 1, 'сlose > 5'],
    ['rule_character', 10, 12, 'close > 5 😀'],
    ['rule_unexpected', 11, 12, 'close > 5 // note'],
    ['rule_unexpected', 11, 12, 'close > 5 /* note */'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template must not be read as one
    ['rule_character', 0, 1, '${close} > 5'],
    ['rule_character', 6, 7, 'close # 5'],
    ['rule_character', 8, 9, 'close > #5'],
    ['rule_character', 5, 6, 'close[1] > 5'],
    ['rule_character', 5, 6, 'close; drop'],
    ['rule_unexpected', 10, 11, 'close > 5 > 6'],
    ['rule_unexpected_end', 7, 7, 'close >'],
    ['rule_unexpected_end', 10, 10, '(close > 5'],
    ['rule_unexpected', 9, 10, 'close > 5)'],
    ['rule_unexpected', 6, 11, 'close close'],
    ['rule_unexpected', 4, 5, 'sma(,) > 5'],
    ['rule_unexpected', 0, 1, '> 5'],
    ['rule_unknown_name', 0, 3, 'foo > 5'],
    ['rule_unknown_name', 0, 11, 'constructor > 5'],
    ['rule_unknown_name', 0, 9, '__proto__ > 5'],
    ['rule_unknown_name', 0, 8, 'toString() > 5'],
    ['rule_character', 0, 1, '$__proto__ > 5'],
    ['rule_needs_condition', 0, 5, 'close'],
    ['rule_needs_value', 8, 19, 'close + (close > 5) > 1'],
    ['rule_needs_condition', 0, 5, 'close and close > 5'],
    ['rule_needs_brackets', 0, 3, 'rsi < 30'],
    ['rule_no_brackets', 0, 7, 'close() > 5'],
    ['rule_argument_count', 0, 9, 'sma(1, 2) > 5'],
    ['rule_argument_count', 0, 17, 'between(close, 1)'],
    ['rule_argument_range', 4, 5, 'sma(0) > 5'],
    ['rule_argument_range', 4, 7, 'sma(505) > 5'],
    ['rule_argument_range', 11, 14, 'lag(close, 253) > 5'],
    ['rule_argument_integer', 4, 7, 'sma(2.5) > 5'],
    ['rule_argument_constant', 4, 9, 'sma(close) > 5'],
    ['rule_argument_constant', 4, 11, 'sma(10 + 10) > 5'],
    ['rule_argument_constant', 4, 6, 'sma(-5) > 5'],
    ['rule_arguments_order', 0, 12, 'macd(26, 12) > 0'],
    ['rule_number_too_large', 8, 12, 'close > 1e16'],
    ['rule_number_too_large', 8, 13, 'close > 1e999'],
    ['rule_too_deep', 24, 25, `${'('.repeat(300)}close${')'.repeat(300)} > 1`],
    ['rule_too_many_nodes', 0, 909, `${'!'.repeat(900)}close > 1`],
    ['rule_too_deep', 44, 49, `${'abs('.repeat(11)}close${')'.repeat(11)} > 1`],
    ['rule_too_many_nodes', 0, 457, `${'close > 1 and '.repeat(32)}close > 1`],
    ['rule_too_long', 1_000, 1_001, 'close > 1'.padEnd(MAX_TEXT + 1)],
  ])('reports %s at %i to %i', (code, from, to, text) => {
    const checked = checkRule(text, { result: 'condition', mayUsePosition: true, parameters: null });
    expect(checked).toMatchObject({ problems: [{ code, at: { from, to } }] });
  });

  it('lists what is allowed where a rule goes wrong', () => {
    const expected = (text: string) => {
      const checked = checkRule(text, { result: 'condition', mayUsePosition: true, parameters: null });
      return 'problems' in checked ? checked.problems[0].expected : [];
    };
    expect(expected('close >')).toEqual(['number', 'name', '$parameter', '(', '-']);
    expect(expected('close > 5 6')).toEqual(['+', '-', '*', '/', 'and', 'or', 'end']);
    expect(expected('close')).toEqual([]);
    expect(expected('sma(')).toEqual(['number', 'name', '$parameter', '(', '-', 'not', ')']);
    expect(expected('max(close, open volume)')).toEqual([
      '(',
      '+',
      '-',
      '*',
      '/',
      '>',
      '>=',
      '<',
      '<=',
      '=',
      '!=',
      'and',
      'or',
      ',',
      ')',
    ]);
  });

  it('allows chains of any length within its nodes, and nesting up to its maximum depth', () => {
    expect(() => expressionOf(Array(16).fill('close > 1').join(' and '))).not.toThrow();
    expect(() => expressionOf(`${Array(31).fill('1').join(' + ')} > 1`)).not.toThrow();
    expect(() => expressionOf(`${'abs('.repeat(10)}close${')'.repeat(10)} > 1`)).not.toThrow();
  });

  it('reports a position in each of ten thousand hostile texts', () => {
    const pieces = [
      ...[
        '(',
        ')',
        ',',
        '$',
        '$a',
        '-',
        '!',
        '&&',
        '||',
        '>',
        '<=',
        '.',
        '1',
        '9e9',
        '1e999',
        '1.2.3',
        '0x1',
        '\u0000',
        '\n',
      ],
      ...['close', 'sma', 'sma(20)', 'rsi(', 'lag(close,', 'not', 'and', 'constructor', '__proto__', 'hasOwnProperty'],
      ...[
        '//',
        '/*',
        '*/',
        '#',
        '`',
        '"',
        "'",
        '\\',
        '{',
        '}',
        '[',
        ']',
        '；',
        '＞',
        '（',
        'ａ',
        'сlose',
        '\u202e',
        '\ud800',
        '😀',
      ],
    ];
    const random = lehmer(11);
    const pick = () => pieces[Math.floor(random() * pieces.length)];
    let refused = 0;
    for (let i = 0; i < 10_000; i++) {
      const length = Math.floor(random() * (i % 10 === 0 ? 400 : 25));
      const separator = random() < 0.5 ? ' ' : '';
      const text = Array.from({ length }, pick).join(separator);
      const checked = checkRule(text, { result: 'condition', mayUsePosition: false, parameters: null });
      if (!('problems' in checked)) continue;
      refused++;
      for (const { at } of checked.problems) {
        expect(at.from).toBeGreaterThanOrEqual(0);
        expect(at.to).toBeGreaterThanOrEqual(at.from);
        expect(at.to).toBeLessThanOrEqual(text.length);
      }
    }
    expect(refused).toBeGreaterThan(9_900);
  });

  it('has a problem or a meaning for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const checked = checkRule(text, { result: 'condition', mayUsePosition: true, parameters: null });
        expect('problems' in checked ? checked.problems.length : 1).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parameters', () => {
  it('take the ranges that their uses allow', () => {
    const { parameters, ordered } = rulesOf({
      entry: 'sma($fast) > sma($slow) and $level < close',
      exit: 'macd($fast, $slow) < 0 or lag(close, $slow) > macd($other, 26)',
    });
    expect(Object.fromEntries([...parameters].map(([name, { kind, min, max }]) => [name, [kind, min, max]]))).toEqual({
      fast: ['integer', 1, 504],
      slow: ['integer', 1, 252],
      level: ['number', -1e15, 1e15],
      other: ['integer', 1, 25],
    });
    expect(ordered).toEqual([['fast', 'slow']]);
    const long = 'a'.repeat(32);
    const rangesOf = (entry: string) =>
      [...rulesOf({ entry }).parameters].map(([name, { kind, min, max }]) => [name, kind, min, max]);
    expect(rangesOf(`close > $${long} and macd(5, $${long}) > 0`)).toEqual([[long, 'integer', 6, 504]]);
    expect(rangesOf('macd($n, 2) > 0 and sma($n) > $n')).toEqual([['n', 'integer', 1, 1]]);
    expect(rangesOf('bollinger_upper(20, $k) > close + $k')).toEqual([['k', 'number', 0, 100]]);
    const eight = Array.from({ length: 8 }, (_, i) => `$p${i} > 1`).join(' and ');
    expect(rangesOf(`${eight} and close > $p3`)).toHaveLength(8);
  });

  it('are refused where they are not allowed', () => {
    const codes = (texts: RuleTexts) => {
      const read = readRules(texts);
      return 'problems' in read ? read.problems.map(({ part, code, at }) => [part, code, at.from]) : [];
    };
    const many = Array.from({ length: 9 }, (_, i) => `$p${i} > 1`).join(' and ');
    expect(codes({ entry: many })).toEqual([['entry', 'rule_too_many_parameters', 96]]);
    expect(codes({ entry: 'close > $max_bars' })).toEqual([['entry', 'rule_parameter_name', 8]]);
    expect(codes({ entry: 'close > 1', exit: `close > $${'a'.repeat(33)}` })).toEqual([
      ['exit', 'rule_parameter_name', 8],
    ]);
    expect(codes({ entry: 'macd($a, 1) > 0' })).toEqual([['entry', 'rule_parameter_range', 0]]);
    expect(codes({ entry: 'close > entry_price', stop: 'close > 1', trail: 'foo' })).toEqual([
      ['entry', 'rule_position_here', 8],
      ['stop', 'rule_needs_value', 0],
      ['trail', 'rule_unknown_name', 0],
    ]);
    expect(missingParameters(rulesOf({ entry: 'close > 1', exit: 'close > $a' }), {})).toMatchObject([
      { part: 'exit', code: 'rule_parameter_missing', at: { from: 8, to: 10 } },
    ]);
  });

  it('are replaced by their values, and only what depends on them is computed again', () => {
    const series = randomSeries(300, 3);
    const rules = rulesOf({
      entry: 'crosses_above(sma($fast), sma(50)) and close > sma(200)',
      exit: 'close < sma(50)',
    });
    const indicators = new IndicatorSet(series);
    const steps = countSteps(indicators);
    ruleSignals(rules, indicators, { fast: 10 });
    const first = steps();
    ruleSignals(rules, indicators, { fast: 12 });
    const second = steps() - first;
    // The crossover: its average, its two comparisons, one of them a bar before, both of them, and the whole rule.
    expect(second).toBeLessThanOrEqual(6 * series.length);
    ruleSignals(rules, indicators, { fast: 10 });
    expect(steps()).toBe(first + second);
    expect(substitute(rules.entry, { fast: 10 })).toEqual(
      expressionOf('close > sma(200) and crosses_above(sma(10), sma(50))'),
    );
  });
});

describe('exits', () => {
  const bars = seriesOf([10, 10, 12, 11, 13, 12.4, 9, 9]);

  it('count in their order: stop, trail, exit', () => {
    const entry = 'close > 0 and close < 10.5 and lag(close, 1) >= 10';
    expect(runRules(bars, { entry, stop: 'entry_price * 0.95', trail: 'peak * 0.9', exit: 'close < 9.5' })).toEqual([
      [1, 6, 'stop_loss'],
    ]);
    expect(runRules(bars, { entry, trail: 'peak * 0.95', exit: 'close < 9.5' })[0]).toEqual([1, 3, 'trailing_stop']);
    expect(runRules(bars, { entry, exit: 'bars_held >= 3' })[0]).toEqual([1, 4, 'signal']);
    expect(runRules(bars, { entry, exit: 'bars_held >= 3' }, {}, { executeOn: 'next_open' })[0]).toEqual([
      2,
      5,
      'signal',
    ]);
    expect(runRules(bars, { entry, exit: 'bars_held >= 3' }, { stop_loss_pct: 5, take_profit_pct: 20 })[0]).toEqual([
      1,
      2,
      'take_profit',
    ]);
    expect(runRules(bars, { entry, exit: 'pnl_pct >= 20' })[0]).toEqual([1, 2, 'signal']);
  });

  it('measure the position from its fill before slippage', () => {
    const rising = seriesOf([10, [10, 12, 9, 11], [11, 11, 11, 11], [11, 14, 8, 12], [12, 12, 12, 12], 12]);
    const entry = 'close == 11'.replace('==', '>=');
    const exits = (exit: string, execution: Partial<Execution> = {}) =>
      runRules(rising, { entry, exit }, {}, execution)[0];
    expect(exits('peak >= 14 and trough <= 8')).toEqual([1, 3, 'signal']);
    expect(exits('peak_close >= 12 and trough_close >= 11')).toEqual([1, 3, 'signal']);
    expect(exits('entry_price >= 11.001', { slippageBps: 500 })).toEqual([1, 5, 'end_of_data']);
    // Bought at a close, the fill bar's own range is not the position's.
    expect(exits('trough <= 9 and bars_held <= 1')).toEqual([1, 5, 'end_of_data']);
    expect(exits('crosses_above(close, entry_price)')).toEqual([1, 3, 'signal']);
  });

  it('let a trail only rise, and leave it where its value is undefined', () => {
    const series = seriesOf([10, 10, 20, 12, 12, 12, 12]);
    expect(runRules(series, { entry: 'close <= 10', trail: 'lag(close, 1) * 0.7' })[0]).toEqual([
      0,
      3,
      'trailing_stop',
    ]);
    expect(runRules(series, { entry: 'close <= 10', stop: 'lag(close, 2) * 0.7' })[0]).toEqual([0, 4, 'stop_loss']);
    const trailed = (closes: readonly number[], trail: string) =>
      runRules(seriesOf(closes), { entry: 'close <= 10 and close > 9', trail })[0];
    for (const trail of ['lag(close, 1) * 0.7', 'lag(close, 1) * 0.7 + 0 * entry_price']) {
      // Its value falls from 14 to 10.5 on the day before the close is 13.
      expect(trailed([10, 10, 20, 15, 13, 13], trail)).toEqual([0, 4, 'trailing_stop']);
      expect(trailed([10, 6, 6, 6], trail)).toEqual([0, 1, 'trailing_stop']);
      // On a Thursday it is undefined, and stays at 14.
      expect(trailed([10, 20, 19, 12, 12, 12], `${trail} + 0 / (day_of_week - 4)`)).toEqual([0, 3, 'trailing_stop']);
    }
    expect(runRules(series, { entry: 'close <= 10', trail: 'close / 0' })[0]).toEqual([0, 6, 'end_of_data']);
  });
});
