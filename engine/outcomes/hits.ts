/** The hits of a condition: who meets it at which session, beside the members that do not. */
import { evaluateSessions, type Market, type MarketAnswers } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition, Value } from '../rules/program.ts';
import type { OutcomeClock, OutcomePanel } from './panel.ts';

/** Whether a hit is the beginning of a state, with no other one so many sessions before, or every session of it. */
export type First = boolean | { readonly sessions: number };

export interface OutcomePrograms {
  readonly where: readonly Condition[];
  /** 1 where the condition is true, 0 where it is false. */
  readonly condition: Value;
  /** Hits are told apart by it; null: they are not. */
  readonly by: Value | null;
}

export interface Hit {
  /** In the panel. */
  readonly row: number;
  readonly member: number;
  /** Undefined counts as false. */
  readonly by: boolean;
}

export interface FoundHits {
  /** By session, then by member. */
  readonly hits: readonly Hit[];
  /** By row of the panel: 1 where a member has a bar and meets the condition of the universe. */
  readonly isMember: readonly Uint8Array[];
}

/** More would not fit into memory beside their returns. */
export const MAX_HITS = 1_000_000;

/** A condition that is true too often. */
export class TooManyHits extends Error {
  override readonly name = 'TooManyHits';
}

/** `wanted`: 1 for members whose hits count. Throws `TooManyHits`. */
export async function findHits(
  market: Market,
  { sessions, first }: OutcomeClock,
  panel: OutcomePanel,
  { where, condition, by }: OutcomePrograms,
  { beginnings, wanted }: { readonly beginnings: First; readonly wanted: Uint8Array },
  others?: OtherInstruments,
): Promise<FoundHits> {
  const offset = sessions.length - panel.days.length;
  const earlier = new Set(panel.before);
  const asked = [...sessions.keys()].filter((index) => index >= offset || earlier.has(sessions[index]));
  const isMember = Array.from(panel.days, () => new Uint8Array(panel.members));
  const hits: Hit[] = [];
  const states = Array.from(
    { length: panel.members },
    (): State => ({ isTrue: false, lastHit: Number.NEGATIVE_INFINITY }),
  );
  const take = (index: number, { eligible, values: [meets, told] }: MarketAnswers) => {
    const row = asked[index] - offset;
    if (row >= 0) isMember[row].set(eligible);
    for (const [member, state] of states.entries()) {
      const hasBar = row >= 0 ? panel.hasBar[row][member] === 1 : panel.before[member] === sessions[asked[index]];
      if (!hasBar) continue;
      const isTrue = meets[member] === 1;
      const isNew = isTrue && (beginnings === false || !state.isTrue);
      state.isTrue = isTrue;
      const isApart = typeof beginnings !== 'object' || row - state.lastHit > beginnings.sessions;
      if (asked[index] < first || !isNew || !isApart || wanted[member] === 0) continue;
      if (hits.length === MAX_HITS) throw new TooManyHits();
      state.lastHit = row;
      hits.push({ row, member, by: told?.[member] === 1 });
    }
  };
  const values = by === null ? [condition] : [condition, by];
  await evaluateSessions(market, { where, values }, { sessions, asked }, others, take);
  return { hits, isMember };
}

/** A member at its last bar. */
interface State {
  isTrue: boolean;
  lastHit: number;
}
