/**
 * Proofs that a run used nothing from its future, and that it had enough of its past: it is computed again on its series, cut
 * after every bar and adjusted to that bar, and on its series cut before the range.
 */
import { basisOf } from '../market/basis.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, sliceSeries } from '../market/series.ts';
import type { Signals, StrategyPlan } from '../strategies/strategy.ts';
import { type RunInput, type Simulation, simulate, type Trade } from './simulate.ts';

/** Relative difference up to which two prices or points of equity are equal. */
const TOLERANCE = 1e-9;

/** A run, and its series as that of a run that ends before bar `to`. */
export interface ProvedRun extends RunInput {
  readonly cut: (to: number) => BarSeries;
}

/** The plan of a run's strategy, computed on any series. */
export type Rules = (series: BarSeries) => StrategyPlan;

/** The first difference between a run and one that cannot see the future. */
export interface LookAheadDifference {
  /** The bar after which the series was cut. */
  readonly cutAfter: Day;
  /** The bar at which the two differ. */
  readonly day: Day;
  readonly kind: 'signal' | 'trade' | 'equity';
}

export interface PrefixProof {
  /** Cuts that were compared, one for each bar of the range. */
  readonly prefixes: number;
  /** Cuts that differ from the run. */
  readonly differences: number;
  readonly verdict: 'none' | 'found';
  /** The first of them; null: none differs. */
  readonly first: LookAheadDifference | null;
}

export function isEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** `factor` puts the prices of `a` on the basis of `b`. */
function isSameTrade(a: Trade, b: Trade | undefined, factor = 1): boolean {
  return (
    b !== undefined &&
    a.entryIndex === b.entryIndex &&
    a.exitIndex === b.exitIndex &&
    isEqual(a.entryPrice * factor, b.entryPrice) &&
    isEqual(a.exitPrice * factor, b.exitPrice)
  );
}

const HELD_SIGNALS = ['stop', 'trail', 'exit'] as const;
/** Exits may depend on the fill, so they are evaluated for positions filled at these multiples of the close. */
const SUPPOSED_FILLS = [0.5, 0.9, 1, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 4];

interface Signaling {
  readonly signals: Signals;
  readonly series: BarSeries;
}

/**
 * Whether both have the same signals at bar t. Trades alone do not show look-ahead of one bar: a shortened series has
 * no entry on its last bar, and at every earlier bar such a rule sees as much as in the whole series.
 */
export function hasSameSignals(a: Signaling, b: Signaling, t: number): boolean {
  const buys = ({ signals }: Signaling) => signals.entry(t, t + 1) === t;
  const sells = ({ signals, series }: Signaling, fill: number) =>
    HELD_SIGNALS.map((side) => signals[side] !== null && signals[side](t, t + 1, fill * series.close[t]) === t);
  return (
    buys(a) === buys(b) &&
    SUPPOSED_FILLS.every((fill) => {
      const sold = sells(b, fill);
      return sells(a, fill).every((isSold, i) => isSold === sold[i]);
    })
  );
}

/** The first bar before `last` at which a cut and the run differ; null: they do not. `factor` puts prices of the cut on the basis of the run. */
function firstDifference(cut: Simulation, whole: Simulation, factor: number, { from, last }: ComparedBars) {
  const closed = cut.trades.filter(({ exitIndex }) => exitIndex < last);
  const trade = closed.findIndex((own, i) => !isSameTrade(own, whole.trades[i], factor));
  const point = cut.equity.subarray(0, last - from).findIndex((value, i) => !isEqual(value, whole.equity[i]));
  if (trade === -1 && point === -1) return null;
  const traded = trade === -1 ? Number.POSITIVE_INFINITY : closed[trade].entryIndex;
  return point !== -1 && from + point < traded
    ? ({ index: from + point, kind: 'equity' } as const)
    : ({ index: traded, kind: 'trade' } as const);
}

interface ComparedBars {
  readonly from: number;
  readonly last: number;
}

/**
 * Compares the run with itself on every prefix of its series, each on its own basis. The last bar of a cut, and the closing on
 * it, is not compared. Yields after every cut, so that its caller can stop it.
 */
export function* provePrefixes(run: ProvedRun, rules: Rules): Generator<number, PrefixProof> {
  const { series, from, to } = run;
  const wholeRules = { ...rules(series), series };
  const whole = simulate({ ...run, ...wholeRules });
  let differences = 0;
  let first: LookAheadDifference | null = null;
  for (let last = from; last < to; last++) {
    const cutSeries = run.cut(last + 1);
    const cutRules = { ...rules(cutSeries), series: cutSeries };
    const cut = simulate({ ...run, ...cutRules, to: last + 1, finalReason: 'end_of_data' });
    const { price } = basisOf(series, series.day[last]);
    const found =
      firstDifference(cut, whole, price, { from, last }) ??
      (hasSameSignals(cutRules, wholeRules, last) ? null : { index: last, kind: 'signal' as const });
    if (found) {
      differences++;
      first ??= { cutAfter: series.day[last], day: series.day[found.index], kind: found.kind };
    }
    yield (last + 1 - from) / (to - from);
  }
  return { prefixes: to - from, differences, verdict: differences > 0 ? 'found' : 'none', first };
}

export interface WarmUp {
  /** The fewest bars before the range beyond which more bars change no trade. */
  readonly needed: number;
  /** Bars that the run had before its range. */
  readonly available: number;
  /** The warm-ups that were compared, bars, shortest first; the last is the whole history. */
  readonly compared: readonly number[];
}

/** The run with its history cut to 1, 2, 4 … times `longestPeriod` bars before the range, against the whole history. */
export function measureWarmUp(run: RunInput, rules: Rules, longestPeriod: number): WarmUp {
  const { series, from, to } = run;
  const tradesAfter = (warmUp: number) => {
    const start = from - warmUp;
    const cut = sliceSeries(series, start, to);
    const { trades } = simulate({ ...run, ...rules(cut), series: cut, from: warmUp, to: to - start });
    return trades.map((trade) => ({
      ...trade,
      entryIndex: trade.entryIndex + start,
      exitIndex: trade.exitIndex + start,
    }));
  };
  return warmUpsOf(from, longestPeriod, tradesAfter, (a, b) => isSameTrade(a, b));
}

/** Compares the trades after ever longer warm-ups with those after all `available` bars. */
export function warmUpsOf<T>(
  available: number,
  longestPeriod: number,
  tradesAfter: (warmUp: number) => readonly T[],
  isSame: (a: T, b: T | undefined) => boolean,
): WarmUp {
  const compared: number[] = [];
  for (let bars = Math.max(1, longestPeriod); bars < available; bars *= 2) compared.push(bars);
  compared.push(available);
  const whole = tradesAfter(available);
  let needed = available;
  for (const bars of compared.toReversed()) {
    const trades = tradesAfter(bars);
    if (trades.length !== whole.length || !trades.every((trade, i) => isSame(trade, whole[i]))) break;
    needed = bars;
  }
  return { needed, available, compared };
}
