/** Engines over the tables: how answers are compared, what bad input is answered with, and that the page shows what runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { PLANS } from '../../api/access/plans.ts';
import { ENGINES } from '../../ops/engines/engine.ts';
import { connectionOf, connectionsText } from '../../ops/engines/page.ts';
import { type Answers, isEqual, toText } from '../../ops/engines/report.ts';

const MAIN = fileURLToPath(new URL('../../ops/engines/main.ts', import.meta.url));

function engines(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

describe('the answers of two engines', () => {
  const resultOf = (answers: Answers, i: number) => ({
    engine: ENGINES[i],
    answers,
    seconds: 1,
    calls: { catalog: 5, files: 7 },
  });
  const compare = (first: Answers, second: Answers) => [resultOf(first, 0), resultOf(second, 1)];
  const ANSWERS: Answers = { counts: [[2024, 252]], means: [['2024-01-02', 0.1 + 0.2]] };

  it('are equal but for the last digits of sums', () => {
    const results = compare(ANSWERS, { ...ANSWERS, means: [['2024-01-02', 0.3]] });
    expect(isEqual(results)).toBe(true);
    const lines = toText(results, [{ name: 'spark', reason: 'it needs Java' }])
      .trimEnd()
      .split('\n');
    expect(lines.slice(-2)).toEqual([
      'skipped spark: it needs Java',
      '2 engines, 2 queries: 2 with equal digests; SKIPPED: spark',
    ]);
    expect(lines.find((line) => line.includes('counts'))).toMatch(/│ 1 +│ (\w{8}) +│ \1 /);
  });

  it.each<[string, Answers['means']]>([
    ['another number', [['2024-01-02', 0.3000001]]],
    ['another text', [['2024-01-03', 0.3]]],
    ['no value', [['2024-01-02', null]]],
    ['fewer rows', []],
    [
      'more rows',
      [
        ['2024-01-02', 0.3],
        ['2024-01-03', 0.3],
      ],
    ],
  ])('differ by %s', (_, means) => {
    const results = compare(ANSWERS, { ...ANSWERS, means });
    expect(isEqual(results)).toBe(false);
    expect(toText(results, [])).toContain('2 engines, 2 queries: 1 with equal digests\n');
  });
});

describe('the page', () => {
  it('has the lines with which every engine connects, as they run', () => {
    const page = readFileSync('ops/docs/LAKE.md', 'utf8');
    for (const engine of ENGINES) expect(page).toContain(connectionOf(engine));
    expect(readFileSync('api/site/connections.json', 'utf8')).toBe(connectionsText());
  });

  it('has equal digests of twelve answers', () => {
    const page = readFileSync('ops/docs/LAKE.md', 'utf8');
    const rows = [...page.matchAll(/^\| `\w+` \| \d+ \| ((?:\w{8}(?: \| )?)+) \|$/gm)].map(([, digests]) =>
      digests.split(' | '),
    );
    expect(rows.map((digests) => [digests.length, new Set(digests).size])).toEqual(
      Array.from({ length: 12 }, () => [ENGINES.length, 1]),
    );
  });
});

describe('the calls of the catalog', () => {
  it('of any engine, for all answers, stay far within the limit of a plan with the tables', () => {
    const page = readFileSync('ops/docs/LAKE.md', 'utf8');
    const [, counts = ''] = /^\| calls of the catalog \| {2}\| (.+) \|$/m.exec(page) ?? [];
    const calls = counts.split(' | ').map(Number);
    expect(calls).toHaveLength(ENGINES.length);
    expect(Math.max(...calls)).toBeLessThan(PLANS.pro.limits.account / 2);
  });
});

describe('the command', () => {
  it.each([
    [['--only', 'excel'], "error: option '--only <engine>' argument 'excel' is invalid. Allowed choices are duckdb"],
    [['--record', '--quick'], 'error: --record needs all engines, without --only and --quick'],
  ])('answers %j with one line', (args, line) => {
    const { status, stderr } = engines(args);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(line)]);
  });

  it('names what is skipped without Python in the last line, and why before it', () => {
    const { status, lines } = engines([], { PYTHON: '/nowhere/python' });
    expect(status).toBe(0);
    expect(lines).toEqual([
      ...ENGINES.map(({ name }) => `skipped ${name}: /nowhere/python cannot be started`),
      `0 engines, 0 queries: 0 with equal digests; SKIPPED: ${ENGINES.map(({ name }) => name).join(', ')}`,
    ]);
  });
});
