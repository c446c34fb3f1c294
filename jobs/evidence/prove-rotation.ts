/** The proof of a kept rotation that nothing later was known. */
import type { SavedBacktest } from '../../db/runs/kept-runs.ts';
import type { PrefixProof } from '../../engine/backtest/look-ahead.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { EMPTY_SERIES, sliceSeries } from '../../engine/market/series.ts';
import { type ProvedRotation, proveRotationPrefixes } from '../../engine/rotation/look-ahead.ts';
import { rotationPrograms, rotationRules } from '../../engine/rotation/rules.ts';
import { marketValues } from '../../engine/rotation/values.ts';
import { referencedInstruments } from '../backtest/others.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { KeptLimits } from '../rotation/kept-histories.ts';
import { computeRotation, readRotation, scheduleOf } from '../rotation/run.ts';
import { keptRotation } from './recompute-rotation.ts';

/**
 * Null when the rotation has no result on the present bars. One pass over the universe is needed for each rebalance, whatever its size:
 * only the chosen members are kept whole in memory. `limits`: of the bars of the universe in memory.
 */
export async function proveRotation(
  context: Pick<JobContext, 'pool' | 'signal'>,
  saved: SavedBacktest,
  limits?: KeptLimits,
): Promise<{ readonly proof: PrefixProof; readonly available: number } | null> {
  const spec = await keptRotation(context.pool, saved);
  const data = await readRotation(context, spec, limits);
  const outcome = data && (await computeRotation(spec, data));
  if (data === null || outcome === null || 'failure' in outcome) return null;
  const { universe, panel, rule } = outcome;
  const chosen = panel.members.flatMap(({ to }, member) => (to > 0 ? [member] : []));
  const histories = await universe.historiesOf(chosen);
  const programs = rotationPrograms(rotationRules(spec.texts), spec.params);
  const others = referencedInstruments(data.others, spec.adjust);
  const rotation: ProvedRotation = {
    panel,
    rule,
    cut: (member, to) => {
      const history = histories.get(member);
      if (to === 0 || history === undefined) return EMPTY_SERIES;
      return adjustToLastBar(sliceSeries(history.series, 0, to), history.events, spec.adjust);
    },
    valuesOf: (cut, sessions) => {
      const market = universe.marketThrough(cut.clock[cut.clock.length - 1]);
      return marketValues(market, cut, programs, sessions, others);
    },
    schedule: scheduleOf(spec, spec.params),
    execution: spec.execution,
  };
  const proof = proveRotationPrefixes(rotation);
  for (;;) {
    context.signal.throwIfAborted();
    const step = await proof.next();
    if (step.done) return { proof: step.value, available: universe.first };
  }
}
