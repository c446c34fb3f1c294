/** How often a record has a row, and what that makes of its days. */
import { TRADING_DAYS_PER_YEAR } from '../indicators/indicators.ts';
import { civilDate, type Day, dayOf, weekStart } from '../market/dates.ts';
import { sessionsUpTo } from '../market/session-index.ts';

export const FREQUENCIES = ['day', 'week', 'month'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const PERIODS_PER_YEAR: Readonly<Record<Frequency, number>> = {
  day: TRADING_DAYS_PER_YEAR,
  week: 52,
  month: 12,
};

/** The largest median of the days between two rows, by frequency. A long weekend is not longer than a week. */
const LONGEST_STEP: Readonly<Record<Frequency, number>> = { day: 4, week: 10, month: 45 };

/** Null where rows lie further apart than months. `days`: ascending; fewer than two are taken for days. */
export function guessFrequency(days: Int32Array): Frequency | null {
  if (days.length < 2) return 'day';
  const steps = days.subarray(1).map((day, t) => day - days[t]);
  const median = steps.sort()[Math.floor(steps.length / 2)];
  return FREQUENCIES.find((frequency) => median <= LONGEST_STEP[frequency]) ?? null;
}

/** The day after which the period begins that ends on `day`. */
export function startOfPeriod(day: Day, frequency: Frequency): Day {
  if (frequency === 'day') return day - 1;
  if (frequency === 'week') return day - 7;
  const { year, month } = civilDate(day);
  return dayOf(year, month, 1) - 1;
}

function numberOf(day: Day, frequency: Frequency): number {
  if (frequency === 'day') return sessionsUpTo(day);
  if (frequency === 'week') return weekStart(day) / 7;
  const { year, month } = civilDate(day);
  return 12 * year + month;
}

/** Sessions, weeks, or months from the first row to the last one that have none. */
export function missingPeriods(days: Int32Array, frequency: Frequency): number {
  const numbers = days.map((day) => numberOf(day, frequency));
  let missing = 0;
  for (let t = 1; t < numbers.length; t++) missing += Math.max(0, numbers[t] - numbers[t - 1] - 1);
  return missing;
}

/** Rows of days on which the exchange was closed. */
export function rowsOnNoSession(days: Int32Array): number {
  return days.reduce((count, day) => count + Number(sessionsUpTo(day) === sessionsUpTo(day - 1)), 0);
}
