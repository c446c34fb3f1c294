/** Checks everything that the service depends on and serves, and suggests repairs. */
import type { Pool } from '../../db/pool.ts';
import { type Check, examine, type Finding, type Problem, remedyOf } from '../../jobs/health/check.ts';
import { readOnce } from '../../jobs/health/installation.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { Config } from '../config.ts';
import { freeBytes } from '../free-space.ts';
import { backupSettings, deadlines, storageSettings } from '../settings.ts';
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
  const installation = readOnce({
    pool,
    now,
    deadlines: deadlines(config),
    freeBytes: () => freeBytes(config.DATA_DIR),
    backups: backupSettings(config),
    storage: () => openStorage(storageSettings(config)),
  });
  return examine(CHECKS, { ...installation, config, url });
}

/** Whether a finding is a problem rather than advice. */
export function isBroken({ check, problems }: Diagnosis): boolean {
  return problems.some(({ isAdvice }) => !isAdvice) && !check.isAdvice;
}

/** One line per problem, with the consequences of the check, and one line per check without problems. */
export function describeFindings(findings: readonly Diagnosis[]): string[] {
  return findings.flatMap((finding) => {
    const { check, problems, consequences, note } = finding;
    const label = isBroken(finding) ? 'PROBLEM' : 'advice ';
    const lines = describe(check, problems).map((line) => `${label}  ${check.name}: ${line}`);
    const consequent = consequences.flatMap((follower) =>
      named(follower.problems, ({ text }) => text).map((line) => `         so also: ${follower.check.name}: ${line}`),
    );
    return [
      ...(lines.length === 0 ? [note === null ? `ok       ${check.name}` : `-        ${check.name}: ${note}`] : lines),
      ...consequent,
    ];
  });
}

/** Problems of a check that are listed; the others are counted. */
const NAMED = 3;

/** The first problems, one line each, and the number of the others. */
function named(problems: readonly Problem[], lineOf: (problem: Problem) => string): string[] {
  const lines = problems.slice(0, NAMED).map(lineOf);
  const others = problems.length - lines.length;
  return others > 0 ? [...lines, `${others} more`] : lines;
}

/** The problems of a check, with the repair of each. */
export function describe(check: Check<Patient>, problems: readonly Problem[]): string[] {
  return named(problems, (problem) => {
    const { command } = remedyOf(check, problem);
    const next = problem.isUnderWay ? '; a load is under way' : command === null ? '' : `; run "${command}"`;
    return `${problem.text}${next} (see ops/docs/RUNBOOK.md#${problem.runbook ?? check.runbook})`;
  });
}
