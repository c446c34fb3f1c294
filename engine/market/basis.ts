/**
 * The basis of a bar. A series is adjusted to its last bar, so its price levels and volumes know events that came after an
 * earlier bar. The basis of a bar is that of a series that ends with it: prices ÷ the factors of all events after the bar, volumes
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

/** Powers of a price and of a number of shares that a figure is made of. Figures of neither are the same on every basis. */
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
