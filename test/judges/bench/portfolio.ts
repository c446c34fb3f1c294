/** Compares a portfolio with a handwritten loop for its strategy, which shows the speed of the hardware without generality. */
import { sma } from '../../../engine/indicators/indicators.ts';
import { isAbove, isAtMost, isBelow } from '../../../engine/indicators/ties.ts';
import {
  type PortfolioMember,
  type PortfolioSettings,
  preparePortfolio,
  runPrepared,
} from '../../../engine/portfolio/backtest.ts';
import { requireStrategy } from '../../../engine/strategies/catalogue.ts';
import { required } from '../../../engine/util/values.ts';
import { FREE, prepare } from './engine.ts';
import { type Bench, walk } from './market.ts';
import { assertEqual, compare, timed } from './measure.ts';

const SYMBOLS = 100;
const BARS = 1_260;
const PLACES = 10;
const SETTINGS: PortfolioSettings = {
  strategy: 'sma_cross',
  params: prepare(requireStrategy('sma_cross')).values,
  timeRange: 'MAX',
  start: null,
  end: null,
  adjust: 'none',
  execution: FREE,
  allocation: {
    maxPositions: PLACES,
    sizing: 'equal',
    volatilityPeriod: 63,
    rankBy: null,
    rebalance: 'none',
    cashBufferPct: 0,
  },
};

function membersOf(): PortfolioMember[] {
  return Array.from({ length: SYMBOLS }, (_, i) => {
    const symbol = `S${String(i).padStart(3, '0')}.US`;
    const series = walk(BARS, i + 1);
    return { symbol, series, asOf: series.day[BARS - 1], events: [], lifetime: { listedOn: null, delistedOn: null } };
  });
}

/** Uses the same averages and ties, and equal places by symbol; returns the final equity. */
function portfolioLoop(members: readonly PortfolioMember[]): number {
  const columns = members.map(({ series: { close } }) => ({ close, fast: sma(close, 20), slow: sma(close, 50) }));
  const [shares, cost] = [new Float64Array(SYMBOLS), new Float64Array(SYMBOLS)];
  const entries = new Int32Array(SYMBOLS);
  const trades: { readonly entry: number; readonly exit: number; readonly pnl: number }[] = [];
  const equity = new Float64Array(BARS);
  let cash = FREE.initialCapital;
  let count = 0;
  const valueAt = (t: number) => {
    let value = cash;
    for (let i = 0; i < SYMBOLS; i++) value += shares[i] * columns[i].close[t];
    return value;
  };
  for (let t = 0; t < BARS; t++) {
    for (let i = 0; i < SYMBOLS; i++) {
      const { close, fast, slow } = columns[i];
      if (shares[i] === 0 || (t < BARS - 1 && !isAbove(slow[t], fast[t]))) continue;
      const proceeds = shares[i] * close[t];
      trades.push({ entry: entries[i], exit: t, pnl: proceeds - cost[i] });
      cash += proceeds;
      shares[i] = 0;
      count--;
    }
    const place = valueAt(t) / PLACES;
    for (let i = 0; i < SYMBOLS && count < PLACES && t > 0 && t < BARS - 1; i++) {
      const { close, fast, slow } = columns[i];
      if (shares[i] > 0 || !isAbove(fast[t], slow[t]) || !isAtMost(fast[t - 1], slow[t - 1])) continue;
      cost[i] = Math.min(place, cash);
      if (isBelow(cost[i], 0.01 * place)) continue;
      entries[i] = t;
      shares[i] = cost[i] / close[t];
      cash -= cost[i];
      count++;
    }
    equity[t] = valueAt(t);
  }
  return equity[BARS - 1];
}

const benchPortfolio: Bench = () => {
  const members = membersOf();
  const engine = () =>
    runPrepared(required(preparePortfolio(SETTINGS, members, null)), SETTINGS, SETTINGS.params).equity[BARS - 1];
  const loop = () => portfolioLoop(members);
  assertEqual('portfolio', engine(), loop());
  const what = `${SYMBOLS} symbols of ${BARS} bars, sma_cross, ${PLACES} places, benchmark included`;
  return compare(what, 'ms', { ours: () => timed(engine), floor: () => timed(loop) }, 15);
};

export const PORTFOLIO = { 'portfolio.time_vs_loop': benchPortfolio };
