/**
 * A second implementation of portfolios, as close to the rules as possible: maps and arrays, with all values looked up again at
 * each session. It is slow and shares only the shape of the input with the engine.
 */

import type { Execution } from '../../engine/backtest/execution.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import type { Allocation } from '../../engine/portfolio/portfolio.ts';
import { type ReferenceRules, referenceIndicators, referenceRules } from './reference-engine.ts';

export interface ReferenceMember {
  readonly symbol: string;
  readonly series: BarSeries;
  readonly from: number;
  readonly to: number;
  readonly isDelisted: boolean;
}

interface Held {
  readonly first: number;
  readonly firstFill: number;
  readonly lookedFrom: number;
  shares: number;
  meanFill: number;
  cost: number;
  commission: number;
  isLeaving: boolean;
}

interface Waiting {
  readonly kind: 'exit' | 'reduce' | 'buy';
  readonly symbol: string;
  readonly amount: number;
  readonly reason: string;
}

export interface ReferencePortfolioTrade {
  readonly symbol: string;
  readonly entryDay: number;
  readonly exitDay: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  readonly pnl: number;
  readonly pnlPct: number;
  readonly barsHeld: number;
  readonly commission: number;
  readonly maePct: number;
  readonly mfePct: number;
  readonly exitReason: string;
}

export interface ReferencePortfolio {
  readonly members: readonly ReferenceMember[];
  readonly strategy: string;
  readonly params: Record<string, number | string | boolean>;
  readonly allocation: Allocation;
  readonly execution: Execution;
}

const isLess = (a: number, b: number) => b - a > 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Product of the factors of the events after a bar. */
function factorAfter({ adjustedFor, day }: BarSeries, t: number, of: 'price' | 'shares'): number {
  return adjustedFor.filter((event) => event.day > day[t]).reduce((product, event) => product * event[of], 1);
}

/** Figures that tests rank by. */
const RANKS: Readonly<Record<string, (series: BarSeries, t: number, n: number) => number>> = {
  roc_pct: ({ close }, t, n) => (t < n ? Number.NaN : 100 * (close[t] / close[t - n] - 1)),
  rsi: (series, t, n) => referenceIndicators(series).rsi(n)(t),
  close: (series, t) => series.close[t] / factorAfter(series, t, 'price'),
  volume: (series, t) => series.volume[t] * factorAfter(series, t, 'shares'),
  atr_pct: (series, t, n) => (100 * referenceIndicators(series).atr(n)(t)) / series.close[t],
};

function periodOf(day: number, kind: string): string {
  const date = new Date(day * 86_400_000);
  const month = date.getUTCMonth();
  if (kind === 'week') return String(day - ((date.getUTCDay() + 6) % 7));
  return `${date.getUTCFullYear()} ${kind === 'month' ? month : Math.floor(month / 3)}`;
}

export function referencePortfolio({ members, strategy, params, allocation, execution }: ReferencePortfolio) {
  const bySymbol = new Map(members.map((member) => [member.symbol, member]));
  const symbols = [...bySymbol.keys()].sort();
  const memberOf = (symbol: string) => bySymbol.get(symbol) as ReferenceMember;
  const rules = new Map<string, ReferenceRules>(
    members.map(({ symbol, series }) => [symbol, referenceRules(strategy, series, params as Record<string, never>)]),
  );
  const barOn = (symbol: string, day: number) => {
    const { series, from, to } = memberOf(symbol);
    for (let t = from; t < to; t++) if (series.day[t] === day) return t;
    return -1;
  };
  const lastBar = (symbol: string, day: number) => {
    const { series, from, to } = memberOf(symbol);
    let found = -1;
    for (let t = from; t < to; t++) if (series.day[t] <= day) found = t;
    return found;
  };
  const days = [...new Set(members.flatMap(({ series, from, to }) => [...series.day.subarray(from, to)]))].sort(
    (a, b) => a - b,
  );

  const { commissionRate, minCommission, slippageBps, initialCapital } = execution;
  const slip = slippageBps / 10_000;
  const atOpen = execution.executeOn === 'next_open';
  let cash = initialCapital;
  const held = new Map<string, Held>();
  let waiting: Waiting[] = [];
  const trades: ReferencePortfolioTrade[] = [];
  const equity: number[] = [];
  const counts: number[] = [];
  let bought = 0;
  let sold = 0;

  const heldSymbols = () => [...held.keys()].sort();
  const closeOf = (symbol: string, day: number) => memberOf(symbol).series.close[lastBar(symbol, day)];
  const worth = (day: number) =>
    sumOf(heldSymbols().map((symbol) => (held.get(symbol) as Held).shares * closeOf(symbol, day)));
  const isEnd = (symbol: string, t: number) => memberOf(symbol).isDelisted && t === memberOf(symbol).to - 1;

  function buy(symbol: string, t: number, price: number, amount: number) {
    let allowed = cash / (1 + commissionRate);
    if (commissionRate * allowed < minCommission) allowed = cash - minCommission;
    const notional = Math.min(amount, allowed);
    if (notional <= 0 || isLess(notional, 0.01 * amount)) return;
    const commission = Math.max(minCommission, commissionRate * notional);
    const shares = notional / (price * (1 + slip));
    bought += notional;
    cash = Math.abs(cash - notional - commission) < 1e-9 * cash ? 0 : cash - notional - commission;
    const position = held.get(symbol);
    if (!position) {
      held.set(symbol, {
        first: t,
        firstFill: price,
        lookedFrom: atOpen ? t : t + 1,
        shares,
        meanFill: price,
        cost: notional + commission,
        commission,
        isLeaving: false,
      });
      return;
    }
    position.meanFill = (position.meanFill * position.shares + price * shares) / (position.shares + shares);
    position.shares += shares;
    position.cost += notional + commission;
    position.commission += commission;
  }

  function sell(
    symbol: string,
    t: number,
    day: number,
    price: number,
    amount: number,
    reason: string,
    isAtClose: boolean,
  ) {
    const position = held.get(symbol) as Held;
    const { series } = memberOf(symbol);
    const got = price * (1 - slip);
    const shares = isLess(amount / got, position.shares) ? amount / got : position.shares;
    const part = shares / position.shares;
    const notional = shares * got;
    const commission = Math.min(notional, Math.max(minCommission, commissionRate * notional));
    const seen = [position.meanFill];
    if (!isAtClose) seen.push(price);
    for (let i = position.lookedFrom; i < (isAtClose ? t + 1 : t); i++) seen.push(series.low[i], series.high[i]);
    trades.push({
      symbol,
      shares,
      entryDay: series.day[position.first],
      exitDay: day,
      entryPrice: position.meanFill * (1 + slip),
      exitPrice: got,
      pnl: notional - commission - part * position.cost,
      pnlPct: 100 * ((notional - commission) / (part * position.cost) - 1),
      barsHeld: t - position.first,
      commission: commission + part * position.commission,
      maePct: 100 * (Math.min(...seen) / position.meanFill - 1),
      mfePct: 100 * (Math.max(...seen) / position.meanFill - 1),
      exitReason: reason,
    });
    cash += notional - commission;
    sold += notional;
    if (part === 1) held.delete(symbol);
    else {
      position.shares -= shares;
      position.cost *= 1 - part;
      position.commission *= 1 - part;
    }
  }

  function exitReason(symbol: string, t: number): string | null {
    const position = held.get(symbol) as Held;
    const { series } = memberOf(symbol);
    const close = series.close[t];
    const { stop_loss_pct, take_profit_pct, max_bars } = params as Record<string, number>;
    if (stop_loss_pct > 0 && !isLess(position.meanFill * (1 - stop_loss_pct / 100), close)) return 'stop_loss';
    if (take_profit_pct > 0 && !isLess(close, position.meanFill * (1 + take_profit_pct / 100))) return 'take_profit';
    if (strategy === 'chandelier') {
      const atr = referenceIndicators(series).atr(params.atr_period as number);
      let peak = position.firstFill;
      let stop = Number.NaN;
      for (let i = position.lookedFrom; i <= t; i++) {
        peak = Math.max(peak, params.trail_mode === 'high' ? series.high[i] : series.close[i]);
        const level = peak - (params.exit_mult as number) * atr(i);
        if (!params.ratchet || Number.isNaN(stop) || level > stop) stop = level;
      }
      if (isLess(close, stop)) return 'trailing_stop';
    } else if ((rules.get(symbol) as ReferenceRules).exit(t)) return 'signal';
    return max_bars > 0 && t - position.lookedFrom + 1 >= max_bars ? 'time_stop' : null;
  }

  function weightOf(symbol: string, sharing: readonly string[], day: number): number {
    if (allocation.sizing === 'equal') return 1 / allocation.maxPositions;
    const volatilities = sharing.map((one) =>
      referenceIndicators(memberOf(one).series).volatility(allocation.volatilityPeriod)(lastBar(one, day)),
    );
    const defined = volatilities.filter((v) => v > 0);
    const counted = volatilities.map((v) => (v > 0 ? v : defined.length > 0 ? Math.max(...defined) : 1));
    const share = 1 / counted[sharing.indexOf(symbol)] / sumOf(counted.map((v) => 1 / v));
    return Math.min(share, 2 / allocation.maxPositions);
  }

  days.forEach((day, k) => {
    const isLastSession = k === days.length - 1;
    const soldNow = new Set<string>();
    if (atOpen) {
      const due: Waiting[] = [];
      const still: Waiting[] = [];
      for (const order of waiting) {
        if (barOn(order.symbol, day) >= 0) due.push(order);
        else if (lastBar(order.symbol, day) < memberOf(order.symbol).to - 1) still.push(order);
        else if (order.kind === 'exit') (held.get(order.symbol) as Held).isLeaving = false;
      }
      waiting = still;
      for (const { kind, symbol, amount, reason } of due) {
        const t = barOn(symbol, day);
        if (kind !== 'buy') sell(symbol, t, day, memberOf(symbol).series.open[t], amount, reason, false);
      }
      for (const { kind, symbol, amount } of due) {
        const t = barOn(symbol, day);
        if (kind === 'buy' && !isLastSession && !isEnd(symbol, t))
          buy(symbol, t, memberOf(symbol).series.open[t], amount);
      }
    }
    if (!atOpen || !isLastSession) {
      for (const symbol of heldSymbols()) {
        const position = held.get(symbol) as Held;
        const t = barOn(symbol, day);
        if (t < position.lookedFrom || position.isLeaving || (atOpen && isEnd(symbol, t))) continue;
        const reason = exitReason(symbol, t);
        if (reason === null) continue;
        if (atOpen) {
          position.isLeaving = true;
          waiting.push({ kind: 'exit', symbol, amount: Number.POSITIVE_INFINITY, reason });
        } else {
          sell(symbol, t, day, memberOf(symbol).series.close[t], Number.POSITIVE_INFINITY, reason, true);
          soldNow.add(symbol);
        }
      }
    }
    for (const symbol of heldSymbols()) {
      const t = lastBar(symbol, day);
      const isOver = barOn(symbol, day) >= 0 && isEnd(symbol, t);
      if (!isLastSession && !isOver) continue;
      const reason = isOver ? 'delisted' : 'end_of_data';
      sell(symbol, t, day, closeOf(symbol, day), Number.POSITIVE_INFINITY, reason, true);
      soldNow.add(symbol);
    }
    if (!isLastSession) {
      const value = cash + worth(day);
      const room = value * (1 - allocation.cashBufferPct / 100);
      const staying = () => heldSymbols().filter((symbol) => !(held.get(symbol) as Held).isLeaving);
      const ordered = () => waiting.filter(({ kind }) => kind === 'buy').map(({ symbol }) => symbol);
      const kind = allocation.rebalance;
      if (kind !== 'none' && periodOf(day, kind) !== periodOf(days[k + 1], kind)) {
        const sharing = [...new Set([...staying(), ...ordered()])];
        const wishes = staying()
          .filter((symbol) => barOn(symbol, day) >= 0)
          .map((symbol) => {
            const target = weightOf(symbol, sharing, day) * room;
            return { symbol, target, amount: target - (held.get(symbol) as Held).shares * closeOf(symbol, day) };
          })
          .filter(({ amount, target }) => !isLess(Math.abs(amount), 0.05 * target));
        for (const { symbol, amount } of wishes.filter((wish) => wish.amount < 0)) {
          if (atOpen) waiting.push({ kind: 'reduce', symbol, amount: -amount, reason: 'rebalance' });
          else sell(symbol, barOn(symbol, day), day, closeOf(symbol, day), -amount, 'rebalance', true);
          if (!held.has(symbol)) soldNow.add(symbol);
        }
        for (const { symbol, amount } of wishes.filter((wish) => wish.amount > 0)) {
          if (atOpen) waiting.push({ kind: 'buy', symbol, amount, reason: '' });
          else buy(symbol, barOn(symbol, day), closeOf(symbol, day), amount);
        }
      }
      const figure = (symbol: string) => {
        if (allocation.rankBy === null) return 0;
        const { field, period, order } = allocation.rankBy;
        const value = RANKS[field](memberOf(symbol).series, barOn(symbol, day), period ?? 0);
        return Number.isNaN(value)
          ? Number.POSITIVE_INFINITY
          : (Math.round(value * 1e6) / 1e6) * (order === 'asc' ? 1 : -1);
      };
      const wanted = symbols
        .filter((symbol) => barOn(symbol, day) >= 0 && !isEnd(symbol, barOn(symbol, day)))
        .filter(
          (symbol) => !held.has(symbol) && !soldNow.has(symbol) && !waiting.some((order) => order.symbol === symbol),
        )
        .filter((symbol) => (rules.get(symbol) as ReferenceRules).entry(barOn(symbol, day)))
        .map((symbol) => ({ symbol, figure: figure(symbol) }))
        .sort((a, b) => (a.figure === b.figure ? (a.symbol < b.symbol ? -1 : 1) : a.figure - b.figure));
      const leaving = heldSymbols().length - staying().length;
      const newcomers = ordered().filter((symbol) => !held.has(symbol)).length;
      const free = allocation.maxPositions - held.size - newcomers + leaving;
      const chosen = wanted.slice(0, Math.max(0, free)).map(({ symbol }) => symbol);
      const sharing = [...new Set([...staying(), ...ordered(), ...chosen])];
      const amounts = chosen.map((symbol) => ({ symbol, amount: weightOf(symbol, sharing, day) * room }));
      for (const { symbol, amount } of amounts) {
        if (atOpen) waiting.push({ kind: 'buy', symbol, amount, reason: '' });
        else buy(symbol, barOn(symbol, day), closeOf(symbol, day), amount);
      }
    }
    equity.push(cash + worth(day));
    counts.push(held.size);
  });
  return { days, trades, equity, counts, bought, sold };
}
