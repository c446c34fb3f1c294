/** Signals of a watched rotation: the orders of its rebalance, if the newest session is one. */
import type { Signal } from '../../db/research/signals.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import type { Day } from '../../engine/market/dates.ts';
import type { Rebalance } from '../../engine/rotation/rotation.ts';
import { rebalanceSessions } from '../../engine/rotation/schedule.ts';
import { rotationSpecSchema } from '../contracts/rotation.ts';
import type { UniverseContext } from '../rotation/histories.ts';
import { computeRotation, type RotationOutcome, readRotation, scheduleOf } from '../rotation/run.ts';

/** Days within which there is another session. */
const LONGEST_CLOSURE = 14;

/** `given`: the specification of the rotation, which is run from its start to the session. */
export async function rotationSignals(context: UniverseContext, given: unknown, day: Day): Promise<Signal[]> {
  const spec = { ...rotationSpecSchema.parse(given), asOf: day, end: day };
  const data = await readRotation(context, spec);
  const clock = data?.universe.clock ?? [];
  if (data === null || clock[clock.length - 1] !== day) return [];
  const [ahead] = sessionsBetween(day + 1, day + LONGEST_CLOSURE);
  const universe = data.universe.withSessionAhead(ahead);
  const due = rebalanceSessions(universe.clock, scheduleOf(spec, spec.params));
  if (due.at(-1) !== clock.length - 1) return [];
  const outcome = await computeRotation(spec, { ...data, universe });
  const rebalance = 'failure' in outcome ? undefined : outcome.run.rebalances.at(-1);
  return 'failure' in outcome || rebalance === undefined ? [] : signalsOf(outcome, rebalance);
}

/** A purchase is an entry and a sale an exit, also where the position is only changed. Figures are shares of the equity. */
function signalsOf({ universe, panel }: RotationOutcome, { changes, weights }: Rebalance): Signal[] {
  return [...changes].map(([member, change]): Signal => {
    const { symbol, series } = panel.members[member];
    return {
      instrumentId: universe.members[member].instrument.id,
      symbol,
      kind: change > 0 ? 'entry' : 'exit',
      reason: change > 0 ? 'signal' : 'rebalance',
      close: series.close[series.length - 1],
      figures: { weight: weights.get(member) ?? 0, change },
    };
  });
}
