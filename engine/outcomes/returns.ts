/** Returns around hits, and those that they are compared with. */
import type { FoundHits } from './hits.ts';
import { BEFORE, type OutcomePanel } from './panel.ts';

export const COMPARES = ['same_day', 'own', 'none'] as const;
export type Compare = (typeof COMPARES)[number];

const LEAST_AFTER = 60;

/** By hit: its return at a horizon, and the mean that it is compared with; NaN: there is none. */
export interface HitReturns {
  readonly values: Float64Array;
  readonly others: Float64Array;
}

/** Returns at an offset less what they are compared with, by session of the range: their sum, and how many they are. */
export interface ExcessSums {
  readonly offset: number;
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

export interface Returns {
  readonly panel: OutcomePanel;
  readonly found: FoundHits;
  readonly compare: Compare;
  readonly horizons: ReadonlyMap<number, HitReturns>;
  /** At each offset from `BEFORE` sessions before a hit on; empty where they are compared with nothing. */
  readonly around: readonly ExcessSums[];
  /** Sessions on which every member is a hit. */
  readonly leftOut: number;
}

/** The hits of a session: those from `from` to before `to`. */
interface SessionHits {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

export function returnsAround(
  panel: OutcomePanel,
  found: FoundHits,
  compare: Compare,
  horizons: readonly number[],
): Returns {
  const { closes, first } = panel;
  const count = found.rows.length;
  const last = Math.max(LEAST_AFTER, ...horizons);
  const offsets = compare === 'none' ? horizons : Array.from({ length: BEFORE + last + 1 }, (_, i) => i - BEFORE);
  const undefinedReturns = () => new Float64Array(count).fill(Number.NaN);
  const kept = new Map(
    horizons.map((horizon) => [horizon, { values: undefinedReturns(), others: undefinedReturns() }]),
  );
  const figures = () => new Float64Array(closes.length - first);
  const around = compare === 'none' ? [] : offsets.map((offset) => ({ offset, sums: figures(), counts: figures() }));
  const own = compare === 'own' ? ownMeans(panel, offsets, found) : null;
  const returns = { panel, found, compare, horizons: kept, around };
  let leftOut = 0;
  const sessions = [...sessionsOf(found)];
  const others = compare === 'same_day' ? othersOfDays(panel, found, sessions, offsets) : [];
  for (const [session, hits] of sessions.entries()) {
    const day = others.at(session);
    if (day?.isAlone) leftOut++;
    for (const [i, offset] of offsets.entries()) {
      const at = hits.row + offset;
      if (at < 0 || at >= closes.length) continue;
      addReturns(returns, hits, offset, around[i], own?.[i] ?? day?.meanAt(i) ?? Number.NaN);
    }
  }
  return { ...returns, leftOut };
}

/** Adds the returns of the hits of a session at an offset. `others`: the mean that they are compared with, of each member or of all. */
function addReturns(
  { panel, found, horizons }: Omit<Returns, 'leftOut'>,
  { row, from, to }: SessionHits,
  offset: number,
  excesses: ExcessSums | undefined,
  others: Float64Array | number,
): void {
  const horizon = horizons.get(offset);
  const session = row - panel.first;
  for (let hit = from; hit < to; hit++) {
    const member = found.members[hit];
    const value = growth(panel, row, row + offset, member);
    if (Number.isNaN(value)) continue;
    const mean = typeof others === 'number' ? others : others[member];
    if (horizon) {
      horizon.values[hit] = value;
      horizon.others[hit] = mean;
    }
    if (excesses === undefined || Number.isNaN(mean)) continue;
    excesses.sums[session] += value - mean;
    excesses.counts[session]++;
  }
}

function* sessionsOf({ rows }: FoundHits): Iterable<SessionHits> {
  for (let from = 0, to = 0; from < rows.length; from = to) {
    while (to < rows.length && rows[to] === rows[from]) to++;
    yield { row: rows[from], from, to };
  }
}

/** From the entry of row `row` to row `at`. NaN: the instrument has no close there yet, or is entered later. */
function growth({ closes, next }: OutcomePanel, row: number, at: number, member: number): number {
  const close = closes[at][member];
  if (close === 0) return Number.NaN;
  if (next === null) return close / closes[row][member] - 1;
  const entered = next.rows[row][member];
  return entered < 0 || (at > row && entered > at) ? Number.NaN : close / next.opens[row][member] - 1;
}

/** Members whose shares are multiplied at once: their closes around a session stay in the cache of the processor. */
const SIDE_BY_SIDE = 1_024;

/** Rows that are multiplied in one pass over the shares, which takes two thirds of the time of a pass for each. */
const PASS = 4;

/** Adds to `sums` the products of shares and each row from `from` on. */
function addProducts(sums: Float64Array, shares: Float64Array, rows: readonly Float64Array[], from: number): void {
  for (let i = 0; i < rows.length; i += PASS) {
    const [a, b, c, d] = [rows[i], rows[i + 1], rows[i + 2], rows[i + 3]];
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let k = 0; k < shares.length; k++) {
      const share = shares[k];
      first += share * a[from + k];
      second += share * b[from + k];
      third += share * c[from + k];
      fourth += share * d[from + k];
    }
    sums[i] += first;
    sums[i + 1] += second;
    sums[i + 2] += third;
    sums[i + 3] += fourth;
  }
}

/** The others of each session with a hit, some members after the other through all sessions. */
function othersOfDays(
  panel: OutcomePanel,
  found: FoundHits,
  sessions: readonly SessionHits[],
  offsets: readonly number[],
): OthersOfDay[] {
  const days = sessions.map((hits) => new OthersOfDay(panel, found, hits, offsets));
  const shares = new Float64Array(SIDE_BY_SIDE);
  for (let from = 0; from < panel.members; from += SIDE_BY_SIDE) {
    const some = shares.subarray(0, Math.min(SIDE_BY_SIDE, panel.members - from));
    for (const day of days) day.add(from, some);
  }
  return days;
}

/** The members that are no hits at a session. */
class OthersOfDay {
  private readonly panel: OutcomePanel;
  private readonly row: number;
  private readonly offsets: readonly number[];
  /** By member: 1 where it is one. */
  private readonly others: Uint8Array;
  /** Closes at each offset, as many as whole passes have. Where there are none, those of the session, whose sums are not read. */
  private readonly rows: readonly Float64Array[];
  /** By offset: the sum of the growth of those that have a close at every offset and are entered at the next session; their number. */
  private readonly sums: Float64Array;
  private count = 0;
  /** The rest. */
  private readonly apart: { readonly member: number; readonly share: number }[] = [];
  /** Whether every member is a hit. */
  readonly isAlone: boolean;

  constructor(
    panel: OutcomePanel,
    { isMember, members }: FoundHits,
    { row, from, to }: SessionHits,
    offsets: readonly number[],
  ) {
    this.panel = panel;
    this.row = row;
    this.offsets = offsets;
    this.others = isMember[row].slice();
    for (let hit = from; hit < to; hit++) this.others[members[hit]] = 0;
    this.isAlone = !this.others.includes(1);
    this.rows = Array.from({ length: PASS * Math.ceil(offsets.length / PASS) }, (_, i) => {
      return panel.closes[row + offsets[i]] ?? panel.closes[row];
    });
    this.sums = new Float64Array(this.rows.length);
  }

  /** Adds the members from `from` on. `shares`: memory for 1 ÷ the entry of each. */
  add(from: number, shares: Float64Array): void {
    const { panel, row, others, sums } = this;
    const { closes, next, begins } = panel;
    const entries = next?.opens[row] ?? closes[row];
    shares.fill(0);
    for (let i = 0; i < shares.length; i++) {
      const member = from + i;
      if (others[member] === 0 || Number.isNaN(entries[member])) continue;
      const share = 1 / entries[member];
      if (begins[member] > Math.max(0, row - BEFORE) || (next !== null && next.rows[row][member] > row + 1)) {
        this.apart.push({ member, share });
        continue;
      }
      shares[i] = share;
      this.count++;
    }
    addProducts(sums, shares, this.rows, from);
  }

  /** `i`: of an offset. NaN: there are none. */
  meanAt(i: number): number {
    const { panel, row, offsets } = this;
    const at = row + offsets[i];
    let sum = this.sums[i];
    let { count } = this;
    for (const { member, share } of this.apart) {
      if (Number.isNaN(growth(panel, row, at, member))) continue;
      sum += panel.closes[at][member] * share;
      count++;
    }
    return sum / count - 1;
  }
}

/** By offset and member: the mean over all sessions of the range with a bar; NaN for members without a hit. */
function ownMeans(panel: OutcomePanel, offsets: readonly number[], { members }: FoundHits): Float64Array[] {
  const asked = [...new Set(members)];
  return offsets.map((offset) => {
    const sums = new Float64Array(panel.members);
    const counts = new Int32Array(panel.members);
    for (let row = panel.first; row < panel.days.length; row++) {
      const at = row + offset;
      if (at < 0 || at >= panel.days.length) continue;
      for (const member of asked) {
        const value = panel.hasBar[row][member] === 0 ? Number.NaN : growth(panel, row, at, member);
        if (Number.isNaN(value)) continue;
        sums[member] += value;
        counts[member]++;
      }
    }
    return sums.map((sum, member) => sum / counts[member]);
  });
}
