/** The signals of a watched rotation. */
import type { Signal } from '../../db/research/signals.ts';
import type { DueWatch } from '../../db/research/watches.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import type { Day } from '../../engine/market/dates.ts';
import { type Rebalance, rebalanceSessions } from '../../engine/rotation/rotation.ts';
import { rotationSpecSchema } from '../contracts/rotation.ts';
import type { UniverseContext } from '../rotation/histories.ts';
import { computeRotation, type RotationOutcome, readRotation, scheduleOf } from '../rotation/run.ts';
import { newestColumns } from '../runs/own-columns.ts';
import { columnNamesOf } from './named.ts';

/** Days within which there is another session. */
const LONGEST_CLOSURE = 14;

/**
 * The orders of a watched rotation's rebalance, if the session `day` is one. It is run from its start to the session, on the newest
 * versions of its columns.
 */
export async function rotationSignals(context: UniverseContext, watch: DueWatch, day: Day): Promise<Signal[]> {
  const given = rotationSpecSchema.parse(watch.rotation);
  const columns = await newestColumns(context.pool, watch.userId, columnNamesOf(watch));
  const spec = { ...given, columns, asOf: day, end: day };
  const data = await readRotation(context, spec);
  if ('failure' in data) return [];
  const { clock } = data.universe;
  if (clock[clock.length - 1] !== day) return [];
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
