/** Suites of figures of other programs, and how these are compared with ours. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../../api/site/truth.ts';
import { openPythonEnvironment } from '../../support/python-environment.ts';
import { PythonSessions } from './python-session.ts';

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

/** Chooses what a suite compares: all of it, or in a quick run `few` of it, in the same order. */
export type Choose = <T>(all: readonly T[], few: number) => readonly T[];

export const chooseAll: Choose = (all) => all;

/** Chooses a few; equal seeds choose the same. */
export function chooseFew(seed: string): Choose {
  const rankOf = (i: number) => createHash('sha256').update(`${seed} ${i}`).digest('hex');
  return (all, few) => {
    const ranks = all.map((_, i) => rankOf(i));
    const last = ranks.toSorted()[few - 1] ?? 'g';
    return all.filter((_, i) => ranks[i] <= last);
  };
}

interface PlainSuite extends Described {
  readonly needsPython: false;
  pairs(choose: Choose): Promise<readonly Pair[]>;
}

/** A suite that needs packages of Python. */
interface PythonSuite extends Described {
  readonly needsPython: true;
  /** The file of its packages, beside this one, where they cannot live with those of the others. */
  readonly requirements?: string;
  pairs(choose: Choose, python: PythonSessions): Promise<readonly Pair[]>;
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

const sessions = new Map<string, Promise<PythonSessions>>();

/** Suites whose packages live together share processes. */
function sessionsOf(requirements: string, progress: (line: string) => void): Promise<PythonSessions> {
  const known = sessions.get(requirements);
  if (known) return known;
  const file = fileURLToPath(new URL(requirements, import.meta.url));
  const opened = openPythonEnvironment(file, { progress }).then(({ python }) => new PythonSessions(python));
  sessions.set(requirements, opened);
  return opened;
}

/** Ends the processes of all suites. */
export async function endSessions(): Promise<void> {
  for (const opened of await Promise.allSettled(sessions.values()))
    if (opened.status === 'fulfilled') opened.value.end();
}

/**
 * Computes and compares the figures of a suite.
 *
 * @throws {PythonUnavailable} where it needs packages that this machine cannot have
 */
export async function runSuite(
  suite: Suite,
  progress: (line: string) => void,
  choose: Choose = chooseAll,
): Promise<Judgment> {
  if (!suite.needsPython) return judge(suite, await suite.pairs(choose));
  const { requirements = 'requirements.txt' } = suite;
  return judge(suite, await suite.pairs(choose, await sessionsOf(requirements, progress)));
}
