/** Everything a rule can name: bar values, indicators, functions, and values of the position, with their arguments. */
import { ACROSS } from './across.ts';
import { MATHS } from './arithmetic.ts';
import { DAYS, MONIES, PRICES_AND_VOLUME } from './bar-values.ts';
import { CHOICES, COUNTS } from './choices.ts';
import { CONDITIONS } from './conditions.ts';
import type { Argument, ConstantArgument, RuleFunction } from './function.ts';
import { INDICATORS } from './indicators.ts';
import { OTHER, PAIRS } from './others.ts';
import { OWN } from './own.ts';
import { PERIODS } from './periods.ts';
import { POSITION_VALUES } from './position-values.ts';
import { WINDOWS } from './windows.ts';

/** In the order in which editors offer them. */
export const RULE_FUNCTIONS: readonly RuleFunction[] = [
  ...Object.values(PRICES_AND_VOLUME),
  ...Object.values(MONIES),
  ...Object.values(DAYS),
  ...Object.values(INDICATORS),
  ...Object.values(WINDOWS),
  ...Object.values(MATHS),
  ...Object.values(CHOICES),
  ...Object.values(COUNTS),
  ...Object.values(PERIODS),
  ...CONDITIONS,
  ...Object.values(OTHER),
  ...Object.values(OWN),
  ...Object.values(PAIRS),
  ...Object.values(ACROSS),
  ...Object.values(POSITION_VALUES),
];

const BY_NAME = new Map(RULE_FUNCTIONS.map((fn) => [fn.name, fn]));

export function findFunction(name: string): RuleFunction | null {
  return BY_NAME.get(name) ?? null;
}

export function isConstant(argument: Argument): argument is ConstantArgument {
  return argument.kind === 'integer' || argument.kind === 'number';
}

export function isOptional(argument: Argument): boolean {
  return isConstant(argument) || argument.kind === 'group' || argument.kind === 'age' || 'isOptional' in argument;
}

/** Returns the spelling of a function: `macd(f, s)`, `close`. */
export function usageOf({ name, args }: RuleFunction): string {
  return args === null ? name : `${name}(${args.map((argument) => argument.name).join(', ')})`;
}
