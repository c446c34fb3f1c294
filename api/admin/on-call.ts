/** Current problems of the installation, ordered so that causes come before their consequences. */

import type { ProcessKind } from '../../db/connected-processes.ts';
import { selectAuditEntries } from '../../db/log/audit-list.ts';
import { selectProviderRanges } from '../../db/market/provider-ranges.ts';
import type { Pool } from '../../db/pool.ts';
import { type FailureGroup, selectQueueActivity } from '../../db/queue/queue-jobs.ts';
import { formatDay } from '../../engine/market/dates.ts';
import { QUEUE_NAMES, type QueueName } from '../../jobs/contracts/queues.ts';
import { examine, type Finding, type Problem } from '../../jobs/health/check.ts';
import { HEALTH_CHECKS, type HealthCheck, type ProblemKind } from '../../jobs/health/checks.ts';
import { readOnce } from '../../jobs/health/installation.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import { ACTIVITY_STEPS } from './on-call-schemas.ts';
import type { Services } from './services.ts';

type Declared = HealthCheck<ProblemKind>;

export interface FoundProblem {
  readonly check: Declared;
  readonly problem: Problem;
  /** The check whose problem explains this one; null: this one is a root cause. */
  readonly cause: Declared | null;
}

export interface OnCallReport {
  readonly problems: readonly FoundProblem[];
  /** When the last problem was repaired, as far as jobs and the audit log know; null: there is a problem, or nothing is known. */
  readonly wellSince: Date | null;
  readonly processes: Readonly<Record<ProcessKind, number>>;
  readonly loadedTo: string | null;
  readonly publishedTo: string | null;
  readonly sessionsBehind: number | null;
  readonly activity: readonly { readonly queue: QueueName; readonly ended: readonly number[] }[];
}

const ACTIVITY_STEP_S = 300;

export async function onCallReport({
  pool,
  now,
  storage,
}: Pick<Services, 'pool' | 'now' | 'storage'>): Promise<OnCallReport> {
  const installation = readOnce({ pool, now, storage: () => storage });
  // These reject while the database is away, which is then the answer.
  const processes = await installation.processes();
  const failures = await installation.failures();
  const freshness = await installation.freshness();
  const published = (await selectProviderRanges(pool)).find(({ venueBasis }) => venueBasis === CHECKED_VENUE_BASIS);
  const findings = await examine(HEALTH_CHECKS, installation);
  const problems = [
    ...findings.flatMap((root) => problemsOf(root, null)),
    ...findings.flatMap(({ check, consequences }) => consequences.flatMap((one) => problemsOf(one, check))),
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

function problemsOf({ check, problems }: Finding<Declared>, cause: Declared | null): FoundProblem[] {
  return problems.map((problem) => ({ check, problem, cause }));
}

const REPAIR_ACTIONS = ['queue.resume', 'session.release', 'sync.retry', 'job.retry'] as const;

async function lastRepair(pool: Pool, failures: readonly FailureGroup[]): Promise<Date | null> {
  const known = failures.flatMap(({ recoveredAt }) => recoveredAt ?? []);
  for (const action of REPAIR_ACTIONS) {
    const { items } = await selectAuditEntries(pool, { action, result: 'ok' }, { page: 1, size: 1 });
    known.push(...items.map(({ at }) => at));
  }
  return known.length === 0 ? null : new Date(Math.max(...known.map(Number)));
}
