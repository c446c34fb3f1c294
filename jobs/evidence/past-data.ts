/** The data of an earlier run: the present data with its revisions undone, newest first, until its digest is that of the run. */

import { isDeepStrictEqual } from 'node:util';
import { type KeyedEvent, selectKeyedEvents } from '../../db/market/adjustments.ts';
import { type RevisedBar, type RevisedEvent, type Revision, selectRevisionsOf } from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import { countingKinds } from '../../engine/market/adjust.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, keepDays, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { splicedVenueBasisOn } from '../../engine/market/venue-basis.ts';
import type { History } from '../backtest/history.ts';
import type { BarDays } from '../backtest/receipt.ts';
import type { BacktestSpec } from '../contracts/backtest.ts';
import { type BarDifference, type Differences, type EventDifference, MAX_DIFFERENCES } from '../contracts/evidence.ts';

/** Revisions that are undone at most. */
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

/** The run whose data are reconstructed. */
export interface PastRun {
  /** Digest of the data that it read. */
  readonly digest: string;
  readonly at: Date;
  /** Its candles as JSON text; null: they were deleted. */
  readonly candles: string | null;
}

/** The data of one instrument, whose revisions are undone one after the other. */
export class PastData {
  /** Newest first. */
  readonly revisions: readonly Revision[];
  private readonly required: State;
  private readonly past: State;
  private readonly scope: Scope;

  private constructor(scope: Scope, required: State, revisions: readonly Revision[]) {
    this.scope = scope;
    this.required = required;
    this.past = copyOf(required);
    this.revisions = revisions;
  }

  /** `history`: within the scope. */
  static async read(db: Queryable, instrumentId: number, history: History, scope: Scope): Promise<PastData> {
    const revisions = await selectRevisionsOf(db, instrumentId, MAX_UNDONE);
    return new PastData(scope, stateOf(history.series, await selectKeyedEvents(db, instrumentId)), revisions);
  }

  undo(revision: Revision): void {
    undo(this.past, revision, this.scope);
  }

  get history(): History {
    return historyOf(this.past);
  }

  /** Between what is left and the present. */
  differences(): DataDifferences {
    return differencesOf(differencesBetween(this.past, this.required, this.scope));
  }

  /** Between what the revisions since a moment changed and the present, and of the other `candles` that have changed. */
  differencesSince(moment: Date, candles: readonly ChangedCandle[] = []): DataDifferences {
    const later = this.revisions.filter(({ at }) => at >= moment);
    const past = copyOf(this.required);
    for (const revision of later) undo(past, revision, this.scope);
    const { bars, events } = differencesBetween(past, this.required, this.scope);
    const revisedDays = new Set(later.map((revision) => ('eventKey' in revision ? null : revision.day)));
    const unexplained = candles
      .filter(({ day }) => !revisedDays.has(day))
      .map(({ day, wasThere }) => barDifference(this.required, requireDay(day), wasThere ? 'unknown' : null));
    return differencesOf({ bars: [...bars, ...unexplained], events });
  }
}

/** Undoes revisions, newest first, until `isThen` recognizes the data of the run after a change of some; false where it never does. */
export function isRestored(all: readonly PastData[], isThen: (changed: ReadonlySet<PastData>) => boolean): boolean {
  const revisions = all.flatMap((one) => one.revisions.map((revision) => ({ one, revision })));
  revisions.sort((a, b) => b.revision.id - a.revision.id);
  const changed = new Set<PastData>();
  for (const [i, { one, revision }] of revisions.slice(0, MAX_UNDONE).entries()) {
    one.undo(revision);
    changed.add(one);
    // A load makes its changes all at once, so no run could read a state between them.
    const older = revisions[i + 1]?.revision;
    if (older?.syncJobId === revision.syncJobId && older.at.getTime() === revision.at.getTime()) continue;
    if (isThen(changed)) return true;
    changed.clear();
  }
  return false;
}

interface Found {
  readonly bars: readonly BarDifference[];
  readonly events: readonly EventDifference[];
}

function differencesBetween(past: State, required: State, { readsEvent }: Scope): Found {
  const days = new Set([...past.bars.keys(), ...required.bars.keys()]);
  const keys = new Set([...past.events.keys(), ...required.events.keys()]);
  const isRead = (event: RevisedEvent | undefined) =>
    event !== undefined && readsEvent({ kind: event.kind, exDay: requireDay(event.ex_date) });
  return {
    bars: [...days]
      .filter((day) => !isDeepStrictEqual(past.bars.get(day), required.bars.get(day)))
      .map((day) => barDifference(required, day, past.bars.get(day) ?? null)),
    events: [...keys]
      .map((key) => ({ was: past.events.get(key), is: required.events.get(key) }))
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

/** Candles that differ between two runs, those that only one of them has included. */
export function changedCandles(then: string, now: string): ChangedCandle[] {
  const candles = (json: string) => {
    const list: { readonly ts: string }[] = JSON.parse(json);
    return new Map(list.map((candle) => [candle.ts, JSON.stringify(candle)]));
  };
  const [was, is] = [candles(then), candles(now)];
  const days = new Set([...was.keys(), ...is.keys()]);
  return [...days].filter((day) => was.get(day) !== is.get(day)).map((day) => ({ day, wasThere: was.has(day) }));
}

function barDifference(required: State, day: Day, was: BarDifference['was']): BarDifference {
  return { date: formatDay(day), was, is: required.bars.get(day) ?? null };
}

export interface Scope {
  readonly readsBar: (day: Day) => boolean;
  readonly readsEvent: (event: Pick<History['events'][number], 'kind' | 'exDay'>) => boolean;
}

/**
 * `days`: of the first and the last bar that the run read; null: none. Bars after its `end` are no part of it, but tell that there it
 * was not the end of the history.
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
