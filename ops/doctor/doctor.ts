/** Checks everything that the service depends on and serves, and says what to do. */
import type { Pool } from '../../db/pool.ts';
import { type Check, examine, type Finding, type Problem, remedyOf } from '../../jobs/health/check.ts';
import { readOnce } from '../../jobs/health/installation.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Config } from '../config.ts';
import { storageSettings } from '../settings.ts';
import { CHECKS, type Patient } from './checks.ts';

export type Diagnosis = Finding<Check<Patient>>;

export interface Examined {
  readonly config: Config;
  readonly url: string;
  readonly pool: Pool;
  readonly now: () => number;
}

/** Runs all checks; root causes come first, then the checks without a problem. */
export function runDoctor({ config, url, pool, now }: Examined): Promise<Diagnosis[]> {
  const installation = readOnce({ pool, now, storage: () => openStorage(storageSettings(config)) });
  return examine(CHECKS, { ...installation, config, url });
}

/** Whether a finding is a problem rather than advice. */
export function isBroken({ check, problems }: Diagnosis): boolean {
  return problems.length > 0 && !check.isAdvice;
}

/** One line per finding, with its consequences under it. */
export function describeFindings(findings: readonly Diagnosis[]): string[] {
  return findings.flatMap(({ check, problems, consequences }) => [
    problems.length === 0
      ? `ok       ${check.name}`
      : `${check.isAdvice ? 'advice ' : 'PROBLEM'}  ${check.name}: ${describe(check, problems)} (see ${sectionsOf(check, problems)})`,
    ...consequences.map(
      (follower) =>
        `         so also: ${follower.check.name}: ${follower.problems.map(({ text }) => text).join(' | ')}`,
    ),
  ]);
}

/** Problems of one check that are named; the others are counted. */
const NAMED = 3;

/** The problems that a check found, and what to do about each; empty: none. */
export function describe(check: Check<Patient>, problems: readonly Problem[]): string {
  const named = problems.slice(0, NAMED).map((problem) => {
    const { command } = remedyOf(check, problem);
    const next = problem.isUnderWay ? '; a load is under way' : command === null ? '' : `; run "${command}"`;
    return `${problem.text}${next}`;
  });
  if (problems.length > NAMED) named.push(`${problems.length - NAMED} more`);
  return named.join(' | ');
}

function sectionsOf(check: Check<Patient>, problems: readonly Problem[]): string {
  const sections = problems.slice(0, NAMED).map(({ runbook = check.runbook }) => `ops/RUNBOOK.md#${runbook}`);
  return [...new Set(sections)].join(', ');
}
