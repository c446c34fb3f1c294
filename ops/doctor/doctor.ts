/**
 * Looks at everything that the service stands on and serves, and says what to do. A problem that follows from another one
 * is listed under it: fixing the first one fixes both.
 */
import { CHECKS, type Check, type Patient } from './checks.ts';

export interface Finding {
  readonly check: Check;
  /** What is wrong and what to do; null: nothing. */
  readonly problem: string | null;
  /** Problems that this one explains. */
  readonly consequences: readonly Finding[];
}

interface Look {
  readonly check: Check;
  readonly problem: string | null;
}

/** Root causes first, then what is in order. */
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

/** A check that reads through something broken would only repeat its error. */
async function lookAt(check: Check, patient: Patient, looks: ReadonlyMap<string, Look>): Promise<string | null> {
  const isBlocked = (check.reads ?? []).some((name) => looks.get(name)?.problem);
  if (isBlocked) return 'cannot be checked';
  return check.look(patient).catch((error: Error) => error.message);
}

/** The first problem that explains this one; itself where none does. Checks are listed after those they follow from. */
function findRoot(look: Look, looks: ReadonlyMap<string, Look>): Look {
  for (const name of [...(look.check.reads ?? []), ...(look.check.follows ?? [])]) {
    const cause = looks.get(name);
    if (cause && cause.problem !== null) return findRoot(cause, looks);
  }
  return look;
}

/** Whether something is broken, not only to be recommended. */
export function isBroken({ check, problem }: Finding): boolean {
  return problem !== null && !check.isAdvice;
}

/** A line a finding, its consequences under it. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, problem, consequences }) => [
    problem === null
      ? `ok       ${check.name}`
      : `${check.isAdvice ? 'advice ' : 'PROBLEM'}  ${check.name}: ${problem} (see ${sectionOf(check)})`,
    ...consequences.map((follower) => `         so also: ${follower.check.name}: ${follower.problem}`),
  ]);
}

const sectionOf = ({ runbook }: Check): string => `ops/RUNBOOK.md#${runbook}`;
