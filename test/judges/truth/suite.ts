/** Suites of figures of other programs, and how these are compared with ours. */
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../../api/site/truth.ts';
import { openPythonEnvironment, type PythonEnvironment } from '../../support/python-environment.ts';

/** A figure of another program beside ours. A text is compared as it is, a number within the tolerance of the suite. */
export interface Pair {
  /** The name of the figure, unique in the suite: `atr(14) at bar 30`. */
  readonly name: string;
  readonly theirs: number | string | null;
  readonly ours: number | string | null;
  /** Half a unit of the last digit, where theirs was published rounded: it stands for all numbers so close to it. */
  readonly rounding?: number;
}

/** Figures that differ on purpose. */
export interface Deviation {
  /** Whether a figure is one of them. */
  matches(pair: Pair): boolean;
  /** The largest difference that the reason explains, as a share of the figure (of 1 where it is smaller). */
  readonly within: number;
  /** A sentence: whose convention differs, and where our reference says so. */
  readonly reason: string;
}

interface Described {
  /** For `--only`: `ta-lib`. */
  readonly name: string;
  readonly title: string;
  /** Packages with versions; of recorded figures, file, lines, and call too. */
  readonly source: string;
  /** The compared figures, in a phrase. */
  readonly compares: string;
  /** The largest difference of figures that agree, as a share of the figure (of 1 where it is smaller). */
  readonly tolerance: number;
  readonly deviations?: readonly Deviation[];
}

interface PlainSuite extends Described {
  readonly needsPython: false;
  pairs(): Promise<readonly Pair[]>;
}

/** A suite that needs packages of Python. */
interface PythonSuite extends Described {
  readonly needsPython: true;
  /** The file of its packages, beside this one, where they cannot live with those of the others. */
  readonly requirements?: string;
  pairs(python: PythonEnvironment): Promise<readonly Pair[]>;
}

export type Suite = PlainSuite | PythonSuite;

/** A figure that neither agrees nor is explained. */
export interface Disagreement extends Pair {
  readonly difference: number;
}

/** The difference as a share of the figure, or of 1 where the figure is smaller; infinite where only one has a figure. */
function differenceOf({ theirs, ours, rounding = 0 }: Pair): number {
  if (theirs === ours) return 0;
  if (typeof theirs !== 'number' || typeof ours !== 'number') return Number.POSITIVE_INFINITY;
  if (Number.isNaN(theirs) && Number.isNaN(ours)) return 0;
  const difference = Math.max(0, Math.abs(theirs - ours) - rounding) / Math.max(1, Math.abs(theirs));
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
}

export interface Judgment {
  readonly verdict: Verdict;
  readonly disagreements: readonly Disagreement[];
}

/** Compares all figures of a suite. */
export function judge(
  { name, title, source, compares, tolerance, deviations = [] }: Described,
  pairs: readonly Pair[],
): Judgment {
  const explained = new Map(deviations.map((deviation) => [deviation, { figures: 0, largestDifference: 0 }]));
  const disagreements: Disagreement[] = [];
  let agreed = 0;
  let largestDifference = 0;
  for (const pair of pairs) {
    const difference = differenceOf(pair);
    if (difference <= tolerance) {
      agreed++;
      largestDifference = Math.max(largestDifference, difference);
      continue;
    }
    const deviation = deviations.find((one) => difference <= one.within && one.matches(pair));
    const sum = deviation && explained.get(deviation);
    if (!sum) {
      disagreements.push({ ...pair, difference });
      continue;
    }
    sum.figures++;
    sum.largestDifference = Math.max(sum.largestDifference, difference);
  }
  const needed = [...explained].flatMap(([{ reason }, { figures, largestDifference: largest }]) =>
    figures > 0 ? [{ reason, figures, largestDifference: Number.isFinite(largest) ? largest : null }] : [],
  );
  const counts = { figures: pairs.length, agreed, largestDifference };
  return { verdict: { name, title, source, compares, ...counts, deviations: needed }, disagreements };
}

const environments = new Map<string, Promise<PythonEnvironment>>();

/** Suites whose packages live together share an environment. */
function environmentOf(requirements: string, progress: (line: string) => void): Promise<PythonEnvironment> {
  let environment = environments.get(requirements);
  if (environment === undefined) {
    environment = openPythonEnvironment(fileURLToPath(new URL(requirements, import.meta.url)), { progress });
    environments.set(requirements, environment);
  }
  return environment;
}

/**
 * Computes and compares all figures of a suite.
 *
 * @throws {PythonUnavailable} where it needs packages that this machine cannot have
 */
export async function runSuite(suite: Suite, progress: (line: string) => void): Promise<Judgment> {
  if (!suite.needsPython) return judge(suite, await suite.pairs());
  const { requirements = 'requirements.txt' } = suite;
  return judge(suite, await suite.pairs(await environmentOf(requirements, progress)));
}
