/** Every session and half day of the NYSE, a figure a year: the list of its days. */
import { fileURLToPath } from 'node:url';
import { isEarlyClose, sessionsBetween } from '../../../../engine/market/calendar.ts';
import { dayOf, formatDay } from '../../../../engine/market/dates.ts';
import type { Deviation, Pair, Suite } from '../suite.ts';

const SCRIPT = fileURLToPath(new URL('calendars.py', import.meta.url));
const [FIRST, LAST] = [1990, 2027];

interface Days {
  readonly sessions: readonly string[];
  readonly early: readonly string[];
}

const inYear = (days: readonly string[], year: number) => days.filter((day) => day.startsWith(String(year))).join(' ');

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

/** The days that only one of two lists has. */
function oddDays({ theirs, ours }: Pair): string[] {
  const [a, b] = [theirs, ours].map((days) => String(days).split(' '));
  return [...a.filter((day) => !b.includes(day)), ...b.filter((day) => !a.includes(day))].filter(Boolean);
}

const halfDays = (days: readonly string[], reason: string): Deviation => ({
  matches: (pair) => pair.name.startsWith('half days ') && oddDays(pair).every((day) => days.includes(day)),
  within: Number.POSITIVE_INFINITY,
  reason,
});

const CLOSED_AT_14 = halfDays(
  ['1990-12-24', '1991-12-24', '1992-11-27', '1992-12-24'],
  'Christmas Eve of 1990 and 1991, and two days of 1992, closed at 14:00; a half day of ours closes at 13:00, since 1993 (GLOSSARY.md, "half day").',
);

function calendarSuite(
  name: 'exchange-calendars' | 'pandas-market-calendars',
  version: string,
  deviations: readonly Deviation[],
): Suite {
  return {
    name,
    title: name,
    source: `${name} ${version}`,
    compares: 'Sessions and half days of the NYSE from 1990 to 2027, a list of days a year',
    tolerance: 0,
    deviations,
    needsPython: true,
    async pairs(_choose, python) {
      const range = { start: `${FIRST}-01-01`, end: `${LAST}-12-31` };
      const calendars = await python.run<Record<string, Days>>(SCRIPT, range);
      const sessions = sessionsBetween(dayOf(FIRST, 1, 1), dayOf(LAST, 12, 31));
      const ours = { sessions: sessions.map(formatDay), early: sessions.filter(isEarlyClose).map(formatDay) };
      return compareYears(calendars[name], ours);
    },
  };
}

export const CALENDARS = [
  calendarSuite('exchange-calendars', '4.13.2', [CLOSED_AT_14]),
  calendarSuite('pandas-market-calendars', '5.5.0', [
    CLOSED_AT_14,
    halfDays(
      ['1994-02-11', '1996-01-08', '1997-10-27', '2005-06-01'],
      'Four sessions that a storm, a fall of the market, or a fault cut short (11 February 1994, 8 January 1996, 27 October 1997, 1 June 2005) are early closes there; a half day of ours is one that was announced (GLOSSARY.md, "half day").',
    ),
    halfDays(
      ['1999-12-31'],
      'pandas-market-calendars lacks the half day of 31 December 1999, which the exchange announced, and which exchange-calendars has.',
    ),
  ]),
];
