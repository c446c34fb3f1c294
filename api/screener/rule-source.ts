/** The source of the figures of a screen's rules: the windows of its snapshot, or whole histories that a job has read. */
import { RuleFigureColumn, ruleTestOf } from '../../engine/screener/rule-figures.ts';
import type { SessionView } from '../../engine/screener/snapshot.ts';
import type { LongFigures, LongRules } from '../../jobs/contracts/screen.ts';
import type { RuleCondition, RuleValue } from './request.ts';

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
