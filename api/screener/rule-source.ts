/**
 * Which rules of a screen look further back than its snapshot, and the source of their figures: the windows of the snapshot, or whole
 * histories that a job has read.
 */
import {
  conditionBars,
  RULE_BARS,
  RuleFigureColumn,
  ruleTestOf,
  valueBars,
} from '../../engine/screener/rule-figures.ts';
import type { SessionView } from '../../engine/screener/snapshot.ts';
import type { LongFigures, LongRules, ScreenHistorySpec, ScreenSpec } from '../../jobs/contracts/screen.ts';
import { type ScreenRequest, valuesOf } from './request.ts';
import type { RuleCondition, RuleValue } from './screen-rules.ts';

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
  return { where: textsOf(where), values: textsOf(long), ...membersSpec(request), own: request.own };
}

const membersSpec = ({ members: { assetTypes, ids } }: ScreenRequest) => ({
  assetTypes: [...assetTypes],
  ids: ids && [...ids],
});

const textsOf = (rules: readonly { readonly text: string }[]) => [...new Set(rules.map(({ text }) => text))];

/** Null: no history is asked for, or rules read the universe, which no history of a single instrument tells. */
function historySpecOf(request: ScreenRequest): ScreenHistorySpec | null {
  const { conditions, where, columns, historyYears } = request;
  const programs = [...where.map(({ condition }) => condition), ...columns.map(({ rule }) => rule.value)];
  if (historyYears === null || programs.some(({ readsUniverse }) => readsUniverse)) return null;
  return {
    conditions: [...conditions],
    where: where.map(({ text }) => text),
    values: columns.map(({ rule }) => rule.text),
    ...membersSpec(request),
    own: request.own,
    years: historyYears,
  };
}

/** Figures by the index of an instrument in the snapshot. */
interface FigureSource {
  at(instrument: number): number;
}

export interface RuleSource {
  readonly testOf: (view: SessionView, rule: RuleCondition) => (instrument: number) => boolean;
  readonly columnOf: (view: SessionView, rule: RuleValue) => FigureSource;
  /** Whether whole histories are used and have bars of the primary session. */
  readonly isMixed: boolean;
}

export const OF_SNAPSHOT: RuleSource = {
  testOf: (view, { condition }) => ruleTestOf(view, condition),
  columnOf: (view, { value }) => new RuleFigureColumn(view, value),
  isMixed: false,
};

/** Rules that are not among the long ones are still computed from the snapshot. */
export function sourceOf(rules: LongRules | null, figures: LongFigures | null): RuleSource {
  if (rules === null || figures === null) return OF_SNAPSHOT;
  const { ids, sessions, isMixed } = figures;
  const sessionOf = ({ splits }: SessionView) => sessions[splits === null ? 0 : 1];
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  return {
    isMixed,
    testOf: (view, rule) => {
      const found = sessionOf(view).holds[rules.where.indexOf(rule.text)];
      if (found === undefined) return OF_SNAPSHOT.testOf(view, rule);
      const holds = new Set(found);
      const { instrumentIds } = view.snapshot;
      return (i) => holds.has(instrumentIds[i]);
    },
    columnOf: (view, rule) => {
      const values = sessionOf(view).values[rules.values.indexOf(rule.text)];
      if (values === undefined) return OF_SNAPSHOT.columnOf(view, rule);
      const { instrumentIds } = view.snapshot;
      return { at: (i) => values[placeOf.get(instrumentIds[i]) ?? -1] ?? Number.NaN };
    },
  };
}
