/** Takes steps of sessions again, and tells the consequences before. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import {
  selectLoadedSessionsWithBars,
  selectNewestRows,
  selectNewestSession,
} from '../../db/market/loaded-sessions.ts';
import type { Connection, Pool } from '../../db/pool.ts';
import { loadStep, type SessionStep, selectStepSeconds } from '../../db/queue/session-steps.ts';
import { countReaders } from '../../db/runs/kept-reads.ts';
import { newestDistributableDay, sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { isMarketStep, MARKET_STEP_QUEUES } from '../contracts/session-steps.ts';
import type { SyncSpec } from '../contracts/sync.ts';
import { type Provider, ProviderError } from '../providers/provider.ts';
import { CHECKED_VENUE_BASIS, checkSession } from '../quality/check-sessions.ts';
import { readDueSteps } from '../quality/session-grid.ts';
import { sendUnlessWaiting } from '../queue/send.ts';
import { enqueueSync } from '../sync/enqueue.ts';
import { describeUnpublished, loadRanges } from '../sync/load-range.ts';
import type { Operator } from './operate.ts';

/** A step of the sessions from one day to another. Those that a job takes for the whole market are of its newest session. */
export interface WantedStep {
  readonly step: SessionStep;
  readonly start: Day;
  readonly end: Day;
}

export interface StepConsequences {
  readonly sessions: number;
  /** By the last ones; null: none is known. */
  readonly rows: number | null;
  readonly seconds: number | null;
  /** Calls to a vendor, and its price; null: it did not tell. */
  readonly requests: number | null;
  readonly costUsd: number | null;
  /** Kept runs that have read these sessions: those are computed again whose bars change. */
  readonly keptRuns: number;
  /** Whether there is something to do. */
  readonly isDue: boolean;
  /** Steps that follow by themselves. */
  readonly followers: readonly SessionStep[];
  /** Why it cannot be done, or its cost is not known; null: it can. */
  readonly problem: string | null;
}

/** The steps that follow a step, if it changes something. */
const FOLLOWERS = {
  load_consolidated: ['check', 'snapshot', 'lake', 'impact', 'signals', 'webhooks'],
  load_primary_session: ['snapshot', 'lake', 'impact', 'webhooks'],
  load_single_venue: [],
  check: ['snapshot', 'lake', 'signals', 'webhooks'],
  snapshot: ['signals', 'webhooks'],
  lake: [],
  impact: ['webhooks'],
  signals: ['webhooks'],
  webhooks: [],
} as const satisfies Record<SessionStep, readonly SessionStep[]>;

interface Installation {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly now: () => number;
}

const basisOf = (step: SessionStep): VenueBasis | undefined => VENUE_BASES.find((basis) => loadStep(basis) === step);

export async function stepConsequences(
  { pool, provider, now }: Installation,
  { step, start, end }: WantedStep,
): Promise<StepConsequences> {
  const venueBasis = basisOf(step);
  const perSession = await selectStepSeconds(pool, step);
  const isOfMarket = isMarketStep(step);
  const sessions = isOfMarket ? 1 : sessionsBetween(start, end).length;
  const common = {
    sessions,
    seconds: perSession && perSession * sessions,
    followers: FOLLOWERS[step],
    requests: 0,
    costUsd: 0,
  };
  if (venueBasis === undefined) {
    const newest = await selectNewestSession(pool, CHECKED_VENUE_BASIS, newestDistributableDay(now()));
    const isDue = !isOfMarket || (await readDueSteps(pool, now(), newest)).has(step);
    return { ...common, rows: null, keptRuns: 0, isDue, problem: null };
  }
  const rows = await selectNewestRows(pool, venueBasis, end);
  return {
    ...common,
    rows: rows && rows * sessions,
    keptRuns: await countReaders(pool, start, end),
    isDue: true,
    ...(await costOf(provider, { start: formatDay(start), end: formatDay(end), venue_mode: venueBasis })),
  };
}

/** Asks the vendor how much a load reads, and its price. */
async function costOf(
  provider: Provider,
  spec: SyncSpec,
): Promise<Pick<StepConsequences, 'requests' | 'costUsd' | 'problem'>> {
  try {
    const ranges = await loadRanges(provider, spec);
    let [requests, costUsd] = [0, 0];
    for (const { venueBasis, start, end } of ranges.filter((range) => range.start <= range.end)) {
      const units = await provider.planUnits(venueBasis, start, end);
      requests += (await provider.estimateRead?.(units, venueBasis))?.requests ?? 0;
      costUsd += (await provider.estimateCost?.(venueBasis, start, end)) ?? 0;
    }
    return { requests, costUsd, problem: describeUnpublished(provider, spec, ranges) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { requests: null, costUsd: null, problem: error.message };
  }
}

/** The load or the job that does the step; both null: it is done. */
export interface StartedStep {
  readonly syncJobId: number | null;
  readonly jobId: string | null;
}

export async function takeStepAgain(
  connection: Connection,
  { boss, log }: { readonly boss: PgBoss; readonly log: Logger },
  { step, start, end }: WantedStep,
  { actor, requestId, at }: Operator,
): Promise<StartedStep> {
  if (isMarketStep(step)) {
    const jobId = await sendUnlessWaiting(boss, MARKET_STEP_QUEUES[step], { requestId }, connection);
    if (jobId === null) throw new ServiceError('already_running');
    return { syncJobId: null, jobId };
  }
  const venueBasis = basisOf(step);
  if (venueBasis !== undefined) {
    const spec = { start: formatDay(start), end: formatDay(end), venue_mode: venueBasis };
    const wanted = { jobType: 'daily_bars', spec, requestedBy: actor, requestId: requestId ?? undefined } as const;
    return { syncJobId: await enqueueSync(connection, boss, wanted), jobId: null };
  }
  const loaded = await selectLoadedSessionsWithBars(connection, CHECKED_VENUE_BASIS);
  const days = loaded.filter((day) => day >= start && day <= end);
  if (days.length === 0) throw new ServiceError('not_found');
  for (const day of days) await checkSession(connection, day, at.getTime(), log);
  return { syncJobId: null, jobId: null };
}
