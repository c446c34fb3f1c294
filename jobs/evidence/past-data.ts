/** The data of an earlier run: the present data with its revisions undone, newest first, until its digest is that of the run. */
import { type KeyedEvent, selectKeyedEvents } from '../../db/market/adjustments.ts';
import { type RevisedBar, type RevisedEvent, type Revision, selectRevisionsOf } from '../../db/market/revisions.ts';
import type { Queryable } from '../../db/pool.ts';
import { type Day, formatDay, requireDay } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { CONSOLIDATED_FROM } from '../../engine/market/splice.ts';
import type { BacktestSpec } from '../backtest/contract.ts';
import type { History } from '../backtest/history.ts';
import { dataDigest, dataRead } from '../backtest/receipt.ts';
import { type BarDifference, type Differences, type EventDifference, MAX_DIFFERENCES } from './contract.ts';

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

function undo(state: State, revision: Revision, asOf: Day): void {
  if ('eventKey' in revision) {
    put(state.events, revision.eventKey, revision.was);
    return;
  }
  const day = requireDay(revision.day);
  const isRead = revision.venueBasis === (day < CONSOLIDATED_FROM ? 'primary_session' : 'consolidated');
  if (isRead && day <= asOf) put(state.bars, day, revision.was);
}

/** Whether one load has made both changes: it makes all at once, so no run could read a state between them. */
export function areOfOneLoad(one: Revision, other: Revision | undefined): boolean {
  return other !== undefined && other.syncJobId === one.syncJobId && other.at.getTime() === one.at.getTime();
}

/** The data as it was when its digest was `digest`; null where no revision reaches back to it. */
function restore(present: State, revisions: readonly Revision[], spec: BacktestSpec, digest: string): State | null {
  const state: State = { bars: new Map(present.bars), events: new Map(present.events) };
  for (const [i, revision] of revisions.entries()) {
    undo(state, revision, spec.asOf);
    if (areOfOneLoad(revision, revisions[i + 1])) continue;
    if (dataDigest(dataRead(spec, historyOf(state))) === digest) return state;
  }
  return null;
}

const isSame = (a: object | undefined, b: object | undefined) =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function listed<Difference>(all: readonly Difference[]): Differences<Difference> {
  return { total: all.length, items: all.slice(0, MAX_DIFFERENCES) };
}

export interface DataDifferences {
  readonly bars: Differences<BarDifference>;
  readonly events: Differences<EventDifference>;
}

export const NO_DIFFERENCES: DataDifferences = { bars: { total: 0, items: [] }, events: { total: 0, items: [] } };

/** The run whose data are looked for. */
export interface PastRun {
  /** Digest of the data that it read. */
  readonly digest: string;
  readonly at: Date;
  /** Its candles as JSON text; null: they are gone. */
  readonly candles: string | null;
}

/**
 * The changes of the data that a run read. Where no revision reaches back to it, as after a market was replaced, its
 * candles tell which bars of the range differ, and revisions since then tell of others; what these were is unknown.
 */
export async function dataDifferences(
  db: Queryable,
  spec: BacktestSpec,
  history: History,
  run: PastRun,
  candlesNow: string,
): Promise<DataDifferences> {
  const present = stateOf(history.series, await selectKeyedEvents(db, spec.instrumentId));
  const revisions = await selectRevisionsOf(db, spec.instrumentId, MAX_UNDONE);
  const past = restore(present, revisions, spec, run.digest);
  if (past !== null) return knownDifferences(past, present);
  const later = revisions.filter(({ at }) => at >= run.at);
  const days = new Set(run.candles === null ? [] : changedDays(run.candles, candlesNow));
  const events: EventDifference[] = [];
  for (const revision of later) {
    if ('eventKey' in revision) events.push(eventDifference(present, revision.eventKey, 'unknown', revision.day));
    else days.add(requireDay(revision.day));
  }
  return differencesOf(
    [...days].map((day) => barDifference(present, day, 'unknown')),
    events,
  );
}

/** The data of one instrument, whose revisions are undone one after the other. */
export class PastData {
  /** Since a moment, newest first. */
  readonly revisions: readonly Revision[];
  private readonly present: State;
  private readonly past: State;
  private readonly asOf: Day;

  private constructor(asOf: Day, present: State, revisions: readonly Revision[]) {
    this.asOf = asOf;
    this.present = present;
    this.past = { bars: new Map(present.bars), events: new Map(present.events) };
    this.revisions = revisions;
  }

  /** Null where nothing was revised since then. */
  static async read(
    db: Queryable,
    { instrumentId, asOf }: Pick<BacktestSpec, 'instrumentId' | 'asOf'>,
    history: History,
    since: Date,
  ): Promise<PastData | null> {
    const revisions = await selectRevisionsOf(db, instrumentId, MAX_UNDONE);
    const later = revisions.filter(({ at }) => at >= since);
    if (later.length === 0) return null;
    return new PastData(asOf, stateOf(history.series, await selectKeyedEvents(db, instrumentId)), later);
  }

  undo(revision: Revision): void {
    undo(this.past, revision, this.asOf);
  }

  get history(): History {
    return historyOf(this.past);
  }

  /** Between what is left and the present. Without knowing that what is left was read, it tells only what differs. */
  differences(isKnown: boolean): DataDifferences {
    const { bars, events } = knownDifferences(this.past, this.present);
    return isKnown ? { bars, events } : { bars: forget(bars), events: forget(events) };
  }
}

function forget<D extends BarDifference | EventDifference>({ total, items }: Differences<D>) {
  return { total, items: items.map((item) => ({ ...item, was: 'unknown' as const })) };
}

function knownDifferences(past: State, present: State): DataDifferences {
  const days = new Set([...past.bars.keys(), ...present.bars.keys()]);
  const keys = new Set([...past.events.keys(), ...present.events.keys()]);
  return differencesOf(
    [...days]
      .filter((day) => !isSame(past.bars.get(day), present.bars.get(day)))
      .map((day) => barDifference(present, day, past.bars.get(day) ?? null)),
    [...keys]
      .filter((key) => !isSame(past.events.get(key), present.events.get(key)))
      .map((key) => eventDifference(present, key, past.events.get(key) ?? null)),
  );
}

function differencesOf(bars: BarDifference[], events: EventDifference[]): DataDifferences {
  return {
    bars: listed(bars.sort((a, b) => (a.date < b.date ? -1 : 1))),
    events: listed(events.sort((a, b) => (a.ex_date < b.ex_date ? -1 : 1))),
  };
}

/** Days whose candles differ between two runs, and those that only one of them has. */
function changedDays(then: string, now: string): Day[] {
  const candles = (json: string) => {
    const list: { readonly ts: string }[] = JSON.parse(json);
    return new Map(list.map((candle) => [candle.ts, JSON.stringify(candle)]));
  };
  const [was, is] = [candles(then), candles(now)];
  const days = new Set([...was.keys(), ...is.keys()]);
  return [...days].filter((day) => was.get(day) !== is.get(day)).map(requireDay);
}

function barDifference(present: State, day: Day, was: BarDifference['was']): BarDifference {
  return { date: formatDay(day), was, is: present.bars.get(day) ?? null };
}

function eventDifference(present: State, key: string, was: EventDifference['was'], day = ''): EventDifference {
  const is = present.events.get(key) ?? null;
  const known = was === 'unknown' ? null : was;
  return { ex_date: is?.ex_date ?? known?.ex_date ?? day, was, is };
}
