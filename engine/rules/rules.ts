/** The rules of a strategy: when it buys, and when it sells. */

import { RULE_PARTS, type RulePart, type RuleTexts } from '../strategies/strategy.ts';
import { type CheckOptions, checkRule } from './check.ts';
import type { Kind } from './functions/function.ts';
import { type ParameterUse, ParameterUses } from './parameter-uses.ts';
import type { RuleProblem, Span } from './problems.ts';
import type { Expression } from './syntax.ts';

export interface RuleParameter extends ParameterUse {
  /** The rule that names it first. */
  readonly part: RulePart;
}

export interface Rules {
  readonly entry: Expression;
  readonly exit: Expression | null;
  readonly stop: Expression | null;
  readonly trail: Expression | null;
  readonly parameters: ReadonlyMap<string, RuleParameter>;
  /** Pairs of parameters, of which the first must have the smaller value. */
  readonly ordered: readonly (readonly [smaller: string, larger: string])[];
  /** Tickers of other instruments, each where it is named first. */
  readonly tickers: ReadonlyMap<string, TickerUse>;
  /** Own columns that they name. */
  readonly columnNames: ReadonlySet<string>;
}

export interface TickerUse {
  readonly part: RulePart;
  readonly at: Span;
}

export interface PartProblem extends RuleProblem {
  readonly part: RulePart;
}

const RESULT: Readonly<Record<RulePart, Kind>> = {
  entry: 'condition',
  exit: 'condition',
  stop: 'value',
  trail: 'value',
};

/**
 * `reserved`: names that parameters may not have. `market`: whether there are other instruments to compare with. `columns`: those that
 * they may name, if not all.
 */
export function checkRules(
  texts: RuleTexts,
  reserved: readonly string[],
  market?: 'peers',
  columns?: CheckOptions['columns'],
): { readonly rules: Rules } | { readonly problems: readonly PartProblem[] } {
  const uses = new ParameterUses(reserved);
  const named = new Map<string, RulePart>();
  const tickers = new Map<string, TickerUse>();
  const columnNames = new Set<string>();
  const problems: PartProblem[] = [];
  const read = (part: RulePart): Expression | null => {
    const text = texts[part];
    if (text === undefined) return null;
    const found = new Map<string, Span>();
    const mayUsePosition = part !== 'entry';
    const options = { result: RESULT[part], mayUsePosition, market, columns, named: columnNames };
    const checked = checkRule(text, { ...options, parameters: uses, tickers: found });
    for (const [ticker, at] of found) if (!tickers.has(ticker)) tickers.set(ticker, { part, at });
    for (const name of uses.all.keys()) if (!named.has(name)) named.set(name, part);
    if ('expression' in checked) return checked.expression;
    problems.push(...checked.problems.map((problem) => ({ ...problem, part })));
    return null;
  };
  const [entry, exit, stop, trail] = RULE_PARTS.map(read);
  if (entry === null || problems.length > 0) return { problems };
  const parameters = new Map([...uses.all].map(([name, use]) => [name, { ...use, part: named.get(name) ?? 'entry' }]));
  return { rules: { entry, exit, stop, trail, parameters, ordered: uses.ordered, tickers, columnNames } };
}
