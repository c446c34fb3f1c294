/**
 * Checks everything that the service depends on and serves, and says what to do. A problem that follows from another one is listed
 * under it: fixing the first one fixes both.
 */
import { toError } from '../../engine/thrown.ts';
import { CHECKS, type Check, MIGRATIONS_CHECK, type Patient } from './checks.ts';

export interface Finding {
  readonly check: Check;
  /** The problem and what to do about it; null: none. */
  readonly problem: string | null;
  /** Problems that this one explains. */
  readonly consequences: readonly Finding[];
}

interface Look {
  readonly check: Check;
  readonly problem: string | null;
}

/** Runs all checks; root causes come first, then the checks without a problem. */
export async function runDoctor(patient: Patient): Promise<Finding[]> {
  const looks = new Map<string, Look>();
  for (const check of CHECKS) {
    if (check.appliesTo && !check.appliesTo(patient)) continue;
    looks.set(check.name, { check, problem: await lookAt(check, patient, looks) });
  }
  const all = [...looks.values()];
  const rootOf = new Map(all.map((look) => [look, look.problem === null ? null : findRoot(look, looks)]));
  const roots = all.filter((look) => rootOf.get(look) === look);
  const healthy = all.filter(({ problem }) => problem === null);
  const asFinding = ({ check, problem }: Look, consequences: Finding[] = []) => ({ check, problem, consequences });
  return [
    ...roots.map((root) => {
      const followers = all.filter((look) => look !== root && rootOf.get(look) === root);
      return asFinding(
        root,
        followers.map((follower) => asFinding(follower)),
      );
    }),
    ...healthy.map((look) => asFinding(look)),
  ];
}

const UNCHECKED = 'cannot be checked';

/**
 * Runs a check, unless something that it reads through is broken: it would only repeat that error. Pending migrations alone do
 * not stop it, because a service of an earlier version runs without them; only a check that then fails is a consequence.
 */
async function lookAt(check: Check, patient: Patient, looks: ReadonlyMap<string, Look>): Promise<string | null> {
  const broken = (check.reads ?? []).filter((name) => looks.get(name)?.problem);
  if (broken.some((name) => name !== MIGRATIONS_CHECK)) return UNCHECKED;
  return check.look(patient).catch((error: unknown) => (broken.length > 0 ? UNCHECKED : toError(error).message));
}

/** The root cause of a problem, which may be itself. Checks are listed after those they follow from. */
function findRoot(look: Look, looks: ReadonlyMap<string, Look>): Look {
  const reads = look.problem === UNCHECKED ? (look.check.reads ?? []) : [];
  for (const name of [...reads, ...(look.check.follows ?? [])]) {
    const cause = looks.get(name);
    if (cause && cause.problem !== null) return findRoot(cause, looks);
  }
  return look;
}

/** Whether a finding is a problem rather than advice. */
export function isBroken({ check, problem }: Finding): boolean {
  return problem !== null && !check.isAdvice;
}

/** One line per finding, with its consequences under it. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, problem, consequences }) => [
    problem === null
      ? `ok       ${check.name}`
      : `${check.isAdvice ? 'advice ' : 'PROBLEM'}  ${check.name}: ${problem} (see ${sectionOf(check)})`,
    ...consequences.map((follower) => `         so also: ${follower.check.name}: ${follower.problem}`),
  ]);
}

const sectionOf = ({ runbook }: Check): string => `ops/RUNBOOK.md#${runbook}`;
