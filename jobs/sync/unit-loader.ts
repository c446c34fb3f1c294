/** Loads one unit of daily bars: resolves tickers, checks bars, and copies rows. Rejected rows are recorded, never served or repaired. */
import { BarLoad, type LoadChange, type LoadedDay } from '../../db/market/bar-load.ts';
import type { LoadOrigin } from '../../db/market/revisions.ts';
import type { Connection } from '../../db/pool.ts';
import { countRejected, type RejectedByReason, type RejectedRow, type SourceFile } from '../../db/queue/sync-units.ts';
import { type Day, formatDay } from '../../engine/market/dates.ts';
import { type BarFault, dayFault, figuresFault, isTradingDay, UNKNOWN_INSTRUMENT } from '../../engine/market/faults.ts';
import { rebuildPrimarySession } from '../../engine/market/minute-bars.ts';
import { parseSymbol } from '../../engine/market/symbols.ts';
import { instrumentIn, type TickerBook, type TickerSpan } from '../../engine/market/ticker-book.ts';
import { VENUE_BASIS_CODE, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { AccountBook } from '../providers/file-account.ts';
import {
  type BarBatch,
  isMinuteSource,
  type LoadUnit,
  type MinuteSource,
  NO_DAY,
  type Provider,
} from '../providers/provider.ts';
import { RefusedFiles } from './file-accounts.ts';
import { ConflictLines, RepeatedBars, SeenBars } from './repeated-bars.ts';
import { isSessionMalformed, nameSessions, SessionCounts, TooManyMalformed } from './session-counts.ts';

/** A unit with more than this share of malformed rows is not loaded. */
const MAX_MALFORMED_SHARE = 0.01;
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
  /** Sessions with so many malformed lines that they are held, as text; null: none. */
  readonly held: string | null;
  readonly book: AccountBook;
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
  /** Whether every line of the provider's files is accounted for: then good bars of a malformed session are served. */
  readonly keepsAccounts: boolean;
  /** Whether stored bars that no file has any more are removed. */
  readonly forgets: boolean;
  /** Files of the unit that were refused before. */
  readonly refusedFiles: number;
  /** Whether lines of the file that is read first count, where several lines have a bar. */
  readonly takesFirstFile: boolean;
}

export class UnitLoader {
  private readonly options: UnitLoaderOptions;
  private readonly barLoad: BarLoad;
  private readonly repeated: RepeatedBars;
  private readonly book = new AccountBook();
  private readonly wanted: ReadonlySet<number> | null;
  private readonly rejections: RejectedRow[] = [];
  private readonly sources: SourceFile[] = [];
  private readonly counted: SessionCounts;
  private readonly seen: SeenBars;
  private readonly rejected: Record<string, number> = {};

  private constructor(connection: Connection, options: UnitLoaderOptions, barLoad: BarLoad) {
    const { start, end } = options.unit;
    this.options = options;
    this.barLoad = barLoad;
    this.repeated = new RepeatedBars(connection, barLoad, VENUE_BASIS_CODE[options.venueBasis]);
    this.wanted = options.instrumentIds && new Set(options.instrumentIds);
    this.counted = new SessionCounts(start, end);
    this.seen = new SeenBars(start, end, options.knownInstruments);
  }

  static async begin(connection: Connection, options: UnitLoaderOptions): Promise<UnitLoader> {
    const range = { ...options, ...options.unit, keepsGone: options.keepsAccounts && !options.forgets };
    return new UnitLoader(connection, options, await BarLoad.begin(connection, range));
  }

  private get counts(): LoadCounts {
    return { accepted: this.barLoad.rows, rejected: this.rejected, newInstruments: this.seen.newInstruments };
  }

  /** Reads everything that the provider has for the unit; `report` receives the share that has been read. */
  async load(
    provider: Provider,
    signal: AbortSignal,
    report: (share: number, counts: LoadCounts) => Promise<void>,
  ): Promise<void> {
    const { venueBasis, unit } = this.options;
    try {
      const onSource = (file: SourceFile) => this.sources.push(file);
      for await (const batch of provider.dailyBars(venueBasis, unit, signal, onSource, this.book)) {
        await this.addBatch(batch);
        await report(batch.progress, this.counts);
        signal.throwIfAborted();
      }
      if (venueBasis === 'primary_session' && isMinuteSource(provider)) await this.rebuildFromMinutes(provider, signal);
      RefusedFiles.check(this.book, this.options.keepsAccounts);
      await this.settleConflicts(provider, signal);
    } catch (error) {
      // Otherwise the connection would wait for the rest of the COPY and never accept the rollback.
      this.barLoad.copy.abort();
      throw error;
    }
  }

  private async addBatch(batch: BarBatch): Promise<void> {
    const { day, ticker, count } = batch;
    for (const row of batch.unreadable) this.rejectRow(row.reason, row.source, row.content, -1);
    let spans: readonly TickerSpan[] = [];
    let lastTicker: string | undefined;
    for (let i = 0; i < count; i++) {
      if (ticker[i] !== lastTicker) {
        lastTicker = ticker[i];
        spans = this.spansOf(lastTicker);
      }
      const instrumentId = day[i] === NO_DAY ? null : instrumentIn(spans, day[i]);
      if (!this.isOutsideLoad(day[i], instrumentId)) {
        const flushed = this.addRow(batch, i, instrumentId);
        if (flushed) await flushed;
      } else if (batch.account) {
        batch.account.loaded--;
        batch.account.leaveOut('not_requested');
      }
    }
  }

  private addRow(batch: BarBatch, i: number, instrumentId: number | null): Promise<void> | undefined {
    const { day, open, high, low, close, volume } = batch;
    const [d, dayIndex, { copy }] = [day[i], day[i] - this.options.unit.start, this.barLoad];
    const fault = dayFault(d === NO_DAY ? null : d) ?? figuresFault(open[i], high[i], low[i], close[i], volume[i]);
    const problem = fault ?? (instrumentId === null ? UNKNOWN_INSTRUMENT : this.markSeen(instrumentId, dayIndex));
    if (instrumentId !== null && problem === null) {
      return copy.add(instrumentId, d, open[i], high[i], low[i], close[i], volume[i]) ? copy.flush() : undefined;
    }
    if (problem === 'duplicate' && batch.account && instrumentId !== null) {
      return this.repeated.add(instrumentId, batch, i);
    }
    const { source, content } = batch.describe(i);
    this.rejectRow(problem ?? UNKNOWN_INSTRUMENT, source, content, dayIndex);
    this.book.reject(source, content, problem ?? UNKNOWN_INSTRUMENT);
    return undefined;
  }

  /** Whether a row, valid or not, is outside the specification of this load. */
  private isOutsideLoad(day: Day, instrumentId: number | null): boolean {
    const { start, end, isClipped } = this.options.unit;
    if (this.wanted && (instrumentId === null || !this.wanted.has(instrumentId))) return true;
    const isOutside = day < start || day > end;
    return isOutside && day !== NO_DAY && (isClipped || isTradingDay(day));
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
    if (!this.seen.add(instrumentId, dayIndex)) return 'duplicate';
    this.counted.accept(dayIndex);
    return null;
  }

  private rejectRow(reason: string, source: string, content: string, dayIndex: number): void {
    this.counted.reject(dayIndex, reason !== UNKNOWN_INSTRUMENT);
    this.countRejected(reason, source, content);
  }

  private countRejected(reason: string, source: string, content: string): void {
    this.rejected[reason] = (this.rejected[reason] ?? 0) + 1;
    if (this.rejected[reason] > MAX_RECORDED_REJECTIONS) return;
    this.rejections.push({ venueBasis: VENUE_BASIS_CODE[this.options.venueBasis], reason, source, content });
  }

  /** Rebuilds bars that the daily files of the unit lack, from minute bars. */
  private async rebuildFromMinutes(provider: MinuteSource, signal: AbortSignal): Promise<void> {
    const { start, end } = this.options.unit;
    for (const day of await provider.minuteDays(start, end)) {
      const closes = await provider.officialCloses(day, this.book);
      for (const ticker of await provider.minuteTickers(day)) {
        signal.throwIfAborted();
        await this.rebuildOne(provider, day, ticker, closes.get(ticker));
      }
    }
  }

  private async rebuildOne(provider: MinuteSource, day: Day, ticker: string, officialClose?: number): Promise<void> {
    const dayIndex = day - this.options.unit.start;
    const instrumentId = instrumentIn(this.spansOf(ticker), day);
    if (this.isOutsideLoad(day, instrumentId) || (instrumentId !== null && this.seen.has(instrumentId, dayIndex)))
      return;
    const bar = rebuildPrimarySession((await provider.minuteBars(day, ticker, this.book)) ?? [], day, officialClose);
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

  /** Reads the files again for the lines of bars of which several lines differ: they are rejected, and their bars are removed. */
  private async settleConflicts(provider: Provider, signal: AbortSignal): Promise<void> {
    const keys = await this.repeated.takeConflicts();
    if (keys.size === 0) return;
    const { venueBasis, unit, takesFirstFile } = this.options;
    const lines = new ConflictLines(keys);
    for await (const batch of provider.dailyBars(venueBasis, unit, signal)) {
      const instrumentOf = (i: number) => instrumentIn(this.spansOf(batch.ticker[i]), batch.day[i]);
      lines.add(batch, (path) => this.book.get(path), instrumentOf);
      signal.throwIfAborted();
    }
    const removed = lines.settle(takesFirstFile, ({ account, source, content }, others) => {
      account.reject(Number(source.slice(source.lastIndexOf(':') + 1)), content, 'conflict');
      account.tell(`conflict: ${source} differs from ${others}`);
      this.countRejected('conflict', source, content);
    });
    for (const { day } of removed) this.counted.withdraw(day);
    await this.repeated.remove(removed);
  }

  /** Replaces the bars of the unit's days, or throws `TooManyMalformed`. */
  async finish(): Promise<UnitResult> {
    const rejected = countRejected(this.rejected);
    const total = this.barLoad.rows + rejected;
    const malformed = rejected - (this.rejected[UNKNOWN_INSTRUMENT] ?? 0);
    const { keepsAccounts } = this.options;
    if (!keepsAccounts && malformed > total * MAX_MALFORMED_SHARE) {
      this.barLoad.copy.abort();
      throw new TooManyMalformed(malformed, total, this.rejected, this.rejections, this.book.all());
    }
    const sessions = this.counted.sessions();
    const malformedSessions = sessions.filter(isSessionMalformed);
    const bad = keepsAccounts ? [] : malformedSessions;
    const held = keepsAccounts ? malformedSessions : [];
    const good = sessions.filter((one) => (keepsAccounts ? this.isRead(one) : !bad.includes(one)));
    const skippedDays = bad.map(({ day }) => day);
    const change = await this.barLoad.finish(good, () => this.seen.touchedYears(), skippedDays);
    return {
      ...this.counts,
      accepted: good.reduce((sum, { rows }) => sum + rows, 0),
      change,
      rejections: this.rejections,
      sources: this.sources,
      book: this.book,
      held: held.length > 0 ? `held: ${nameSessions(held)}` : null,
      instrumentIds: this.seen.instrumentIds,
      skippedSessions:
        bad.length === 0
          ? null
          : {
              error: `loaded without the sessions ${nameSessions(bad)}`,
              loadedShare: good.length / sessions.length,
              days: skippedDays,
            },
    };
  }

  /** Whether a session is known to be as it was read: without a bar it is not if a file could not be loaded. */
  private isRead({ rows }: LoadedDay): boolean {
    return rows > 0 || this.options.refusedFiles === 0;
  }
}
