/**
 * The universe of a rotation as it was: every instrument with a bar in the range, delisted and renamed ones included. Histories of a
 * few are kept in memory, and of many the closes if the rules need no more. Otherwise they are read again for each pass. The chosen
 * ones are read whole.
 */
import { selectInstruments } from '../../db/market/instruments.ts';
import { WHOLE_MARKET } from '../../db/research/own-columns.ts';
import { tradedOf } from '../../engine/backtest/doubts.ts';
import { adjustToLastBar } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import { columnsThrough, type OwnColumns } from '../../engine/market/own-columns.ts';
import { copySeries, EMPTY_SERIES, firstIndexFrom } from '../../engine/market/series.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import type { Panel, PanelMember } from '../../engine/rotation/panel.ts';
import type { Market, VisitedMember } from '../../engine/rules/market-values.ts';
import { endPart } from '../../engine/util/parts.ts';
import { required } from '../../engine/util/values.ts';
import type { History } from '../runs/history.ts';
import { readOwnColumns } from '../runs/own-columns.ts';
import { EqualWeights, type EqualWeightsOf } from './equal-weights.ts';
import {
  type DaySet,
  KEPT_LIMITS,
  KeptHistories,
  type KeptLimits,
  type RangeSpec,
  readFacts,
  readThroughEnd,
  streamMembers,
  streamWithColumns,
  type UniverseContext,
  visitedThrough,
} from './histories.ts';
import { candidatesOf, membersIn, type RangeMembers, type UniverseInstrument, type UniverseMember } from './members.ts';

/** A market in memory, as it was known at the end of a range. */
export interface HeldHistories {
  readonly instruments: readonly UniverseInstrument[];
  readonly historyOf: (instrumentId: number) => History;
  readonly own: OwnColumns | undefined;
}

/** The findings of the first pass over the histories. */
interface Found extends RangeMembers {
  /** Own columns of the market that the rules name. */
  readonly own: OwnColumns | undefined;
}

export class Universe {
  /** By ticker. */
  readonly members: readonly UniverseMember[];
  readonly sessions: Int32Array;
  /** Index in `sessions` of the first session of the range. */
  readonly first: number;
  /** First requested day; null: the whole history. */
  readonly start: Day | null;
  /** Null: it is of a market in memory. */
  private readonly context: UniverseContext | null;
  private readonly spec: RangeSpec;
  private readonly days: DaySet;
  private readonly kept: KeptHistories;
  private readonly own: OwnColumns | undefined;
  /** The benchmarks of equal weights, once all members were visited. */
  private readonly equalWeight: { value: EqualWeightsOf | null };

  private constructor(
    context: UniverseContext | null,
    spec: RangeSpec,
    found: Found,
    kept: KeptHistories,
    equalWeight: { value: EqualWeightsOf | null } = { value: null },
  ) {
    this.context = context;
    this.spec = spec;
    this.members = found.members.toSorted((a, b) => (a.instrument.symbol < b.instrument.symbol ? -1 : 1));
    this.sessions = found.sessions;
    this.start = found.start;
    this.first = found.start === null ? 0 : indexFrom(found.sessions, found.start);
    this.days = found.days;
    this.own = found.own;
    this.kept = kept;
    this.equalWeight = equalWeight;
  }

  /** Whether its rules find all that they read in memory. */
  get isInMemory(): boolean {
    return this.kept.all !== null;
  }

  /** The histories of its members; null: they are not in memory. */
  keptHistories(): History[] | null {
    const kept = this.kept.all;
    return kept && this.members.flatMap(({ instrument }) => kept.get(instrument.id) ?? []);
  }

  /** The universe for another job. */
  forJob(context: UniverseContext): Universe {
    return new Universe(context, this.spec, this.found(), this.kept, this.equalWeight);
  }

  private found(changed: Partial<Found> = {}): Found {
    const { members, sessions, start, days, own } = this;
    return { members, sessions, start, days, own, ...changed };
  }

  get clock(): Int32Array {
    return this.sessions.subarray(this.first);
  }

  /** Null when no instrument has a bar in the range. `isOfCloses`: its rules read nothing but days and closes. */
  static async read(
    context: UniverseContext,
    spec: RangeSpec,
    isOfCloses: boolean,
    limits: KeptLimits = KEPT_LIMITS,
  ): Promise<Universe | null> {
    const { pool } = context;
    const candidates = candidatesOf(await selectInstruments(pool), spec);
    const kept = new KeptHistories(isOfCloses ? limits : { ...limits, closes: 0 });
    const facts = await readFacts(streamMembers(context, spec, [...candidates.keys()]), spec, kept);
    const found = membersIn(candidates, facts, spec);
    if (found === null) return null;
    const columns = await readOwnColumns(pool, spec.columns, []);
    return new Universe(context, spec, { ...found, own: columns?.(WHOLE_MARKET) }, kept);
  }

  /** The universe of a market in memory; null when no instrument has a bar in the range. */
  static async of(spec: RangeSpec, { instruments, historyOf, own }: HeldHistories): Promise<Universe | null> {
    const candidates = candidatesOf(instruments, spec);
    const kept = new KeptHistories({ whole: Number.POSITIVE_INFINITY, closes: 0 });
    const histories = [...candidates.keys()].map((instrumentId) => {
      const history = historyOf(instrumentId);
      return { instrumentId, history, read: readThroughEnd(history, spec) };
    });
    const found = membersIn(candidates, await readFacts(histories, spec, kept), spec);
    return found && new Universe(null, spec, { ...found, own }, kept);
  }

  private with(changed: Partial<Found>): Universe {
    return new Universe(this.context, this.spec, this.found(changed), this.kept);
  }

  /** With a session after the last one, on which no member has a bar yet: a rebalance at the last one is then known. */
  withSessionAhead(day: Day): Universe {
    return this.with({ sessions: Int32Array.of(...this.sessions, day) });
  }

  /** The members that have a bar on the last session. */
  survivors(): Universe {
    const lastSession = this.sessions[this.sessions.length - 1];
    const members = this.members.filter(({ days: [, last] }) => last === lastSession);
    return this.with({ members, sessions: this.days.of(lastSession) });
  }

  /** The histories of all members through the end of the range, as traded: all that the rules read of them. */
  private async *histories(): AsyncGenerator<{ readonly member: number; readonly history: History }> {
    const kept = this.kept.all;
    const memberOfId = new Map(this.members.map(({ instrument }, member) => [instrument.id, member]));
    if (kept !== null) {
      for (const [id, history] of kept) {
        endPart();
        const member = memberOfId.get(id);
        if (member !== undefined) yield { member, history };
      }
      return;
    }
    // A stream cannot pause.
    endPart();
    const context = required(this.context, 'a database');
    for await (const { instrumentId, read } of streamMembers(context, this.spec, [...memberOfId.keys()])) {
      yield { member: required(memberOfId.get(instrumentId), 'a member'), history: read };
    }
  }

  /** The universe as rules compare it. */
  market(): Market {
    return { members: this.groups(), own: this.own, visit: () => this.visit() };
  }

  /** The market as it was at the close of a day. */
  marketThrough(day: Day): Market {
    const own = this.own && columnsThrough(this.own, day);
    return { members: this.groups(), own, visit: () => this.visitThrough(day) };
  }

  private groups(): Market['members'] {
    return this.members.map(({ instrument }) => ({
      asset_type: instrument.assetType,
      venue: instrument.primaryVenue ?? '',
    }));
  }

  private async *visitThrough(day: Day): AsyncGenerator<VisitedMember> {
    for await (const { member, history } of this.histories()) {
      const { isDelisted } = this.members[member];
      const visited = visitedThrough(day, { member, isDelisted }, history, this.spec.adjust);
      if (visited !== null) yield visited;
    }
  }

  private async *visit(): AsyncGenerator<VisitedMember> {
    const { clock } = this;
    const weights = this.equalWeight.value === null ? new EqualWeights(clock) : null;
    for await (const visited of this.visitThrough(clock[clock.length - 1])) {
      weights?.add(visited.series);
      yield visited;
    }
    if (weights !== null) this.equalWeight.value = weights.weights();
  }

  /** Value at each session of equal amounts in all members with a bar on the first one. Known after a visit of all members. */
  equalWeightBenchmark(initialCapital: number): Float64Array {
    return this.equalWeights.value.map((one) => initialCapital * one);
  }

  /** Returns of equal parts of all members that have a bar, every session anew. Known after a visit of all members. */
  equalWeightDaily(): Float64Array {
    return this.equalWeights.daily;
  }

  private get equalWeights(): EqualWeightsOf {
    const { value } = this.equalWeight;
    if (value === null) throw new Error('the members were not visited');
    return value;
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
        traded: history && tradedOf(qualifiedSymbol(symbol), history.series, history.events),
      };
    });
    return { members, sessions, first, clock };
  }

  /** The whole histories of some members through the end of the range, as traded. */
  async historiesOf(chosen: readonly number[]): Promise<ReadonlyMap<number, History>> {
    const found = new Map<number, History>();
    const { members, spec } = this;
    const memberOfId = new Map(chosen.map((member) => [members[member].instrument.id, member]));
    const kept = this.kept.whole;
    for (const [id, member] of memberOfId) {
      const history = kept?.get(id);
      if (history !== undefined) found.set(member, history);
    }
    if (kept !== null) return found;
    const { pool } = required(this.context, 'a database');
    for await (const { instrumentId, ...history } of streamWithColumns(pool, spec, [...memberOfId.keys()])) {
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
