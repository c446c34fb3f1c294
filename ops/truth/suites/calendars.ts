/** Every session and half day of the NYSE, a figure a year: the list of its days. */
import { fileURLToPath } from 'node:url';
import { isEarlyClose, sessionsBetween } from '../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../engine/market/dates.ts';
import type { Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('calendars.py', import.meta.url));
const [FIRST, LAST] = [1990, 2027];

interface Days {
  readonly sessions: readonly string[];
  readonly early: readonly string[];
}

const inYear = (days: readonly string[], year: number) => days.filter((day) => day.startsWith(String(year))).join(' ');

/** Named by the first day that only one of two lists has, so that a difference can be read. */
function compareYears(theirs: Days, ours: Days): Pair[] {
  const years = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);
  return years.flatMap((year) =>
    (['sessions', 'early'] as const).map((kind) => ({
      name: `${kind === 'early' ? 'half days' : 'sessions'} of ${year}`,
      theirs: inYear(theirs[kind], year),
      ours: inYear(ours[kind], year),
    })),
  );
}

function calendarSuite(name: 'exchange-calendars' | 'pandas-market-calendars', version: string): Suite {
  return {
    name,
    title: name,
    source: `${name} ${version}`,
    compares: 'Sessions and half days of the NYSE from 1990 to 2027, a list of days a year',
    tolerance: 0,
    needsPython: true,
    async pairs(python) {
      const range = { start: `${FIRST}-01-01`, end: `${LAST}-12-31` };
      const calendars = await python.run<Record<string, Days>>(SCRIPT, range);
      const sessions = sessionsBetween(dayOf(FIRST, 1, 1), dayOf(LAST, 12, 31));
      const ours = { sessions: sessions.map(formatDay), early: sessions.filter(isEarlyClose).map(formatDay) };
      return compareYears(calendars[name], ours);
    },
  };
}

export const CALENDARS = [
  calendarSuite('exchange-calendars', '4.13.2'),
  calendarSuite('pandas-market-calendars', '5.5.0'),
];
