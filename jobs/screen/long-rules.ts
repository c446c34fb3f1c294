/** Rules of a screen that need more bars than a snapshot has, evaluated over the whole history of each instrument. */

import { setImmediate } from 'node:timers/promises';
import { selectInstruments } from '../../db/market/instruments.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { sessionAtOrBefore } from '../../engine/market/calendar.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type BarSeries, sliceByDay } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/venue-basis.ts';
import { checkRule } from '../../engine/rules/check.ts';
import { HistoryColumns } from '../../engine/rules/columns.ts';
import { compileCondition, compileValue } from '../../engine/rules/compile.ts';
import type { Expression } from '../../engine/rules/syntax.ts';
import { roundFigure } from '../../engine/screener/figures.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { LongFigures, LongRules } from '../contracts/screen.ts';
import { marketHistories } from '../snapshot/collect.ts';

/** Figures of one history at its last bar, on the basis of that bar. */
type Measure = (series: BarSeries) => { readonly holds: boolean; readonly values: readonly (number | null)[] };

function expressionOf(text: string, result: 'condition' | 'value'): Expression {
  const checked = checkRule(text, { result, mayUsePosition: false, parameters: null });
  if ('problems' in checked) throw new RangeError(`invalid rule: ${text}`);
  return checked.expression;
}

function measureOf({ where, values }: LongRules): Measure {
  const condition = where === null ? null : compileCondition(expressionOf(where, 'condition'));
  const nodes = values.map((text) => compileValue(expressionOf(text, 'value')));
  return (series) => {
    const columns = new HistoryColumns(new IndicatorSet(series));
    const figures = nodes.map((node) => roundFigure(columns.value(node).at(-1) ?? Number.NaN));
    return {
      holds: condition !== null && columns.mask(condition).at(-1) === 1,
      values: figures.map((figure) => (Number.isNaN(figure) ? null : figure)),
    };
  };
}

/** At the session of `day` and at the one before. `seenAt`: bars and events as they were served then (null: as they are). */
export async function longFigures(
  context: Pick<JobContext, 'pool' | 'signal'>,
  rules: LongRules,
  day: Day,
  seenAt: Date | null,
): Promise<LongFigures> {
  const measure = measureOf(rules);
  const before = sessionAtOrBefore(day - 1);
  const found: { id: number; now: ReturnType<Measure>; before: ReturnType<Measure> }[] = [];
  let isMixed = false;
  const instruments = await selectInstruments(context.pool);
  const span = { through: day, newest: day, seenAt };
  for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
    await setImmediate();
    const now = measure(adjustToLastBar(traded, events));
    const earlier = sliceByDay(traded, traded.day[0], before);
    const isSame = earlier.length === traded.length;
    found.push({ id: instrument.id, now, before: isSame ? now : measure(adjustToLastBar(earlier, events)) });
    isMixed ||= traded.day[0] < CONSOLIDATED_FROM;
  }
  const session = (at: 'now' | 'before') => ({
    holds: found.filter((one) => one[at].holds).map(({ id }) => id),
    values: rules.values.map((_, k) => found.map((one) => one[at].values[k])),
  });
  return { ids: found.map(({ id }) => id), sessions: [session('now'), session('before')], isMixed };
}
