/** Answers of the exam by hand: on the bars as the provider publishes them, without any code of the engine. */
import { formatDay } from '../../../../engine/market/dates.ts';
import type { SampleProvider } from '../../../../jobs/providers/sample/sample-provider.ts';

export interface HandBar {
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Daily bars by ticker, on the share count of the newest one. */
export type HandMarket = ReadonlyMap<string, readonly HandBar[]>;

const MS_PER_DAY = 86_400_000;
const dayNumber = (date: string) => Date.parse(date) / MS_PER_DAY;
const SPLITS: ReadonlySet<string> = new Set(['split', 'reverse_split']);

export async function readMarket(provider: SampleProvider, first: string, last: string): Promise<HandMarket> {
  const market = new Map<string, HandBar[]>();
  const signal = AbortSignal.timeout(60_000);
  for (const unit of await provider.planUnits('consolidated', dayNumber(first), dayNumber(last))) {
    for await (const { count, ticker, day, open, high, low, close, volume } of provider.dailyBars(
      'consolidated',
      unit,
      signal,
    )) {
      for (let i = 0; i < count; i++) {
        const bar = {
          date: formatDay(day[i]),
          open: open[i],
          high: high[i],
          low: low[i],
          close: close[i],
          volume: volume[i],
        };
        market.set(ticker[i], [...(market.get(ticker[i]) ?? []), bar]);
      }
    }
  }
  for await (const { ticker, exDay, kind, factor } of provider.adjustments()) {
    const bars = market.get(ticker);
    if (!SPLITS.has(kind) || bars === undefined) continue;
    const scaled = (bar: HandBar): HandBar => ({
      date: bar.date,
      open: bar.open * factor,
      high: bar.high * factor,
      low: bar.low * factor,
      close: bar.close * factor,
      volume: bar.volume / factor,
    });
    market.set(
      ticker,
      bars.map((bar) => (bar.date < formatDay(exDay) ? scaled(bar) : bar)),
    );
  }
  return market;
}

export const barsOf = (market: HandMarket, ticker: string, from = '', to = '9999') =>
  (market.get(ticker) ?? []).filter(({ date }) => date >= from && date <= to);

export const changePct = (bars: readonly HandBar[]) => 100 * (bars[bars.length - 1].close / bars[0].close - 1);

export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}

/** The largest fall from a peak before, in percent. */
export function drawdownPct(values: readonly number[]): number {
  let [peak, worst] = [0, 0];
  for (const value of values) [peak, worst] = [Math.max(peak, value), Math.max(worst, 1 - value / peak)];
  return 100 * worst;
}

export const rounded = (value: number, decimals = 4) => Number(value.toFixed(decimals));

const closes = (bars: readonly HandBar[], i: number, n: number) =>
  bars.slice(i - n + 1, i + 1).map(({ close }) => close);
export const smaAt = (bars: readonly HandBar[], i: number, n: number) => mean(closes(bars, i, n));
export const highestBefore = (bars: readonly HandBar[], i: number, n: number) =>
  Math.max(...bars.slice(i - n, i).map(({ high }) => high));
export const lowestBefore = (bars: readonly HandBar[], i: number, n: number) =>
  Math.min(...bars.slice(i - n, i).map(({ low }) => low));

export type Signal = (bars: readonly HandBar[], i: number) => boolean;

export interface HandRun {
  /** Return of each trade, in percent. */
  readonly trades: readonly number[];
  /** Equity at each close, from 1. */
  readonly equity: readonly number[];
}

/** Everything in at the close of a signal, everything out at the close of another, or at the end. */
export function trade(bars: readonly HandBar[], from: string, entry: Signal, exit: Signal): HandRun {
  const trades: number[] = [];
  const equity: number[] = [];
  let [cash, entered]: [number, number | null] = [1, null];
  for (let i = bars.findIndex(({ date }) => date >= from); i < bars.length; i++) {
    const { close } = bars[i];
    const isLast = i === bars.length - 1;
    if (entered !== null && (isLast || exit(bars, i))) {
      trades.push(100 * (close / entered - 1));
      cash *= close / entered;
      entered = null;
    } else if (entered === null && !isLast && entry(bars, i)) entered = close;
    equity.push(entered === null ? cash : (cash * close) / entered);
  }
  return { trades, equity };
}

/** Average ranks from 1. */
function ranks(values: readonly number[]): number[] {
  return values.map(
    (value) =>
      1 + values.filter((other) => other < value).length + (values.filter((other) => other === value).length - 1) / 2,
  );
}

/** Spearman's correlation. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)];
  const covariance = mean(x.map((value, i) => (value - mean(x)) * (y[i] - mean(y))));
  return (
    covariance /
    Math.sqrt(mean(x.map((value) => (value - mean(x)) ** 2)) * mean(y.map((value) => (value - mean(y)) ** 2)))
  );
}
