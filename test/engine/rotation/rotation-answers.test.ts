/** Compares rotations on real bars with figures that another implementation of the same rules computed. */

import { beforeAll, expect, it } from '@jest/globals';
import { pricedRangeOf } from '../../../engine/backtest/backtest.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { isAbove } from '../../../engine/indicators/ties.ts';
import type { AdjustMode } from '../../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../../engine/market/dates.ts';
import { type PortfolioMember, portfolioMetrics } from '../../../engine/portfolio/backtest.ts';
import { equalWeightValue } from '../../../engine/portfolio/benchmark.ts';
import { FILTER, type Panel } from '../../../engine/rotation/panel.ts';
import type { RotationRule, RotationRun } from '../../../engine/rotation/rotation.ts';
import { rebalanceSessions, type Schedule } from '../../../engine/rotation/schedule.ts';
import type { NameCount } from '../../../engine/rotation/selection.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { survivorsOf } from '../../../engine/rotation/survivors.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import type { WeightRule } from '../../../engine/rotation/weights/weights.ts';
import { required } from '../../../engine/util/values.ts';
import {
  expectSame,
  type Figures,
  readKnownAnswers,
  reportedMetrics,
  reportedTrade,
} from '../../support/known-answers.ts';
import { type ColumnOf, panelOf, ranks, type ScoreRule, valuesOf, zscores } from '../../support/panels.ts';
import { readMembers } from '../../support/real-market.ts';

interface Count {
  readonly top?: number;
  readonly top_pct?: number;
}

interface Body {
  readonly universe: { readonly symbols: readonly string[]; readonly where?: string };
  readonly rotation: {
    readonly every: Schedule['every'];
    readonly offset?: number;
    readonly score: string;
    readonly hold: Count;
    readonly keep?: Count;
    readonly weights: Partial<Pick<WeightRule, 'lookback' | 'covariance'>> &
      Pick<WeightRule, 'method'> & { readonly min_weight?: number; readonly max_weight?: number };
    readonly target_volatility_pct?: number;
    readonly market_filter?: string;
  };
  readonly start: string;
  readonly end: string;
  readonly adjust?: AdjustMode;
  readonly execute_on: 'close' | 'next_open';
  readonly cost?: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
}

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

const roc =
  (n: number): ColumnOf =>
  ({ series: { close } }) =>
    close.map((price, t) => (t < n ? Number.NaN : 100 * (price / close[t - n] - 1)));
const volatility =
  (n: number): ColumnOf =>
  (indicators) =>
    indicators.volatility(n);
const negative = (values: readonly number[]) => values.map((value) => -value);
const same = (values: readonly number[]) => [...values];
const aboveSma =
  (n: number): ColumnOf =>
  (indicators) => {
    const mean = indicators.sma(n);
    return indicators.series.close.map((price, t) => Number(isAbove(price, mean[t])));
  };

/** The scores of the answers. */
const SCORES: Readonly<Record<string, ScoreRule>> = {
  'roc(252)': { columns: [roc(252)], combine: same },
  'roc(90)': { columns: [roc(90)], combine: same },
  '-volatility(100)': { columns: [volatility(100)], combine: negative },
  '-volatility(20)': { columns: [volatility(20)], combine: negative },
  'rank(roc(120)) + rank(-volatility(60))': {
    columns: [roc(120), volatility(60)],
    combine: (momentum, risk) => {
      const calm = ranks(negative(risk));
      return ranks(momentum).map((rank, i) => rank + calm[i]);
    },
  },
  'zscore(roc(126)) - zscore(volatility(63))': {
    columns: [roc(126), volatility(63)],
    combine: (momentum, risk) => {
      const risky = zscores(risk);
      return zscores(momentum).map((score, i) => score - risky[i]);
    },
  },
};

const countOf = (count: Count): NameCount =>
  count.top === undefined ? { topPct: required(count.top_pct) } : { top: count.top };

function ruleOf({ rotation }: Body): RotationRule {
  const { method, lookback = 252, covariance = 'sample', min_weight = 0, max_weight = 1 } = rotation.weights;
  return {
    order: 'desc',
    hold: countOf(rotation.hold),
    keep: rotation.keep === undefined ? null : countOf(rotation.keep),
    weigh: weighBy({
      method,
      lookback,
      covariance,
      bounds: { min: min_weight, max: max_weight },
      targetVolatilityPct: rotation.target_volatility_pct ?? null,
    }),
    exits: null,
    cashBufferPct: 0,
  };
}

function executionOf({ execute_on, cost }: Body) {
  return {
    executeOn: execute_on,
    commissionRate: cost?.commission_rate ?? 0,
    minCommission: cost?.min_commission ?? 0,
    slippageBps: cost?.slippage_bps ?? 0,
    initialCapital: 100_000,
  };
}

/** Metrics by their names in the API, not rounded. */
function metricsOf(panel: Panel, run: RotationRun): Record<string, unknown> {
  const { clock, members } = panel;
  const benchmark = equalWeightValue(members, clock, 100_000);
  return reportedMetrics(portfolioMetrics({ clock, benchmark }, run, 100_000), clock);
}

describe('rotations on real bars', () => {
  let members: Map<string, PortfolioMember>;

  beforeAll(() => {
    members = readMembers(new Set(['SPY', ...answers.flatMap(({ body }) => body.universe.symbols)]));
  });

  const rangeOf = ({ start, end, adjust = 'split' }: Body, ticker: string) =>
    pricedRangeOf(
      { timeRange: 'MAX', start: requireDay(start), end: requireDay(end), adjust },
      required(members.get(ticker)),
    );

  function panelFor(body: Body): Panel {
    return panelOf(
      body.universe.symbols.toSorted().flatMap((ticker) => {
        const range = rangeOf(body, ticker);
        if (range === null) return [];
        const { series, from, to, finalReason } = range;
        return { ticker, series, from, to, symbol: `${ticker}.US`, isDelisted: finalReason === 'delisted' };
      }),
    );
  }

  function filterOf(body: Body, { clock }: Panel): Int8Array | null {
    if (body.rotation.market_filter === undefined) return null;
    expect(body.rotation.market_filter).toBe("of('SPY', close) > of('SPY', sma(200))");
    const { series } = required(rangeOf(body, 'SPY'));
    const isUp = aboveSma(200)(new IndicatorSet(series));
    return Int8Array.from(clock, (day) => {
      const bar = series.day.indexOf(day);
      return bar < 199 ? FILTER.undefined : isUp[bar];
    });
  }

  function run(body: Body, panel: Panel) {
    const sessions = rebalanceSessions(panel.clock, { every: body.rotation.every, offset: body.rotation.offset ?? 0 });
    const where = body.universe.where === undefined ? {} : { where: aboveSma(100) };
    const score = { ...required(SCORES[body.rotation.score], body.rotation.score), ...where };
    const values = valuesOf(panel, sessions, score, filterOf(body, panel));
    return simulateRotation({ panel, values, rule: ruleOf(body), execution: executionOf(body) });
  }

  it.each(answers.map((answer) => [answer.name, answer] as const))('%s', (_, { body, ...expected }) => {
    const panel = panelFor(body);
    const { clock } = panel;
    const found = run(body, panel);
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
    expectSame(metricsOf(surviving, run(body, surviving)), expected.survivors, 'survivors');
  });
});
