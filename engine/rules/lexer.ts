/** The text of a rule as tokens with their positions. */
import { createToken, type IToken, Lexer, type TokenType } from 'chevrotain';
import { type RuleProblem, ruleProblem, type Span } from './problems.ts';
import { MAX_NUMBER } from './syntax.ts';

/** Characters of one rule. */
export const MAX_TEXT = 1_000;
/** Nested brackets: more than a rule of the largest depth needs. */
const MAX_BRACKETS = 24;

const Name = createToken({ name: 'Name', pattern: /[A-Za-z_][A-Za-z0-9_]*/ });
const sign = (name: string, pattern: string) => createToken({ name, pattern });
const word = (name: string, pattern: RegExp) =>
  createToken({ name, pattern, longer_alt: Name, line_breaks: false, start_chars_hint: signsOf(name) });

/** First characters of `and`, `or`, `not` in both cases, and of their signs. */
function signsOf(name: string): string[] {
  return { And: ['a', 'A', '&'], Or: ['o', 'O', '|'], Not: ['n', 'N', '!'] }[name] ?? [];
}

export const TOKENS = {
  And: word('And', /and|&&/i),
  Or: word('Or', /or|\|\|/i),
  NotEqual: sign('NotEqual', '!='),
  Not: word('Not', /not|!/i),
  Name,
  Parameter: createToken({ name: 'Parameter', pattern: /\$[A-Za-z][A-Za-z0-9_]*/ }),
  Text: createToken({ name: 'Text', pattern: /'[^'"]*'|"[^'"]*"/, line_breaks: true }),
  Number: createToken({ name: 'Number', pattern: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/ }),
  AtLeast: sign('AtLeast', '>='),
  AtMost: sign('AtMost', '<='),
  Equal: sign('Equal', '='),
  Above: sign('Above', '>'),
  Below: sign('Below', '<'),
  Plus: sign('Plus', '+'),
  Minus: sign('Minus', '-'),
  Times: sign('Times', '*'),
  Divided: sign('Divided', '/'),
  Open: sign('Open', '('),
  Close: sign('Close', ')'),
  Comma: sign('Comma', ','),
} as const satisfies Record<string, TokenType>;

const Space = createToken({ name: 'Space', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true });
export const TOKEN_TYPES: TokenType[] = [Space, ...Object.values(TOKENS)];

const lexer = new Lexer(TOKEN_TYPES, { positionTracking: 'onlyOffset', ensureOptimizations: true });

export function spanOf({ startOffset, image }: IToken): Span {
  return { from: startOffset, to: startOffset + image.length };
}

/** The tokens of a text; or what is wrong with one of its characters, numbers, or brackets. */
export function tokenize(text: string): { readonly tokens: readonly IToken[] } | { readonly problem: RuleProblem } {
  if (text.length > MAX_TEXT) {
    const details = { length: text.length, max: MAX_TEXT };
    return { problem: ruleProblem('rule_too_long', { from: MAX_TEXT, to: text.length }, details) };
  }
  const { tokens, errors } = lexer.tokenize(text);
  const problem = errors.length > 0 ? characterProblem(text, errors[0].offset) : problemOfTokens(tokens);
  if (problem !== null) return { problem };
  if (tokens.length === 0) return { problem: ruleProblem('rule_empty', { from: 0, to: text.length }) };
  return { tokens };
}

/** Full-width and typographic forms are reported with the sign that was meant. */
function characterProblem(text: string, from: number): RuleProblem {
  const found = String.fromCodePoint(text.codePointAt(from) ?? 0);
  const at = { from, to: from + found.length };
  const meant = MEANT.get(found) ?? found.normalize('NFKC');
  const isSign =
    QUOTES.includes(meant) || (/^[\x21-\x7e]{1,3}$/.test(meant) && lexer.tokenize(meant).errors.length === 0);
  const isKnown = meant !== found && isSign;
  if (isKnown) return ruleProblem('rule_character_meant', at, { found, meant }, [meant]);
  return ruleProblem('rule_character', at, { found: shown(found) });
}

const QUOTES = ["'", '"'];

const MEANT = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['≥', '>='],
  ['≤', '<='],
  ['≠', '!='],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
  ['、', ','],
  ['∧', 'and'],
  ['∨', 'or'],
  ['¬', 'not'],
]);

/** An invisible character is shown as its code point. */
function shown(character: string): string {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Checked before parsing, so that the depth of the parser's recursion is bounded. */
function problemOfTokens(tokens: readonly IToken[]): RuleProblem | null {
  let brackets = 0;
  for (const token of tokens) {
    if (token.tokenType === TOKENS.Number && Number(token.image) > MAX_NUMBER) {
      return ruleProblem('rule_number_too_large', spanOf(token), { max: MAX_NUMBER });
    }
    if (token.tokenType === TOKENS.Open) brackets++;
    if (token.tokenType === TOKENS.Close) brackets--;
    if (brackets > MAX_BRACKETS) return ruleProblem('rule_too_deep', spanOf(token), { max: MAX_BRACKETS });
  }
  return null;
}
