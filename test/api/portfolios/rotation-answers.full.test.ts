/** Rotations over HTTP on real bars, compared with figures that another implementation of the same rules computed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type FolderApi, openFolderApi } from '../../support/folder-api.ts';
import { expectServed, readKnownAnswers } from '../../support/known-answers.ts';
import { createRealFolder } from '../../support/real-folder.ts';

const NOW = Date.parse('2026-01-05T17:00:00Z');

interface Rebalance {
  readonly ts: string;
  readonly eligible: number;
  readonly scored: number;
  readonly entered: readonly string[];
  readonly left: readonly string[];
  readonly turnover_pct: number;
  readonly weights: Readonly<Record<string, number>>;
  readonly filter: boolean;
}

interface Case {
  readonly name: string;
  readonly body: { readonly universe: { readonly symbols: readonly string[] } };
  readonly metrics: Readonly<Record<string, number | string>>;
  readonly equity: readonly (readonly [string, number, number])[];
  readonly sessions: number;
  readonly rebalances: readonly Rebalance[];
  readonly trades: { readonly count: number; readonly first: readonly Record<string, number | string>[] };
  readonly survivorship_gap?: Readonly<Record<string, number>>;
}

const { cases: answers, describe } = readKnownAnswers<Case>('rotation.json');

let api: FolderApi;

describe('rotations on real bars', () => {
  beforeAll(async () => {
    const symbols = new Set(['SPY', ...answers.flatMap(({ body }) => body.universe.symbols)]);
    api = await openFolderApi(createRealFolder(symbols), NOW);
  });
  afterAll(() => api?.close());

  it.each(answers.map((one) => [one.name, one] as const))('%s', async (_, answer) => {
    const { error, result } = await api.run('/v1/portfolio', answer.body);
    expect(error).toBeNull();
    expectServed(result, answer);
    const bare = (symbol: string) => symbol.replace(/\.US$/, '');
    expect(result.rebalances.length).toBe(answer.rebalances.length);
    for (const [i, expected] of answer.rebalances.entries()) {
      const found = result.rebalances[i];
      const { ts, eligible, scored, filter, entered, left } = found;
      expect({ ts, eligible, scored, filter, entered: entered.map(bare), left: left.map(bare) }).toEqual({
        ts: expected.ts,
        eligible: expected.eligible,
        scored: expected.scored,
        filter: expected.filter,
        entered: expected.entered,
        left: expected.left,
      });
      expect(found.turnover_pct).toBeCloseTo(expected.turnover_pct, 3);
      const weights = Object.entries<number>(found.weights).map(([symbol, weight]) => [bare(symbol), weight] as const);
      expect(weights.map(([symbol]) => symbol)).toEqual(Object.keys(expected.weights));
      for (const [symbol, weight] of weights) expect(weight).toBeCloseTo(expected.weights[symbol], 5);
    }
    expect(result.num_trades).toBe(answer.trades.count);
    for (const [i, trade] of answer.trades.first.entries()) {
      const found = result.trades[i];
      expect([bare(found.symbol), found.entry_date, found.exit_date, found.exit_reason]).toEqual([
        trade.symbol,
        trade.entry_date,
        trade.exit_date,
        trade.exit_reason,
      ]);
      expect(found.shares).toBeCloseTo(Number(trade.shares), 4);
    }
    for (const [name, value] of Object.entries(answer.survivorship_gap ?? {})) {
      expect([name, Math.abs(result.survivorship_gap[name] - value) <= 0.011]).toEqual([name, true]);
    }
  });
});
