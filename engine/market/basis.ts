/**
 * The basis of a bar. A series is adjusted to its last bar, so the prices and volumes of an earlier bar reflect events that came
 * after it. The basis of a bar is that of a series that ends with it: prices ÷ the factors of all events after the bar, volumes
 * × those of share-count events.
 */
import type { Day } from './dates.ts';
import { type BarSeries, firstIndexFrom } from './series.ts';

/** Factors that the prices of a series were multiplied by, and its volumes divided by, for events after a bar. */
export interface Basis {
  readonly price: number;
  readonly shares: number;
}

/** Bars `from` (included) to `to` (excluded) of a series, with no event between them. */
export interface Stretch extends Basis {
  readonly from: number;
  readonly to: number;
}

/** Powers of price and of share count in a figure. A figure with neither is the same on every basis. */
export interface Dimension {
  readonly price: number;
  readonly shares: number;
}

export const NO_DIMENSION: Dimension = { price: 0, shares: 0 };
export const PRICE: Dimension = { price: 1, shares: 0 };
export const SHARES: Dimension = { price: 0, shares: 1 };
export const MONEY: Dimension = { price: 1, shares: 1 };

/** The stretches of a series, oldest first; none where all of it is on the basis of its last bar. */
export function stretchesOf(series: BarSeries): Stretch[] {
  const stretches: Stretch[] = [];
  let [to, price, shares] = [series.length, 1, 1];
  const add = (from: number) => {
    if (from >= to) return;
    stretches.unshift({ from, to, price, shares });
    to = from;
  };
  for (const event of series.adjustedFor.toReversed()) {
    add(firstIndexFrom(series, event.day));
    price *= event.price;
    shares *= event.shares;
  }
  add(0);
  return stretches.every((one) => one.price === 1 && one.shares === 1) ? [] : stretches;
}

/** The stretches of a series, cut at further days too: at those of events of another series. */
export function stretchesCutAt(series: BarSeries, days: readonly Day[]): Stretch[] {
  const own = stretchesOf(series);
  const stretches = own.length === 0 ? [{ from: 0, to: series.length, price: 1, shares: 1 }] : own;
  const cuts = [...new Set(days.map((day) => firstIndexFrom(series, day)))].sort((a, b) => a - b);
  return stretches.flatMap((stretch) => {
    const inside = cuts.filter((cut) => stretch.from < cut && cut < stretch.to);
    const bounds = [stretch.from, ...inside, stretch.to];
    return inside.length === 0 ? [stretch] : bounds.slice(1).map((to, i) => ({ ...stretch, from: bounds[i], to }));
  });
}

/** The basis of a day. */
export function basisOf({ adjustedFor }: BarSeries, day: Day): Basis {
  let [price, shares] = [1, 1];
  for (let i = adjustedFor.length - 1; i >= 0 && adjustedFor[i].day > day; i--) {
    price *= adjustedFor[i].price;
    shares *= adjustedFor[i].shares;
  }
  return { price, shares };
}

/** Factor that puts a figure of the series on a basis. */
export function factorTo({ price, shares }: Basis, dimension: Dimension): number {
  return shares ** dimension.shares / price ** dimension.price;
}

/** Dimension of a value that is made of others. `any`: 0 or undefined on every basis. Null: the value mixes dimensions. */
export type ValueDimension = Dimension | 'any' | null;

/** Whether two values change with the basis in the same way, so that their comparison is the same on every basis. */
export function haveSameDimension(a: ValueDimension, b: ValueDimension): boolean {
  if (a === null || b === null) return false;
  return a === 'any' || b === 'any' || (a.price === b.price && a.shares === b.shares);
}

/** The dimension of a value that keeps the dimension of its parts, which are one or two. */
export function dimensionKept([a, b = a]: readonly ValueDimension[]): ValueDimension {
  if (!haveSameDimension(a, b)) return null;
  return a === 'any' ? b : a;
}

/** The dimension of a value that has a meaning only on one basis, unless its part is the same on each. */
export function dimensionOnEach(part: ValueDimension): ValueDimension {
  return haveSameDimension(part, NO_DIMENSION) ? part : null;
}

/** The dimension of a product or, with `sign` -1, of a quotient. */
export function dimensionMultiplied([a, b]: readonly ValueDimension[], sign: 1 | -1): ValueDimension {
  if (a === null || b === null) return null;
  if (a === 'any' || b === 'any') return 'any';
  return { price: a.price + sign * b.price, shares: a.shares + sign * b.shares };
}
