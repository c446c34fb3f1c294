/** Whether the market is open to a rotation. */
import { FILTER, type MarketValues } from './panel.ts';

/** Sessions that an undefined filter is carried over. */
const CARRIED = 5;

/** At session `t`; where it is undefined its last value of the sessions before, else true. */
export function isMarketOpen({ filter }: MarketValues, t: number): boolean {
  if (filter === null) return true;
  for (let s = t; s >= Math.max(0, t - CARRIED); s--)
    if (filter[s] !== FILTER.undefined) return filter[s] === FILTER.open;
  return true;
}
