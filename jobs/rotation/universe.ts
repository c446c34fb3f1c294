/**
 * The universe of a rotation as it was: every instrument with a bar in the range, delisted and renamed ones included. Histories of a
 * few are kept in memory, and of many the closes if the rules need no more. Otherwise they are read again for each pass. The chosen
 * ones are read whole.
 */
import { setImmediate } from 'node:timers/promises';
import { type Instrument, selectInstruments } from '../../db/market/instruments.ts';
import type { Pool } from '../../db/pool.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { copySeries, EMPTY_SERIES, firstIndexFrom, sliceByDay, sliceSeries } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import { equalWeightValue } from '../../engine/portfolio/benchmark.ts';
import type { Panel, PanelMember } from '../../engine/rotation/panel.ts';
import type { Market, VisitedMember } from '../../engine/rules/market-values.ts';
import { required } from '../../engine/util/values.ts';
import { type History, streamHistories } from '../backtest/history.ts';
import { dataDigest, dataRead } from '../backtest/receipt.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { RotationSpec } from '../contracts/rotation.ts';
import { DaySet } from './day-set.ts';
import { KEPT_LIMITS, KeptHistories } from './kept-histories.ts';

/** An instrument with a bar in the range. */
export interface UniverseMember {
  readonly instrument: Instrument;
  /** Days of its first and last bar up to the end of the range. */
  readonly days: readonly [first: Day, last: Day];
  readonly bars: number;
  /** Digest of its bars and events. */
  readonly digest: string;
  /** Whether its last bar is its last bar of all. */
  readonly isDelisted: boolean;
  /** The day of its last dividend or spin-off through its last bar; null: it has none. */
  readonly lastDividend: Day | null;
}

export type UniverseContext = Pick<JobContext, 'pool' | 'signal'>;

type RangeSpec = Pick<RotationSpec, 'start' | 'end' | 'timeRange' | 'asOf' | 'adjust' | 'universe'>;

/** Instruments by id, by ticker. */
async function candidatesOf(pool: Pool, { universe }: RangeSpec): Promise<Map<number, Instrument>> {
  const all = await selectInstruments(pool);
  const { instruments, assetTypes } = universe;
  const listed = instruments && new Set(instruments.map(({ instrumentId }) => instrumentId));
  const wanted = all.filter(
    ({ id, assetType }) => (listed?.has(id) ?? true) && (assetTypes?.includes(assetType) ?? true),
  );
  return new Map(wanted.map((instrument) => [instrument.id, instrument]));
}

export class Universe {
  /** By ticker. */
  readonly members: readonly UniverseMember[];
  readonly sessions: Int32Array;
  /** Index in `sessions` of the first session of the range. */
  readonly first: number;
  /** First requested day; null: the whole history. */
  readonly start: Day | null;
  private readonly context: UniverseContext;
  private readonly spec: RangeSpec;
  private readonly kept: KeptHistories;
  /** Value of the benchmark per unit of capital, once all members were visited. */
  private readonly equalWeight: { value: Float64Array | null };

  private constructor(
    context: UniverseContext,
    spec: RangeSpec,
    found: { readonly members: readonly UniverseMember[]; readonly sessions: Int32Array; readonly start: Day | null },
    kept: KeptHistories,
    equalWeight: { value: Float64Array | null } = { value: null },
  ) {
    this.context = context;
    this.spec = spec;
    this.members = found.members.toSorted((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
    this.sessions = found.sessions;
    this.start = found.start;
    this.first = found.start === null ? 0 : indexFrom(found.sessions, found.start);
    this.kept = kept;
    this.equalWeight = equalWeight;
  }

  /** Whether its rules find all that they read in memory. */
  get isInMemory(): boolean {
    return this.kept.all !== null;
  }

  /** The same for another job. */
  forJob(context: UniverseContext): Universe {
    return new Universe(context, this.spec, this, this.kept, this.equalWeight);
  }

  get clock(): Int32Array {
    return this.sessions.subarray(this.first);
  }

  /** Null when no instrument has a bar in the range. `isOfCloses`: its rules read nothing but days and closes. */
  static async read(
    context: UniverseContext,
    spec: RangeSpec,
    isOfCloses: boolean,
    limits = KEPT_LIMITS,
  ): Promise<Universe | null> {
    const candidates = await candidatesOf(context.pool, spec);
    const found: UniverseMember[] = [];
    // The range begins on this day or before: it counts back from the newest bar.
    const latestStart = spec.start ?? rangeStart(spec.timeRange, spec.end ?? spec.asOf);
    const sessions = new DaySet();
    const ended: Int32Array[] = [];
    const kept = new KeptHistories(isOfCloses ? limits : { ...limits, closes: 0 });
    for await (const { instrumentId, ...history } of streamHistories(context.pool, [...candidates.keys()], spec.asOf)) {
      await setImmediate();
      context.signal.throwIfAborted();
      const read = readThroughEnd(history, spec);
      if (read.series.length === 0) continue;
      const instrument = candidates.get(instrumentId);
      if (instrument === undefined) continue;
      found.push(memberOf(instrument, history, spec));
      const { day, length } = read.series;
      if (latestStart === null || day[length - 1] >= latestStart) sessions.add(day);
      else ended.push(day.slice());
      kept.add(instrumentId, read);
    }
    const newest = found.reduce((day, { days: [, last] }) => Math.max(day, last), Number.NEGATIVE_INFINITY);
    if (found.length === 0) return null;
    const start = spec.start ?? rangeStart(spec.timeRange, newest);
    const members = found.filter(({ days: [, last] }) => start === null || last >= start);
    if (members.length === 0) return null;
    for (const days of ended) if (start === null || days[days.length - 1] >= start) sessions.add(days);
    return new Universe(context, spec, { members, start, sessions: sessions.sorted() }, kept);
  }

  private withSessions(sessions: Int32Array): Universe {
    return new Universe(this.context, this.spec, { members: this.members, start: this.start, sessions }, this.kept);
  }

  /** With a session after the last one, on which no member has a bar yet: a rebalance at the last one is then known. */
  withSessionAhead(day: Day): Universe {
    return this.withSessions(Int32Array.of(...this.sessions, day));
  }

  /** The members that have a bar on the last session. */
  async survivors(): Promise<Universe> {
    const lastSession = this.sessions[this.sessions.length - 1];
    const members = this.members.filter(({ days: [, last] }) => last === lastSession);
    const universe = new Universe(this.context, this.spec, { ...this, members }, this.kept);
    return universe.withSessions(await universe.findSessions());
  }

  private async findSessions(): Promise<Int32Array> {
    const sessions = new DaySet();
    for await (const { history } of this.histories()) sessions.add(history.series.day);
    return sessions.sorted();
  }

  /** The histories of all members through the end of the range, as traded: all that the rules read of them. */
  private async *histories(): AsyncGenerator<{ readonly member: number; readonly history: History }> {
    const { context, spec, members } = this;
    const kept = this.kept.all;
    const memberOfId = new Map(members.map(({ instrument }, member) => [instrument.id, member]));
    if (kept !== null) {
      for (const [id, history] of kept) {
        const member = memberOfId.get(id);
        if (member !== undefined) yield { member, history };
      }
      return;
    }
    for await (const { instrumentId, ...history } of streamHistories(context.pool, [...memberOfId.keys()], spec.asOf)) {
      await setImmediate();
      context.signal.throwIfAborted();
      const member = memberOfId.get(instrumentId);
      if (member !== undefined) yield { member, history: readThroughEnd(history, spec) };
    }
  }

  /** The universe as rules compare it. */
  market(): Market {
    return { members: this.groups(), visit: () => this.visit() };
  }

  /** The same as it was at the close of a day. */
  marketThrough(day: Day): Market {
    return { members: this.groups(), visit: () => this.visitThrough(day) };
  }

  private groups(): Market['members'] {
    return this.members.map(({ instrument }) => ({
      asset_type: instrument.assetType,
      venue: instrument.primaryVenue ?? '',
    }));
  }

  private async *visitThrough(day: Day): AsyncGenerator<VisitedMember> {
    for await (const { member, history } of this.histories()) {
      const { series, events } = history;
      const to = firstIndexFrom(series, day + 1);
      if (to === 0) continue;
      const isDelisted = this.members[member].isDelisted && to === series.length;
      const seen = to === series.length ? series : sliceSeries(series, 0, to);
      yield { member, isDelisted, series: adjustToLastBar(seen, events, this.spec.adjust) };
    }
  }

  private async *visit(): AsyncGenerator<VisitedMember> {
    const { clock } = this;
    const value = this.equalWeight.value === null ? new Float64Array(clock.length) : null;
    let bought = 0;
    for await (const visited of this.visitThrough(clock[clock.length - 1])) {
      const { series } = visited;
      if (value !== null) {
        const one = { series, from: firstIndexFrom(series, clock[0]), to: series.length };
        if (series.day[one.from] === clock[0]) {
          const own = equalWeightValue([one], clock, 1);
          for (let t = 0; t < value.length; t++) value[t] += own[t];
          bought++;
        }
      }
      yield visited;
    }
    if (value !== null) this.equalWeight.value = value.map((sum) => sum / bought);
  }

  /** Value at each session of equal amounts in all members with a bar on the first one. Known after a visit of all members. */
  equalWeightBenchmark(initialCapital: number): Float64Array {
    const { value } = this.equalWeight;
    if (value === null) throw new Error('the members were not visited');
    return value.map((one) => initialCapital * one);
  }

  /** `chosen`: members whose bars are read. */
  async panel(chosen: ReadonlySet<number>): Promise<Panel> {
    const histories = await this.historiesOf([...chosen]);
    const { sessions, first, clock } = this;
    const members = this.members.map(({ instrument, isDelisted }, member): PanelMember => {
      const { symbol } = instrument;
      const history = histories.get(member);
      const bars = history ? adjustToLastBar(history.series, history.events, this.spec.adjust) : EMPTY_SERIES;
      return {
        symbol: qualifiedSymbol(symbol),
        ticker: symbol,
        series: bars,
        from: firstIndexFrom(bars, clock[0]),
        to: bars.length,
        isDelisted,
      };
    });
    return { members, sessions, first, clock };
  }

  /** The whole histories of some members through the end of the range, as traded. */
  async historiesOf(chosen: readonly number[]): Promise<ReadonlyMap<number, History>> {
    const found = new Map<number, History>();
    const { members, spec, context } = this;
    const memberOfId = new Map(chosen.map((member) => [members[member].instrument.id, member]));
    const kept = this.kept.whole;
    for (const [id, member] of memberOfId) {
      const history = kept?.get(id);
      if (history !== undefined) found.set(member, history);
    }
    if (kept !== null) return found;
    for await (const { instrumentId, ...history } of streamHistories(context.pool, [...memberOfId.keys()], spec.asOf)) {
      const { series, events } = readThroughEnd(history, spec);
      found.set(required(memberOfId.get(instrumentId), 'a chosen member'), { series: copySeries(series), events });
    }
    return found;
  }
}

function indexFrom(days: Int32Array, day: Day): number {
  const index = days.findIndex((one) => one >= day);
  return index < 0 ? days.length : index;
}

function readThroughEnd({ series, events }: History, { end }: RangeSpec): History {
  return { events, series: end === null || series.length === 0 ? series : sliceByDay(series, series.day[0], end) };
}

function memberOf(instrument: Instrument, history: History, spec: RangeSpec): UniverseMember {
  const { series } = readThroughEnd(history, spec);
  const [first, last] = [series.day[0], series.day[series.length - 1]];
  const { delistedOn } = instrument;
  const dividends = history.events.filter(
    ({ kind, exDay }) => (kind === 'cash_dividend' || kind === 'spin_off') && exDay <= last,
  );
  return {
    instrument,
    days: [first, last],
    bars: series.length,
    digest: dataDigest(dataRead(spec, history)),
    isDelisted: delistedOn !== null && delistedOn <= spec.asOf && series.length === history.series.length,
    lastDividend: dividends.reduce<Day | null>((day, { exDay }) => Math.max(day ?? exDay, exDay), null),
  };
}
