/**
 * Figures of other programs beside ours: the comparison, the command, and the suites that need no Python. `npm run truth` runs
 * all of them.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { openPythonEnvironment, PythonUnavailable } from '../../support/python-environment.ts';
import { toTable } from './report.ts';
import { chooseAll, chooseFew, judge, type Pair, runSuite, type Suite } from './suite.ts';
import { SUITES } from './suites/index.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));

const SUM: Suite = {
  name: 'sum',
  title: 'Sum',
  source: 'sum 1.0.0',
  compares: 'sums',
  tolerance: 1e-9,
  needsPython: false,
  pairs: async () => [],
};
const pair = (theirs: Pair['theirs'], ours: Pair['ours'], more: Partial<Pair> = {}): Pair => ({
  name: 'a',
  theirs,
  ours,
  ...more,
});
const judged = (pairs: readonly Pair[], more: Pick<Suite, 'deviations'> = {}) => judge({ ...SUM, ...more }, pairs);

describe('a figure', () => {
  it.each([
    ['equal', pair(2, 2)],
    ['within the tolerance of a share', pair(1e6, 1e6 + 1e-4)],
    ['undefined on both sides', pair(null, null)],
    ['not a number on both sides', pair(Number.NaN, Number.NaN)],
    ['a text, the same', pair('2024-01-02', '2024-01-02')],
    ['within the rounding of what was published', pair(0.12, 0.1249, { rounding: 0.005 })],
  ])('agrees: %s', (_, one) => {
    expect(judged([one])).toMatchObject({ verdict: { figures: 1, agreed: 1 }, disagreements: [] });
  });

  it.each([
    ['of another sign', pair(1, -1)],
    ['off by more than the tolerance', pair(1, 1 + 1e-8)],
    ['undefined on one side', pair(1, null)],
    ['not a number on one side', pair(Number.NaN, 1)],
    ['infinite on one side', pair(Number.POSITIVE_INFINITY, 1)],
    ['another text', pair('2024-01-02', '2024-01-03')],
    ['beyond the rounding of what was published', pair(0.12, 0.1251, { rounding: 0.005 })],
  ])('differs: %s', (_, one) => {
    expect(judged([one])).toMatchObject({ verdict: { figures: 1, agreed: 0 }, disagreements: [one] });
  });
});

describe('a deviation', () => {
  const deviations = [{ matches: ({ name }: Pair) => name === 'a', within: 0.1, reason: 'Theirs divides by n.' }];

  it('explains the figures that it names, with the largest difference', () => {
    const { verdict, disagreements } = judged([pair(1, 1.05), pair(1, 1.08), pair(1, 1)], { deviations });
    expect(disagreements).toEqual([]);
    expect(verdict).toMatchObject({ figures: 3, agreed: 1, largestDifference: 0 });
    expect(verdict.deviations).toEqual([
      { reason: 'Theirs divides by n.', figures: 2, largestDifference: expect.closeTo(0.08) },
    ]);
  });

  it('explains no larger difference, and no other figure', () => {
    const pairs = [pair(1, 1.2), pair(1, 1.05, { name: 'b' })];
    expect(judged(pairs, { deviations }).disagreements).toMatchObject(pairs);
  });

  it('of a figure that one side lacks has no size', () => {
    const { verdict } = judged([pair(1, null)], {
      deviations: [{ ...deviations[0], within: Number.POSITIVE_INFINITY }],
    });
    expect(verdict.deviations).toMatchObject([{ figures: 1, largestDifference: null }]);
  });

  it('that no figure needs is not told', () => {
    expect(judged([pair(1, 1)], { deviations }).verdict.deviations).toEqual([]);
  });
});

it('the last line counts, and names what was skipped', () => {
  const { verdict } = judged([pair(1, 1), pair(1, 2)]);
  const lines = toTable([verdict], [{ name: 'ta-lib', reason: 'python3 cannot be started' }])
    .trim()
    .split('\n');
  expect(lines.slice(-2)).toEqual([
    'skipped ta-lib: python3 cannot be started',
    '1 suites, 2 figures: 1 agree, 0 differ for a stated reason, 1 DIFFER; SKIPPED: ta-lib',
  ]);
});

describe('a quick run', () => {
  const all = Array.from({ length: 20 }, (_, i) => i);

  it('takes a few in their order, the same for one seed and others for another', () => {
    const few = chooseFew('1')(all, 5);
    expect(few).toHaveLength(5);
    expect(few).toEqual(few.toSorted((a, b) => a - b));
    expect(chooseFew('1')(all, 5)).toEqual(few);
    expect(chooseFew('2')(all, 5)).not.toEqual(few);
  });

  it('takes what there is, where that is less, and a whole run takes all', () => {
    expect(chooseFew('1')(all, 30)).toEqual(all);
    expect(chooseFew('1')([], 3)).toEqual([]);
    expect(chooseAll(all, 5)).toEqual(all);
  });
});

describe('npm run truth', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  it('says in one line that there is no such suite, and which there are', async () => {
    const { code, stderr } = await run(['--only', 'nothing']);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(/^error: option '--only <suite>' argument 'nothing' is invalid\. .*ta-lib.*\.$/);
  });

  it.each([
    ['one suite', ['--only', 'duckdb']],
    ['a few figures', ['--quick']],
  ])('records nothing of %s', async (_, options) => {
    const { code, stderr } = await run([...options, '--record']);
    expect([code, stderr.trim()]).toEqual([1, 'error: --record needs all suites whole, without --only and --quick']);
  });

  it('skips a suite on a machine without Python, and says so in one line', async () => {
    const { code, stdout } = await run(['--only', 'ta-lib'], { PYTHON: '/nowhere/python3' });
    expect(code).toBe(0);
    expect(stdout).toContain('\nskipped ta-lib: /nowhere/python3 cannot be started\n');
    expect(stdout.trim()).toMatch(/; SKIPPED: ta-lib$/);
  });
});

it('an environment that cannot be made is told in one line', async () => {
  const opened = openPythonEnvironment(REQUIREMENTS, { python: '/nowhere/python3', progress: () => {} });
  await expect(opened).rejects.toThrow(new PythonUnavailable('/nowhere/python3 cannot be started'));
});

describe('the suites', () => {
  it('have names of their own', () => {
    expect(new Set(SUITES.map(({ name }) => name)).size).toBe(SUITES.length);
  });

  it.each(SUITES.filter(({ needsPython }) => !needsPython).map((one) => [one.name, one] as const))(
    '%s: every figure agrees, or is explained',
    async (_, one) => {
      const { verdict, disagreements } = await runSuite(one, () => {});
      expect(disagreements.slice(0, 10)).toEqual([]);
      expect(verdict.figures).toBeGreaterThan(0);
    },
  );
});
