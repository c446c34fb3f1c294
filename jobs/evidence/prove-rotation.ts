/** The proof of a kept rotation that nothing later was known. */
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import type { PrefixProof } from '../../engine/backtest/look-ahead.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { EMPTY_SERIES, sliceSeries } from '../../engine/market/series.ts';
import { type ProvedRotation, proveRotationPrefixes } from '../../engine/rotation/look-ahead.ts';
import type { Panel } from '../../engine/rotation/panel.ts';
import { rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { marketValues } from '../../engine/rotation/values.ts';
import type { Market, VisitedMember } from '../../engine/rules/market-values.ts';
import { othersOf } from '../backtest/others.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { readRotation, ruleOf, scheduleOf } from '../rotation/run.ts';
import { keptRotation } from './recompute-rotation.ts';

/** Null when no bar lies in the range any more, or the bars of the universe do not fit in memory. */
export async function proveRotation(
  context: Pick<JobContext, 'pool' | 'signal'>,
  saved: SavedBacktest,
): Promise<{ readonly proof: PrefixProof; readonly available: number } | null> {
  const spec = await keptRotation(context.pool, saved);
  const data = await readRotation(context, spec);
  const histories = data?.universe.keptHistories() ?? null;
  if (data === null || histories === null) return null;
  const { universe } = data;
  const { params } = spec;
  const programs = rotationPrograms(rotationRules(spec.texts), params);
  const others = othersOf(data.others, spec.adjust);
  const groups = universe.market().members;
  const rotation: ProvedRotation = {
    panel: await universe.panel(new Set(universe.members.keys())),
    cut: (member, to) => {
      const { series, events } = histories[member];
      return to === 0 ? EMPTY_SERIES : adjustToLastBar(sliceSeries(series, 0, to), events, spec.adjust);
    },
    valuesOf: (panel, sessions) => marketValues(marketOf(panel, groups), panel, programs, sessions, others),
    schedule: scheduleOf(spec, params),
    rule: ruleOf(spec, programs, params, others),
    execution: spec.execution,
  };
  const proof = proveRotationPrefixes(rotation);
  for (;;) {
    context.signal.throwIfAborted();
    const step = await proof.next();
    if (step.done) return { proof: step.value, available: universe.first };
  }
}

/** The members of a panel, which may be cut: an instrument that is delisted later is not delisted at the end of the cut. */
function marketOf({ members }: Panel, groups: Market['members']): Market {
  const visit = () =>
    members.flatMap(({ series, isDelisted, lastDay }, member): VisitedMember[] => {
      if (series.length === 0) return [];
      const isLast = lastDay === undefined || series.day[series.length - 1] === lastDay;
      return [{ member, series, isDelisted: isDelisted && isLast }];
    });
  return { members: groups, visit };
}
