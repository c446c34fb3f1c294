/**
 * Checks of the installation, and the problems that they find. A problem that follows from another one is listed under it: the
 * repair of the first one repairs both.
 */
import { toError } from '../../engine/util/thrown.ts';

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
  /** Error or reason, as it was reported. */
  readonly detail?: string;
  /** Section of the runbook, if it is not that of the check. */
  readonly runbook?: string;
  /** Whether the service is repairing it by itself. */
  readonly isUnderWay?: boolean;
  /** Whether the check itself failed, so that its figures are not known. */
  readonly isUnknown?: boolean;
}

/** Ways to repair a problem through the API, as the on-call page offers them. */
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
  /** The statement that it checks: `a worker runs`. */
  readonly name: string;
  /** Section of ops/docs/RUNBOOK.md that says what to do. */
  readonly runbook: string;
  /** A figure above it is a problem. */
  readonly threshold?: number;
  /** Checks that must succeed before this one can run. */
  readonly reads?: readonly string[];
  /** Checks whose problem explains a problem of this one. */
  readonly follows?: readonly string[];
  readonly appliesTo?: (subject: Subject) => boolean;
  /** A finding is only a recommendation. */
  readonly isAdvice?: boolean;
  /** The repair of a problem in the browser; without it, only the command repairs it. */
  readonly repair?: Repair;
  /** The command that repairs a problem. */
  readonly command?: (problem: Problem) => string;
  readonly look: (subject: Subject, threshold: number) => Promise<readonly Problem[]>;
}

/** The repairs of a problem: in the browser, and on the command line. */
export function remedyOf(
  { repair, command }: Pick<Check<never>, 'repair' | 'command'>,
  problem: Problem,
): { readonly repair: Repair | null; readonly command: string | null } {
  if (problem.isUnderWay || problem.isUnknown) return { repair: null, command: null };
  return { repair: repair ?? null, command: command?.(problem) ?? null };
}

/** Pending migrations alone do not stop other checks, because a service of an earlier version runs without them. */
export const MIGRATIONS_CHECK = 'migrations are applied';
const UNCHECKED = 'cannot be checked';

export interface Finding<Made> {
  readonly check: Made;
  /** Empty: none. */
  readonly problems: readonly Problem[];
  /** Findings with problems that this one explains. */
  readonly consequences: readonly Finding<Made>[];
}

interface Look<Made> {
  readonly check: Made;
  readonly problems: readonly Problem[];
}

/** Runs checks, each of which is listed after those that it reads through or follows. Root causes come first, then the checks without a problem. */
export async function examine<Subject, Made extends Check<Subject>>(
  checks: readonly Made[],
  subject: Subject,
): Promise<Finding<Made>[]> {
  const looks = new Map<string, Look<Made>>();
  for (const check of checks) {
    if (check.appliesTo && !check.appliesTo(subject)) continue;
    looks.set(check.name, { check, problems: await lookAt(check, subject, looks) });
  }
  const all = [...looks.values()];
  const rootOf = new Map(all.map((look) => [look, look.problems.length === 0 ? null : findRoot(look, looks)]));
  const findingOf = (look: Look<Made>, followers: readonly Look<Made>[]): Finding<Made> => ({
    check: look.check,
    problems: look.problems,
    consequences: followers.map((follower) => findingOf(follower, [])),
  });
  const roots = all.filter((look) => rootOf.get(look) === look);
  return [
    ...roots.map((root) =>
      findingOf(
        root,
        all.filter((look) => look !== root && rootOf.get(look) === root),
      ),
    ),
    ...all.filter(({ problems }) => problems.length === 0).map((look) => findingOf(look, [])),
  ];
}

/** Runs a check, unless something that it reads through is broken: it would only repeat that error. */
async function lookAt<Subject, Made extends Check<Subject>>(
  check: Made,
  subject: Subject,
  looks: ReadonlyMap<string, Look<Made>>,
): Promise<readonly Problem[]> {
  const broken = (check.reads ?? []).filter((name) => (looks.get(name)?.problems.length ?? 0) > 0);
  if (broken.some((name) => name !== MIGRATIONS_CHECK)) return [{ text: UNCHECKED, isUnknown: true }];
  try {
    return await check.look(subject, check.threshold ?? 0);
  } catch (error) {
    const text = broken.length > 0 ? UNCHECKED : toError(error).message;
    return [{ text, detail: text, isUnknown: true }];
  }
}

/** The root cause of a problem, which may be itself. */
function findRoot<Made extends Check<never>>(look: Look<Made>, looks: ReadonlyMap<string, Look<Made>>): Look<Made> {
  const isUnchecked = look.problems.some(({ text }) => text === UNCHECKED);
  const reads = isUnchecked ? (look.check.reads ?? []) : [];
  for (const name of [...reads, ...(look.check.follows ?? [])]) {
    const cause = looks.get(name);
    if (cause && cause.problems.length > 0) return findRoot(cause, looks);
  }
  return look;
}
