/** Completions of a rule for editors. */
import type { CheckOptions } from './check.ts';
import { GROUPS } from './functions/across.ts';
import { isConstant, RULE_FUNCTIONS } from './functions/catalogue.ts';
import type { RuleFunction } from './functions/function.ts';
import { MAX_TEXT, TOKENS, tokenize } from './lexer.ts';
import { expectedAt } from './parser.ts';
import type { Span } from './problems.ts';
import { COMPARISONS } from './syntax.ts';

const MAX_CHOICES = 12;
/** Operators and words that are completed. */
const SIGNS = ['and', 'or', 'not', ...COMPARISONS, ...GROUPS];

/** The beginning of a column's name, whose quote is still open. */
const OPENED_COLUMN = /\bmy\s*\(\s*(['"]?\w*)$/i;

export interface Completions {
  /** The text that a completion replaces: the partial name, or nothing at the cursor. */
  readonly at: Span;
  readonly signs: readonly string[];
  /** Choices that begin with the typed text come first. */
  readonly functions: readonly RuleFunction[];
}

/** The names that a rule may use where it stands. */
export type RulePlace = Pick<CheckOptions, 'mayUsePosition' | 'market'>;

/** `cursor`: in UTF-16 code units. `columns`: names of own columns that may be written. */
export function completionsAt(
  text: string,
  cursor: number,
  place: RulePlace,
  columns: readonly string[] = [],
): Completions {
  const none = { at: { from: cursor, to: cursor }, signs: [], functions: [] };
  if (cursor > MAX_TEXT) return none;
  const before = text.slice(0, cursor);
  const opened = OPENED_COLUMN.exec(before)?.[1];
  if (opened !== undefined) {
    const to = /['"]/.test(text.charAt(cursor)) ? cursor + 1 : cursor;
    const named = columns.filter((name) => name.startsWith(opened.replace(/^['"]/, '')));
    const signs = named.slice(0, MAX_CHOICES).map((name) => `'${name}'`);
    return { at: { from: cursor - opened.length, to }, signs, functions: [] };
  }
  const read = tokenize(before);
  if ('problem' in read && read.problem.code !== 'rule_empty') return none;
  const tokens = 'problem' in read ? [] : read.tokens;
  const last = tokens.at(-1);
  const isBegun = last !== undefined && /[a-z0-9_]$/i.test(before) && last.tokenType !== TOKENS.Number;
  if (isBegun && last.tokenType === TOKENS.Parameter) return none;
  const begun = isBegun ? last.image.toLowerCase() : '';
  const expected = expectedAt(isBegun ? tokens.slice(0, -1) : tokens);
  const names = expected.includes('name') ? namesLike(begun, place) : [];
  const signs = SIGNS.filter((sign) => expected.includes(sign) && sign.startsWith(begun) && sign !== begun);
  const functions = names.slice(0, MAX_CHOICES - signs.length);
  // The only match is already typed in full.
  if (functions.length === 1 && functions[0].name === begun && functions[0].args === null) return none;
  return { at: { from: before.length - begun.length, to: before.length }, signs, functions };
}

function namesLike(begun: string, { mayUsePosition, market }: RulePlace): RuleFunction[] {
  const known = RULE_FUNCTIONS.filter(
    ({ kind }) => (kind !== 'position' || mayUsePosition) && (kind !== 'across' || market === 'peers'),
  );
  const first = known.filter(({ name }) => name.startsWith(begun));
  return [...first, ...known.filter((fn) => !first.includes(fn) && fn.name.includes(begun))];
}

/** A ticker that completions show as an example. */
const EXAMPLE_TICKER = 'SPY';

/** Returns the text of a call: constants with their defaults, no group, and other arguments by their names. */
export function callOf({ name, args }: RuleFunction): string {
  if (args === null) return name;
  const shown = args.filter(({ kind }) => kind !== 'group' && kind !== 'age');
  const texts = shown.map((argument) => {
    if (argument.kind === 'ticker') return `'${EXAMPLE_TICKER}'`;
    if (argument.kind === 'column') return `'${argument.name}'`;
    return isConstant(argument) ? argument.default : argument.name;
  });
  return `${name}(${texts.join(', ')})`;
}
