/** The hits of a condition: who meets it at which session, beside the members that do not. */
import { evaluateSessions, type Market, type MarketAnswers } from '../rules/market-values.ts';
import type { OtherInstruments } from '../rules/other-instruments.ts';
import type { Condition } from '../rules/program.ts';
import type { OutcomeClock, OutcomePanel } from './panel.ts';

/** Whether a hit is the beginning of a state, with no other one so many sessions before, or every session of it. */
export type First = boolean | { readonly sessions: number };

export interface OutcomePrograms {
  readonly where: readonly Condition[];
  readonly condition: Condition;
  /** Hits are told apart by it; null: they are not. */
  readonly by: Condition | null;
}

/** By session, then by member. */
export interface FoundHits {
  /** By hit: its row in the panel, its member, and 1 where `by` holds; undefined counts as false. */
  readonly rows: Int32Array;
  readonly members: Int32Array;
  readonly by: Uint8Array;
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
  const hits: { readonly row: number; readonly member: number; readonly by: number }[] = [];
  /** By member, at its last bar: whether the condition held; and the row of its last hit. */
  const wasTrue = new Uint8Array(panel.members);
  const lastHits = new Float64Array(panel.members).fill(Number.NEGATIVE_INFINITY);
  const apart = typeof beginnings === 'object' ? beginnings.sessions : 0;
  const add = (row: number, member: number, by: number) => {
    if (wanted[member] === 0 || row - lastHits[member] <= apart) return;
    if (hits.length === MAX_HITS) throw new TooManyHits();
    lastHits[member] = row;
    hits.push({ row, member, by });
  };
  const take = (index: number, { eligible, flags: [meets, told] }: MarketAnswers) => {
    const session = sessions[asked[index]];
    const row = asked[index] - offset;
    if (row >= 0) isMember[row].set(eligible);
    const hasBar = row >= 0 ? panel.hasBar[row] : panel.before.map((day) => Number(day === session));
    for (let member = 0; member < panel.members; member++) {
      if (hasBar[member] === 0) continue;
      const isNew = meets[member] === 1 && (beginnings === false || wasTrue[member] === 0);
      wasTrue[member] = meets[member];
      if (isNew && asked[index] >= first) add(row, member, told?.[member] ?? 0);
    }
  };
  const flags = by === null ? [condition] : [condition, by];
  await evaluateSessions(market, { where, values: [], flags }, { sessions, asked }, others, take);
  return {
    rows: Int32Array.from(hits, ({ row }) => row),
    members: Int32Array.from(hits, ({ member }) => member),
    by: Uint8Array.from(hits, (hit) => hit.by),
    isMember,
  };
}
