/** Returns around hits, and those that they are compared with. */
import type { FoundHits, Hit } from './hits.ts';
import type { OutcomePanel } from './panel.ts';

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
  private readonly isHit = new Map<number, Uint8Array>();
  /** By offset and member, for comparisons with itself. */
  private readonly ownMeans = new Map<number, Float64Array>();

  constructor(panel: OutcomePanel, found: FoundHits, compare: Compare) {
    this.panel = panel;
    this.found = found;
    this.compare = compare;
    for (const { row, member } of found.hits) {
      const mask = this.isHit.get(row) ?? new Uint8Array(panel.members);
      mask[member] = 1;
      this.isHit.set(row, mask);
    }
  }

  /** NaN: the instrument has no close there yet, or is entered later. */
  of(row: number, member: number, offset: number): number {
    const { closes, next } = this.panel;
    const at = row + offset;
    if (at < 0 || at >= closes.length) return Number.NaN;
    if (next === null) return closes[at][member] / closes[row][member] - 1;
    const entered = next.rows[row][member];
    if (entered < 0 || (offset > 0 && entered > at)) return Number.NaN;
    return closes[at][member] / next.opens[row][member] - 1;
  }

  /** The mean that a hit is compared with at an offset; NaN: there is none. */
  othersOf(row: number, member: number, offset: number, sameDay: Map<number, number>): number {
    if (this.compare === 'own') return this.ownMean(offset)[member];
    let mean = sameDay.get(row);
    if (mean === undefined) {
      mean = this.sameDayMean(row, offset);
      sameDay.set(row, mean);
    }
    return mean;
  }

  private sameDayMean(row: number, offset: number): number {
    const isMember = this.found.isMember[row];
    const isHit = this.isHit.get(row);
    let sum = 0;
    let count = 0;
    for (let member = 0; member < isMember.length; member++) {
      if (isMember[member] === 0 || isHit?.[member] === 1) continue;
      const value = this.of(row, member, offset);
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return count === 0 ? Number.NaN : sum / count;
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

  outcomes(offset: number): Outcome[] {
    const sameDay = new Map<number, number>();
    return this.found.hits.flatMap((hit) => {
      const value = this.of(hit.row, hit.member, offset);
      if (Number.isNaN(value)) return [];
      const others = this.compare === 'none' ? Number.NaN : this.othersOf(hit.row, hit.member, offset, sameDay);
      return [{ hit, value, others }];
    });
  }
}

/** Those that are compared with something. */
export const compared = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.filter(({ others }) => !Number.isNaN(others));
export const excessIn = ({ value, others }: Outcome): number => value - others;
