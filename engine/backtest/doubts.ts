/** Doubts about the prices and orders of a run: jumps at splits, spin-offs, delistings, and orders that are large for the market. */
import { type AdjustMode, type Adjustment, adjustToLastBar, SHARE_COUNT_KINDS } from '../market/adjust.ts';
import type { Day } from '../market/dates.ts';
import { type BarSeries, sliceSeries } from '../market/series.ts';

/** A position from its purchase to a sale. */
export interface Stay {
  readonly entryDay: Day;
  readonly exitDay: Day;
}

/** A purchase or sale that was filled. */
export interface FilledOrder {
  /** Bar of the fill. */
  readonly index: number;
  /** In money. */
  readonly amount: number;
}

/** An instrument as it is traded. */
export interface Traded {
  /** `<TICKER>.US` */
  readonly symbol: string;
  /** Days of the bars that the run traded on, and at each close × volume as traded. */
  readonly day: Int32Array;
  readonly dollarVolume: Float64Array;
  readonly events: readonly Adjustment[];
  /** The usual return of delistings like its own, after the last close, as a fraction; null: its return is known. */
  readonly usualDelisting: number | null;
}

/** `series`: as traded. */
export function tradedOf(symbol: string, series: BarSeries, events: readonly Adjustment[]): Traded {
  const { day, close, volume, delisting } = series;
  const dollarVolume = close.map((price, i) => price * volume[i]);
  const isKnown = typeof delisting?.returnPct === 'number';
  return { symbol, day, dollarVolume, events, usualDelisting: isKnown ? null : usualDelisting(series, events) };
}

/** Sessions in which a name that fails falls. */
const FALL_SESSIONS = 20;
/** A larger fall tells that it was delisted because it failed. */
const FALL = 0.5;
/** Shumway and Warther (1999), and Shumway (1997). */
const NASDAQ_RETURN = -0.55;
const NYSE_RETURN = -0.3;

/** 0: it did not fail. */
function usualDelisting(series: BarSeries, events: readonly Adjustment[]): number {
  const { length } = series;
  const fallen = sliceSeries(series, Math.max(0, length - 1 - FALL_SESSIONS), length);
  const { close } = adjustToLastBar(fallen, events);
  if (close[close.length - 1] >= (1 - FALL) * close[0]) return 0;
  return /NAS/i.test(series.delisting?.venue ?? '') ? NASDAQ_RETURN : NYSE_RETURN;
}

/** The dealings of a run in one instrument. */
export interface Dealings extends Traded {
  readonly stays: readonly Stay[];
  readonly orders: readonly FilledOrder[];
  /** Proceeds of the closing at its delisting, in money; absent: no position was held then. */
  readonly delisted?: number | undefined;
}

/** Closings at last closes, because what the delistings returned is not known. */
export interface UnpricedDelistings {
  readonly count: number;
  /** Delistings of names that failed. */
  readonly failed: number;
  /** The change that the usual return of those would make, in money. */
  readonly effect: number;
}

export function unpricedDelistings(all: readonly Dealings[]): UnpricedDelistings {
  const found = { count: 0, failed: 0, effect: 0 };
  for (const { delisted, usualDelisting } of all) {
    if (delisted === undefined || usualDelisting === null) continue;
    found.count++;
    if (usualDelisting === 0) continue;
    found.failed++;
    found.effect += delisted * usualDelisting;
  }
  return found;
}

export interface DealtRange {
  readonly adjust: AdjustMode;
  readonly executeOn: 'close' | 'next_open';
  readonly first: Day;
  readonly last: Day;
}

/** Ex-dates in the range at which prices as traded jump, because the number of shares changes; ascending. */
export function splitDays(all: readonly Dealings[], { adjust, first, last }: DealtRange): Day[] {
  if (adjust !== 'none') return [];
  const days = all.flatMap(({ events }) =>
    events
      .filter(({ kind, exDay }) => SHARE_COUNT_KINDS.includes(kind) && exDay > first && exDay <= last)
      .map(({ exDay }) => exDay),
  );
  return [...new Set(days)].sort((a, b) => a - b);
}

export interface HeldSpinOff {
  readonly symbol: string;
  readonly day: Day;
  /** Share of the price that left with the spin-off, in percent. */
  readonly percent: number;
}

/** Spin-offs over which a position was held on the basis of splits alone, the largest first. */
export function heldSpinOffs(all: readonly Dealings[], { adjust }: Pick<DealtRange, 'adjust'>): HeldSpinOff[] {
  if (adjust !== 'split') return [];
  const found = all.flatMap(({ symbol, events, stays }) =>
    events
      .filter(({ kind, exDay }) => kind === 'spin_off' && stays.some((stay) => isAcross(stay, exDay)))
      .map(({ exDay, factor }) => ({ symbol, day: exDay, percent: 100 * (1 - factor) })),
  );
  return found.sort((a, b) => b.percent - a.percent);
}

const isAcross = ({ entryDay, exitDay }: Stay, exDay: Day) => entryDay < exDay && exDay <= exitDay;

/** Own bars before a decision that tell how much of an instrument is traded a day. */
const USUAL_BARS = 20;
/** An order of more than this share of the usual dollar volume moves the price. */
const LARGE_ORDER = 0.05;

export interface LargeOrder {
  readonly symbol: string;
  /** The day of the fill. */
  readonly day: Day;
  /** In money. */
  readonly amount: number;
  /** Its amount ÷ the median dollar volume of the bars before its decision. */
  readonly share: number;
}

/** The order with the largest share of the usual dollar volume of its instrument; null: none is large. */
export function largestOrder(
  all: readonly Dealings[],
  { executeOn }: Pick<DealtRange, 'executeOn'>,
): LargeOrder | null {
  let largest: LargeOrder | null = null;
  for (const { symbol, day, dollarVolume, orders } of all) {
    for (const { index, amount } of orders) {
      const usual = usualDollarVolume(dollarVolume, executeOn === 'close' ? index : index - 1);
      const share = usual === null ? 0 : amount / usual;
      if (share > (largest?.share ?? LARGE_ORDER)) largest = { symbol, day: day[index], amount, share };
    }
  }
  return largest;
}

/** Median of the bars before `index`; null: there are too few. */
function usualDollarVolume(dollarVolume: Float64Array, index: number): number | null {
  if (index < USUAL_BARS) return null;
  const volumes = dollarVolume.slice(index - USUAL_BARS, index).sort();
  return (volumes[USUAL_BARS / 2 - 1] + volumes[USUAL_BARS / 2]) / 2;
}
