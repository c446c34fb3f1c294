/** The two trees of a rule: its syntax, with positions and before names and kinds are checked, and the expression that it means. */
import type { Span } from './problems.ts';

/** No price, volume, or multiple is larger. */
export const MAX_NUMBER = 1e15;

export interface NumberSyntax {
  readonly kind: 'number';
  readonly value: number;
  readonly at: Span;
}

export interface ParameterSyntax {
  readonly kind: 'parameter';
  /** Lower case, without `$`. */
  readonly name: string;
  readonly at: Span;
}

/** Text in quotes. */
export interface TextSyntax {
  readonly kind: 'text';
  /** Without its quotes. */
  readonly text: string;
  readonly at: Span;
}

/** A name, with its arguments when it has brackets. */
export interface CallSyntax {
  readonly kind: 'call';
  /** Lower case. */
  readonly name: string;
  readonly args: readonly Syntax[] | null;
  readonly at: Span;
  readonly nameAt: Span;
}

export const CHAINED = ['and', 'or', '+', '-', '*', '/'] as const;
export const COMPARISONS = ['>', '>=', '<', '<=', '=', '!='] as const;
export type Operator = (typeof CHAINED)[number] | (typeof COMPARISONS)[number] | 'not' | 'neg';

/** One operand for `not` and `neg`, two for the others. */
export interface OperatorSyntax {
  readonly kind: 'operator';
  readonly operator: Operator;
  readonly operands: readonly Syntax[];
  readonly at: Span;
}

export type Syntax = NumberSyntax | ParameterSyntax | TextSyntax | CallSyntax | OperatorSyntax;

/**
 * The meaning of a rule: a number, a parameter (`['$', 'fast']`), the ticker or the group of a function, or the name or a label of a
 * column (`["'", 'SPY']`), or an operation with its arguments, such as `['>', ['close'], ['sma', 200]]`.
 */
export type Expression = number | readonly ['$', string] | readonly ["'", string] | Operation;
export type Operation = readonly [name: string, ...args: Expression[]];

export function isParameter(expression: Expression): expression is readonly ['$', string] {
  return typeof expression !== 'number' && expression[0] === '$';
}

export function isText(expression: Expression): expression is readonly ["'", string] {
  return typeof expression !== 'number' && expression[0] === "'";
}

export function argumentsOf([, ...args]: Operation): readonly Expression[] {
  return args;
}
