/** Returns around hits, and those that they are compared with. */
import { sumOfProducts } from '../util/values.ts';
import type { FoundHits, Hit } from './hits.ts';
import { BEFORE, type OutcomePanel } from './panel.ts';

export const COMPARES = ['same_day', 'own', 'none'] as const;
export type Compare = (typeof COMPARES)[number];

/** A hit with its return at a horizon. */
export interface Outcome {
  readonly hit: Hit;
  readonly value: number;
  /** The mean that it is compared with; NaN: there is none. */
  readonly others: number;
}

/** Returns at an offset from sessions, of hits and of those that they are compared with. */
export class Returns {
  readonly panel: OutcomePanel;
  readonly found: FoundHits;
  private readonly compare: Compare;
  /** Offsets that are asked for, one after the other from the first on. */
  private readonly offsets: { readonly first: number; readonly count: number };
  private readonly isHit = new Map<number, Uint8Array>();
  /** By row: the means of the others at each offset; NaN: there are none. */
  private readonly sameDay = new Map<number, Float64Array>();
  /** By offset and member, for comparisons with itself. */
  private readonly ownMeans = new Map<number, Float64Array>();

  /** `longest`: the largest offset that is asked for. */
  constructor(panel: OutcomePanel, found: FoundHits, compare: Compare, longest: number) {
    this.panel = panel;
    this.found = found;
    this.compare = compare;
    this.offsets = { first: -BEFORE, count: BEFORE + longest + 1 };
    for (const { row, member } of found.hits) {
      const mask = this.isHit.get(row) ?? new Uint8Array(panel.members);
      mask[member] = 1;
      this.isHit.set(row, mask);
    }
  }

  /** Sessions on which every member is a hit. */
  get leftOut(): number {
    if (this.compare !== 'same_day') return 0;
    const isOther = (row: number, isHit: Uint8Array) =>
      this.found.isMember[row].some((flag, member) => flag === 1 && isHit[member] === 0);
    return [...this.isHit].filter(([row, isHit]) => !isOther(row, isHit)).length;
  }

  /** NaN: the instrument has no close there yet, or is entered later. */
  of(row: number, member: number, offset: number): number {
    const { closes, next } = this.panel;
    const at = row + offset;
    if (at < 0 || at >= closes.length || closes[at][member] === 0) return Number.NaN;
    if (next === null) return closes[at][member] / closes[row][member] - 1;
    const entered = next.rows[row][member];
    if (entered < 0 || (offset > 0 && entered > at)) return Number.NaN;
    return closes[at][member] / next.opens[row][member] - 1;
  }

  /** The mean that a hit is compared with at an offset; NaN: there is none. */
  private othersOf({ row, member }: Hit, offset: number): number {
    if (this.compare === 'none') return Number.NaN;
    if (this.compare === 'own') return this.ownMean(offset)[member];
    const known = this.sameDay.get(row) ?? this.sameDayMeans(row);
    this.sameDay.set(row, known);
    return known[offset - this.offsets.first];
  }

  /** All offsets at once: the others and their entries are the same. */
  private sameDayMeans(row: number): Float64Array {
    const { closes, next, members } = this.panel;
    const isMember = this.found.isMember[row];
    const isHit = this.isHit.get(row);
    const entries = next?.opens[row] ?? closes[row];
    /** 1 ÷ the entry of each of the others; 0 for the rest. */
    const shares = new Float64Array(members);
    let count = 0;
    for (let member = 0; member < members; member++) {
      if (isMember[member] === 0 || isHit?.[member] === 1 || Number.isNaN(entries[member])) continue;
      shares[member] = 1 / entries[member];
      count++;
    }
    const means = new Float64Array(this.offsets.count).fill(Number.NaN);
    for (let i = 0; i < means.length; i++) {
      const offset = this.offsets.first + i;
      const at = row + offset;
      if (at < 0 || at >= closes.length || count === 0) continue;
      // After an entry at the close everybody has a close.
      if (offset >= 0 && next === null) means[i] = sumOfProducts(closes[at], shares) / count - 1;
      else means[i] = meanGrowth(closes[at], shares, offset > 0 ? (next?.rows[row] ?? null) : null, at) - 1;
    }
    return means;
  }

  private ownMean(offset: number): Float64Array {
    const known = this.ownMeans.get(offset);
    if (known) return known;
    const { panel } = this;
    const sums = new Float64Array(panel.members);
    const counts = new Int32Array(panel.members);
    for (let row = panel.first; row < panel.days.length; row++) {
      for (let member = 0; member < panel.members; member++) {
        if (panel.hasBar[row][member] === 0) continue;
        const value = this.of(row, member, offset);
        if (Number.isNaN(value)) continue;
        sums[member] += value;
        counts[member]++;
      }
    }
    const means = sums.map((sum, member) => sum / counts[member]);
    this.ownMeans.set(offset, means);
    return means;
  }

  /** Passes on the excess of each hit that is compared with something. */
  eachExcess(offset: number, take: (row: number, excess: number) => void): void {
    for (const hit of this.found.hits) {
      const excess = this.of(hit.row, hit.member, offset) - this.othersOf(hit, offset);
      if (!Number.isNaN(excess)) take(hit.row, excess);
    }
  }

  outcomes(offset: number): Outcome[] {
    return this.found.hits.flatMap((hit) => {
      const value = this.of(hit.row, hit.member, offset);
      return Number.isNaN(value) ? [] : [{ hit, value, others: this.othersOf(hit, offset) }];
    });
  }
}

/** The mean of closes times `shares`, of those with a close that are entered, if that is asked, at row `at` at the latest; NaN for none. */
function meanGrowth(closes: Float64Array, shares: Float64Array, entered: Int32Array | null, at: number): number {
  let sum = 0;
  let count = 0;
  for (let member = 0; member < shares.length; member++) {
    if (shares[member] === 0 || closes[member] === 0 || (entered !== null && entered[member] > at)) continue;
    sum += closes[member] * shares[member];
    count++;
  }
  return sum / count;
}

/** Those that are compared with something. */
export const compared = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ others }) => !Number.isNaN(others));
export const excessIn = ({ value, others }: Outcome): number => value - others;
