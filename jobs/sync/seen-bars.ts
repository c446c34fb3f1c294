/** The bars that a unit has so far, by instrument. */
import type { TouchedYears } from '../../db/market/bar-load.ts';
import { civilDate, type Day } from '../../engine/market/dates.ts';

export class SeenBars {
  private readonly knownInstruments: ReadonlySet<number>;
  private readonly yearOf: Int16Array;
  private readonly years: readonly number[];
  /** Days with a bar, for each instrument: one bit per day. */
  private readonly seen = new Map<number, Uint8Array>();
  /** Years with a bar, for each instrument: one flag per year. */
  private readonly touched = new Map<number, Uint8Array>();
  /** Instruments without a bar in earlier units. */
  newInstruments = 0;

  constructor(start: Day, end: Day, knownInstruments: ReadonlySet<number>) {
    const firstYear = civilDate(start).year;
    this.knownInstruments = knownInstruments;
    this.yearOf = Int16Array.from({ length: end - start + 1 }, (_, i) => civilDate(start + i).year - firstYear);
    this.years = Array.from({ length: civilDate(end).year - firstYear + 1 }, (_, i) => firstYear + i);
  }

  get instrumentIds(): Iterable<number> {
    return this.seen.keys();
  }

  has(instrumentId: number, dayIndex: number): boolean {
    const bits = this.seen.get(instrumentId);
    return bits !== undefined && (bits[dayIndex >> 3] & (1 << (dayIndex & 7))) !== 0;
  }

  /** Adds a bar. False when it was there before. */
  add(instrumentId: number, dayIndex: number): boolean {
    let bits = this.seen.get(instrumentId);
    if (bits === undefined) {
      bits = new Uint8Array((this.yearOf.length + 7) >> 3);
      this.seen.set(instrumentId, bits);
      if (!this.knownInstruments.has(instrumentId)) this.newInstruments++;
      this.touched.set(instrumentId, new Uint8Array(this.years.length));
    }
    const bit = 1 << (dayIndex & 7);
    if (bits[dayIndex >> 3] & bit) return false;
    bits[dayIndex >> 3] |= bit;
    if (this.years.length > 1)
      this.touched.get(instrumentId)?.fill(1, this.yearOf[dayIndex], this.yearOf[dayIndex] + 1);
    return true;
  }

  touchedYears(): TouchedYears {
    const instrumentIds: number[] = [];
    const years: number[] = [];
    for (const [id, flags] of this.touched) {
      for (const [i, year] of this.years.entries()) {
        if (this.years.length > 1 && !flags[i]) continue;
        instrumentIds.push(id);
        years.push(year);
      }
    }
    return { instrumentIds, years };
  }
}
