/**
 * Checks of the installation, and the problems that they find. A consequence is listed under its root cause, because the repair of the
 * cause repairs both.
 */

import { selectProviderRanges } from '../../db/market/loaded-sessions.ts';
import type { Queryable } from '../../db/pool.ts';
import { type SyncJob, selectFailedSyncJobs } from '../../db/queue/sync-jobs.ts';
import { countDaysNotLoaded } from '../../db/queue/sync-units.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { toError } from '../../engine/util/errors.ts';
import { syncSpecSchema } from '../contracts/sync.ts';

export interface Problem {
  /** The problem with its figures, for operators. */
  readonly text: string;
  /** The queue that is paused, or whose jobs fail or wait. */
  readonly queue?: string;
  /** The load that failed. */
  readonly syncJobId?: number;
  /** The session that is held, or the first one that is missing. */
  readonly session?: string;
  /** The last session of a range that is missing. */
  readonly until?: string;
  readonly count?: number;
  /** The error or reason as it was reported. */
  readonly detail?: string;
  /** Section of the runbook, if different from that of the check. */
  readonly runbook?: string;
  /** Whether it is only a recommendation. */
  readonly isAdvice?: boolean;
  /** Whether the service is already repairing it. */
  readonly isUnderWay?: boolean;
  /** Whether the check itself failed, so that its figures are not known. */
  readonly isUnknown?: boolean;
}

/** Ways to repair a problem through the API, as the on-call page shows them. */
export const REPAIRS = [
  'resume_queue',
  'retry_load',
  'load_newest',
  'load_range',
  'release_session',
  'retry_jobs',
] as const;
export type Repair = (typeof REPAIRS)[number];

export interface Check<Subject> {
  /** The statement to check: `a worker runs`. */
  readonly name: string;
  /** Section of ops/docs/RUNBOOK.md for its problems. */
  readonly runbook: string;
  /** A figure above it is a problem. */
  readonly threshold?: number;
  /** Checks that must succeed so that this one can run. */
  readonly reads?: readonly string[];
  /** Checks whose problems cause problems of this one. */
  readonly follows?: readonly string[];
  readonly appliesTo?: (subject: Subject) => boolean;
  /** Whether a finding is only a recommendation. */
  readonly isAdvice?: boolean;
  /** The repair of a problem in the browser; absent: only the command repairs it. */
  readonly repair?: Repair;
  /** The command that repairs a problem, or names its cause; null: there is none. */
  readonly command?: (problem: Problem) => string | null;
  /** Says that nothing was examined when there is no problem; null: something was. */
  readonly findNote?: (subject: Subject) => Promise<string | null>;
  readonly findProblems: (subject: Subject, threshold: number) => Promise<readonly Problem[]>;
}

/** The repairs of a problem: in the browser, and on the command line. */
export function remedyOf(
  { repair, command }: Pick<Check<never>, 'repair' | 'command'>,
  problem: Problem,
): { readonly repair: Repair | null; readonly command: string | null } {
  if (problem.isUnderWay || problem.isUnknown) return { repair: null, command: null };
  return { repair: repair ?? null, command: command?.(problem) ?? null };
}

/** Other checks run even if migrations are pending, because a service of an earlier version may not need them. */
export const MIGRATIONS_CHECK = 'migrations are applied';
const UNCHECKED = 'cannot be checked';

export interface Finding<Made> extends CheckResult<Made> {
  /** Findings whose root cause this one is. */
  readonly consequences: readonly Finding<Made>[];
}

interface CheckResult<Made> {
  readonly check: Made;
  readonly problems: readonly Problem[];
  /** Why no problem could be found; null: the check was made. */
  readonly note: string | null;
}

/** Runs checks, which must be listed after those that they read or follow. Root causes come first, then the checks without a problem. */
export async function examine<Subject, Made extends Check<Subject>>(
  checks: readonly Made[],
  subject: Subject,
): Promise<Finding<Made>[]> {
  const results = new Map<string, CheckResult<Made>>();
  for (const check of checks) {
    if (check.appliesTo && !check.appliesTo(subject)) continue;
    const problems = await runCheck(check, subject, results);
    const note = problems.length === 0 ? ((await check.findNote?.(subject).catch(() => null)) ?? null) : null;
    results.set(check.name, { check, problems, note });
  }
  const all = [...results.values()];
  const rootOf = new Map(
    all.map((result) => [result, result.problems.length === 0 ? null : findRoot(result, results)]),
  );
  const findingOf = (result: CheckResult<Made>, followers: readonly CheckResult<Made>[]): Finding<Made> => ({
    ...result,
    consequences: followers.map((follower) => findingOf(follower, [])),
  });
  const roots = all.filter((result) => rootOf.get(result) === result);
  return [
    ...roots.map((root) =>
      findingOf(
        root,
        all.filter((result) => result !== root && rootOf.get(result) === root),
      ),
    ),
    ...all.filter(({ problems }) => problems.length === 0).map((result) => findingOf(result, [])),
  ];
}

/** Runs a check, unless a check that it reads has failed: it would only repeat that error. */
async function runCheck<Subject, Made extends Check<Subject>>(
  check: Made,
  subject: Subject,
  results: ReadonlyMap<string, CheckResult<Made>>,
): Promise<readonly Problem[]> {
  const broken = (check.reads ?? []).filter((name) => (results.get(name)?.problems.length ?? 0) > 0);
  if (broken.some((name) => name !== MIGRATIONS_CHECK)) return [{ text: UNCHECKED, isUnknown: true }];
  try {
    return await check.findProblems(subject, check.threshold ?? 0);
  } catch (error) {
    const text = broken.length > 0 ? UNCHECKED : toError(error).message;
    return [{ text, detail: text, isUnknown: true }];
  }
}

/** The root cause of a problem: the result itself, or another one. */
function findRoot<Made extends Check<never>>(
  result: CheckResult<Made>,
  results: ReadonlyMap<string, CheckResult<Made>>,
): CheckResult<Made> {
  const isUnchecked = result.problems.some(({ text }) => text === UNCHECKED);
  const reads = isUnchecked ? (result.check.reads ?? []) : [];
  for (const name of [...reads, ...(result.check.follows ?? [])]) {
    const cause = results.get(name);
    if (cause && cause.problems.length > 0) return findRoot(cause, results);
  }
  return result;
}

/** Failed loads, newest first, whose own days no load has loaded since. One of days that were never published has none. */
export async function selectFailingLoads(db: Queryable): Promise<SyncJob[]> {
  const ranges = await selectProviderRanges(db);
  const failing: SyncJob[] = [];
  for (const job of await selectFailedSyncJobs(db)) {
    const { start, end, venue_mode } = syncSpecSchema.parse(job.request);
    const asked = ranges.filter(({ venueBasis }) => venue_mode === undefined || venueBasis === venue_mode);
    // Published days are not known, or the load is not one of days.
    let isFailing = job.job_type !== 'daily_bars' || asked.length === 0;
    for (const { venueBasis, firstSession, newestSession } of asked) {
      if (isFailing) break;
      const days = sessionsBetween(
        Math.max(start === undefined ? firstSession : requireDay(start), firstSession),
        Math.min(end === undefined ? newestSession : requireDay(end), newestSession),
      );
      isFailing = (await countDaysNotLoaded(db, job.id, venueBasis, days)) > 0;
    }
    if (isFailing) failing.push(job);
  }
  return failing;
}
