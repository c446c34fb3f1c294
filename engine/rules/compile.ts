/** Compiles an expression without parameters to the program of its columns. */
import { dimensionOf, mixesDimensions, reachOfCondition, reachOfValue } from './dimensions.ts';
import { argumentsOf, type Expression, isParameter, type Operation } from './expression.ts';
import {
  BAR_VALUE_NAMES,
  BINARY_NAMES,
  type Binary,
  type Comparison,
  type Condition,
  type ConditionProgram,
  INDICATOR_NAMES,
  type Node,
  POSITION_VALUE_NAMES,
  UNARY_NAMES,
  type Unary,
  type Value,
  type ValueProgram,
  WINDOW_NAMES,
} from './program.ts';

function oneOf<T extends string>(names: readonly T[], name: string): T | null {
  return names.find((known) => known === name) ?? null;
}

function valueNode(program: ValueProgram, parts: readonly Value[] = []): Value {
  const dimension = dimensionOf(program);
  const mixes = dimension === null;
  return {
    program,
    dimension,
    mixes,
    reach: mixes ? reachOfValue(program, parts) : 0,
    key: valueKey(program),
    isOfPosition: program.kind === 'position' || parts.some(({ isOfPosition }) => isOfPosition),
  };
}

function valueKey(program: ValueProgram): string {
  switch (program.kind) {
    case 'constant':
      return String(program.value);
    case 'bar':
    case 'position':
      return program.name;
    case 'indicator':
      return `${program.name}(${program.args.join(',')})`;
    case 'unary':
      return `${program.name}(${program.a.key})`;
    case 'binary':
      return `${program.name}(${program.a.key},${program.b.key})`;
    case 'window':
      return `${program.name}(${program.a.key};${program.n})`;
  }
}

function conditionNode(program: ConditionProgram): Condition {
  const mixes = mixesDimensions(program);
  return {
    program,
    mixes,
    reach: mixes ? reachOfCondition(program) : 0,
    key: conditionKey(program),
    isOfPosition: partsOf(program).some(({ isOfPosition }) => isOfPosition),
  };
}

function partsOf(program: ConditionProgram): readonly Node[] {
  if (program.kind === 'compare') return [program.a, program.b];
  return 'parts' in program ? program.parts : [program.part];
}

function conditionKey(program: ConditionProgram): string {
  switch (program.kind) {
    case 'compare': {
      const { name, a, b, price } = program;
      return `${name}(${a.key},${b.key}${price === null ? '' : `,${price.key}`})`;
    }
    case 'all':
    case 'any':
      return `${program.kind}(${program.parts.map(({ key }) => key).join(',')})`;
    case 'before':
      return `before(${program.part.key})`;
    case 'forBars':
    case 'withinBars':
      return `${program.kind}(${program.part.key};${program.n})`;
  }
}

const constant = (value: number): Value => valueNode({ kind: 'constant', value });
const CLOSE: Value = valueNode({ kind: 'bar', name: 'close' });

function unknown(expression: Expression): never {
  throw new RangeError(`not a rule: ${JSON.stringify(expression)}`);
}

/** The program of a value. */
export function compileValue(expression: Expression): Value {
  if (typeof expression === 'number') return constant(expression);
  if (isParameter(expression)) return unknown(expression);
  const [name] = expression;
  const args = argumentsOf(expression);
  const bar = oneOf(BAR_VALUE_NAMES, name);
  if (bar !== null) return valueNode({ kind: 'bar', name: bar });
  const position = oneOf(POSITION_VALUE_NAMES, name);
  if (position !== null) return valueNode({ kind: 'position', name: position });
  const indicator = oneOf(INDICATOR_NAMES, name);
  if (indicator !== null) return valueNode({ kind: 'indicator', name: indicator, args: args.map(numberOf) });
  return compileOperation(expression, args);
}

function compileOperation(expression: Operation, args: readonly Expression[]): Value {
  const [name] = expression;
  const unary = oneOf(UNARY_NAMES, name);
  if (unary !== null) return unaryOf(unary, compileValue(args[0]));
  const binary = oneOf(BINARY_NAMES, name);
  if (binary !== null) return binaryOf(binary, compileValue(args[0]), compileValue(args[1]));
  const window = oneOf(WINDOW_NAMES, name);
  if (window === null) return unknown(expression);
  const a = compileValue(args[0]);
  const n = numberOf(args[1]);
  return window === 'lag' && n === 0 ? a : valueNode({ kind: 'window', name: window, a, n }, [a]);
}

function numberOf(expression: Expression): number {
  return typeof expression === 'number' ? expression : unknown(expression);
}

const UNARY_RESULTS: Readonly<Record<Unary, (a: number) => number>> = { neg: (a) => -a, abs: Math.abs };
const BINARY_RESULTS: Readonly<Record<Binary, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  min: Math.min,
  max: Math.max,
};

/** Operations on numbers alone are done here; what is not a finite number is undefined. */
function folded(value: number): Value {
  return constant(Number.isFinite(value) ? value : Number.NaN);
}

function unaryOf(name: Unary, a: Value): Value {
  if (a.program.kind === 'constant') return folded(UNARY_RESULTS[name](a.program.value));
  return valueNode({ kind: 'unary', name, a }, [a]);
}

function binaryOf(name: Binary, a: Value, b: Value): Value {
  if (a.program.kind === 'constant' && b.program.kind === 'constant') {
    return folded(BINARY_RESULTS[name](a.program.value, b.program.value));
  }
  return valueNode({ kind: 'binary', name, a, b }, [a, b]);
}

/** The program of a condition: of the bars at which it is certainly true or, with `isTrue` false, certainly false. */
export function compileCondition(expression: Expression, isTrue = true): Condition {
  if (typeof expression === 'number' || isParameter(expression)) return unknown(expression);
  const [name] = expression;
  const args = argumentsOf(expression);
  switch (name) {
    case 'not':
      return compileCondition(args[0], !isTrue);
    case 'and':
    case 'or': {
      const parts = args.map((part) => compileCondition(part, isTrue));
      return conditionNode({ kind: (name === 'and') === isTrue ? 'all' : 'any', parts });
    }
    case 'for_bars':
    case 'within_bars': {
      const kind = (name === 'for_bars') === isTrue ? 'forBars' : 'withinBars';
      return conditionNode({ kind, part: compileCondition(args[0], isTrue), n: numberOf(args[1]) });
    }
    default: {
      const values = args.map(compileValue);
      return isTrue ? comparison(name, values) : negated(name, values);
    }
  }
}

function both(kind: 'all' | 'any', ...parts: readonly Condition[]): Condition {
  return conditionNode({ kind, parts });
}

function before(part: Condition): Condition {
  return conditionNode({ kind: 'before', part });
}

function comparison(name: string, [a, b, c]: readonly Value[]): Condition {
  switch (name) {
    case '>':
      return compare('above', a, b);
    case '>=':
      return compare('atMost', b, a);
    case 'between':
      return both('all', compare('atMost', b, a), compare('atMost', a, c));
    case 'crosses_above':
      return both('all', compare('above', a, b), before(compare('atMost', a, b)));
    default:
      return unknown([name]);
  }
}

function negated(name: string, [a, b, c]: readonly Value[]): Condition {
  switch (name) {
    case '>':
      return compare('atMost', a, b);
    case '>=':
      return compare('above', b, a);
    case 'between':
      return both('any', compare('above', b, a), compare('above', a, c));
    case 'crosses_above':
      return both('any', compare('atMost', a, b), before(compare('above', a, b)));
    default:
      return unknown([name]);
  }
}

/**
 * Comparisons whose rounding must make no trade are made on prices: a rate of change, or the gain of a position, against a
 * number as the close against an earlier price; the MACD against its signal within a share of the close.
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
  if (program.kind === 'position' && program.name === 'pnl_pct')
    return valueNode({ kind: 'position', name: 'entry_price' });
  if (program.kind !== 'indicator' || program.name !== 'roc') return null;
  return valueNode({ kind: 'window', name: 'lag', a: CLOSE, n: program.args[0] }, [CLOSE]);
}

function grown(base: Value, percent: number): Value {
  return binaryOf('*', base, constant(1 + percent / 100));
}

function isMacdWithSignal({ program: line }: Value, { program: signal }: Value): boolean {
  return (
    line.kind === 'indicator' &&
    signal.kind === 'indicator' &&
    line.name === 'macd' &&
    signal.name === 'macd_signal' &&
    line.args[0] === signal.args[0] &&
    line.args[1] === signal.args[1]
  );
}
