/** Rules as text again, in one spelling. */

import { findFunction } from './functions/catalogue.ts';
import { argumentsOf, type Expression, isParameter, isText } from './syntax.ts';

/** Precedence of an operator; calls and names bind tightest. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  not: 3,
  '>': 4,
  '>=': 4,
  '=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  neg: 7,
};
const TIGHTEST = 8;

export function printExpression(expression: Expression): string {
  if (typeof expression === 'number') return String(expression);
  if (isParameter(expression)) return `$${expression[1]}`;
  if (isText(expression)) return `'${expression[1]}'`;
  const [name] = expression;
  const args = argumentsOf(expression);
  const own = precedenceOf(expression);
  const inner = (part: Expression, isLast: boolean) => {
    const text = printExpression(part);
    // Operators of one precedence are read from the left; comparisons do not chain.
    const isLoose = precedenceOf(part) < own || (precedenceOf(part) === own && (isLast || own === PRECEDENCE['>']));
    return isLoose ? `(${text})` : text;
  };
  if (name === 'not') return `not ${inner(args[0], false)}`;
  if (name === 'neg') return `-${inner(args[0], true)}`;
  if (own < TIGHTEST) return args.map((part, i) => inner(part, i > 0)).join(` ${name} `);
  const fn = findFunction(name);
  if (fn?.args === null) return name;
  // The word of a group has no quotes. The dimension of a column is not written.
  const written = fn?.kind === 'own' ? args.slice(0, 1).concat(args.filter((one) => typeof one === 'number')) : args;
  const texts = written.map((part) => (fn?.kind === 'across' && isText(part) ? part[1] : printExpression(part)));
  return `${name}(${texts.join(', ')})`;
}

function precedenceOf(expression: Expression): number {
  if (typeof expression === 'number') return expression < 0 ? PRECEDENCE.neg : TIGHTEST;
  return isParameter(expression) || isText(expression) ? TIGHTEST : (PRECEDENCE[expression[0]] ?? TIGHTEST);
}

const MAX_FIGURES = 12;

/** The compared values of a condition without constants: they explain whether it holds. */
export function comparedValues(condition: Expression): Expression[] {
  const found = new Map<string, Expression>();
  const collect = (expression: Expression): void => {
    if (typeof expression === 'number' || isParameter(expression) || isText(expression)) return;
    const [name] = expression;
    // Labels are no figures.
    if (name === '=' && argumentsOf(expression).some(isText)) return;
    const isOfConditions = ['and', 'or', 'not'].includes(name) || findFunction(name)?.kind === 'duration';
    for (const argument of argumentsOf(expression)) {
      if (isOfConditions) collect(argument);
      else if (typeof argument !== 'number') found.set(printExpression(argument), argument);
    }
  };
  collect(condition);
  return [...found.values()].slice(0, MAX_FIGURES);
}
