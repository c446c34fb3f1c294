/** The money-weighted return: the yearly rate at which what was paid in is worth what was taken out (internal rate of return). */
import type { Day } from '../market/dates.ts';
import { finiteOrNull } from '../market/figures.ts';

const DAYS_A_YEAR = 365;
/** Logarithms of 1 + rate at which a root is looked for: the first distance from 0, its growth, and the last. */
const SCAN = { first: 0.001, growth: 1.02, last: 10_000 } as const;

/** Money that the owner receives (above 0) or pays on a day. */
export interface Payment {
  readonly day: Day;
  readonly amount: number;
}

/** In percent a year; of several rates the one nearest to 0, null where there is none, or where no time passed. Payments: oldest first. */
export function moneyWeightedPct(all: readonly Payment[]): number | null {
  // An amount of 0 at an end would leave a value that is too small for a number without a sign.
  const payments = all.filter(({ amount }) => amount !== 0);
  const years = payments.map(({ day }) => (day - payments[0].day) / DAYS_A_YEAR);
  const last = years.at(-1) ?? 0;
  if (last === 0) return null;
  // Measured from the end at which every factor is 1 or below, which changes no sign.
  const valueAt = (x: number) => {
    const from = x < 0 ? last : 0;
    return payments.reduce((sum, { amount }, i) => sum + amount * Math.exp(-x * (years[i] - from)), 0);
  };
  const roots = [rootFrom(valueAt, 1), rootFrom(valueAt, -1)].filter((x) => x !== null);
  const rates = roots.map((x) => 100 * Math.expm1(x));
  return rates.length === 0 ? null : finiteOrNull(rates.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a)));
}

/** The root nearest to 0 on one side of it. */
function rootFrom(valueAt: (x: number) => number, side: 1 | -1): number | null {
  let near = 0;
  const sign = Math.sign(valueAt(0));
  if (sign === 0) return 0;
  for (let step: number = SCAN.first; Math.abs(near) < SCAN.last; step *= SCAN.growth) {
    const far = near + side * step;
    if (Math.sign(valueAt(far)) !== sign) return between(valueAt, near, far, sign);
    near = far;
  }
  return null;
}

/** Halves the interval between two points until it has no number inside. */
function between(valueAt: (x: number) => number, near: number, far: number, sign: number): number {
  const ends = { near, far };
  for (;;) {
    const middle = ends.near + (ends.far - ends.near) / 2;
    if (middle === ends.near || middle === ends.far) return middle;
    ends[Math.sign(valueAt(middle)) === sign ? 'near' : 'far'] = middle;
  }
}
