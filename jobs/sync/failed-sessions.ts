/** Records the sessions that a load could not load. */
import { selectLoadedSessions } from '../../db/market/loaded-sessions.ts';
import type { Connection } from '../../db/pool.ts';
import { failStep, loadStep } from '../../db/queue/session-steps.ts';
import type { SyncJob } from '../../db/queue/sync-jobs.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, requireDay } from '../../engine/market/dates.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { SyncSpec } from '../contracts/sync.ts';

interface FailedLoad {
  readonly job: Pick<SyncJob, 'id'>;
  readonly spec: SyncSpec;
  readonly now: () => number;
}

/** A load of named symbols loads no session. */
export async function failSessions(
  connection: Connection,
  { job, spec, now }: FailedLoad,
  venueBasis: VenueBasis,
  days: readonly Day[],
  reason: string,
): Promise<void> {
  if (spec.symbols !== undefined || spec.forget !== undefined) return;
  await failStep(connection, {
    step: loadStep(venueBasis),
    days,
    at: new Date(now()),
    reason,
    by: { syncJobId: job.id },
  });
}

/** Records the sessions of a load that has failed for good, if no load has loaded them. */
export async function failMissingSessions(connection: Connection, load: FailedLoad, reason: string): Promise<void> {
  const { start, end, venue_mode: venueBasis } = load.spec;
  if (venueBasis === undefined || start === undefined || end === undefined) return;
  const loaded = new Set(await selectLoadedSessions(connection, venueBasis));
  const missing = sessionsBetween(requireDay(start), requireDay(end)).filter((day) => !loaded.has(day));
  await failSessions(connection, load, venueBasis, missing, reason);
}
