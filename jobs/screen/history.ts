/** The history of a screen: how many passed by session, who entered and left, and what followed, each as it was known then. */
import { setImmediate } from 'node:timers/promises';
import { selectInstruments } from '../../db/market/instruments.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { sessionsBetween } from '../../engine/market/calendar.ts';
import { civilDate, type Day, dayOf, formatDay } from '../../engine/market/dates.ts';
import { type BarSeries, firstIndexFrom, roundTo } from '../../engine/market/series.ts';
import type { Value } from '../../engine/rules/program.ts';
import { roundValue } from '../../engine/screener/figures.ts';
import { MAX_AGE_DAYS, memberTest } from '../../engine/screener/screen.ts';
import { type ScreenConditions, ScreenedHistory } from '../../engine/screener/screened-history.ts';
import type { JobContext } from '../contracts/job-context.ts';
import { FOLLOWED_BARS, HISTORY_SESSIONS, type ScreenHistory, type ScreenHistorySpec } from '../contracts/screen.ts';
import { othersNamed, readHistories } from '../runs/history.ts';
import { readingColumns } from '../runs/own-columns.ts';
import { marketHistories, type Seen } from '../snapshot/collect.ts';
import { programsOf } from './long-rules.ts';

/** Calendar days that surely have `HISTORY_SESSIONS` sessions. */
const HISTORY_DAYS = 2 * HISTORY_SESSIONS;

/** At the session of `day` and before it. `seen`: whose bars and events these are. */
export async function screenHistory(
  context: Pick<JobContext, 'pool' | 'signal'>,
  { conditions, where, values, years, own, ...members }: ScreenHistorySpec,
  day: Day,
  seen: Seen,
): Promise<ScreenHistory> {
  const programs = programsOf({ where, values, own });
  const from = yearsBefore(day, years);
  const all = await selectInstruments(context.pool);
  const others = await othersNamed(context.pool, programs.tickers, all, day, readingColumns(readHistories, own));
  const collected = new CollectedHistory({ conditions, where: programs.where, others }, programs.values, day, from);
  const instruments = all.filter(memberTest(members));
  const span = { through: day, newest: day, seen, oldest: Math.min(from, day - HISTORY_DAYS), own };
  for await (const { instrument, traded, events } of marketHistories(context, instruments, span)) {
    await setImmediate();
    collected.add(instrument.id, adjustToLastBar(traded, events));
  }
  return collected.end();
}

function yearsBefore(day: Day, years: number): Day {
  const { year, month, dayOfMonth } = civilDate(day);
  return dayOf(year - years, month, dayOfMonth);
}

type ScreenChange = NonNullable<ScreenHistory['changes']>['entered'][number];

class CollectedHistory {
  private readonly screen: ScreenConditions;
  private readonly values: readonly Value[];
  private readonly newest: Day;
  private readonly from: Day;
  /** Oldest first. */
  private readonly sessions: readonly { readonly day: Day; passing: number; hasBar: boolean }[];
  private readonly entered: ScreenChange[] = [];
  private readonly left: ScreenChange[] = [];
  private readonly daysIn: ScreenHistory['daysIn'] = [];
  private readonly followed = { passed: new Followed(), all: new Followed() };
  private readonly figures: { readonly passing: number[][]; readonly all: number[][] };

  constructor(screen: ScreenConditions, values: readonly Value[], newest: Day, from: Day) {
    this.screen = screen;
    this.values = values;
    this.newest = newest;
    this.from = from;
    this.sessions = sessionsBetween(newest - HISTORY_DAYS, newest)
      .slice(-HISTORY_SESSIONS)
      .map((day) => ({ day, passing: 0, hasBar: false }));
    this.figures = { passing: [], all: [] };
  }

  /** The history of an instrument up to the newest session, adjusted to its last bar. */
  add(id: number, series: BarSeries): void {
    const screened = new ScreenedHistory(series, this.screen);
    this.countSessions(screened, series);
    this.compareLast(id, screened, series);
    this.follow(screened, series);
  }

  private countSessions(screened: ScreenedHistory, { day }: BarSeries): void {
    let index = day.length - 1;
    for (const session of this.sessions.toReversed()) {
      while (index >= 0 && day[index] > session.day) index--;
      if (index < 0) return;
      session.hasBar ||= day[index] === session.day;
      if (session.day - day[index] <= MAX_AGE_DAYS && screened.passes(index)) session.passing++;
    }
  }

  /** At the newest session, and against the one before. */
  private compareLast(id: number, screened: ScreenedHistory, series: BarSeries): void {
    const [before, newest] = this.sessions
      .slice(-2)
      .map(({ day }) => ({ day, at: firstIndexFrom(series, day + 1) - 1 }));
    const isRecent = ({ day, at }: typeof newest) => at >= 0 && day - series.day[at] <= MAX_AGE_DAYS;
    const isNow = isRecent(newest) && screened.isEligible(newest.at);
    const wasThen = isRecent(before) && screened.isEligible(before.at);
    const passes = isNow && screened.passes(newest.at);
    const passed = wasThen && screened.passes(before.at);
    if (passes && !passed) this.entered.push({ id, turned: wasThen ? screened.failed(before.at) : [] });
    if (passed && !passes) this.left.push({ id, turned: isNow ? screened.failed(newest.at) : [] });
    if (!isNow) return;
    const figures = [
      screened.lastOf('change_pct'),
      screened.lastOf('dollar_volume'),
      ...this.values.map((value) => screened.last(value)),
    ];
    this.figures.all.push(figures);
    if (!passes) return;
    this.figures.passing.push(figures);
    let first = newest.at;
    while (first > 0 && screened.passes(first - 1)) first--;
    this.daysIn.push({ id, count: newest.at - first + 1 });
  }

  /** Adds the change after each bar from the first day on. */
  private follow(screened: ScreenedHistory, series: BarSeries): void {
    const { day, close, length } = series;
    const last = length - 1;
    const hasEnded = this.newest - day[last] > MAX_AGE_DAYS;
    for (let index = firstIndexFrom(series, this.from); index < last; index++) {
      if (index + FOLLOWED_BARS > last && !hasEnded) break;
      if (!screened.isEligible(index)) continue;
      const change = close[Math.min(index + FOLLOWED_BARS, last)] / close[index] - 1;
      this.followed.all.add(change);
      if (screened.passes(index)) this.followed.passed.add(change);
    }
  }

  end(): ScreenHistory {
    const { sessions, entered, left, daysIn, followed, figures, from } = this;
    const isBeforeLoaded = sessions[sessions.length - 2].hasBar;
    return {
      sessions: sessions.filter(({ hasBar }) => hasBar).map(({ day, passing }) => ({ day: formatDay(day), passing })),
      changes: isBeforeLoaded ? { entered, left } : null,
      daysIn,
      followedFrom: formatDay(from),
      followed: { passed: followed.passed.end(), all: followed.all.end() },
      medians: { passing: this.mediansOf(figures.passing), all: this.mediansOf(figures.all) },
    };
  }

  private mediansOf(rows: readonly (readonly number[])[]): ScreenHistory['medians']['all'] {
    const [changePct, dollarVolume, ...values] = Array.from({ length: 2 + this.values.length }, (_, k) =>
      medianOf(rows.map((row) => row[k])),
    );
    return { change_pct: changePct, dollar_volume: dollarVolume, values };
  }
}

/** Undefined figures are left out; null: there is none. */
function medianOf(figures: readonly number[]): number | null {
  const sorted = Float64Array.from(figures.filter((figure) => !Number.isNaN(figure))).sort();
  if (sorted.length === 0) return null;
  const [a, b] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return roundValue((a + b) / 2);
}

/** Changes in hundredths of a percent with their counts, so that any number of them takes little memory. */
class Followed {
  private readonly counts = new Map<number, number>();
  private count = 0;
  private rose = 0;

  add(change: number): void {
    const rounded = Math.round(change * 10_000);
    this.counts.set(rounded, (this.counts.get(rounded) ?? 0) + 1);
    this.count++;
    if (change > 0) this.rose++;
  }

  end(): ScreenHistory['followed']['all'] {
    const { count, rose } = this;
    if (count === 0) return { count, median: null, rose: null };
    const sorted = [...this.counts].sort(([a], [b]) => a - b);
    const median = (changeAt(sorted, (count - 1) >> 1) + changeAt(sorted, count >> 1)) / 2;
    return { count, median: roundTo(median / 100, 3), rose: roundTo((100 * rose) / count, 2) };
  }
}

/** The change at a place of the sorted changes. */
function changeAt(sorted: readonly (readonly [change: number, count: number])[], place: number): number {
  let passed = 0;
  for (const [change, count] of sorted) {
    passed += count;
    if (passed > place) return change;
  }
  throw new RangeError(`there is no change at ${place}`);
}
