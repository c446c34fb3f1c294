/** The sessions of the exchange's calendar, numbered from 0: where a day stands among them is a look-up. */
import { isEarlyClose, isSession } from './calendar.ts';
import { type Day, dayOf } from './dates.ts';

const FIRST_DAY = dayOf(1900, 1, 1);
const LAST_DAY = dayOf(2200, 1, 1);

class SessionIndex {
  readonly days: Int32Array;
  /** Sessions up to each day. */
  readonly upTo = new Int32Array(LAST_DAY - FIRST_DAY + 1);
  /** Seconds of the day in New York at which each session closes. */
  readonly closes: Int32Array;

  constructor() {
    const days: Day[] = [];
    for (let i = 0; i < this.upTo.length; i++) {
      if (isSession(FIRST_DAY + i)) days.push(FIRST_DAY + i);
      this.upTo[i] = days.length;
    }
    this.days = Int32Array.from(days);
    this.closes = this.days.map((day) => (isEarlyClose(day) ? 13 : 16) * 3_600);
  }
}

let made: SessionIndex | null = null;

function index(): SessionIndex {
  made ??= new SessionIndex();
  return made;
}

/** The number of sessions up to a day, itself included. */
export function sessionsUpTo(day: Day): number {
  return index().upTo[Math.min(Math.max(day, FIRST_DAY), LAST_DAY) - FIRST_DAY];
}

/** The session with a number, or the last one. */
export function sessionAt(number: number): Day {
  const { days } = index();
  return days[Math.min(number, days.length - 1)];
}

/** The second of the day in New York at which a session closes. */
export function closeSecondOf(session: Day): number {
  return index().closes[sessionsUpTo(session) - 1];
}
