/** The histories of the members of a rotation through the end of its range, one after another, and those that a process keeps. */
import { setImmediate } from 'node:timers/promises';
import type { Pool } from '../../db/pool.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import { type Day, dayOf } from '../../engine/market/dates.ts';
import { closesOf, copySeries, firstIndexFrom, sliceByDay, sliceSeries } from '../../engine/market/series.ts';
import type { VisitedMember } from '../../engine/rules/market-values.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { type History, type StreamedHistory, streamHistories } from '../runs/history.ts';
import { streamingColumns } from '../runs/own-columns.ts';
import { dataDigest, dataRead } from '../runs/receipt.ts';

/** The largest numbers of bars in memory. */
export interface KeptLimits {
  /** Bars of whole histories take 44 bytes each, and as much again while they are adjusted. */
  readonly whole: number;
  /** Bars of which days and closes alone are kept take 12 bytes each. */
  readonly closes: number;
}

/** Limits of about equal memory. */
export function keptLimits(whole: number): KeptLimits {
  return { whole, closes: Math.floor((20 * whole) / 3) };
}

export const KEPT_LIMITS = keptLimits(3_000_000);

export class KeptHistories {
  /** The kind says what is kept of each history; null: they do not fit, and none is kept. */
  private kind: 'whole' | 'closes' | null = 'whole';
  private readonly limits: KeptLimits;
  private readonly histories = new Map<number, History>();
  private bars = 0;

  constructor(limits: KeptLimits) {
    this.limits = limits;
  }

  /** Null: they are not kept. The bars of one may be its days and closes alone. */
  get all(): ReadonlyMap<number, History> | null {
    return this.kind === null ? null : this.histories;
  }

  /** Null: they are not kept whole. */
  get whole(): ReadonlyMap<number, History> | null {
    return this.kind === 'whole' ? this.histories : null;
  }

  /** Keeps a copy, because what is streamed is overwritten. */
  add(instrumentId: number, history: History): void {
    this.bars += history.series.length + rowsOf(history);
    if (this.kind === 'whole' && this.bars > this.limits.whole) {
      this.kind = 'closes';
      for (const [id, one] of this.histories) this.histories.set(id, withCloses(one));
    }
    if (this.kind === 'closes' && this.bars > this.limits.closes) {
      this.kind = null;
      this.histories.clear();
    }
    if (this.kind !== null)
      this.histories.set(instrumentId, this.kind === 'whole' ? copied(history) : withCloses(history));
  }
}

/** Rows of its own columns, which are kept beside its bars. */
function rowsOf({ series }: History): number {
  return [...(series.own?.values() ?? [])].reduce(
    (sum, { rows, isMarket }) => sum + (isMarket ? 0 : rows.date.length),
    0,
  );
}

const copied = ({ series, events }: History): History => ({ series: copySeries(series), events });
const withCloses = ({ series, events }: History): History => ({ series: closesOf(series), events });

const FIRST_DAY = dayOf(1900, 1, 1);
const MOST_DAYS = dayOf(2200, 1, 1) - FIRST_DAY;
const NEVER = FIRST_DAY - 1;

/** Days from 1900 on. */
export class DaySet {
  /** The latest last day of the instruments that have a bar on each day. */
  private readonly lasts = new Int32Array(MOST_DAYS).fill(NEVER);

  /** The days of an instrument, ascending. */
  add(days: Int32Array): void {
    const last = days[days.length - 1];
    for (const day of days) if (this.lasts[day - FIRST_DAY] < last) this.lasts[day - FIRST_DAY] = last;
  }

  /** The days of the instruments whose last day is `from` or later. */
  of(from: Day | null): Int32Array {
    const least = from ?? FIRST_DAY;
    const indices = Int32Array.from(this.lasts.keys()).filter((i) => this.lasts[i] >= least);
    return indices.map((i) => FIRST_DAY + i);
  }
}

export type UniverseContext = Pick<JobContext, 'pool' | 'signal'>;

export type RangeSpec = Pick<RotationSpec, 'start' | 'end' | 'timeRange' | 'asOf' | 'adjust' | 'universe' | 'columns'>;

/** A history of which the rules read `read`: as traded, through the end of the range. */
interface StreamedMember {
  readonly instrumentId: number;
  readonly history: History;
  readonly read: History;
}

/** Histories by id, each with the own columns that the rules name. */
export function streamWithColumns(
  pool: Pool,
  { asOf, columns }: Pick<RangeSpec, 'asOf' | 'columns'>,
  ids: readonly number[],
): AsyncGenerator<StreamedHistory> {
  return streamingColumns(pool, columns, ids, streamHistories(pool, ids, asOf));
}

/** By id. The bars of one are overwritten when the next one is asked for. */
export async function* streamMembers(
  { pool, signal }: UniverseContext,
  spec: RangeSpec,
  ids: readonly number[],
): AsyncGenerator<StreamedMember> {
  for await (const { instrumentId, ...history } of streamWithColumns(pool, spec, ids)) {
    // Lets the stream receive the next histories.
    await setImmediate();
    signal.throwIfAborted();
    yield { instrumentId, history, read: readThroughEnd(history, spec) };
  }
}

export function readThroughEnd({ series, events }: History, { end }: RangeSpec): History {
  return { events, series: end === null || series.length === 0 ? series : sliceByDay(series, series.day[0], end) };
}

/** A member as it was at the close of a day; null: it had no bar. `isDelisted`: its last bar is its last bar of all. */
export function visitedThrough(
  day: Day,
  { member, isDelisted }: Pick<VisitedMember, 'member' | 'isDelisted'>,
  { series, events }: History,
  adjust: RangeSpec['adjust'],
): VisitedMember | null {
  const to = firstIndexFrom(series, day + 1);
  if (to === 0) return null;
  const isWhole = to === series.length;
  const seen = isWhole ? series : sliceSeries(series, 0, to);
  return { member, isDelisted: isDelisted && isWhole, series: adjustToLastBar(seen, events, adjust) };
}

/** An instrument by its bars, before any rule reads them. */
export interface MemberFacts {
  readonly instrumentId: number;
  /** Days of its first and last bar up to the end of the range. */
  readonly days: readonly [first: Day, last: Day];
  readonly bars: number;
  /** Digest of its bars and events. */
  readonly digest: string;
  /** Whether it has no bar after the end of the range. */
  readonly isWhole: boolean;
  /** The day of its last dividend or spin-off through its last bar; null: it has none. */
  readonly lastDividend: Day | null;
}

export interface Facts {
  /** Instruments with a bar up to the end of the range, by id. */
  readonly members: readonly MemberFacts[];
  readonly days: DaySet;
}

/** Reads each history once, by id. What the rules read of it is added to `kept`. */
export async function readFacts(
  histories: AsyncIterable<StreamedMember> | Iterable<StreamedMember>,
  spec: RangeSpec,
  kept: KeptHistories,
): Promise<Facts> {
  const members: MemberFacts[] = [];
  const days = new DaySet();
  for await (const { instrumentId, history, read } of histories) {
    if (read.series.length === 0) continue;
    members.push(factsOf(instrumentId, history, read, spec));
    days.add(read.series.day);
    kept.add(instrumentId, read);
  }
  return { members, days };
}

function factsOf(instrumentId: number, history: History, { series }: History, spec: RangeSpec): MemberFacts {
  const [first, last] = [series.day[0], series.day[series.length - 1]];
  const dividends = history.events.filter(
    ({ kind, exDay }) => (kind === 'cash_dividend' || kind === 'spin_off') && exDay <= last,
  );
  return {
    instrumentId,
    days: [first, last],
    bars: series.length,
    digest: dataDigest(dataRead(spec, history)),
    isWhole: series.length === history.series.length,
    lastDividend: dividends.reduce<Day | null>((day, { exDay }) => Math.max(day ?? exDay, exDay), null),
  };
}
