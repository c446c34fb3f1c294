/** Engines over the tables: how answers are compared, what bad input is answered with, and that the page shows what runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { PLANS } from '../../../api/access/plans.ts';
import { ENGINES } from './engine.ts';
import type { PanelRow } from './our-panel.ts';
import { connectionOf, connectionsText, panelQuery, sweepCommands } from './page.ts';
import { type Answers, isEqual, toText } from './report.ts';
import { comparePanels, isSameOnSpark, type SparkComparison } from './spark-sweep.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

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

  it('has the commands of a sweep on Spark as they run, with the settings of other readers', () => {
    expect(readFileSync('ops/docs/LAKE.md', 'utf8')).toContain(sweepCommands());
    const lines = readFileSync('ops/deploy/spark/lake.conf', 'utf8').matchAll(/^(spark\.\S+) +(\S+)$/gm);
    const settings = new Map(Array.from(lines, ([, name, value]) => [name, value]));
    const connection = readFileSync('test/judges/engines/connect_spark.py', 'utf8');
    const packages = /^ICEBERG = "(.*)"$/m.exec(connection)?.[1] ?? '';
    const own = new Map<string, string>();
    for (const [, name, value] of connection.matchAll(/^ {4}"(spark\.\S+)": (.*),$/gm))
      own.set(name, value === 'ICEBERG' ? packages : value.replaceAll('"', ''));
    // The command names the address, and a variable has the key.
    expect([own.get('spark.sql.catalog.lake.uri'), own.get('spark.sql.catalog.lake.token')]).toEqual([
      'f{url}/iceberg',
      'key',
    ]);
    own.delete('spark.sql.catalog.lake.uri');
    own.set('spark.sql.catalog.lake.token', 'env:MARKET_DATA_KEY');
    expect(settings).toEqual(own);
  });

  it('has the query of the panel as it runs, and equal digests of all cells of a sweep', () => {
    const page = readFileSync('ops/docs/LAKE.md', 'utf8');
    expect(page).toContain(panelQuery());
    const digests = [...page.matchAll(/^\| .*(?:workers|Spark,).* \| \d+ \| (\w{8}) \|$/gm)].map(
      ([, digest]) => digest,
    );
    expect([digests.length, new Set(digests).size]).toEqual([3, 1]);
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

describe('a panel of Spark', () => {
  const OURS: PanelRow[] = [
    ['2024-01-31', 'AAA.US', 0.3, 1, true],
    ['2024-01-31', 'BBB.US', 0.1, 2, false],
  ];

  it('differs from ours by rounding alone', () => {
    const theirs: PanelRow[] = [['2024-01-31', 'AAA.US', 0.1 + 0.2, 1, true], OURS[1]];
    expect(comparePanels(theirs, OURS)).toEqual({ sessions: 1, rows: 2, largestDifference: 0.1 + 0.2 - 0.3 });
  });

  it.each<[string, PanelRow[]]>([
    ['name', [['2024-01-31', 'CCC.US', 0.3, 1, true], OURS[1]]],
    ['session', [['2024-01-30', 'AAA.US', 0.3, 1, true], OURS[1]]],
    ['rank', [['2024-01-31', 'AAA.US', 0.3, 2, true], OURS[1]]],
    ['pick', [OURS[0], ['2024-01-31', 'BBB.US', 0.1, 2, true]]],
    ['number of rows', [...OURS, OURS[1]]],
    ['panel, which is empty', []],
  ])('may have no other %s', (_, theirs) => {
    expect(comparePanels(theirs, OURS).largestDifference).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a sweep of Spark', () => {
  const SAME: SparkComparison = {
    cells: 100,
    digests: ['a', 'a', 'a'],
    killedAfter: 3,
    tasks: 17,
    panel: { sessions: 12, rows: 240, largestDifference: 1e-15 },
  };

  it('is the same where every digest is', () => {
    expect(isSameOnSpark(SAME)).toBe(true);
  });

  it.each<[string, Partial<SparkComparison>]>([
    ['other cells', { digests: ['a', 'b', 'b'] }],
    ['other cells after the end of an executor', { digests: ['a', 'a', 'b'] }],
    ['no executor that ended in the middle', { killedAfter: null }],
    ['other scores', { panel: { ...SAME.panel, largestDifference: 2e-9 } }],
    ['no panel', { panel: { ...SAME.panel, rows: 0 } }],
  ])('is not the same with %s', (_, more) => {
    expect(isSameOnSpark({ ...SAME, ...more })).toBe(false);
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
    const { status, lines } = engines(['--only', 'duckdb'], { PYTHON: '/nowhere/python' });
    expect(status).toBe(0);
    expect(lines).toEqual([
      'skipped duckdb: /nowhere/python cannot be started',
      '0 engines, 0 queries: 0 with equal digests; SKIPPED: duckdb',
    ]);
  });
});
