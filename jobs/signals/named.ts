/** Whatever the rules of a watch name. */
import type { DueWatch } from '../../db/research/watches.ts';
import { knownColumns } from '../../engine/market/own-columns.ts';
import { checkRule } from '../../engine/rules/check.ts';
import type { Span } from '../../engine/rules/problems.ts';
import { readRules } from '../../engine/rules/strategy.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import type { UsedColumn } from '../contracts/backtest.ts';
import { rotationSpecSchema } from '../contracts/rotation.ts';

/** The tickers that the rules of a watch name. */
export function tickersOf({ rules, screen }: DueWatch): Set<string> {
  const read = rules && readRules(rules);
  const ofRules = read && 'rules' in read ? read.rules.tickers.keys() : [];
  return new Set([...ofRules, ...(screen === null ? [] : checkedCondition(screen.where).tickers)]);
}

/** The own columns that the rules of a watch name. */
export function columnNamesOf({
  rules,
  screen,
  rotation,
}: Pick<DueWatch, 'rules' | 'screen' | 'rotation'>): ReadonlySet<string> {
  if (rotation !== null) return new Set(rotationSpecSchema.parse(rotation).columns?.map(({ name }) => name));
  const read = rules && readRules(rules);
  const ofRules = read && 'rules' in read ? read.rules.columnNames : [];
  return new Set([...ofRules, ...(screen === null ? [] : checkedCondition(screen.where).columnNames)]);
}

interface CheckedCondition {
  readonly expression: Expression;
  readonly tickers: readonly string[];
  readonly columnNames: ReadonlySet<string>;
}

/** The condition of a watched screen. */
export function checkedCondition(text: string, columns?: readonly UsedColumn[]): CheckedCondition {
  const tickers = new Map<string, Span>();
  const columnNames = new Set<string>();
  const checked = checkRule(text, {
    result: 'condition',
    market: 'peers',
    mayUsePosition: false,
    parameters: null,
    tickers,
    columns: columns && knownColumns(columns),
    named: columnNames,
  } as const);
  if ('problems' in checked) throw new RangeError(`invalid screen: ${text}`);
  return { expression: checked.expression, tickers: [...tickers.keys()], columnNames };
}
