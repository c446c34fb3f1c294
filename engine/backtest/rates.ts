/** Interest on cash and the risk-free return: what annual rates make of the nights between the sessions of a run. */
import { finiteOrNull } from '../market/figures.ts';
import { YEAR_DAYS } from './metrics.ts';

/** Days of a year by which annual rates are compounded. */
const RATE_DAYS = 365;

/** The values of a series at sessions, as they were known by their closes: percent a year, NaN: none. `sessions`: ascending days. */
export interface MarketColumn {
  readonly at: (sessions: Int32Array) => Float64Array;
}

/** Market columns, by name. */
export type MarketColumns = ReadonlyMap<string, MarketColumn>;

/** The rates of a run; both are absent where it names none. */
export interface RateSettings {
  /** `rate`: percent a year, or the name of a column; of it `spreadBps` basis points are kept by the bank. */
  readonly cash?: { readonly rate: number | string; readonly spreadBps: number } | undefined;
  /** The name of a column. */
  readonly riskFree?: string | undefined;
}

/** Returns of the nights before each session, as fractions; 0 before the first. `gaps`: nights without a rate, which earn 0. */
export interface Nights {
  readonly returns: Float64Array;
  readonly gaps: number;
}

/** `rates`: at each of `sessions`, percent a year, NaN: none. */
export function nightsOf(sessions: Int32Array, rates: Float64Array): Nights {
  const returns = new Float64Array(sessions.length);
  let gaps = 0;
  for (let t = 1; t < sessions.length; t++) {
    const rate = rates[t - 1];
    if (Number.isNaN(rate)) gaps++;
    // Nobody loses more than all.
    else returns[t] = Math.max(0, 1 + rate / 100) ** ((sessions[t] - sessions[t - 1]) / RATE_DAYS) - 1;
  }
  return { returns, gaps };
}

/** Null where the run names none. */
export interface RunRates {
  /** The interest on cash. */
  readonly cash: Nights | null;
  /** Taken off returns: that of the named column, or of the cash before its spread. */
  readonly riskFree: Nights | null;
}

export const NO_RATES: RunRates = { cash: null, riskFree: null };

/** The rates of a run on its sessions. Throws for the name of a column that is not among `columns`. */
export function ratesOn(
  sessions: Int32Array,
  { cash, riskFree }: RateSettings,
  columns: MarketColumns = new Map(),
): RunRates {
  if (cash === undefined && riskFree === undefined) return NO_RATES;
  const valuesOf = (rate: number | string) => {
    if (typeof rate === 'number') return new Float64Array(sessions.length).fill(rate);
    const column = columns.get(rate);
    if (column === undefined) throw new RangeError(`no column ${rate}`);
    return column.at(sessions);
  };
  const lent = cash && valuesOf(cash.rate);
  const safe = riskFree === undefined ? lent : valuesOf(riskFree);
  const paid = cash && lent?.map((rate) => (Number.isNaN(rate) ? rate : Math.max(0, rate - cash.spreadBps / 100)));
  return { cash: paid ? nightsOf(sessions, paid) : null, riskFree: safe ? nightsOf(sessions, safe) : null };
}

/** The nights of the sessions `from` (included) to `to` (excluded). `isFirst`: nothing comes before them. */
export function nightsWithin(
  nights: Float64Array | undefined,
  from: number,
  to: number,
  isFirst: boolean,
): Float64Array | undefined {
  if (nights === undefined || !isFirst) return nights?.subarray(from, to);
  const own = nights.slice(from, to);
  own[0] = 0;
  return own;
}

/** Returns less the risk-free ones: the same array where there are none. */
export function excessOf(returns: Float64Array, riskFree: Nights | null): Float64Array {
  return riskFree === null ? returns : returns.map((r, t) => r - riskFree.returns[t]);
}

/** Interest in money, and as a share of the mean equity a year, in percent; null where no time passed. */
export interface Interest {
  readonly money: number;
  readonly pct_per_year: number | null;
}

/** `equity`: money at each of `days`; null without a rate of cash. */
export function interestOf({ cash }: RunRates, money: number, days: Int32Array, equity: Float64Array): Interest | null {
  if (cash === null) return null;
  const years = (days[days.length - 1] - days[0]) / YEAR_DAYS;
  const mean = equity.reduce((sum, value) => sum + value, 0) / equity.length;
  return { money, pct_per_year: finiteOrNull((100 * money) / mean / years) };
}
