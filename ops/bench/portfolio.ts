/** Compares a portfolio with a handwritten loop for its strategy, which shows the speed of the hardware without generality. */
import {
  affordableNotional,
  purchaseCommission,
  purchasePrice,
  saleCommission,
  salePrice,
} from '../../engine/backtest/costs.ts';
import type { Execution } from '../../engine/backtest/execution.ts';
import { sma } from '../../engine/indicators/indicators.ts';
import { isAbove, isAtMost, isBelow } from '../../engine/indicators/ties.ts';
import {
  type PortfolioMember,
  type PortfolioSettings,
  preparePortfolio,
  runPrepared,
} from '../../engine/portfolio/backtest.ts';
import { effectiveParameters, requireStrategy } from '../../engine/strategies/catalogue.ts';
import type { Bench } from './market.ts';
import { inTurns, ratioOf, timed } from './measure.ts';
import { figure } from './report.ts';
import { walk } from './walk.ts';

const SYMBOLS = 100;
const BARS = 1_260;
const PLACES = 10;
const ROUNDS = 15;
const EXECUTION: Execution = {
  executeOn: 'close',
  commissionRate: 0.001,
  minCommission: 1,
  slippageBps: 5,
  initialCapital: 100_000,
};

const LIFETIME = { listedOn: null, delistedOn: null };

function membersOf(): PortfolioMember[] {
  return Array.from({ length: SYMBOLS }, (_, i) => {
    const symbol = `S${String(i).padStart(3, '0')}.US`;
    const series = walk(BARS, i + 1);
    return { symbol, series, asOf: series.day[BARS - 1], events: [], lifetime: LIFETIME };
  });
}

function settingsOf(): PortfolioSettings {
  const effective = effectiveParameters(requireStrategy('sma_cross'), {});
  if ('faults' in effective) throw new Error(JSON.stringify(effective.faults));
  return {
    strategy: 'sma_cross',
    params: effective.values,
    timeRange: 'MAX',
    start: null,
    end: null,
    adjust: 'none',
    execution: EXECUTION,
    allocation: {
      maxPositions: PLACES,
      sizing: 'equal',
      volatilityPeriod: 63,
      rankBy: null,
      rebalance: 'none',
      cashBufferPct: 0,
    },
  };
}

interface Held {
  readonly entry: number;
  readonly shares: number;
  readonly cost: number;
}

/** Uses the same averages, ties, and costs, and equal places by symbol; returns the final equity. */
function byHand(members: readonly PortfolioMember[]): number {
  const closes = members.map(({ series }) => series.close);
  const fast = closes.map((close) => sma(close, 20));
  const slow = closes.map((close) => sma(close, 50));
  const held = new Array<Held | null>(SYMBOLS).fill(null);
  const trades: { readonly entry: number; readonly exit: number; readonly pnl: number }[] = [];
  const equity = new Float64Array(BARS);
  let cash = EXECUTION.initialCapital;
  let count = 0;
  for (let t = 0; t < BARS; t++) {
    const sold = sellAt(t);
    const value = valueAt(t);
    for (let i = 0; i < SYMBOLS && count < PLACES && t > 0 && t < BARS - 1; i++) {
      if (held[i] !== null || sold[i] === 1 || !crosses(i, t)) continue;
      const affordable = affordableNotional(cash, EXECUTION);
      const notional = Math.min(value / PLACES, affordable);
      if (notional <= 0 || isBelow(notional, (0.01 * value) / PLACES)) continue;
      const cost = notional === affordable ? cash : notional + purchaseCommission(notional, EXECUTION);
      held[i] = { entry: t, shares: notional / purchasePrice(closes[i][t], EXECUTION), cost };
      cash -= cost;
      count++;
    }
    equity[t] = valueAt(t);
  }
  return equity[BARS - 1];

  function sellAt(t: number): Uint8Array {
    const sold = new Uint8Array(SYMBOLS);
    for (let i = 0; i < SYMBOLS; i++) {
      const position = held[i];
      if (position === null || (t < BARS - 1 && !isAbove(slow[i][t], fast[i][t]))) continue;
      const notional = position.shares * salePrice(closes[i][t], EXECUTION);
      const proceeds = notional - saleCommission(notional, EXECUTION);
      trades.push({ entry: position.entry, exit: t, pnl: proceeds - position.cost });
      cash += proceeds;
      held[i] = null;
      sold[i] = 1;
      count--;
    }
    return sold;
  }

  function crosses(i: number, t: number): boolean {
    return isAbove(fast[i][t], slow[i][t]) && isAtMost(fast[i][t - 1], slow[i][t - 1]);
  }

  function valueAt(t: number): number {
    let value = cash;
    for (let i = 0; i < SYMBOLS; i++) value += (held[i]?.shares ?? 0) * closes[i][t];
    return value;
  }
}

const benchPortfolio: Bench = async () => {
  const members = membersOf();
  const settings = settingsOf();
  const engine = () => {
    const prepared = preparePortfolio(settings, members, null);
    if (!prepared) throw new Error('there are no bars');
    return runPrepared(prepared, settings, settings.params).equity[BARS - 1];
  };
  const [ours, loop] = [engine(), byHand(members)];
  if (Math.abs(ours - loop) > 1e-9 * loop) throw new Error(`the engine ends with ${ours}, the loop with ${loop}`);
  const { portfolio, hand } = await inTurns(ROUNDS, {
    portfolio: () => timed(engine),
    hand: () => timed(() => byHand(members)),
  });
  const note = `${SYMBOLS} symbols of ${BARS} bars, sma_cross, ${PLACES} places, benchmark included`;
  return [figure('portfolio.time_vs_loop', ratioOf(portfolio, hand), note)];
};

export const PORTFOLIO = { 'portfolio.time_vs_loop': benchPortfolio };
