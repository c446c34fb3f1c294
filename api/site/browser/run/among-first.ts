/** Conditions for what a ranking holds. */

type Order = 'asc' | 'desc';

/** Whether an instrument is among the first in an order of the members. */
export const amongFirst = (value: string, order: Order, count: number | string) =>
  `${order === 'asc' ? 'bottom' : 'top'}(${value}, ${count})`;

/** Whether it is among the first percent of them, whose number is rounded up. */
export const amongFirstPct = (value: string, order: Order, percent: number) =>
  `rank(${order === 'asc' ? `-(${value})` : value}) > ${Number((1 - percent / 100).toFixed(6))}`;
