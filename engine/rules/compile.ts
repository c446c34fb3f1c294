/** Compiles an expression without parameters to the program of its columns. */

import { type Dimension, NO_DIMENSION, PRICE, SHARES } from '../market/basis.ts';
import { COLUMN_DIMENSIONS, type ColumnFacts } from '../market/own-columns.ts';
import { GROUPS } from './functions/across.ts';
import { SIGNS } from './functions/arithmetic.ts';
import { PRICES_AND_VOLUME } from './functions/bar-values.ts';
import { RULE_FUNCTIONS } from './functions/catalogue.ts';
import { COMPARISON_SIGNS } from './functions/conditions.ts';
import type { AcrossFunction, Compared, Comparison, Pointwise, WindowFunction } from './functions/function.ts';
import { INDICATORS } from './functions/indicators.ts';
import { POSITION_VALUES } from './functions/position-values.ts';
import { WINDOWS } from './functions/windows.ts';
import { conditionNode, valueNode } from './nodes.ts';
import type { Condition, Value } from './program.ts';
import { argumentsOf, type Expression, isParameter, isText, type Operation } from './syntax.ts';

/** The operations of expressions, except `and`, `or`, `not`. */
const OPERATIONS = new Map(
  [...RULE_FUNCTIONS, ...Object.values(SIGNS), ...COMPARISON_SIGNS].map((operation) => [operation.name, operation]),
);

const constant = (value: number): Value => valueNode({ kind: 'constant', value });
const CLOSE: Value = valueNode({ kind: 'bar', fn: PRICES_AND_VOLUME.close });

function unknown(expression: Expression): never {
  throw new RangeError(`not a rule: ${JSON.stringify(expression)}`);
}

function operationOf(expression: Operation) {
  return OPERATIONS.get(expression[0]) ?? unknown(expression);
}

/** The program of a value. */
export function compileValue(expression: Expression): Value {
  if (typeof expression === 'number') return constant(expression);
  if (isParameter(expression) || isText(expression)) return unknown(expression);
  const fn = operationOf(expression);
  const args = argumentsOf(expression);
  switch (fn.kind) {
    case 'bar':
      return valueNode({ kind: 'bar', fn });
    case 'position':
      return valueNode({ kind: 'position', fn });
    case 'indicator':
      return valueNode({ kind: 'indicator', fn, args: args.map(numberOf) });
    case 'pointwise':
      return pointwise(fn, args.map(compileValue));
    case 'window':
      return windowOf(fn, compileValue(args[0]), numberOf(args[1]));
    case 'across':
      return fn.result === 'value' ? across(fn, args) : unknown(expression);
    case 'choice': {
      const [c, x, y = Number.NaN] = args;
      const [isTrue, isFalse] = [compileCondition(c), compileCondition(c, false)];
      return valueNode({ kind: 'choice', isTrue, isFalse, x: compileValue(x), y: compileValue(y) });
    }
    case 'count':
      return valueNode({ kind: 'count', part: compileCondition(args[0]), n: numberOf(args[1]) });
    case 'period':
      return valueNode({ kind: 'period', period: fn.period, part: compileValue(args[0]) });
    case 'pair':
      return valueNode({ kind: 'pair', fn, ticker: textOf(args[0]), n: numberOf(args[1]), k: numberOf(args[2] ?? 1) });
    case 'other':
      return valueNode({ kind: 'other', ticker: textOf(args[0]), part: compileValue(args[1]) });
    case 'own':
      return own(args, null);
    case 'comparison':
    case 'duration':
    case 'spelling':
      return unknown(expression);
  }
}

function numberOf(expression: Expression): number {
  return typeof expression === 'number' ? expression : unknown(expression);
}

function textOf(expression: Expression): string {
  return isText(expression) ? expression[1] : unknown(expression);
}

function across(fn: AcrossFunction, args: readonly Expression[]): Value {
  const [x, ...rest] = args;
  const constant = rest.find((argument) => typeof argument === 'number');
  const word = rest.find(isText);
  const labels = rest.find((argument) => typeof argument !== 'number' && !isText(argument));
  return valueNode({
    kind: 'across',
    fn,
    part: x === undefined ? null : compileValue(x),
    constant: typeof constant === 'number' ? constant : 0,
    group: labels === undefined ? (GROUPS.find((known) => known === word?.[1]) ?? null) : compileValue(labels),
  });
}

/** Money is the same on every basis, because a split leaves it as it is. */
const DIMENSIONS: Readonly<Record<ColumnFacts['dimension'], Dimension>> = {
  none: NO_DIMENSION,
  money: NO_DIMENSION,
  shares: SHARES,
  price: PRICE,
};

/** `args`: the name, the sessions that a value may be old, and the dimension. */
function own([name, ...rest]: readonly Expression[], label: string | null): Value {
  const within = rest.find((argument) => typeof argument === 'number');
  const word = rest.find(isText)?.[1] ?? 'none';
  return valueNode({
    kind: 'own',
    column: textOf(name),
    within: typeof within === 'number' ? within : null,
    label,
    dimension: DIMENSIONS[COLUMN_DIMENSIONS.find((known) => known === word) ?? 'none'],
  });
}

function windowOf(fn: WindowFunction, a: Value, n: number): Value {
  return fn === WINDOWS.lag && n === 0 ? a : valueNode({ kind: 'window', fn, a, n });
}

/** Computes operations on constants at once; a result that is not finite is undefined. */
function pointwise(fn: Pointwise, parts: readonly Value[]): Value {
  const numbers = parts.flatMap(({ program }) => (program.kind === 'constant' ? [Float64Array.of(program.value)] : []));
  if (numbers.length < parts.length) return valueNode({ kind: 'pointwise', fn, parts });
  const [result] = fn.column(numbers);
  return constant(Number.isFinite(result) ? result : Number.NaN);
}

/** The program of a condition: of the bars at which it is certainly true or, with `isTrue` false, certainly false. */
export function compileCondition(expression: Expression, isTrue = true): Condition {
  if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return unknown(expression);
  const [name] = expression;
  const args = argumentsOf(expression);
  if (name === 'not') return compileCondition(args[0], !isTrue);
  if (name === 'and' || name === 'or') {
    const parts = args.map((part) => compileCondition(part, isTrue));
    return conditionNode({ kind: (name === 'and') === isTrue ? 'all' : 'any', parts });
  }
  const fn = operationOf(expression);
  switch (fn.kind) {
    case 'comparison':
      if (args.some(isText)) return hasLabel(args, isTrue);
      return comparison(fn.holds(args.map(compileValue)), isTrue);
    case 'duration': {
      const kind = (fn.over === 'forBars') === isTrue ? 'forBars' : 'withinBars';
      return conditionNode({ kind, part: compileCondition(args[0], isTrue), n: numberOf(args[1]) });
    }
    case 'across':
      return fn.result === 'condition'
        ? conditionNode({ kind: 'flag', part: across(fn, args), is: Number(isTrue) })
        : unknown(expression);
    case 'other':
      return conditionNode({ kind: 'other', ticker: textOf(args[0]), part: compileCondition(args[1], isTrue) });
    case 'bar':
    case 'position':
    case 'indicator':
    case 'pointwise':
    case 'window':
    case 'choice':
    case 'count':
    case 'period':
    case 'pair':
    case 'own':
    case 'spelling':
      return unknown(expression);
  }
}

/** Whether an own column has a label. */
function hasLabel([column, label]: readonly Expression[], isTrue: boolean): Condition {
  if (typeof column === 'number' || isParameter(column) || isText(column)) return unknown(column);
  return conditionNode({ kind: 'flag', part: own(argumentsOf(column), textOf(label)), is: Number(isTrue) });
}

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = { above: 'atMost', atMost: 'above' };

/** All comparisons hold or, with `isTrue` false, the opposite of one of them. */
function comparison(compared: readonly Compared<Value>[], isTrue: boolean): Condition {
  const parts = compared.map(({ name, a, b, isBefore }) => {
    const part = compare(isTrue ? name : OPPOSITE[name], a, b);
    return isBefore ? conditionNode({ kind: 'before', part }) : part;
  });
  return parts.length === 1 ? parts[0] : conditionNode({ kind: isTrue ? 'all' : 'any', parts });
}

/**
 * Comparisons in which rounding could decide a trade are made on prices: a rate of change, or the gain of a position, against a
 * number as the close against an earlier price; the MACD against its signal with a tolerance of a share of the close.
 */
function compare(name: Comparison, a: Value, b: Value): Condition {
  if (isMacdWithSignal(a, b) || isMacdWithSignal(b, a))
    return conditionNode({ kind: 'compare', name, a, b, price: CLOSE });
  const baseOfA = changeBase(a);
  const baseOfB = changeBase(b);
  if (baseOfA !== null && b.program.kind === 'constant') {
    return conditionNode({ kind: 'compare', name, a: CLOSE, b: grown(baseOfA, b.program.value), price: null });
  }
  if (baseOfB !== null && a.program.kind === 'constant') {
    return conditionNode({ kind: 'compare', name, a: grown(baseOfB, a.program.value), b: CLOSE, price: null });
  }
  return conditionNode({ kind: 'compare', name, a, b, price: null });
}

/** The price that a change in percent starts from; null where a value is no such change. */
function changeBase({ program }: Value): Value | null {
  if (program.kind === 'position' && program.fn === POSITION_VALUES.pnl_pct)
    return valueNode({ kind: 'position', fn: POSITION_VALUES.entry_price });
  if (program.kind !== 'indicator' || program.fn !== INDICATORS.roc) return null;
  return windowOf(WINDOWS.lag, CLOSE, program.args[0]);
}

function grown(base: Value, percent: number): Value {
  return pointwise(SIGNS['*'], [base, constant(1 + percent / 100)]);
}

function isMacdWithSignal({ program: line }: Value, { program: signal }: Value): boolean {
  return (
    line.kind === 'indicator' &&
    signal.kind === 'indicator' &&
    line.fn === INDICATORS.macd &&
    signal.fn === INDICATORS.macd_signal &&
    line.args[0] === signal.args[0] &&
    line.args[1] === signal.args[1]
  );
}
