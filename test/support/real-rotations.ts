/** Rotations on real bars, as known answers request them. */
import { expect } from '@jest/globals';
import { pricedRangeOf } from '../../engine/backtest/backtest.ts';
import { IndicatorSet } from '../../engine/indicators/indicator-set.ts';
import { isAbove } from '../../engine/indicators/ties.ts';
import type { AdjustMode } from '../../engine/market/adjust.ts';
import { requireDay } from '../../engine/market/dates.ts';
import { sliceByDay } from '../../engine/market/series.ts';
import type { PortfolioMember } from '../../engine/portfolio/backtest.ts';
import { FILTER, type Panel } from '../../engine/rotation/panel.ts';
import { type RotationRule, rebalanceSessions, type Schedule } from '../../engine/rotation/rotation.ts';
import type { NameCount } from '../../engine/rotation/selection.ts';
import { simulateRotation } from '../../engine/rotation/simulate.ts';
import { weighBy } from '../../engine/rotation/weigh.ts';
import type { WeightRule } from '../../engine/rotation/weights/weights.ts';
import { required } from '../../engine/util/values.ts';
import { expectSame } from './known-answers.ts';
import { type ColumnOf, panelOf, ranks, type ScoreRule, valuesOf, zscores } from './panels.ts';
import { readMembers } from './real-market.ts';

interface Count {
  readonly top?: number;
  readonly top_pct?: number;
}

export interface Body {
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
    readonly exits?: { readonly stop_loss_pct: number; readonly take_profit_pct: number };
  };
  readonly start: string;
  readonly end: string;
  readonly adjust?: AdjustMode;
  readonly execute_on: 'close' | 'next_open';
  readonly cash_buffer_pct?: number;
  readonly cost?: { readonly commission_rate: number; readonly min_commission: number; readonly slippage_bps: number };
}

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
  'roc(126)': { columns: [roc(126)], combine: same },
  'roc(100)': { columns: [roc(100)], combine: same },
  'roc(60)': { columns: [roc(60)], combine: same },
  'roc(20)': { columns: [roc(20)], combine: same },
  '-volatility(15)': { columns: [volatility(15)], combine: negative },
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

function ruleOf({ rotation, cash_buffer_pct = 0 }: Body): RotationRule {
  const { exits } = rotation;
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
    exits: exits
      ? { stopLossPct: exits.stop_loss_pct, takeProfitPct: exits.take_profit_pct, stop: null, trail: null }
      : null,
    cashBufferPct: cash_buffer_pct,
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

/** Compares figures in figures to 1e-9. */
export function expectAll(actual: object, expected: object): void {
  const flat = (figures: object): Record<string, number> =>
    Object.assign(
      {},
      ...Object.entries(figures).map(([name, value]) =>
        typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(flat(value)).map(([of, one]) => [`${name}.${of}`, one]))
          : { [name]: value },
      ),
    );
  expectSame(flat(actual), flat(expected), 'figures');
}

/** Rotations of some universes on real bars. */
export class RealRotations {
  private readonly members: Map<string, PortfolioMember>;

  constructor(bodies: readonly Body[]) {
    const symbols = bodies.flatMap(({ universe }) => universe.symbols);
    this.members = readMembers(new Set(['SPY', 'LH', ...symbols]));
    // For five weeks another instrument had the ticker.
    const lh = required(this.members.get('LH'));
    const delistedOn = requireDay('2024-06-26');
    const series = sliceByDay(lh.series, requireDay('2024-05-20'), delistedOn);
    this.members.set('LH-202406', { ...lh, series, events: [], lifetime: { listedOn: null, delistedOn } });
  }

  private rangeOf({ start, end, adjust = 'split' }: Body, ticker: string) {
    return pricedRangeOf(
      { timeRange: 'MAX', start: requireDay(start), end: requireDay(end), adjust },
      required(this.members.get(ticker), ticker),
    );
  }

  panelFor(body: Body): Panel {
    return panelOf(
      body.universe.symbols.toSorted().flatMap((ticker) => {
        const range = this.rangeOf(body, ticker);
        if (range === null) return [];
        const { series, from, to, finalReason } = range;
        return { ticker, series, from, to, symbol: `${ticker}.US`, isDelisted: finalReason === 'delisted' };
      }),
    );
  }

  private filterOf(body: Body, { clock }: Panel): Int8Array | null {
    if (body.rotation.market_filter === undefined) return null;
    expect(body.rotation.market_filter).toBe("of('SPY', close) > of('SPY', sma(200))");
    const { series } = required(this.rangeOf(body, 'SPY'));
    const isUp = aboveSma(200)(new IndicatorSet(series));
    return Int8Array.from(clock, (day) => {
      const bar = series.day.indexOf(day);
      return bar < 199 ? FILTER.undefined : isUp[bar];
    });
  }

  /** `given`: a filter of another text, by session. */
  run(body: Body, panel: Panel, interest?: Float64Array, given?: Int8Array) {
    const sessions = rebalanceSessions(panel.clock, { every: body.rotation.every, offset: body.rotation.offset ?? 0 });
    const where = body.universe.where === undefined ? {} : { where: aboveSma(100) };
    const score = { ...required(SCORES[body.rotation.score], body.rotation.score), ...where };
    const values = valuesOf(panel, sessions, score, given ?? this.filterOf(body, panel));
    const input = { panel, values, rule: ruleOf(body), execution: executionOf(body), interest };
    return { ...simulateRotation(input), input };
  }
}
