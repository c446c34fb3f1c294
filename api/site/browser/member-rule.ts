/** The condition that an instrument is in a column: the first of a rule, before all others. */

const MEMBER = /^(my\('([a-z][a-z0-9_]*)'\) = (?:1|['"]([^'"]*)['"]))(?: and (.+))?$/s;
const ALTERNATIVE = /\bor\b|\|\|/i;

/** A member has 1 in a column of numbers, or this label. */
export function memberRule(column: string, label?: string): string {
  return `my('${column}') = ${label === undefined ? 1 : `'${label}'`}`;
}

export interface Member {
  /** Empty: the rule is of no column. */
  readonly rule: string;
  readonly column?: string;
  readonly label?: string | undefined;
  /** The other conditions; empty: there are none. */
  readonly rest: string;
}

export function memberIn(where = ''): Member {
  const [, rule, column, label, rest = ''] = MEMBER.exec(where) ?? [];
  return rule === undefined || isAlternative(rest) ? { rule: '', rest: where } : { rule, column, label, rest };
}

/** The rule with another condition of membership. */
export function withMember(rule: string, where: string): string {
  const { rest } = memberIn(where);
  if (rest === '') return rule;
  return `${rule} and ${isAlternative(rest) ? `(${rest})` : rest}`;
}

/** Whether a rule is true where one of several is: outside of all parentheses. */
function isAlternative(rule: string): boolean {
  const outer = rule.replaceAll(/\([^()]*\)/g, '');
  return outer === rule ? ALTERNATIVE.test(rule) : isAlternative(outer);
}
