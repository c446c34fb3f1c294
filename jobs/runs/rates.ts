/** The rates of runs: the columns that they name, and how results tell of them. */

import type { Queryable } from '../../db/pool.ts';
import { WHOLE_MARKET } from '../../db/research/own-columns.ts';
import type { Interest, MarketColumn, MarketColumns, RunRates } from '../../engine/backtest/rates.ts';
import { figure } from '../../engine/market/figures.ts';
import { type OwnColumn, type OwnColumns, valuesOn } from '../../engine/market/own-columns.ts';
import { type NamedRates, type RunSpec, rateNames } from '../contracts/backtest.ts';
import type { DetailsByCode } from './notes.ts';
import { readOwnColumns } from './own-columns.ts';

/** The market columns that the rates of a run name; undefined: none. */
export async function readRateColumns(
  db: Queryable,
  { cash, riskFree, columns }: NamedRates & Pick<RunSpec, 'columns'>,
): Promise<MarketColumns | undefined> {
  const rates = { cash, riskFree };
  if (rateNames(rates).length === 0) return undefined;
  return rateColumns(rates, (await readOwnColumns(db, columns, []))?.(WHOLE_MARKET));
}

/** The same of columns that were read. */
export function rateColumns(rates: NamedRates, own: OwnColumns | undefined): MarketColumns | undefined {
  const names = rateNames(rates);
  if (names.length === 0) return undefined;
  return new Map(names.map((name): [string, MarketColumn] => [name, { at: (days) => ratesAt(own?.get(name), days) }]));
}

/** A column without rows has no rate at any session. */
function ratesAt(column: OwnColumn | undefined, days: Int32Array): Float64Array {
  return column === undefined
    ? new Float64Array(days.length).fill(Number.NaN)
    : valuesOn(column, { day: days, adjustedFor: [] });
}

/** The rates as requests and results have them; each is absent where a run has none. */
export function ratesView({ cash, riskFree }: NamedRates) {
  return { risk_free: riskFree, cash: cash && { rate: cash.rate, spread_bps: cash.spreadBps } };
}

export function interestView(interest: Interest | null): Interest | null {
  return interest && { money: figure(interest.money, 2), pct_per_year: figure(interest.pct_per_year, 4) };
}

/** The notes on nights without a rate. */
export function rateNotes({ riskFree }: NamedRates, rates: RunRates): DetailsByCode {
  const details: DetailsByCode = {};
  if (riskFree !== undefined && rates.riskFree !== null && rates.riskFree.gaps > 0)
    details.risk_free_gaps = { count: rates.riskFree.gaps };
  if (rates.cash !== null && rates.cash.gaps > 0) details.cash_rate_gaps = { count: rates.cash.gaps };
  return details;
}
