/** Weeks, months, and years of a run; the first and the last may be cut. */
import { civilDate, type Day, formatDayCached, weekStart } from '../market/dates.ts';
import { compound } from './figures.ts';

/** Sessions `from` (included) to `to` (excluded). */
export interface Period {
  readonly from: number;
  readonly to: number;
}

function periodsOf(days: Int32Array, keyOf: (day: Day) => number): Period[] {
  const periods: Period[] = [];
  let [from, key] = [0, keyOf(days[0])];
  for (let t = 1; t <= days.length; t++) {
    const next = t < days.length ? keyOf(days[t]) : Number.NaN;
    if (next === key) continue;
    periods.push({ from, to: t });
    [from, key] = [t, next];
  }
  return periods;
}

const weeksOf = (days: Int32Array): Period[] => periodsOf(days, weekStart);
export const monthsOf = (days: Int32Array): Period[] =>
  periodsOf(days, (day) => {
    const { year, month } = civilDate(day);
    return 12 * year + month;
  });
/** The weeks and months of some days, which runs on the same days share. */
export interface DayPeriods {
  readonly weeks: readonly Period[];
  readonly months: readonly Period[];
}

export const dayPeriodsOf = (days: Int32Array): DayPeriods => ({ weeks: weeksOf(days), months: monthsOf(days) });

export const yearsOf = (days: Int32Array): Period[] => periodsOf(days, (day) => civilDate(day).year);

/** `YYYY-MM`. */
export function monthName(day: Day): string {
  return formatDayCached(day).slice(0, 7);
}

export function returnsOfPeriods(periods: readonly Period[], returns: Float64Array): Float64Array {
  const out = new Float64Array(periods.length);
  for (let i = 0; i < periods.length; i++) out[i] = compound(returns, periods[i].from, periods[i].to);
  return out;
}
