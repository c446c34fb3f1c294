/** Rules at the last bar of each instrument of a snapshot. */

import { HistoryColumns } from '../rules/columns.ts';
import { barsNeeded, barsNeededBy } from '../rules/lookback.ts';
import type { Condition as RuleCondition, Value } from '../rules/program.ts';
import { roundFigure } from './figures.ts';
import { PERIOD_RANGE, SNAPSHOT_BARS } from './periods.ts';
import type { SessionView } from './snapshot.ts';
import { indicatorsAt } from './window-indicators.ts';

/** Bars of a rule that a snapshot is enough for: those of the window at the session before, which is one bar shorter. */
export const RULE_BARS = SNAPSHOT_BARS - 1;

/** Bars that a value needs, the last included. */
export function valueBars(value: Value): number {
  return barsNeeded(value, PERIOD_RANGE);
}

/** Bars that a condition needs, the last included. */
export function conditionBars(condition: RuleCondition): number {
  return barsNeededBy(condition, PERIOD_RANGE);
}

/** A test whether a condition certainly holds at the last bar of an instrument. */
export function ruleTestOf(view: SessionView, condition: RuleCondition): (instrument: number) => boolean {
  return (i) => new HistoryColumns(indicatorsAt(view, i)).mask(condition).at(-1) === 1;
}

/** A value at the last bar of each instrument, rounded as it is served. Each is computed when it is first read. */
export class RuleFigureColumn {
  private readonly view: SessionView;
  private readonly value: Value;
  private readonly known = new Map<number, number>();

  constructor(view: SessionView, value: Value) {
    this.view = view;
    this.value = value;
  }

  /** The figure of instrument i; NaN where undefined. */
  at(i: number): number {
    const known = this.known.get(i);
    if (known !== undefined) return known;
    const figure = new HistoryColumns(indicatorsAt(this.view, i)).value(this.value).at(-1) ?? Number.NaN;
    const rounded = roundFigure(figure);
    this.known.set(i, rounded);
    return rounded;
  }
}
