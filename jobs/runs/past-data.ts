/** The data of an earlier run: the present data with revisions undone, newest first, until the digest is that of the run. */
import { isDeepStrictEqual } from 'node:util';
import { type KeyedEvent, selectKeyedEvents } from '../../db/market/adjustments.ts';
import { type RevisedBar, type RevisedEvent, type Revision, selectRevisionsOf } from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import { countingKinds } from '../../engine/market/adjust.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, keepDays, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { splicedVenueBasisOn } from '../../engine/market/venue-basis.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import { type BarDifference, type Differences, type EventDifference, MAX_DIFFERENCES } from '../contracts/evidence.ts';
import { type History, type HistorySource, readHistories } from './history.ts';
import type { BarDays } from './receipt.ts';

/** The most revisions that are undone. */
const MAX_UNDONE = 5_000;

interface State {
  readonly bars: Map<Day, RevisedBar>;
  readonly events: Map<string, RevisedEvent>;
}

function stateOf(series: BarSeries, events: readonly KeyedEvent[]): State {
  const bars = new Map<Day, RevisedBar>();
  for (let i = 0; i < series.length; i++) {
    const { open, high, low, close, volume } = series;
    bars.set(series.day[i], { open: open[i], high: high[i], low: low[i], close: close[i], volume: volume[i] });
  }
  const eventOf = ({ kind, exDay, factor }: KeyedEvent) => ({ kind, ex_date: formatDay(exDay), factor });
  return { bars, events: new Map(events.map((event) => [event.eventKey, eventOf(event)])) };
}

function historyOf({ bars, events }: State): History {
  const days = [...bars.keys()].sort((a, b) => a - b);
  const series = allocateSeries(days.length);
  days.forEach((day, i) => {
    series.day[i] = day;
    const bar = bars.get(day);
    for (const column of VALUE_COLUMNS) series[column][i] = bar?.[column] ?? Number.NaN;
  });
  const keyed = [...events].map(([eventKey, { kind, ex_date, factor }]) => ({
    eventKey,
    exDay: requireDay(ex_date),
    kind,
    factor,
  }));
  keyed.sort((a, b) => a.exDay - b.exDay || (a.eventKey < b.eventKey ? -1 : 1));
  return { series, events: keyed };
}

function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function undo(state: State, revision: Revision, { readsBar }: Scope): void {
  if ('eventKey' in revision) {
    put(state.events, revision.eventKey, revision.was);
    return;
  }
  const day = requireDay(revision.day);
  const isRead = revision.venueBasis === splicedVenueBasisOn(day);
  if (isRead && readsBar(day)) put(state.bars, day, revision.was);
}

const copyOf = ({ bars, events }: State): State => ({ bars: new Map(bars), events: new Map(events) });

function listed<Difference>(all: readonly Difference[]): Differences<Difference> {
  return { total: all.length, items: all.slice(0, MAX_DIFFERENCES) };
}

export interface DataDifferences {
  readonly bars: Differences<BarDifference>;
  readonly events: Differences<EventDifference>;
}

export const NO_DIFFERENCES: DataDifferences = { bars: { total: 0, items: [] }, events: { total: 0, items: [] } };

/** The run whose data is reconstructed. */
export interface PastRun {
  /** Digest of the data that it read. */
  readonly digest: string;
  readonly at: Date;
  /** Its bars as JSON text; null: they were deleted. */
  readonly candles: string | null;
}

type Listing = Pick<BarSeries, 'listedOn' | 'delisting'>;

/** The data of one instrument while its revisions are undone. */
export class PastData {
  /** Newest first. */
  readonly revisions: readonly Revision[];
  private readonly present: State;
  private readonly past: State;
  private readonly scope: Scope;
  /** Revisions do not tell it. */
  private readonly listing: Listing;

  private constructor(scope: Scope, present: State, revisions: readonly Revision[], listing: Listing) {
    this.scope = scope;
    this.listing = listing;
    this.present = present;
    this.past = copyOf(present);
    this.revisions = revisions;
  }

  /** `history`: within the scope. */
  static async read(db: Queryable, instrumentId: number, history: History, scope: Scope): Promise<PastData> {
    const revisions = await selectRevisionsOf(db, instrumentId, MAX_UNDONE);
    const present = stateOf(history.series, await selectKeyedEvents(db, instrumentId));
    const { listedOn, delisting } = history.series;
    return new PastData(scope, present, revisions, { listedOn, delisting });
  }

  undo(revision: Revision): void {
    undo(this.past, revision, this.scope);
  }

  get history(): History {
    const { series, events } = historyOf(this.past);
    return { series: { ...series, ...this.listing }, events };
  }

  /** The differences between the reconstructed data and the present. */
  differences(): DataDifferences {
    return differencesOf(differencesBetween(this.past, this.present, this.scope));
  }

  /** The differences that the revisions since a moment made, and those of further `candles` that have changed. */
  differencesSince(moment: Date, candles: readonly ChangedCandle[] = []): DataDifferences {
    const later = this.revisions.filter(({ at }) => at >= moment);
    const past = copyOf(this.present);
    for (const revision of later) undo(past, revision, this.scope);
    const { bars, events } = differencesBetween(past, this.present, this.scope);
    const revisedDays = new Set(later.map((revision) => ('eventKey' in revision ? null : revision.day)));
    const unexplained = candles
      .filter(({ day }) => !revisedDays.has(day))
      .map(({ day, wasThere }) => barDifference(this.present, requireDay(day), wasThere ? 'unknown' : null));
    return differencesOf({ bars: [...bars, ...unexplained], events });
  }
}

/** Undoes revisions, newest first, until `isDataOfRun` is true; false when it never is. It is called with the data that has changed since the last call. */
export function restore(all: readonly PastData[], isDataOfRun: (changed: ReadonlySet<PastData>) => boolean): boolean {
  const revisions = all.flatMap((one) => one.revisions.map((revision) => ({ one, revision })));
  revisions.sort((a, b) => b.revision.id - a.revision.id);
  const changed = new Set<PastData>();
  for (const [i, { one, revision }] of revisions.slice(0, MAX_UNDONE).entries()) {
    one.undo(revision);
    changed.add(one);
    // A load commits its changes at once, so no run has read a state between them.
    const older = revisions[i + 1]?.revision;
    if (older?.syncJobId === revision.syncJobId && older.at.getTime() === revision.at.getTime()) continue;
    if (isDataOfRun(changed)) return true;
    changed.clear();
  }
  return false;
}

/** The histories as they were after one revision and before the next one. */
export function historiesAfter(revisionId: number): HistorySource {
  return async () => async (db, ids, asOf) => {
    const past: History[] = [];
    for (const [i, history] of (await readHistories(db, ids, asOf)).entries()) {
      const data = await PastData.read(db, ids[i], history, {
        readsBar: (day) => day <= asOf,
        readsEvent: () => true,
      });
      const later = data.revisions.filter(({ id }) => id > revisionId);
      for (const revision of later) data.undo(revision);
      past.push(later.length === 0 ? history : data.history);
    }
    return past;
  };
}

interface Found {
  readonly bars: readonly BarDifference[];
  readonly events: readonly EventDifference[];
}

function differencesBetween(past: State, present: State, { readsEvent }: Scope): Found {
  const days = new Set([...past.bars.keys(), ...present.bars.keys()]);
  const keys = new Set([...past.events.keys(), ...present.events.keys()]);
  const isRead = (event: RevisedEvent | undefined) =>
    event !== undefined && readsEvent({ kind: event.kind, exDay: requireDay(event.ex_date) });
  return {
    bars: [...days]
      .filter((day) => !isDeepStrictEqual(past.bars.get(day), present.bars.get(day)))
      .map((day) => barDifference(present, day, past.bars.get(day) ?? null)),
    events: [...keys]
      .map((key) => ({ was: past.events.get(key), is: present.events.get(key) }))
      .filter(({ was, is }) => !isDeepStrictEqual(was, is) && (isRead(was) || isRead(is)))
      .map(({ was = null, is = null }) => ({ ex_date: is?.ex_date ?? was?.ex_date ?? '', was, is })),
  };
}

function differencesOf({ bars, events }: Found): DataDifferences {
  return {
    bars: listed(bars.toSorted((a, b) => (a.date < b.date ? -1 : 1))),
    events: listed(events.toSorted((a, b) => (a.ex_date < b.ex_date ? -1 : 1))),
  };
}

interface ChangedCandle {
  readonly day: string;
  readonly wasThere: boolean;
}

/** Bars that differ between two runs, including those that only one of them has. */
export function changedCandles(then: string, now: string): ChangedCandle[] {
  const candles = (json: string) => {
    const list: { readonly ts: string }[] = JSON.parse(json);
    return new Map(list.map((candle) => [candle.ts, JSON.stringify(candle)]));
  };
  const [was, is] = [candles(then), candles(now)];
  const days = new Set([...was.keys(), ...is.keys()]);
  return [...days].filter((day) => was.get(day) !== is.get(day)).map((day) => ({ day, wasThere: was.has(day) }));
}

function barDifference(present: State, day: Day, was: BarDifference['was']): BarDifference {
  return { date: formatDay(day), was, is: present.bars.get(day) ?? null };
}

/** The bars and events that a run can have read. */
export interface Scope {
  readonly readsBar: (day: Day) => boolean;
  readonly readsEvent: (event: Pick<History['events'][number], 'kind' | 'exDay'>) => boolean;
}

/**
 * `days`: days of the first and the last bar that the run read; null: it read none. Bars after its `end` are in the scope too, because
 * they show that the history did not end there.
 */
export function scopeOf(
  days: BarDays | null,
  { end, asOf, adjust }: Pick<BacktestSpec, 'end' | 'asOf' | 'adjust'>,
): Scope {
  const [first, last] = days ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const kinds = countingKinds(adjust);
  return {
    readsBar: (day) => day <= asOf && ((first <= day && day <= last) || (end !== null && day > end)),
    readsEvent: ({ kind, exDay }) => kinds.includes(kind) && exDay <= last,
  };
}

export function withinScope<H extends History>(history: H, { readsBar }: Scope): H {
  return { ...history, series: keepDays(history.series, readsBar) };
}
