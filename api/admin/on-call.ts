/** Current problems of the installation, ordered so that causes come before their consequences. */
import { selectAuditEntries } from '../../db/back-office/audit-list.ts';
import { countConnectedProcesses, type ProcessKind } from '../../db/connected-processes.ts';
import { selectProviderRanges } from '../../db/market/provider-ranges.ts';
import { selectHeldSessions } from '../../db/market/session-checks.ts';
import type { Pool } from '../../db/pool.ts';
import { selectQueueActivity } from '../../db/queue/queue-activity.ts';
import { type FailureGroup, selectFailureGroups, selectQueueStates } from '../../db/queue/queue-jobs.ts';
import { selectFailingSyncJobs } from '../../db/queue/sync-jobs.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import { type LoadFreshness, loadFreshness, snapshotFreshness } from '../../jobs/quality/freshness.ts';
import { runbookOf } from '../../jobs/queue/operate.ts';
import { QUEUE_NAMES, type QueueName } from '../../jobs/queue/queues.ts';
import type { Services } from '../services.ts';
import { ACTIVITY_STEPS, type PROBLEM_KINDS } from './on-call-schemas.ts';

export interface Problem {
  readonly kind: (typeof PROBLEM_KINDS)[number];
  /** The paused queue, or the queue whose jobs fail. */
  readonly queue: string | null;
  /** The load that failed. */
  readonly syncJobId: number | null;
  /** The session that is held. */
  readonly session: string | null;
  /** Failed jobs, or sessions behind. */
  readonly count: number | null;
  /** Error or reason, as it was reported. */
  readonly detail: string | null;
  /** Section of the runbook. */
  readonly runbook: string;
}

export interface OnCallReport {
  readonly problems: readonly Problem[];
  /** When the last problem was repaired, as far as jobs and the audit log know; null: there is a problem, or nothing is known. */
  readonly wellSince: Date | null;
  readonly processes: Readonly<Record<ProcessKind, number>>;
  readonly loadedTo: string | null;
  readonly publishedTo: string | null;
  readonly sessionsBehind: number | null;
  readonly activity: readonly { readonly queue: QueueName; readonly ended: readonly number[] }[];
}

const NOTHING = { queue: null, syncJobId: null, session: null, count: null, detail: null } as const;
const ACTIVITY_STEP_S = 300;

export async function onCallReport({ pool, now }: Pick<Services, 'pool' | 'now'>): Promise<OnCallReport> {
  const at = now();
  const processes = await countConnectedProcesses(pool);
  const failures = await selectFailureGroups(pool, null);
  const freshness = await loadFreshness(pool, at);
  const published = (await selectProviderRanges(pool)).find(({ venueBasis }) => venueBasis === CHECKED_VENUE_BASIS);
  const problems = [
    ...processProblems(processes),
    ...(await pauses(pool)),
    ...(await failingLoads(pool)),
    ...(await heldSessions(pool)),
    ...failingJobs(failures),
    ...(await staleData(pool, at, freshness)),
  ];
  return {
    problems,
    wellSince: problems.length > 0 ? null : await lastRepair(pool, failures),
    processes,
    loadedTo: freshness.loaded === null ? null : formatDay(freshness.loaded),
    publishedTo: published ? formatDay(published.newestSession) : null,
    sessionsBehind: freshness.behind,
    activity: await selectQueueActivity(pool, QUEUE_NAMES, { steps: ACTIVITY_STEPS, stepS: ACTIVITY_STEP_S }),
  };
}

/** At least one API process runs: the one that answers. */
function processProblems({ worker, scheduler }: Readonly<Record<ProcessKind, number>>): Problem[] {
  const problems: Problem[] = [];
  if (worker === 0) problems.push({ ...NOTHING, kind: 'no_worker', runbook: 'ops/RUNBOOK.md#worker' });
  if (scheduler === 0) problems.push({ ...NOTHING, kind: 'no_scheduler', runbook: 'ops/RUNBOOK.md#scheduler' });
  return problems;
}

async function pauses(pool: Pool): Promise<Problem[]> {
  const states = await selectQueueStates(pool, QUEUE_NAMES);
  return states
    .filter(({ pausedAt }) => pausedAt !== null)
    .map(({ queue, pausedBy: detail }) => ({
      ...NOTHING,
      kind: 'queue_paused',
      queue,
      detail,
      runbook: 'ops/RUNBOOK.md#queues',
    }));
}

async function failingLoads(pool: Pool): Promise<Problem[]> {
  const failing = await selectFailingSyncJobs(pool);
  return failing.map(({ id: syncJobId, error: detail }) => ({
    ...NOTHING,
    kind: 'load_failed',
    syncJobId,
    detail,
    runbook: 'ops/RUNBOOK.md#loads',
  }));
}

async function heldSessions(pool: Pool): Promise<Problem[]> {
  const held = await selectHeldSessions(pool, CHECKED_VENUE_BASIS);
  return held.map(({ day, problems }) => ({
    ...NOTHING,
    kind: 'session_held',
    session: formatDay(day),
    detail: problems.join('; '),
    runbook: 'ops/RUNBOOK.md#quality',
  }));
}

/** Loads have a record of their own, which says whether they are in order again. */
const isOpen = ({ queue, recoveredAt }: FailureGroup) => recoveredAt === null && !queue.startsWith('sync.');

function failingJobs(failures: readonly FailureGroup[]): Problem[] {
  return failures.filter(isOpen).map(({ queue, count, lastError: detail }) => ({
    ...NOTHING,
    kind: 'jobs_failed',
    queue,
    count,
    detail,
    runbook: runbookOf(queue),
  }));
}

async function staleData(pool: Pool, at: number, { behind }: LoadFreshness): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (behind) problems.push({ ...NOTHING, kind: 'data_behind', count: behind, runbook: 'ops/RUNBOOK.md#loads' });
  const snapshot = await snapshotFreshness(pool, at);
  if (snapshot.isStale) {
    problems.push({
      ...NOTHING,
      kind: 'snapshot_behind',
      count: snapshot.behind,
      runbook: 'ops/RUNBOOK.md#snapshot',
    });
  }
  return problems;
}

const REPAIRS = ['queue.resume', 'session.release', 'sync.retry', 'job.retry'] as const;

async function lastRepair(pool: Pool, failures: readonly FailureGroup[]): Promise<Date | null> {
  const known = failures.flatMap(({ recoveredAt }) => recoveredAt ?? []);
  for (const action of REPAIRS) {
    const { items } = await selectAuditEntries(pool, { action, result: 'ok' }, { page: 1, size: 1 });
    known.push(...items.map(({ at }) => at));
  }
  return known.length === 0 ? null : new Date(Math.max(...known.map(Number)));
}
