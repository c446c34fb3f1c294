/** Strategies without skill: whatever they earn beyond the market that they held is chance. */
import { runStrategy } from '../../../engine/backtest/simulate.ts';
import { IndicatorSet } from '../../../engine/indicators/indicator-set.ts';
import { weekday } from '../../../engine/market/dates.ts';
import type { BarSeries } from '../../../engine/market/series.ts';
import { equalWeightReturns, holdingReturns } from '../../../engine/portfolio/benchmark.ts';
import { rebalanceSessions } from '../../../engine/rotation/rotation.ts';
import { simulateRotation } from '../../../engine/rotation/simulate.ts';
import { weighBy } from '../../../engine/rotation/weigh.ts';
import { strategyOf } from '../../../engine/rules/strategy.ts';
import type { UniformDraws } from '../../../engine/statistics/draws.ts';
import { returnsOf } from '../../../engine/statistics/moments.ts';
import type { ParameterValues } from '../../../engine/strategies/parameters.ts';
import type { Strategy } from '../../../engine/strategies/strategy.ts';
import { panelOf } from '../../support/panels.ts';
import { FREE, prepare } from '../bench/engine.ts';
import { WARM_UP } from './paths.ts';

const CASH = 100_000;

/** Returns of a run and of what it held, over the range of a path. */
export interface Measured {
  readonly returns: Float64Array;
  readonly market: Float64Array;
}

const rangeOf = ({ close }: BarSeries) => close.subarray(WARM_UP);

function run(strategy: Strategy, given: ParameterValues, series: BarSeries, indicators?: IndicatorSet): Float64Array {
  const { values } = prepare(strategy, given);
  const input = { series, from: WARM_UP, to: series.length, execution: FREE, finalReason: 'end_of_data' as const };
  return returnsOf(runStrategy(strategy, values, input, indicators).equity, CASH);
}

const built = (code: string, given: ParameterValues = {}) => {
  const strategy = strategyOf({ strategy: code, params: given });
  return (series: BarSeries) => run(strategy, given, series);
};

function ofRules(entry: string, exit: string) {
  const strategy = strategyOf({ strategy: 'rules', rules: { entry, exit }, params: {} });
  return (series: BarSeries) => run(strategy, {}, series);
}

/** Holds on some days: the returns of holding there, 0 elsewhere. */
const heldOn = (series: BarSeries, isHeld: (t: number) => boolean) =>
  holdingReturns(rangeOf(series)).map((r, t) => (t > 0 && isHeld(t) ? r : 0));

function atRandom(series: BarSeries, draws: UniformDraws): Float64Array {
  let [left, isIn] = [0, false];
  return heldOn(series, () => {
    if (left-- <= 0) {
      isIn = !isIn;
      left = Math.floor(30 * draws.next());
    }
    return isIn;
  });
}

/** From the second open on: what differs from holding is one bar. */
function fromNextOpen(series: BarSeries): Float64Array {
  const returns = holdingReturns(rangeOf(series));
  returns[1] = series.close[WARM_UP + 1] / series.open[WARM_UP + 1] - 1;
  return returns;
}

type Rule = (series: BarSeries, draws: UniformDraws) => Float64Array;

export const RULES: Readonly<Record<string, Rule>> = {
  'entries at random': atRandom,
  'Mondays and Tuesdays': (series) => heldOn(series, (t) => weekday(series.day[WARM_UP + t]) <= 2),
  'Thursdays and Fridays': (series) => heldOn(series, (t) => weekday(series.day[WARM_UP + t]) >= 4),
  'sma_cross 20/50': built('sma_cross', { fast_period: 20, slow_period: 50 }),
  'sma_cross 50/200': built('sma_cross', { fast_period: 50, slow_period: 200 }),
  donchian: built('donchian'),
  macd: built('macd'),
  rsi_reversion: built('rsi_reversion'),
  'rsi_reversion without trend': built('rsi_reversion', { trend_period: 0 }),
  bollinger_reversion: built('bollinger_reversion'),
  'close < sma(200)': ofRules('close < sma(200)', 'close >= sma(200)'),
  'roc(126) < 0': ofRules('roc(126) < 0', 'roc(126) >= 0'),
  'holding at the next open': fromNextOpen,
};

const grid = (names: readonly [string, string], first: readonly number[], second: readonly number[]) =>
  first.flatMap((a) => second.map((b) => ({ [names[0]]: a, [names[1]]: b })));

/** Grids of 25 combinations. */
export const SEARCHES: Readonly<Record<string, readonly ParameterValues[]>> = {
  sma_cross: grid(['fast_period', 'slow_period'], [5, 10, 15, 20, 25], [30, 50, 80, 120, 200]),
  bollinger_reversion: grid(['period', 'mult'], [10, 15, 20, 30, 40], [1, 1.5, 2, 2.5, 3]),
};

/** Returns of every combination, and of holding. */
export function searchOf(name: string, series: BarSeries) {
  const strategy = strategyOf({ strategy: name, params: {} });
  const indicators = new IndicatorSet(series);
  const columns = SEARCHES[name].map((given) => run(strategy, given, series, indicators));
  return { columns, market: holdingReturns(rangeOf(series)) };
}

export const ROTATIONS = ['momentum', 'reverse momentum', 'names at random'] as const;
const HELD = 5;
const PERIOD = 126;

/** Five names, monthly, beside all of them in equal parts. */
export function rotationOf(kind: (typeof ROTATIONS)[number], all: readonly BarSeries[], draws: UniformDraws): Measured {
  const members = all.map((series, i) => {
    const ticker = String(i).padStart(2, '0');
    return { ticker, symbol: ticker, series, from: WARM_UP, to: series.length, isDelisted: false };
  });
  const panel = panelOf(members);
  const scoreOf = ({ close }: BarSeries, t: number) => {
    if (kind === 'names at random') return draws.next();
    const momentum = close[WARM_UP + t] / close[WARM_UP + t - PERIOD];
    return kind === 'momentum' ? momentum : -momentum;
  };
  const rebalances = rebalanceSessions(panel.clock, { every: 'month', offset: 0 }).map((session) => ({
    session,
    eligible: all.length,
    score: Float64Array.from(all, (series) => scoreOf(series, session)),
  }));
  const weigh = weighBy({
    method: 'equal',
    lookback: 20,
    covariance: 'sample',
    bounds: { min: 0, max: 1 },
    targetVolatilityPct: null,
  });
  const rule = { order: 'desc' as const, hold: { top: HELD }, keep: null, weigh, exits: null, cashBufferPct: 0 };
  const { equity } = simulateRotation({ panel, values: { rebalances, filter: null }, rule, execution: FREE });
  return { returns: returnsOf(equity, CASH), market: equalWeightReturns(members, panel.clock) };
}

export function measured(rule: Rule, series: BarSeries, draws: UniformDraws): Measured {
  return { returns: rule(series, draws), market: holdingReturns(rangeOf(series)) };
}
