/**
 * A second implementation of the engine, as close to the definitions as possible: it computes every figure again from its
 * window, bar by bar, with objects and arrays. It is slow and shares only the shape of the input with the engine.
 */

import type { Execution, ExitReason } from '../../engine/backtest/execution.ts';
import type { BarSeries } from '../../engine/market/series.ts';
import { exactMean, exactStdev } from './exact.ts';

type Values = Record<string, number | string | boolean>;
type Column = (t: number) => number;

const last = (n: number, t: number) => Array.from({ length: n }, (_, i) => t - n + 1 + i);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const isTie = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
/** a > b */
const isMore = (a: number, b: number) => a > b && !isTie(a, b);
/** a ≤ b */
const isNotMore = (a: number, b: number) => a <= b || isTie(a, b);

/** Returns a column that computes each figure once. */
function once(column: Column): Column {
  const known = new Map<number, number>();
  return (t) => {
    const figure = known.get(t) ?? column(t);
    known.set(t, figure);
    return figure;
  };
}

export function referenceIndicators({ high, low, close }: BarSeries) {
  const changes = (t: number) => (Math.abs(close[t] - close[t - 1]) <= 1e-9 * close[t] ? 0 : close[t] - close[t - 1]);
  const recursive = (first: number, seed: () => number, step: (before: number, t: number) => number): Column => {
    const known: number[] = [];
    return (t) => {
      if (t < first || t >= close.length) return Number.NaN;
      for (let i = first + known.length; i <= t; i++) known.push(i === first ? seed() : step(known[i - first - 1], i));
      return known[t - first];
    };
  };
  const trueRange: Column = (t) =>
    t < 1 ? Number.NaN : Math.max(high[t] - low[t], Math.abs(high[t] - close[t - 1]), Math.abs(low[t] - close[t - 1]));
  const emaOf = (values: Column, n: number, from: number): Column =>
    recursive(
      from + n - 1,
      () => exactMean(last(n, from + n - 1).map(values)),
      (before, t) => before + (2 / (n + 1)) * (values(t) - before),
    );
  const price: Column = (t) => close[t];
  const wilder = (values: Column, n: number) =>
    recursive(
      n,
      () => exactMean(last(n, n).map(values)),
      (before, t) => (before * (n - 1) + values(t)) / n,
    );
  return {
    sma: (n: number) => once((t) => (t < n - 1 ? Number.NaN : exactMean(last(n, t).map(price)))),
    ema: (n: number) => emaOf(price, n, 0),
    trueRange,
    atr: (n: number) => wilder(trueRange, n),
    rsi: (n: number): Column => {
      const gain = wilder((t) => Math.max(changes(t), 0), n);
      const loss = wilder((t) => Math.max(-changes(t), 0), n);
      return (t) => {
        if (t < n) return Number.NaN;
        if (loss(t) === 0) return gain(t) === 0 ? 50 : 100;
        return 100 - 100 / (1 + gain(t) / loss(t));
      };
    },
    macd: (f: number, s: number, g: number) => {
      const [fast, slow] = [emaOf(price, f, 0), emaOf(price, s, 0)];
      const line: Column = (t) => (t < s - 1 ? Number.NaN : fast(t) - slow(t));
      return { line, signal: emaOf(line, g, s - 1) };
    },
    stdev: (n: number) => once((t) => (t < n - 1 ? Number.NaN : exactStdev(last(n, t).map(price)))),
    highestBefore:
      (n: number): Column =>
      (t) =>
        t < n ? Number.NaN : Math.max(...last(n, t - 1).map((i) => high[i])),
    lowestBefore:
      (n: number): Column =>
      (t) =>
        t < n ? Number.NaN : Math.min(...last(n, t - 1).map((i) => low[i])),
    roc:
      (n: number): Column =>
      (t) =>
        t < n ? Number.NaN : 100 * (close[t] / close[t - n] - 1),
    volatility:
      (n: number): Column =>
      (t) => {
        if (t < n) return Number.NaN;
        const returns = last(n, t).map((i) => Math.log(close[i] / close[i - 1]));
        const squares = returns.map((r) => (r - mean(returns)) ** 2).reduce((sum, value) => sum + value, 0);
        return 100 * Math.sqrt((squares / (n - 1)) * 252);
      },
  };
}

export interface ReferenceRules {
  entry(t: number): boolean;
  exit(t: number): boolean;
}

export function referenceRules(code: string, series: BarSeries, p: Record<string, never>): ReferenceRules {
  const is = referenceIndicators(series);
  const { close } = series;
  const none = () => false;
  if (code === 'chandelier') {
    const [sma, atr, highest] = [is.sma(p.sma_period), is.atr(p.atr_period), is.highestBefore(p.sma_period)];
    const band = (t: number) => sma(t) + p.entry_mult * atr(t);
    const modes: Record<string, (t: number) => boolean> = {
      band: (t) => isMore(close[t], band(t)),
      cross: (t) => isMore(close[t], band(t)) && t > 0 && isNotMore(close[t - 1], band(t - 1)),
      breakout: (t) => isMore(close[t], highest(t)) && isMore(close[t], sma(t)),
    };
    return { entry: modes[p.entry_mode], exit: none };
  }
  if (code === 'sma_cross') {
    const [fast, slow] = [is.sma(p.fast_period), is.sma(p.slow_period)];
    return {
      entry: (t) => isMore(fast(t), slow(t)) && isNotMore(fast(t - 1), slow(t - 1)),
      exit: (t) => isMore(slow(t), fast(t)),
    };
  }
  if (code === 'donchian') {
    const [highest, lowest] = [is.highestBefore(p.entry_period), is.lowestBefore(p.exit_period)];
    return { entry: (t) => isMore(close[t], highest(t)), exit: (t) => isMore(lowest(t), close[t]) };
  }
  if (code === 'rsi_reversion') {
    const rsi = is.rsi(p.rsi_period);
    const trend = is.sma(Math.max(1, p.trend_period));
    return {
      entry: (t) => isMore(p.entry_below, rsi(t)) && (p.trend_period === 0 || isMore(close[t], trend(t))),
      exit: (t) => isMore(rsi(t), p.exit_above),
    };
  }
  if (code === 'bollinger_reversion') {
    const [sma, stdev] = [is.sma(p.period), is.stdev(p.period)];
    return {
      entry: (t) => isMore(sma(t) - p.mult * stdev(t), close[t]),
      exit: (t) => isNotMore(sma(t), close[t]),
    };
  }
  if (code === 'macd') {
    const { line, signal } = is.macd(p.fast_period, p.slow_period, p.signal_period);
    const lead = (t: number) => (line(t) - signal(t)) / close[t];
    return { entry: (t) => lead(t) > 1e-12 && lead(t - 1) <= 1e-12, exit: (t) => lead(t) < -1e-12 };
  }
  if (code === 'roc_momentum') {
    const past = (t: number, percent: number) =>
      t < p.period ? Number.NaN : close[t - p.period] * (1 + percent / 100);
    return {
      entry: (t) => isMore(close[t], past(t, p.entry_above)),
      exit: (t) => isMore(past(t, p.exit_below), close[t]),
    };
  }
  return { entry: () => true, exit: none };
}

export interface ReferenceTrade {
  readonly entry: number;
  readonly exit: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly shares: number;
  readonly pnl: number;
  readonly mae: number;
  readonly mfe: number;
  readonly reason: ExitReason;
}

/** Runs bar by bar from `from` to `to` (exclusive) and records every bar. */
export function referenceRun(
  series: BarSeries,
  [from, to]: [number, number],
  code: string,
  params: Values,
  execution: Execution,
): { trades: ReferenceTrade[]; equity: number[]; exposed: number } {
  const p = params as Record<string, never>;
  const rules = referenceRules(code, series, p);
  const atr = code === 'chandelier' ? referenceIndicators(series).atr(p.atr_period) : null;
  const { open, high, low, close } = series;
  const { commissionRate, minCommission, slippageBps, initialCapital } = execution;
  const atOpen = execution.executeOn === 'next_open';
  const slip = slippageBps / 10_000;
  const trades: ReferenceTrade[] = [];
  const equity: number[] = [];
  let cash = initialCapital;
  let held: {
    fill: number;
    at: number;
    shares: number;
    paid: number;
    before: number;
    peak: number;
    stop: number;
  } | null = null;
  let exposed = 0;
  let order: 'buy' | ExitReason | null = null;

  const buy = (t: number, price: number) => {
    let notional = cash / (1 + commissionRate);
    if (commissionRate * notional < minCommission) notional = cash - minCommission;
    if (notional <= 0) return;
    const paid = price * (1 + slip);
    held = { fill: price, at: t, shares: notional / paid, paid, before: cash, peak: price, stop: Number.NaN };
    cash = 0;
  };
  const sell = (t: number, price: number, reason: ExitReason, isAtClose: boolean) => {
    const position = held as NonNullable<typeof held>;
    const got = price * (1 - slip);
    const notional = position.shares * got;
    cash += Math.max(0, notional - Math.max(minCommission, commissionRate * notional));
    const seen = [position.fill, price];
    for (let i = position.at; i <= t; i++) {
      const isHeld = (atOpen || i > position.at) && (isAtClose || i < t);
      if (isHeld) seen.push(low[i], high[i]);
    }
    trades.push({
      entry: position.at,
      exit: t,
      entryPrice: position.paid,
      exitPrice: got,
      shares: position.shares,
      reason,
      pnl: cash - position.before,
      mae: 100 * (Math.min(...seen) / position.fill - 1),
      mfe: 100 * (Math.max(...seen) / position.fill - 1),
    });
    held = null;
  };
  const reasonAt = (t: number): ExitReason | null => {
    const position = held as NonNullable<typeof held>;
    const barsHeld = t - position.at + (atOpen ? 1 : 0);
    let isStopped = false;
    if (atr) {
      position.peak = Math.max(position.peak, p.trail_mode === 'high' ? high[t] : close[t]);
      const stop = position.peak - p.exit_mult * atr(t);
      if (!p.ratchet) position.stop = stop;
      else if (Number.isNaN(position.stop) || stop > position.stop) position.stop = stop;
      isStopped = isMore(position.stop, close[t]);
    }
    if (p.stop_loss_pct > 0 && isNotMore(close[t], position.fill * (1 - p.stop_loss_pct / 100))) return 'stop_loss';
    if (p.take_profit_pct > 0 && isNotMore(position.fill * (1 + p.take_profit_pct / 100), close[t]))
      return 'take_profit';
    if (isStopped) return 'trailing_stop';
    if (rules.exit(t)) return 'signal';
    return p.max_bars > 0 && barsHeld >= p.max_bars ? 'time_stop' : null;
  };

  for (let t = from; t < to; t++) {
    const isLast = t === to - 1;
    if (order === 'buy' && !isLast) buy(t, open[t]);
    else if (order !== null && order !== 'buy') sell(t, open[t], order, false);
    order = null;
    const position = held as { at: number } | null;
    if (position !== null) {
      const reason = atOpen || t > position.at ? reasonAt(t) : null;
      if (reason !== null && !atOpen) sell(t, close[t], reason, true);
      else if (!isLast) order = reason;
    } else if (!isLast && rules.entry(t)) {
      if (atOpen) order = 'buy';
      else buy(t, close[t]);
    }
    if (isLast && held !== null) sell(t, close[t], 'end_of_data', true);
    const after = held as { shares: number } | null;
    equity.push(cash + (after?.shares ?? 0) * close[t]);
    if (after !== null) exposed++;
  }
  return { trades, equity, exposed };
}
