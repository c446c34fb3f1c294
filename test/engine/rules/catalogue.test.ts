/** The catalogue of functions: each is compiled and run as its record declares. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { factorTo } from '../../../engine/market/basis.ts';
import { closesOf } from '../../../engine/market/series.ts';
import { areOfCloses, rotationRules } from '../../../engine/rotation/rules.ts';
import { checkRule } from '../../../engine/rules/check.ts';
import { HistoryColumns, PositionColumns } from '../../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../../engine/rules/compile.ts';
import { completionsAt } from '../../../engine/rules/complete.ts';
import { isConstant, RULE_FUNCTIONS } from '../../../engine/rules/functions/catalogue.ts';
import type { RuleFunction } from '../../../engine/rules/functions/function.ts';
import { conditionBars, indicatorsAt, RULE_BARS, valueBars } from '../../../engine/screener/rule-figures.ts';
import { PERIOD_RANGE } from '../../../engine/screener/running-means.ts';
import { newestView } from '../../../engine/screener/snapshot.ts';
import { arbitraryTrees, meaningOf, namesIn, TooClose } from '../../support/reference-rules.ts';
import { mapSeries, randomSeries } from '../../support/series.ts';
import { snapshotOf } from '../../support/snapshots.ts';

const series = randomSeries(900, 5);
const history = new HistoryColumns(new IndicatorSet(series));
const functions = RULE_FUNCTIONS.map((fn) => [fn.name, fn] as const);
/** Those that need one instrument only; `across.test.ts` has the others. */
const ofOne = functions.filter(([, { kind }]) => !['across', 'pair', 'other', 'own'].includes(kind));
const ofBars = ofOne.filter(([, { kind }]) => !['position', 'period'].includes(kind));

const VALUES = ['close', 'open', 'high'];

const constantsOf = ({ args }: RuleFunction) => (args ?? []).filter(isConstant);
const defaultsOf = (fn: RuleFunction) => constantsOf(fn).map((argument) => argument.default);
/** Shorter than the defaults, in the same order. */
const shortOf = (fn: RuleFunction) => constantsOf(fn).map((one) => Math.max(one.min, Math.ceil(one.default / 4)));

/** As long as a window of a snapshot, and longer than the means that are carried over. */
const longOf = (fn: RuleFunction) =>
  constantsOf(fn).map((one, i) => (one.kind === 'integer' ? Math.min(one.max, PERIOD_RANGE.max + 1 + i) : one.default));

/** The text of a call; its other arguments are taken from `given` and `condition`. */
function callOf(fn: RuleFunction, constants: readonly number[], given = VALUES, condition = 'close > open'): string {
  if (fn.args === null) return fn.name;
  const [values, numbers] = [[...given], [...constants]];
  const args = fn.args.map((argument) => {
    if (isConstant(argument)) return numbers.shift();
    return argument.kind === 'value' ? values.shift() : condition;
  });
  return `${fn.name}(${args.join(', ')})`;
}

function expressionOf(text: string, { result }: Pick<RuleFunction, 'result'>) {
  if (result === 'either') throw new Error(`${text} has no kind of its own`);
  const checked = checkRule(text, { result, mayUsePosition: true, parameters: null });
  if ('problems' in checked) throw new Error(`${text}: ${JSON.stringify(checked.problems)}`);
  return checked.expression;
}

/** At each bar its figure, or 1 and 0 for true and false; NaN where it is undefined. */
function columnOf(columns: HistoryColumns, text: string, fn: RuleFunction): number[] {
  const expression = expressionOf(text, fn);
  if (fn.result === 'value') return [...columns.value(compileValue(expression))];
  const isFalse = columns.mask(compileCondition(expression, false));
  return Array.from(columns.mask(compileCondition(expression)), (isTrue, t) =>
    isTrue || isFalse[t] ? isTrue : Number.NaN,
  );
}

/** Bars through the first one that has a figure. */
function lookbackOf(fn: RuleFunction, constants: readonly number[]): number {
  switch (fn.kind) {
    case 'bar':
    case 'pointwise':
    case 'position':
      return 1;
    case 'indicator':
      return fn.bars(constants);
    case 'window':
      return 1 + fn.barsBefore(constants[0]);
    case 'comparison':
      return fn.holds(['x', 'y', 'z']).some(({ isBefore }) => isBefore) ? 2 : 1;
    case 'choice':
      return 1;
    case 'duration':
    case 'count':
      return constants[0];
    case 'spelling':
      return fn.name === 'crosses_below' ? 2 : 1;
    case 'across':
    case 'pair':
    case 'other':
    case 'own':
    case 'period':
      throw new Error(`${fn.name} needs other instruments, columns, or periods`);
  }
}

describe('the catalogue', () => {
  it('has names of the language, each once, and arguments with defaults in their ranges', () => {
    const names = RULE_FUNCTIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const fn of RULE_FUNCTIONS) {
      expect(fn.name).toMatch(/^(?!(and|or|not)$)[a-z][a-z0-9_]*$/);
      for (const { min, max, default: usual } of constantsOf(fn)) {
        expect(usual).toBeGreaterThanOrEqual(min);
        expect(usual).toBeLessThanOrEqual(max);
      }
      // Only trailing arguments can be omitted.
      const args = fn.args?.filter(({ kind }) => kind !== 'group');
      expect(args?.slice(args.length - constantsOf(fn).length).every(isConstant)).not.toBe(false);
    }
  });

  it('is the same as that of the independent reference, whose random rules use every function', () => {
    const { value, condition } = arbitraryTrees(true);
    const held = { from: 100, entryPrice: series.close[99] };
    const { figureAt, holds } = meaningOf(series, held);
    const used = new Set<string>();
    const run = (trees: typeof value, evaluate: (tree: Parameters<typeof holds>[0], t: number) => unknown) => {
      for (const tree of fc.sample(trees, { seed: 1, numRuns: 1_000 })) {
        for (const name of namesIn(tree)) used.add(name);
        try {
          evaluate(tree, 120);
        } catch (error) {
          // The trees whose result depends on rounding are known to the reference, too.
          if (!(error instanceof TooClose)) throw error;
        }
      }
    };
    run(value, figureAt);
    run(condition, holds);
    expect([...used].sort()).toEqual(ofOne.map(([name]) => name).sort());
  });

  it.each(functions)('describes %s in three languages, and offers it in editors', (name, fn) => {
    const texts = Object.values(fn.description);
    expect(texts.map((one) => one.trim().length > 0)).toEqual([true, true, true]);
    if (/[A-Za-z]{2}/.test(fn.description.en)) expect(texts.filter((one) => one === fn.description.en)).toHaveLength(1);
    expect(fn.source).not.toBe('');
    expect(
      completionsAt(name.slice(0, -1), name.length - 1, { mayUsePosition: true, market: 'peers' }).functions,
    ).toContain(fn);
  });

  it.each(ofBars)('%s has figures from the end of its look-back on', (_, fn) => {
    for (const constants of [defaultsOf(fn), shortOf(fn)]) {
      // A condition may be known before, where one of its parts decides it.
      const texts = [
        callOf(fn, constants, VALUES, 'close > 0'),
        callOf(fn, constants, VALUES.toReversed(), 'close < 0'),
        callOf(fn, constants, ['open', 'close', 'low']),
      ];
      const firsts = texts.map((text) => columnOf(history, text, fn).findIndex((figure) => !Number.isNaN(figure)));
      expect(Math.max(...firsts) + 1).toBe(lookbackOf(fn, constants));
      expect(columnOf(history, callOf(fn, constants), fn).slice(lookbackOf(fn, constants) - 1)).not.toContain(
        Number.NaN,
      );
    }
  });

  it.each(ofBars)('%s reads days and closes alone where a rotation takes it to', (_, fn) => {
    const text = callOf(fn, shortOf(fn), ['close', 'sma(3)', 'rsi(3)'], 'close > sma(3)');
    const rules = rotationRules(fn.result === 'value' ? { score: text } : { score: 'close', where: text });
    const closes = new HistoryColumns(new IndicatorSet(closesOf(series)));
    const [found, whole] = [closes, history].map((columns) => columnOf(columns, text, fn));
    if (areOfCloses(rules)) expect(found).toEqual(whole);
    else expect(found).not.toEqual(whole);
  });

  it.each(ofBars)('%s is the same at the last bar of a window that is as long as it needs', (_, fn) => {
    for (const constants of [defaultsOf(fn), shortOf(fn), longOf(fn)]) {
      const text = callOf(fn, constants);
      const expression = expressionOf(text, fn);
      const needed =
        fn.result === 'value' ? valueBars(compileValue(expression)) : conditionBars(compileCondition(expression));
      // Without a form for windows, or with means that are not carried over, the whole history is read.
      if (fn.kind === 'indicator' && fn.window !== 'look-back' && needed === Number.POSITIVE_INFINITY) {
        expect('none' in fn.window || Math.max(...fn.window.carried(constants)) > PERIOD_RANGE.max).toBe(true);
        continue;
      }
      // Facts of the instrument are read with its whole history.
      if (fn.kind === 'bar' && fn.isOfHistory) {
        expect(needed).toBe(Number.POSITIVE_INFINITY);
        continue;
      }
      expect(needed).toBeLessThanOrEqual(RULE_BARS);
      const view = newestView(snapshotOf([series], needed), series.day[series.length - 1]);
      const column = columnOf(new HistoryColumns(indicatorsAt(view, 0)), text, fn);
      const [found, whole] = [column[needed - 1], columnOf(history, text, fn)[series.length - 1]];
      // Means are carried over in single precision, and differences of means are small.
      const size = fn.kind === 'indicator' && fn.dimension.price === 1 ? series.close[series.length - 1] : 0;
      expect(column).toHaveLength(needed);
      expect(Math.abs(found - whole)).toBeLessThanOrEqual(2e-7 * Math.max(size, Math.abs(whole)));
    }
  });

  it.each(ofBars)('%s changes with the basis of prices and volumes as its dimension says', (_, fn) => {
    const basis = { price: 4, shares: 4 };
    const rebased = mapSeries(series, (figure, column) => {
      if (column === 'day') return figure;
      return column === 'volume' ? figure * basis.shares : figure / basis.price;
    });
    const text = callOf(fn, defaultsOf(fn));
    const [before, after] = [history, new HistoryColumns(new IndicatorSet(rebased))].map(
      (columns) => columnOf(columns, text, fn)[series.length - 1],
    );
    const dimension = fn.result === 'value' ? compileValue(expressionOf(text, fn)).dimension : null;
    // A logarithm of prices is not one number × another basis.
    if (fn.result === 'value' && dimension === null) {
      expect(['ln', 'sqrt']).toContain(fn.name);
      return;
    }
    const factor = dimension === null || dimension === 'any' ? 1 : factorTo(basis, dimension);
    expect(Math.abs(after - before * factor)).toBeLessThanOrEqual(1e-9 * Math.abs(before * factor));
  });

  it.each(functions.filter(([, { kind }]) => kind === 'position'))(
    '%s has a figure at each bar of a position',
    (_, fn) => {
      const node = compileValue(expressionOf(fn.name, fn));
      const column = new PositionColumns(history, { from: 100, entryPrice: series.close[99] }, 140).value(node);
      expect(column).toHaveLength(40);
      expect(column).not.toContain(Number.NaN);
      expect(valueBars(node)).toBe(Number.POSITIVE_INFINITY);
    },
  );
});
