/** Compares rotations on real bars with figures that another implementation of the same rules computed. */
import { beforeAll, expect, it } from '@jest/globals';
import { formatDay } from '../../../engine/market/dates.ts';
import { portfolioMetrics } from '../../../engine/portfolio/backtest.ts';
import { equalWeightValue } from '../../../engine/portfolio/benchmark.ts';
import { survivorsOf } from '../../../engine/rotation/notes.ts';
import type { Panel } from '../../../engine/rotation/panel.ts';
import type { RotationRun } from '../../../engine/rotation/rotation.ts';
import { required } from '../../../engine/util/values.ts';
import {
  expectSame,
  type Figures,
  readKnownAnswers,
  reportedMetrics,
  reportedTrade,
} from '../../support/known-answers.ts';
import { panelOf } from '../../support/panels.ts';
import { type Body, RealRotations } from '../../support/real-rotations.ts';

interface Case {
  readonly name: string;
  readonly body: Body;
  readonly metrics: Figures;
  readonly survivors?: Figures;
  readonly survivorship_gap?: Figures;
  readonly sessions: number;
  readonly equity: readonly [string, number, number][];
  readonly rebalances: readonly {
    readonly ts: string;
    readonly eligible: number;
    readonly scored: number;
    readonly entered: readonly string[];
    readonly left: readonly string[];
    readonly turnover_pct: number;
    readonly weights: Readonly<Record<string, number>>;
    readonly filter: boolean;
  }[];
  readonly trades: { readonly count: number; readonly first: readonly Figures[]; readonly last: readonly Figures[] };
}

const { cases: answers, describe } = readKnownAnswers<Case>('rotation.json');

/** Metrics by their names in the API, not rounded. */
function metricsOf({ clock, members }: Panel, run: RotationRun): Record<string, unknown> {
  const benchmark = equalWeightValue(members, clock, 100_000);
  return reportedMetrics(portfolioMetrics({ clock, benchmark }, run, 100_000), clock);
}

describe('rotations on real bars', () => {
  let rotations: RealRotations;

  beforeAll(() => {
    rotations = new RealRotations(answers.map(({ body }) => body));
  });

  it.each(answers.map((answer) => [answer.name, answer] as const))('%s', (_, { body, ...expected }) => {
    const panel = rotations.panelFor(body);
    const { clock } = panel;
    const found = rotations.run(body, panel);
    const tickerOf = (member: number) => panel.members[member].ticker;
    expect(clock).toHaveLength(expected.sessions);
    expect(found.rebalances).toHaveLength(expected.rebalances.length);
    for (const [i, one] of found.rebalances.entries()) {
      const { weights, entered, left, ...figures } = expected.rebalances[i];
      const lists = { entered: one.entered.map(tickerOf), left: one.left.map(tickerOf) };
      expect({ i, ...lists }).toEqual({ i, entered, left });
      const actual = { ...one, ts: formatDay(one.day), turnover_pct: one.turnoverPct };
      expectSame(
        { ...actual, filter: String(one.filter) },
        { ...figures, filter: String(figures.filter) },
        `rebalance ${i}`,
      );
      const reported = Object.fromEntries([...one.weights].map(([member, weight]) => [tickerOf(member), weight]));
      expect(Object.keys(reported)).toEqual(Object.keys(weights));
      expectSame(reported, weights, `weights ${i}`);
    }
    const trades = found.trades.map((trade, i) => {
      const { day } = panel.members[trade.instrument].series;
      return reportedTrade(trade, i, tickerOf(trade.instrument), day);
    });
    expect(trades).toHaveLength(expected.trades.count);
    for (const [i, trade] of expected.trades.first.entries()) expectSame(trades[i], trade, `trade ${i}`);
    for (const [i, trade] of expected.trades.last.toReversed().entries()) {
      expectSame(required(trades.at(-1 - i)), trade, `trade ${i} from the end`);
    }
    const benchmark = equalWeightValue(panel.members, clock, 100_000);
    const at = new Map([...clock].map((day, t) => [formatDay(day), t]));
    for (const [date, equity, held] of expected.equity) {
      const t = required(at.get(date));
      expectSame({ equity: found.equity[t], held: benchmark[t] }, { equity, held }, date);
    }
    const metrics = metricsOf(panel, found);
    expectSame(metrics, expected.metrics, 'metrics');
    if (expected.survivors === undefined || expected.survivorship_gap === undefined) return;
    const surviving = panelOf(survivorsOf(panel));
    expectSame(metricsOf(surviving, rotations.run(body, surviving)), expected.survivors, 'survivors');
  });
});
