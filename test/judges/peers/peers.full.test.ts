/** Other backtesters beside ours: how results are compared, what bad input is answered with, and one small run. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { compareResults } from './comparison.ts';
import type { Result, Run } from './runs.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const RUN: Run = { strategy: 'sma_cross', params: {}, commission: 0.001, fill: 'close' };
const OURS: Result = {
  trades: [
    [3, 7, 10, 11],
    [9, 12, 10.5, 10],
  ],
  totalReturn: 0.25,
};

function peers(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

describe('the comparison of results', () => {
  it('counts trades and the largest difference of returns over all instruments', () => {
    const close = { ...OURS, totalReturn: 0.25 + 4e-10 };
    const { comparison, isExplained } = compareResults(RUN, [OURS, close], [OURS, OURS]);
    expect(comparison).toEqual({
      strategy: 'sma_cross',
      fill: 'close',
      costs: 'commission',
      trades: 4,
      equalTrades: 4,
      largestReturnDifference: expect.closeTo(4e-10, 12),
      why: null,
    });
    expect(isExplained).toBe(true);
  });

  it.each<[string, Result['trades'], { trades: number; equalTrades: number }]>([
    ['that is missing', [[3, 7, 10, 11]], { trades: 2, equalTrades: 1 }],
    ['that is too many', [...OURS.trades, [14, 15, 1, 1]], { trades: 3, equalTrades: 2 }],
    ['on another bar', [OURS.trades[0], [9, 13, 10.5, 10]], { trades: 2, equalTrades: 1 }],
    ['at another price', [OURS.trades[0], [9, 12, 10.5, 10.00001]], { trades: 2, equalTrades: 1 }],
  ])('finds a trade %s', (_, trades, counts) => {
    const { comparison, isExplained } = compareResults(RUN, [{ ...OURS, trades }], [OURS]);
    expect(comparison).toMatchObject(counts);
    expect(isExplained).toBe(false);
  });

  it.each([
    ['another return', 0.26],
    ['a return that is no number', Number.NaN],
  ])('finds %s', (_, totalReturn) => {
    expect(compareResults(RUN, [{ ...OURS, totalReturn }], [OURS]).isExplained).toBe(false);
  });

  it('explains a difference by a reason, for as much as the reason is good for', () => {
    const reason = 'It rounds.';
    const rounded = [{ ...OURS, totalReturn: 0.2501 }];
    const explained = compareResults(RUN, rounded, [OURS], [{ within: 1e-3, reason }]);
    expect(explained).toMatchObject({ isExplained: true, comparison: { why: reason } });
    expect(compareResults(RUN, rounded, [OURS], [{ within: 1e-5, reason }]).isExplained).toBe(false);
    const other = [{ within: 1e-3, reason, strategies: ['donchian'] }];
    expect(compareResults(RUN, rounded, [OURS], other).isExplained).toBe(false);
    const fewer = [{ ...OURS, trades: OURS.trades.slice(1) }];
    expect(compareResults(RUN, fewer, [OURS], [{ within: 1e-3, reason }]).isExplained).toBe(false);
    expect(compareResults(RUN, fewer, [OURS], [{ within: 1e-3, unequalTrades: 0.5, reason }]).isExplained).toBe(true);
  });

  it('gives no reason where nothing differs', () => {
    expect(compareResults(RUN, [OURS], [OURS], [{ within: 1, reason: 'It rounds.' }]).comparison.why).toBeNull();
  });
});

describe('the command', () => {
  it.each([
    [
      ['--only', 'excel'],
      "error: option '--only <peer>' argument 'excel' is invalid. Allowed choices are backtesting.py",
    ],
    [['--record', '--quick'], 'error: --record needs all peers and instruments, without --only and --quick'],
  ])('answers %j with one line', (args, line) => {
    const { status, stderr } = peers(args);
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(line)]);
  });

  it('names what is skipped without Python in the last line, and why before it', () => {
    const { status, lines } = peers(['--only', 'backtesting.py'], { PYTHON: '/nowhere/python' });
    expect(status).toBe(0);
    expect(lines).toEqual([
      'skipped backtesting.py: /nowhere/python cannot be started',
      '0 peers, 0 trades: 0 equal; SKIPPED: backtesting.py',
    ]);
  });

  it('finds all trades of backtesting.py equal, where it can be installed', () => {
    const { status, lines, stderr } = peers(['--only', 'backtesting.py', '--quick']);
    const last = lines.at(-1) ?? '';
    if (last.includes('SKIPPED')) process.stderr.write(`${lines.at(-2)}\n`);
    else expect({ last, stderr }).toMatchObject({ last: expect.stringMatching(/^1 peers, (\d+) trades: \1 equal$/) });
    expect(status).toBe(0);
  });
});
