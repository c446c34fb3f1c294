/** The tokens that may follow the beginning of a rule. */
import type { IToken, TokenType } from 'chevrotain';
import { GROUPS } from './functions/across.ts';
import { findFunction } from './functions/catalogue.ts';
import { TOKENS } from './lexer.ts';
import { COMPARISONS } from './syntax.ts';

const { Name, Number: NumberToken, Parameter, Text, Open, Close, Comma, And, Or, Not } = TOKENS;
const COMPARISON_TOKENS: readonly TokenType[] = [TOKENS.Above, TOKENS.AtLeast, TOKENS.Below, TOKENS.AtMost];
const ENDS_OPERAND: readonly TokenType[] = [Name, NumberToken, Parameter, Text, Close];

/** Brackets that are open, innermost last. */
interface Bracket {
  readonly isCall: boolean;
  /** The function that it calls, and the number of the present argument. */
  readonly name: string;
  argument: number;
  /** Whether the current part already has a comparison: `a > b > c` is not allowed. */
  hasComparison: boolean;
}

/** Signs and names, and the kinds `number`, `name`, `$parameter`, `end`. The tokens are assumed to be valid. */
export function expectedAt(tokens: readonly IToken[]): readonly string[] {
  const outside = { isCall: false, name: '', argument: 0, hasComparison: false };
  const brackets: Bracket[] = [outside];
  tokens.forEach(({ tokenType }, i) => {
    const innermost = brackets[brackets.length - 1];
    const before = tokens[i - 1];
    if (tokenType === Open) {
      const isCall = before?.tokenType === Name;
      brackets.push({ ...outside, isCall, name: isCall ? before.image.toLowerCase() : '' });
    }
    if (tokenType === Close && brackets.length > 1) brackets.pop();
    else if (COMPARISON_TOKENS.includes(tokenType)) innermost.hasComparison = true;
    else if (tokenType === And || tokenType === Or || tokenType === Comma) innermost.hasComparison = false;
    if (tokenType === Comma) innermost.argument++;
  });
  const last = tokens[tokens.length - 1]?.tokenType;
  const innermost = brackets[brackets.length - 1];
  if (last !== undefined && ENDS_OPERAND.includes(last)) return afterOperand(last, innermost, brackets.length === 1);
  const argument = findFunction(innermost.name)?.args?.[innermost.argument];
  if (argument?.kind === 'ticker' && (last === Open || last === Comma)) return ['ticker'];
  if (argument?.kind === 'group' && last === Comma) return GROUPS;
  const operand = ['number', 'name', '$parameter', '(', '-'];
  if (last === undefined || [Open, Comma, And, Or, Not].includes(last)) operand.push('not');
  if (last === Open && innermost.isCall) operand.push(')');
  return operand;
}

function afterOperand(last: TokenType, { isCall, hasComparison }: Bracket, isOutside: boolean): string[] {
  const expected = ['+', '-', '*', '/', ...(hasComparison ? [] : COMPARISONS), 'and', 'or'];
  if (last === Name) expected.unshift('(');
  if (isCall) expected.push(',');
  expected.push(isOutside ? 'end' : ')');
  return expected;
}
