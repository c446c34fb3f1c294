/** The longest look-back that rules name. */

import { RULE_PARTS } from '../strategies/strategy.ts';
import { substitute } from './canonical.ts';
import { argumentsOf, type Expression, isParameter } from './expression.ts';
import { findFunction } from './functions/catalogue.ts';
import type { Rules } from './rules.ts';

/** The longest period of any function in the rules, bars; 1 where none has one. */
export function longestPeriodOf(rules: Rules, values: Readonly<Record<string, unknown>>): number {
  const periods = RULE_PARTS.flatMap((part) => {
    const expression = rules[part];
    return expression === null ? [] : periodsOf(substitute(expression, values));
  });
  return Math.max(1, ...periods);
}

function periodsOf(expression: Expression): number[] {
  if (typeof expression === 'number' || isParameter(expression)) return [];
  const known = findFunction(expression[0])?.args ?? [];
  return argumentsOf(expression).flatMap((argument, i) =>
    known[i]?.kind === 'integer' && typeof argument === 'number' ? [argument] : periodsOf(argument),
  );
}
