/** Loads one unit of daily bars: resolves tickers, checks bars, and copies rows. Rejected rows are recorded, never served or repaired. */
import { BarLoad, type LoadChange, type LoadedDay, type TouchedYears } from '../../db/market/bar-load.ts';
import type { LoadOrigin } from '../../db/market/revisions.ts';
import type { Connection } from '../../db/pool.ts';
import { countRejected, type RejectedByReason, type RejectedRow, type SourceFile } from '../../db/queue/sync-units.ts';
import { type BarFault, figuresFault, isTradingDay, UNKNOWN_INSTRUMENT } from '../../engine/market/bar-faults.ts';
import { civilDate, type Day, formatDay } from '../../engine/market/dates.ts';
import { rebuildPrimarySession } from '../../engine/market/minute-bars.ts';
import { parseSymbol } from '../../engine/market/symbols.ts';
import { instrumentIn, type TickerBook, type TickerSpan } from '../../engine/market/ticker-book.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import type { BarBatch, LoadUnit, Provider } from '../providers/provider.ts';
import { describeMalformed, TooManyMalformed } from './too-many-malformed.ts';

/** A unit with more than this share of malformed rows is not loaded. */
const MAX_MALFORMED_SHARE = 0.01;
/** A session with that share is not loaded either, unless its malformed rows are fewer. */
const MIN_MALFORMED_OF_SESSION = 10;
/** Skipped sessions that the error of their unit lists. */
const MAX_NAMED = 5;
/** Rejected rows that are recorded with their content, per unit and reason; further ones are only counted. */
const MAX_RECORDED_REJECTIONS = 10_000;

export interface LoadCounts {
  readonly accepted: number;
  readonly rejected: RejectedByReason;
  /** Instruments without a bar in earlier units. */
  readonly newInstruments: number;
}

export interface UnitResult extends LoadCounts {
  readonly change: LoadChange;
  readonly rejections: readonly RejectedRow[];
  readonly instrumentIds: Iterable<number>;
  /** Sessions that are not loaded because of malformed rows, and the share of the others; null: there are none. */
  readonly skippedSessions: {
    readonly error: string;
    readonly loadedShare: number;
    readonly days: readonly Day[];
  } | null;
  /** The files that were read. */
  readonly sources: readonly SourceFile[];
}

export interface UnitLoaderOptions {
  readonly venueBasis: VenueBasis;
  readonly unit: LoadUnit;
  readonly tickers: TickerBook;
  /** Only these instruments; null: all. */
  readonly instrumentIds: readonly number[] | null;
  /** Instruments with bars in earlier units of the job. */
  readonly knownInstruments: ReadonlySet<number>;
  readonly origin: LoadOrigin;
}

export class UnitLoader {
  private readonly options: UnitLoaderOptions;
  private readonly barLoad: BarLoad;
  private readonly wanted: ReadonlySet<number> | null;
  private readonly rejections: RejectedRow[] = [];
  private readonly sources: SourceFile[] = [];
  private readonly acceptedPerDay: Int32Array;
  private readonly rejectedPerDay: Int32Array;
  private readonly malformedPerDay: Int32Array;
  private readonly yearOf: Int16Array;
  private readonly years: readonly number[];
  /** Days with a bar in this unit, for each instrument: one bit per day. */
  private readonly seen = new Map<number, Uint8Array>();
  /** Years with a bar in this unit, for each instrument: one flag per year. */
  private readonly touched = new Map<number, Uint8Array>();
  private readonly rejected: Record<string, number> = {};
  private newInstruments = 0;

  private constructor(options: UnitLoaderOptions, barLoad: BarLoad) {
    const { start, end } = options.unit;
    const days = end - start + 1;
    this.options = options;
    this.barLoad = barLoad;
    this.wanted = options.instrumentIds && new Set(options.instrumentIds);
    this.acceptedPerDay = new Int32Array(days);
    this.rejectedPerDay = new Int32Array(days);
    this.malformedPerDay = new Int32Array(days);
    const firstYear = civilDate(start).year;
    this.yearOf = Int16Array.from({ length: days }, (_, i) => civilDate(start + i).year - firstYear);
    this.years = Array.from({ length: civilDate(end).year - firstYear + 1 }, (_, i) => firstYear + i);
  }

  static async begin(connection: Connection, options: UnitLoaderOptions): Promise<UnitLoader> {
    return new UnitLoader(options, await BarLoad.begin(connection, { ...options, ...options.unit }));
  }

  private get counts(): LoadCounts {
    return { accepted: this.barLoad.copy.rows, rejected: this.rejected, newInstruments: this.newInstruments };
  }

  /** Reads everything that the provider has for the unit; `report` receives the share that has been read. */
  async load(
    provider: Provider,
    signal: AbortSignal,
    report: (share: number, counts: LoadCounts) => Promise<void>,
  ): Promise<void> {
    const { venueBasis, unit } = this.options;
    try {
      for await (const batch of provider.dailyBars(venueBasis, unit, signal, (file) => this.sources.push(file))) {
        await this.addBatch(batch);
        await report(batch.progress, this.counts);
        signal.throwIfAborted();
      }
      if (venueBasis === 'primary_session') await this.rebuildFromMinutes(provider, signal);
    } catch (error) {
      // Otherwise the connection would wait for the rest of the COPY and never accept the rollback.
      this.barLoad.copy.abort();
      throw error;
    }
  }

  private async addBatch(batch: BarBatch): Promise<void> {
    const { day, ticker, open, high, low, close, volume, count } = batch;
    const [{ start }, { copy }] = [this.options.unit, this.barLoad];
    for (const row of batch.unreadable) this.rejectRow(row.reason, row.source, row.content, -1);
    let spans: readonly TickerSpan[] = [];
    let lastTicker: string | undefined;
    for (let i = 0; i < count; i++) {
      const d = day[i];
      if (ticker[i] !== lastTicker) {
        lastTicker = ticker[i];
        spans = this.spansOf(lastTicker);
      }
      const instrumentId = d < 0 ? null : instrumentIn(spans, d);
      if (this.isOutsideLoad(d, instrumentId)) continue;
      const fault = dayFault(d) ?? figuresFault(open[i], high[i], low[i], close[i], volume[i]);
      const problem = fault ?? (instrumentId === null ? null : this.markSeen(instrumentId, d - start));
      if (problem !== null || instrumentId === null) {
        const { source, content } = batch.describe(i);
        this.rejectRow(problem ?? UNKNOWN_INSTRUMENT, source, content, d - start);
      } else if (copy.add(instrumentId, d, open[i], high[i], low[i], close[i], volume[i])) {
        await copy.flush();
      }
    }
  }

  /** Whether a row, valid or not, is outside the specification of this load. */
  private isOutsideLoad(day: Day, instrumentId: number | null): boolean {
    const { start, end, isClipped } = this.options.unit;
    if (this.wanted && (instrumentId === null || !this.wanted.has(instrumentId))) return true;
    const isOutside = day < start || day > end;
    return isOutside && day >= 0 && (isClipped || isTradingDay(day));
  }

  /** Also accepts tickers in lower case or with their market. */
  private spansOf(ticker: string): readonly TickerSpan[] {
    const spans = this.options.tickers.spans(ticker);
    if (spans.length > 0) return spans;
    const parsed = parseSymbol(ticker);
    return parsed.ok ? this.options.tickers.spans(parsed.ticker) : [];
  }

  /** Marks the day's bar of the instrument as seen; returns `duplicate` when it was seen before. */
  private markSeen(instrumentId: number, dayIndex: number): BarFault | null {
    let bits = this.seen.get(instrumentId);
    if (bits === undefined) {
      bits = new Uint8Array((this.acceptedPerDay.length + 7) >> 3);
      this.seen.set(instrumentId, bits);
      if (!this.options.knownInstruments.has(instrumentId)) this.newInstruments++;
      this.touched.set(instrumentId, new Uint8Array(this.years.length));
    }
    const bit = 1 << (dayIndex & 7);
    if (bits[dayIndex >> 3] & bit) return 'duplicate';
    bits[dayIndex >> 3] |= bit;
    this.acceptedPerDay[dayIndex]++;
    if (this.years.length > 1)
      this.touched.get(instrumentId)?.fill(1, this.yearOf[dayIndex], this.yearOf[dayIndex] + 1);
    return null;
  }

  private rejectRow(reason: string, source: string, content: string, dayIndex: number): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
    if (dayIndex >= 0 && dayIndex < this.rejectedPerDay.length) {
      this.rejectedPerDay[dayIndex]++;
      if (reason !== UNKNOWN_INSTRUMENT) this.malformedPerDay[dayIndex]++;
    }
    if (this.rejected[reason] > MAX_RECORDED_REJECTIONS) return;
    this.rejections.push({ venueBasis: VENUE_BASIS_CODE[this.options.venueBasis], reason, source, content });
  }

  /** Rebuilds bars that the daily files of the unit lack, from minute bars. */
  private async rebuildFromMinutes(provider: Provider, signal: AbortSignal): Promise<void> {
    const { start, end } = this.options.unit;
    for (const day of await provider.minuteDays(start, end)) {
      const closes = await provider.officialCloses(day);
      for (const ticker of await provider.minuteTickers(day)) {
        signal.throwIfAborted();
        await this.rebuildOne(provider, day, ticker, closes.get(ticker));
      }
    }
  }

  private async rebuildOne(provider: Provider, day: Day, ticker: string, officialClose?: number): Promise<void> {
    const dayIndex = day - this.options.unit.start;
    const instrumentId = instrumentIn(this.spansOf(ticker), day);
    if (this.isOutsideLoad(day, instrumentId) || (instrumentId !== null && this.hasBar(instrumentId, dayIndex))) return;
    const bar = rebuildPrimarySession((await provider.minuteBars(day, ticker)) ?? [], day, officialClose);
    if (!bar) return;
    const { open, high, low, close, volume } = bar;
    const fault = dayFault(day) ?? figuresFault(open, high, low, close, volume);
    const problem = fault ?? (instrumentId === null ? null : this.markSeen(instrumentId, dayIndex));
    if (problem !== null || instrumentId === null) {
      const date = formatDay(day);
      this.rejectRow(problem ?? UNKNOWN_INSTRUMENT, `minute bars of ${date}`, `${ticker},${date}`, dayIndex);
    } else if (this.barLoad.copy.add(instrumentId, day, open, high, low, close, volume)) {
      await this.barLoad.copy.flush();
    }
  }

  private hasBar(instrumentId: number, dayIndex: number): boolean {
    const bits = this.seen.get(instrumentId);
    return bits !== undefined && (bits[dayIndex >> 3] & (1 << (dayIndex & 7))) !== 0;
  }

  /** Replaces the bars of the unit's days, or throws `TooManyMalformed`. */
  async finish(): Promise<UnitResult> {
    const rejected = countRejected(this.rejected);
    const total = this.barLoad.copy.rows + rejected;
    const malformed = rejected - (this.rejected[UNKNOWN_INSTRUMENT] ?? 0);
    if (malformed > total * MAX_MALFORMED_SHARE) {
      this.barLoad.copy.abort();
      throw new TooManyMalformed(malformed, total, this.rejected, this.rejections);
    }
    const sessions = this.loadedDays();
    const bad = sessions.filter(({ day }) => this.isMalformed(day));
    const good = sessions.filter(({ day }) => !this.isMalformed(day));
    const skippedDays = bad.map(({ day }) => day);
    const change = await this.barLoad.finish(good, () => this.touchedYears(), skippedDays);
    return {
      ...this.counts,
      accepted: good.reduce((sum, { rows }) => sum + rows, 0),
      change,
      rejections: this.rejections,
      sources: this.sources,
      instrumentIds: this.seen.keys(),
      skippedSessions:
        bad.length === 0
          ? null
          : { error: this.describeSkipped(bad), loadedShare: good.length / sessions.length, days: skippedDays },
    };
  }

  private isMalformed(day: Day): boolean {
    const at = day - this.options.unit.start;
    const total = this.acceptedPerDay[at] + this.rejectedPerDay[at];
    const malformed = this.malformedPerDay[at];
    return malformed >= MIN_MALFORMED_OF_SESSION && malformed > total * MAX_MALFORMED_SHARE;
  }

  private describeSkipped(bad: readonly LoadedDay[]): string {
    const named = bad.slice(0, MAX_NAMED).map(({ day, rows, rejected }) => {
      const malformed = this.malformedPerDay[day - this.options.unit.start];
      return `${formatDay(day)} (${describeMalformed(malformed, rows + rejected)})`;
    });
    const more = bad.length > MAX_NAMED ? ` and ${bad.length - MAX_NAMED} more` : '';
    return `loaded without the sessions ${named.join(', ')}${more}`;
  }

  private loadedDays(): LoadedDay[] {
    const { start, end } = this.options.unit;
    const days: LoadedDay[] = [];
    for (let day = start; day <= end; day++) {
      if (!isTradingDay(day)) continue;
      days.push({ day, rows: this.acceptedPerDay[day - start], rejected: this.rejectedPerDay[day - start] });
    }
    return days;
  }

  private touchedYears(): TouchedYears {
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

function dayFault(day: Day): BarFault | null {
  if (day < 0) return 'bad_date';
  return isTradingDay(day) ? null : 'not_a_session';
}
