/** The rules of a screen: conditions, figures, and what conditions compare. */
import { compileCondition, compileValue } from '../../engine/rules/compile.ts';
import { conjunctsOf } from '../../engine/rules/conjuncts.ts';
import { comparedValues, printExpression } from '../../engine/rules/print.ts';
import type { Condition as ConditionProgram, Value } from '../../engine/rules/program.ts';
import type { UsedColumn } from '../../jobs/contracts/backtest.ts';
import { checkedExpression, type NamedTicker } from '../rules/resolve.ts';

/** Own columns that rules may name; undefined: of any name and kind. */
type OwnColumns = readonly UsedColumn[] | undefined;

export interface RuleCondition {
  readonly text: string;
  readonly tickers: readonly NamedTicker[];
  readonly columnNames: ReadonlySet<string>;
  readonly condition: ConditionProgram;
}

export interface RuleValue {
  readonly text: string;
  readonly tickers: readonly NamedTicker[];
  readonly columnNames: ReadonlySet<string>;
  readonly value: Value;
}

/** The conditions that `and` joins. Throws, with their place, for what is no condition. */
export function conditionsAt(text: string, loc: readonly string[], own: OwnColumns): RuleCondition[] {
  // Problems are at their places in the whole text.
  const { tickers, columnNames } = checkedExpression(text, 'condition', loc, 'peers', own);
  return conjunctsOf(text).map((part, i) => ({
    text: part,
    // The first part holds the tickers of the whole text, at their places in it.
    tickers: i === 0 ? tickers : [],
    columnNames,
    condition: compileCondition(checkedExpression(part, 'condition', loc, 'peers', own).expression),
  }));
}

/** The values that a condition compares, in the language of rules, without constants. Null: the language cannot say the condition. */
export function comparedIn(rule: string | null): string[] {
  if (rule === null) return [];
  return comparedValues(checkedExpression(rule, 'condition', []).expression).map(printExpression);
}

/** Throws, with its place, for what is no value. */
export function valueAt(text: string, loc: readonly string[], own: OwnColumns): RuleValue {
  const { expression, tickers, columnNames } = checkedExpression(text, 'value', loc, 'peers', own);
  return { text, tickers, columnNames, value: compileValue(expression) };
}
