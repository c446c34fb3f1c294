/** The members of a universe: the instruments that it may have, and those of them that have a bar in the range. */
import type { Instrument } from '../../db/market/instruments.ts';
import type { Day } from '../../engine/market/dates.ts';
import { rangeStart } from '../../engine/market/time-range.ts';
import type { DaySet, Facts, MemberFacts, RangeSpec } from './histories.ts';

/** The facts of an instrument that a universe knows it by. */
export type UniverseInstrument = Pick<
  Instrument,
  'id' | 'symbol' | 'assetType' | 'primaryVenue' | 'listedOn' | 'delistedOn' | 'delistingReturnPct'
>;

/** An instrument with a bar in the range. */
export interface UniverseMember extends Omit<MemberFacts, 'instrumentId' | 'isWhole'> {
  readonly instrument: UniverseInstrument;
  /** Whether its last bar is its last bar of all. */
  readonly isDelisted: boolean;
}

/** The instruments that a universe may have, by ascending id. */
export function candidatesOf(
  all: readonly UniverseInstrument[],
  { universe: { instruments, assetTypes } }: Pick<RangeSpec, 'universe'>,
): Map<number, UniverseInstrument> {
  const listed = instruments && new Set(instruments.map(({ instrumentId }) => instrumentId));
  const wanted = all.filter(
    ({ id, assetType }) => (listed?.has(id) ?? true) && (assetTypes?.includes(assetType) ?? true),
  );
  return new Map(wanted.toSorted((a, b) => a.id - b.id).map((instrument) => [instrument.id, instrument]));
}

/** The members of a range, and its sessions. */
export interface RangeMembers {
  readonly members: readonly UniverseMember[];
  readonly sessions: Int32Array;
  /** First requested day; null: the whole history. */
  readonly start: Day | null;
  readonly days: DaySet;
}

/** Null when no instrument has a bar in the range. */
export function membersIn(
  candidates: ReadonlyMap<number, UniverseInstrument>,
  { members: found, days }: Facts,
  spec: RangeSpec,
): RangeMembers | null {
  const newest = found.reduce((day, { days: [, last] }) => Math.max(day, last), Number.NEGATIVE_INFINITY);
  const start = found.length === 0 ? null : (spec.start ?? rangeStart(spec.timeRange, newest));
  const members = found.flatMap((one) => {
    const instrument = candidates.get(one.instrumentId);
    const isIn = instrument !== undefined && (start === null || one.days[1] >= start);
    return isIn ? [memberOf(instrument, one, spec.asOf)] : [];
  });
  return members.length === 0 ? null : { members, start, days, sessions: days.of(start) };
}

function memberOf(instrument: UniverseInstrument, { isWhole, ...facts }: MemberFacts, asOf: Day): UniverseMember {
  const { delistedOn } = instrument;
  return { ...facts, instrument, isDelisted: delistedOn !== null && delistedOn <= asOf && isWhole };
}
