/** Lines of files that name a bar again: equal ones are repeated, others conflict, and then no line of the bar counts. */

import { type BarKey, copyRepeatedBars, deleteCopiedBars, selectConflictingBars } from '../../db/market/bar-copy.ts';
import type { BarLoad, TouchedYears } from '../../db/market/bar-load.ts';
import type { Connection } from '../../db/pool.ts';
import { civilDate, type Day } from '../../engine/market/dates.ts';
import type { FileAccount } from '../providers/file-account.ts';
import type { BarBatch } from '../providers/provider.ts';

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

/** Rows that are kept in memory before they go to the database. */
const ROWS_IN_MEMORY = 100_000;

/** A line of a bar of which the lines differ. */
interface ConflictingLine {
  readonly account: FileAccount;
  /** Path and line. */
  readonly source: string;
  readonly content: string;
  readonly figures: string;
}

const keyOf = (instrumentId: number, day: Day) => `${instrumentId} ${day}`;

export class RepeatedBars {
  private readonly connection: Connection;
  private readonly barLoad: BarLoad;
  private readonly venueBasisCode: number;
  private readonly rows: number[] = [];
  count = 0;

  constructor(connection: Connection, barLoad: BarLoad, venueBasisCode: number) {
    this.connection = connection;
    this.barLoad = barLoad;
    this.venueBasisCode = venueBasisCode;
  }

  /** Notes a row whose bar another line had before. */
  async add(
    instrumentId: number,
    { day, open, high, low, close, volume, account }: BarBatch,
    i: number,
  ): Promise<void> {
    this.rows.push(instrumentId, day[i], open[i], high[i], low[i], close[i], volume[i]);
    this.count++;
    if (account) {
      account.loaded--;
      account.repeated++;
    }
    if (this.rows.length >= ROWS_IN_MEMORY * 7) await this.spill();
  }

  private async spill(): Promise<void> {
    await this.barLoad.pause(async () => {
      const copy = await copyRepeatedBars(this.connection, this.venueBasisCode);
      for (let at = 0; at < this.rows.length; at += 7) {
        const [id, day, open, high, low, close, volume] = this.rows.slice(at, at + 7);
        if (copy.add(id, day, open, high, low, close, volume)) await copy.flush();
      }
      await copy.finish();
    });
    this.rows.length = 0;
  }

  /** The bars of which lines differ; they are removed from what was copied. */
  async takeConflicts(): Promise<ReadonlySet<string>> {
    if (this.count === 0) return new Set();
    if (this.rows.length > 0) await this.spill();
    const keys = await this.barLoad.pause(() => selectConflictingBars(this.connection, this.barLoad.table));
    return new Set(keys.map(({ instrumentId, day }) => keyOf(instrumentId, day)));
  }

  async remove(keys: readonly BarKey[]): Promise<void> {
    if (keys.length === 0) return;
    await this.barLoad.pause(() => deleteCopiedBars(this.connection, this.barLoad.table, this.venueBasisCode, keys));
  }
}

/** Collects the lines of conflicting bars when the files are read again. */
export class ConflictLines {
  private readonly keys: ReadonlySet<string>;
  private readonly lines = new Map<string, { key: BarKey; lines: ConflictingLine[] }>();

  constructor(keys: ReadonlySet<string>) {
    this.keys = keys;
  }

  add(
    batch: BarBatch,
    accountOf: (path: string) => FileAccount | undefined,
    instrumentOf: (i: number) => number | null,
  ): void {
    for (let i = 0; i < batch.count; i++) {
      const instrumentId = instrumentOf(i);
      if (instrumentId === null || !this.keys.has(keyOf(instrumentId, batch.day[i]))) continue;
      const { source, content } = batch.describe(i);
      const account = accountOf(source.slice(0, source.lastIndexOf(':')));
      if (!account) continue;
      const { open, high, low, close, volume } = batch;
      const figures = [open[i], high[i], low[i], close[i], volume[i]].join(' ');
      const name = keyOf(instrumentId, batch.day[i]);
      const key = { instrumentId, day: batch.day[i] };
      const known: { key: BarKey; lines: ConflictingLine[] } = this.lines.get(name) ?? { key, lines: [] };
      this.lines.set(name, known);
      known.lines.push({ account, source, content, figures });
    }
  }

  /**
   * Tells each line what became of it, and returns the bars that do not count. The first line was counted as loaded, the others as
   * repeated. `takesFirstFile`: the lines of the file that was read first count, if they agree.
   */
  settle(takesFirstFile: boolean, reject: (line: ConflictingLine, others: string) => void): BarKey[] {
    const removed: BarKey[] = [];
    for (const { key, lines } of this.lines.values()) {
      const first = lines.filter(({ account }) => account === lines[0].account);
      const isReplaced = takesFirstFile && new Set(first.map(({ figures }) => figures)).size === 1;
      if (!isReplaced) removed.push(key);
      for (const [i, line] of lines.entries()) {
        if (isReplaced && (i === 0 || line.figures === lines[0].figures)) continue;
        if (i === 0) line.account.loaded--;
        else line.account.repeated--;
        if (isReplaced) line.account.leaveOut('replaced_by_newer_file');
        else
          reject(
            line,
            lines
              .filter((other) => other !== line)
              .map(({ source }) => source)
              .slice(0, 3)
              .join(', '),
          );
      }
    }
    return removed;
  }
}
