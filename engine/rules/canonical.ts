/**
 * The canonical form of expressions: equal rules are equal trees, whatever their spelling, their order of summands, and the
 * arguments that they leave out.
 */

import { findFunction } from './functions/catalogue.ts';
import { argumentsOf, type Expression, isParameter, isText, type Operation } from './syntax.ts';

/** A key that equal expressions share. */
function keyOf(expression: Expression): string {
  return JSON.stringify(expression);
}

/** Operators whose operands are interchangeable. */
const COMMUTATIVE = new Set(['+', '*', 'and', 'or']);
/** Comparisons that become their mirror image, with exchanged operands. */
const MIRRORED = new Map([
  ['<', '>'],
  ['<=', '>='],
]);
const CHAINS = new Set(['and', 'or']);

/** An operation in its canonical form. */
export function operation(name: string, args: readonly Expression[]): Expression {
  const mirror = MIRRORED.get(name);
  if (mirror !== undefined) return operation(mirror, [...args].reverse());
  if (name === 'neg') return negative(args[0]);
  if (name === 'not' && isOperation(args[0], 'not')) return args[0][1];
  if (name === '!=') return operation('not', [operation('=', args)]);
  // A label stands after its column.
  if (name === '=') return args.some(isText) ? [name, ...args] : [name, ...sorted(args)];
  if (CHAINS.has(name)) return chain(name, args);
  const fn = findFunction(name);
  if (fn?.kind === 'spelling') return written(fn.means(args));
  const isCommutative = COMMUTATIVE.has(name) || (fn?.kind === 'pointwise' && fn.isCommutative);
  return isCommutative ? [name, ...sorted(args)] : [name, ...args];
}

const written = ([name, ...args]: Operation) => operation(name, args);

function isOperation(expression: Expression, name: string): expression is Operation & readonly [string, Expression] {
  return typeof expression !== 'number' && expression[0] === name && expression.length > 1;
}

function negative(operand: Expression): Expression {
  if (typeof operand === 'number') return operand === 0 ? 0 : -operand;
  return isOperation(operand, 'neg') ? operand[1] : ['neg', operand];
}

/** `and` and `or` over all their operands at once, each of them once. */
function chain(name: string, args: readonly Expression[]): Expression {
  const operands = new Map<string, Expression>();
  for (const argument of args) {
    const parts = isOperation(argument, name) ? argumentsOf(argument) : [argument];
    for (const part of parts) operands.set(keyOf(part), part);
  }
  const unique = [...operands.values()];
  return unique.length === 1 ? unique[0] : [name, ...sorted(unique)];
}

function sorted(args: readonly Expression[]): Expression[] {
  const keyed = args.map((argument) => ({ argument, key: keyOf(argument) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ argument }) => argument);
}

/** The expression with its parameters replaced by their values, in its canonical form. */
export function substitute(expression: Expression, values: Readonly<Record<string, unknown>>): Expression {
  if (typeof expression === 'number' || isText(expression)) return expression;
  if (isParameter(expression)) return numberOf(expression[1], values);
  const [name] = expression;
  return operation(
    name,
    argumentsOf(expression).map((argument) => substitute(argument, values)),
  );
}

function numberOf(name: string, values: Readonly<Record<string, unknown>>): number {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (typeof value !== 'number') throw new RangeError(`no value for the parameter ${name}`);
  return value;
}
