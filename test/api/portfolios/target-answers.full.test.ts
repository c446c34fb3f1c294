/** Target weights over HTTP on real bars, compared with figures that another implementation of the same rules computed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { required } from '../../../engine/util/values.ts';
import { type FolderApi, openFolderApi } from '../../support/folder-api.ts';
import type { Figures } from '../../support/known-answers.ts';
import { createRealFolder } from '../../support/real-folder.ts';
import { comparedCases, readTargetAnswers, type TargetCase } from '../../support/target-answers.ts';

const NOW = Date.parse('2026-01-05T17:00:00Z');

const { cases, content, describe } = readTargetAnswers();

let api: FolderApi;

/** Decimals of served figures: money 2, prices and shares 6, all others 4. */
const DECIMALS: Readonly<Record<string, number>> = {
  pnl: 2,
  commission: 2,
  final_equity: 2,
  contributed: 2,
  equity: 2,
  held: 2,
  shares: 6,
  entry_price: 6,
  exit_price: 6,
};

function expectServed(served: Readonly<Record<string, unknown>>, expected: Figures, of: string): void {
  for (const [name, value] of Object.entries(expected)) {
    const found = served[name];
    const half = 0.51 * 10 ** -(DECIMALS[name] ?? 4);
    const isSame =
      typeof value === 'number' && typeof found === 'number' ? Math.abs(found - value) <= half : found === value;
    if (!isSame) expect({ of, name, value: found }).toEqual({ of, name, value });
  }
}

/** Whether a line is of the instrument that had the ticker LH for five weeks, in which the older one has no bar. */
function isOtherLh(line: string): boolean {
  const [symbol, name, ...cells] = line.split(',');
  if (symbol !== 'LH') return false;
  return cells.includes('2024-05-20') || (name >= '2024-05-20' && name <= '2024-06-26');
}

type Served = Record<string, unknown> & {
  readonly equity: readonly { readonly ts: string; readonly equity: number; readonly buy_hold: number }[];
  readonly positions: readonly { readonly ts: string }[];
  readonly trades: readonly Record<string, unknown>[];
  readonly notes: readonly { readonly code: string }[];
  readonly statistics: { readonly skill: Record<string, unknown> };
};

function expectResult(result: Served, answer: TargetCase): void {
  const bare = (row: Record<string, unknown>) => ({ ...row, symbol: String(row.symbol).replace(/\.US$/, '') });
  expectServed(result, answer.metrics, 'metrics');
  expect(result.notes.map(({ code }) => code).filter((code) => code === 'exhausted')).toEqual(answer.notes);
  expect(result.trades).toHaveLength(answer.trades.count);
  for (const [i, trade] of answer.trades.first.entries()) expectServed(bare(result.trades[i]), trade, `trade ${i}`);
  for (const [i, trade] of answer.trades.last.toReversed().entries()) {
    expectServed(bare(required(result.trades.at(-1 - i))), trade, `trade ${i} from the end`);
  }
  expect(result.equity).toHaveLength(answer.sessions);
  const equity = new Map(result.equity.map((point) => [point.ts, point]));
  for (const [ts, money, drawdown, held] of answer.equity ?? []) {
    const { buy_hold, ...point } = required(equity.get(ts));
    expectServed({ ...point, held: buy_hold }, { equity: money, drawdown_pct: drawdown, held }, ts);
  }
  const positions = new Map(result.positions.map((row) => [row.ts, row]));
  for (const [ts, count, invested] of answer.positions ?? []) {
    expectServed(required(positions.get(ts)), { count, invested_pct: invested }, ts);
  }
  if (answer.skill === undefined) return;
  const { ex_ante, shown, ...skill } = answer.skill;
  const benchmark = String(skill.benchmark).replace('SPY', 'SPY.US');
  expectServed(result.statistics.skill, { ...skill, benchmark }, 'skill');
  expect(result.statistics.skill).toMatchObject({ shown, ex_ante: { bars: required(ex_ante).bars } });
}

describe('target weights on real bars', () => {
  beforeAll(async () => {
    const compared = content === null ? [] : comparedCases(content);
    const named = [...cases, ...compared].flatMap(({ body }) => body.allocation.targets.map(({ symbol }) => symbol));
    const folder = createRealFolder(new Set(['SPY', ...named]), (line) => !isOtherLh(line));
    api = await openFolderApi(folder, NOW);
  });
  afterAll(() => api?.close());

  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_, answer) => {
    const { error, result } = await api.run('/v1/portfolio', answer.body);
    expect(error).toBeNull();
    expectResult(result, answer);
  });

  it('three beside each other, in one job', async () => {
    const given = required(content);
    const { body } = given.compare;
    const { error, result } = await api.run('/v1/portfolio', body);
    expect(error).toBeNull();
    const { runs } = result;
    expect(runs.map(({ name }: { name: string }) => name)).toEqual(body.compare.map(({ name }) => name));
    for (const [i, answer] of comparedCases(given).entries()) expectResult(runs[i].result, answer);
  });
});
