/** The meaning of a rule: a tree of numbers, parameters, and operations on them. */

/** `['>', ['close'], ['sma', 200]]`: a number, a parameter (`['$', 'fast']`), or an operation with its arguments. */
export type Expression = number | readonly ['$', string] | Operation;
export type Operation = readonly [name: string, ...args: Expression[]];

export function isParameter(expression: Expression): expression is readonly ['$', string] {
  return typeof expression !== 'number' && expression[0] === '$';
}

export function argumentsOf([, ...args]: Operation): readonly Expression[] {
  return args;
}
