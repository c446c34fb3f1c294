/** The parts of a screen that a job computes over whole histories. */
import { conditionBars, RULE_BARS, valueBars } from '../../engine/screener/rule-figures.ts';
import type { LongRules, ScreenHistorySpec, ScreenSpec } from '../../jobs/contracts/screen.ts';
import { type ScreenRequest, valuesOf } from './request.ts';

export type WholeHistories = Pick<ScreenSpec, 'long' | 'history'>;

export function wholeHistoriesOf(request: ScreenRequest): WholeHistories {
  return { long: longRulesOf(request), history: historySpecOf(request) };
}

export function needsJob({ long, history }: WholeHistories): boolean {
  return long !== null || history !== null;
}

/** The rules that look further back than the bars of a snapshot, or at other instruments; null if there are none. */
export function longRulesOf(request: ScreenRequest): LongRules | null {
  const long = valuesOf(request).filter(({ value }) => valueBars(value) > RULE_BARS);
  // Values are compared among the instruments that meet all conditions.
  const compares = long.some(({ value }) => value.across > 0);
  const where = request.where.filter(({ condition }) => compares || conditionBars(condition) > RULE_BARS);
  if (where.length === 0 && long.length === 0) return null;
  return { where: textsOf(where), values: textsOf(long), assetTypes: [...request.assetTypes] };
}

const textsOf = (rules: readonly { readonly text: string }[]) => [...new Set(rules.map(({ text }) => text))];

/** Null: no history is asked for, or rules compare instruments, which no history of a single instrument tells. */
function historySpecOf(request: ScreenRequest): ScreenHistorySpec | null {
  const { conditions, where, columns, assetTypes, historyYears } = request;
  const programs = [...where.map(({ condition }) => condition), ...columns.map(({ rule }) => rule.value)];
  if (historyYears === null || programs.some(({ across }) => across > 0)) return null;
  return {
    conditions: [...conditions],
    where: where.map(({ text }) => text),
    values: columns.map(({ rule }) => rule.text),
    assetTypes: [...assetTypes],
    years: historyYears,
  };
}
