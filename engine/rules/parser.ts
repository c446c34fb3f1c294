/**
 * Parses the text of a rule to a tree, and tells which tokens may follow its beginning. Chevrotain provides precedence, positions, and an
 * error at the first wrong token.
 */
import { EmbeddedActionsParser, type IToken, type TokenType, tokenMatcher } from 'chevrotain';
import { GROUPS } from './functions/across.ts';
import { findFunction } from './functions/catalogue.ts';
import { OWN } from './functions/own.ts';
import { spanOf, TOKEN_TYPES, TOKENS, tokenize } from './lexer.ts';
import { type RuleProblem, ruleProblem, type Span } from './problems.ts';
import { COMPARISONS, type Operator, type Syntax } from './syntax.ts';

const COMPARISON_OF = new Map<TokenType, Operator>([
  [TOKENS.Above, '>'],
  [TOKENS.AtLeast, '>='],
  [TOKENS.Below, '<'],
  [TOKENS.AtMost, '<='],
  [TOKENS.Equal, '='],
  [TOKENS.NotEqual, '!='],
]);

function binary(operator: Operator, left: Syntax, right: Syntax): Syntax {
  return { kind: 'operator', operator, operands: [left, right], at: { from: left.at.from, to: right.at.to } };
}

/** `not` or `-` before an operand, as often as it was written. */
function prefixed(operator: 'not' | 'neg', signs: readonly IToken[], operand: Syntax): Syntax {
  return signs.reduceRight<Syntax>(
    (inner, sign) => ({
      kind: 'operator',
      operator,
      operands: [inner],
      at: { from: sign.startOffset, to: inner.at.to },
    }),
    operand,
  );
}

class RuleParser extends EmbeddedActionsParser {
  constructor() {
    super(TOKEN_TYPES, { recoveryEnabled: false, maxLookahead: 2 });
    this.performSelfAnalysis();
  }

  readonly rule = this.RULE('rule', () => this.SUBRULE(this.expression));

  private readonly expression = this.RULE('expression', (): Syntax => {
    let left = this.SUBRULE(this.conjunction);
    this.MANY(() => {
      this.CONSUME(TOKENS.Or);
      const right = this.SUBRULE2(this.conjunction);
      this.ACTION(() => {
        left = binary('or', left, right);
      });
    });
    return left;
  });

  private readonly conjunction = this.RULE('conjunction', (): Syntax => {
    let left = this.SUBRULE(this.negation);
    this.MANY(() => {
      this.CONSUME(TOKENS.And);
      const right = this.SUBRULE2(this.negation);
      this.ACTION(() => {
        left = binary('and', left, right);
      });
    });
    return left;
  });

  // Signs are parsed in a loop, not by recursion: a thousand of them need no stack.
  private readonly negation = this.RULE('negation', (): Syntax => {
    const signs: IToken[] = [];
    this.MANY(() => {
      const sign = this.CONSUME(TOKENS.Not);
      this.ACTION(() => signs.push(sign));
    });
    const operand = this.SUBRULE(this.comparison);
    return this.ACTION(() => prefixed('not', signs, operand));
  });

  private readonly comparison = this.RULE('comparison', (): Syntax => {
    let left = this.SUBRULE(this.sum);
    this.OPTION(() => {
      const sign = this.OR([
        { ALT: () => this.CONSUME(TOKENS.Above) },
        { ALT: () => this.CONSUME(TOKENS.AtLeast) },
        { ALT: () => this.CONSUME(TOKENS.Below) },
        { ALT: () => this.CONSUME(TOKENS.AtMost) },
        { ALT: () => this.CONSUME(TOKENS.Equal) },
        { ALT: () => this.CONSUME(TOKENS.NotEqual) },
      ]);
      const right = this.SUBRULE2(this.sum);
      this.ACTION(() => {
        left = binary(COMPARISON_OF.get(sign.tokenType) ?? '>', left, right);
      });
    });
    return left;
  });

  private readonly sum = this.RULE('sum', (): Syntax => {
    let left = this.SUBRULE(this.product);
    this.MANY(() => {
      const sign = this.OR([{ ALT: () => this.CONSUME(TOKENS.Plus) }, { ALT: () => this.CONSUME(TOKENS.Minus) }]);
      const right = this.SUBRULE2(this.product);
      this.ACTION(() => {
        left = binary(tokenMatcher(sign, TOKENS.Plus) ? '+' : '-', left, right);
      });
    });
    return left;
  });

  private readonly product = this.RULE('product', (): Syntax => {
    let left = this.SUBRULE(this.signed);
    this.MANY(() => {
      const sign = this.OR([{ ALT: () => this.CONSUME(TOKENS.Times) }, { ALT: () => this.CONSUME(TOKENS.Divided) }]);
      const right = this.SUBRULE2(this.signed);
      this.ACTION(() => {
        left = binary(tokenMatcher(sign, TOKENS.Times) ? '*' : '/', left, right);
      });
    });
    return left;
  });

  private readonly signed = this.RULE('signed', (): Syntax => {
    const signs: IToken[] = [];
    this.MANY(() => {
      const sign = this.CONSUME(TOKENS.Minus);
      this.ACTION(() => signs.push(sign));
    });
    const operand = this.SUBRULE(this.operand);
    return this.ACTION(() => prefixed('neg', signs, operand));
  });

  private readonly operand = this.RULE(
    'operand',
    (): Syntax =>
      this.OR([
        { ALT: () => this.SUBRULE(this.number) },
        { ALT: () => this.SUBRULE(this.parameter) },
        { ALT: () => this.SUBRULE(this.text) },
        { ALT: () => this.SUBRULE(this.call) },
        { ALT: () => this.SUBRULE(this.group) },
      ]),
  );

  private readonly number = this.RULE('number', (): Syntax => {
    const token = this.CONSUME(TOKENS.Number);
    return this.ACTION((): Syntax => ({ kind: 'number', value: Number(token.image), at: spanOf(token) }));
  });

  private readonly parameter = this.RULE('parameter', (): Syntax => {
    const token = this.CONSUME(TOKENS.Parameter);
    return this.ACTION(
      (): Syntax => ({ kind: 'parameter', name: token.image.slice(1).toLowerCase(), at: spanOf(token) }),
    );
  });

  private readonly text = this.RULE('text', (): Syntax => {
    const token = this.CONSUME(TOKENS.Text);
    return this.ACTION((): Syntax => ({ kind: 'text', text: token.image.slice(1, -1), at: spanOf(token) }));
  });

  private readonly call = this.RULE('call', (): Syntax => {
    const name = this.CONSUME(TOKENS.Name);
    const args: Syntax[] = [];
    let close: IToken | null = null;
    this.OPTION(() => {
      this.CONSUME(TOKENS.Open);
      this.MANY_SEP({
        SEP: TOKENS.Comma,
        DEF: () => {
          const argument = this.SUBRULE(this.expression);
          this.ACTION(() => args.push(argument));
        },
      });
      close = this.CONSUME(TOKENS.Close);
    });
    return this.ACTION((): Syntax => callOf(name, args, close));
  });

  private readonly group = this.RULE('group', (): Syntax => {
    const open = this.CONSUME(TOKENS.Open);
    const inner = this.SUBRULE(this.expression);
    const close = this.CONSUME(TOKENS.Close);
    return this.ACTION((): Syntax => ({ ...inner, at: { from: open.startOffset, to: spanOf(close).to } }));
  });
}

function callOf(name: IToken, args: readonly Syntax[], close: IToken | null): Syntax {
  const nameAt = spanOf(name);
  return {
    kind: 'call',
    name: name.image.toLowerCase(),
    args: close === null ? null : args,
    at: { from: nameAt.from, to: close === null ? nameAt.to : spanOf(close).to },
    nameAt,
  };
}

let parser: RuleParser | null = null;

/** The tree of a rule, or the first thing that is wrong with its text. */
export function parseRule(text: string): { readonly syntax: Syntax } | { readonly problem: RuleProblem } {
  const lexed = tokenize(text);
  if ('problem' in lexed) return lexed;
  // Analyzing the grammar takes milliseconds, which processes without rules save.
  parser ??= new RuleParser();
  parser.input = [...lexed.tokens];
  const syntax = parser.rule();
  const [error] = parser.errors;
  return error === undefined ? { syntax } : { problem: unexpected(text, lexed.tokens, error.token) };
}

function unexpected(text: string, tokens: readonly IToken[], token: IToken): RuleProblem {
  const index = tokens.indexOf(token);
  const expected = expectedAt(index < 0 ? tokens : tokens.slice(0, index));
  if (index < 0) {
    const end: Span = { from: text.length, to: text.length };
    return ruleProblem('rule_unexpected_end', end, {}, expected);
  }
  return ruleProblem('rule_unexpected', spanOf(token), { found: token.image }, expected);
}

const { Name, Number: NumberToken, Parameter, Text, Open, Close, Comma, And, Or, Not } = TOKENS;
const COMPARISON_TOKENS: readonly TokenType[] = [...COMPARISON_OF.keys()];
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
  if (argument?.kind === 'column' && last === Open) return ['column'];
  if (argument?.kind === 'group' && last === Comma) return [...GROUPS, OWN.my.name];
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
