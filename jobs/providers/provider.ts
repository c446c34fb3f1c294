/**
 * The source of market data: one interface for the synthetic sample market, a folder of files, and vendors' APIs. A
 * provider lists and streams what it has published; it does not write, validate, or resolve anything.
 */
import type { MarketSource } from '../../db/market/market-source.ts';
import type { SourceFile } from '../../db/queue/sync-units.ts';
import type { AdjustmentKind } from '../../engine/market/adjust.ts';
import { type Day, FAR_PAST } from '../../engine/market/dates.ts';
import type { MinuteBar } from '../../engine/market/minute-bars.ts';
import type { TickerHistory } from '../../engine/market/ticker-book.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import type { AccountBook, FileAccount, FileIdentity } from './file-account.ts';

export interface ProvidedInstrument extends TickerHistory {
  /** Identifies the instrument to the provider, even after renames. */
  readonly key: string;
  readonly name: string;
  readonly assetType: string;
  readonly primaryVenue: string;
  readonly currency: string;
  readonly isPopular: boolean;
  readonly lotSize: number;
  /** Return of holders at the delisting, in percent of the last close; absent: not known. */
  readonly delistingReturnPct?: number | null;
  /** The form of its prices; absent: as traded. No event is applied to others. */
  readonly prices?: 'as_traded' | 'split_adjusted' | 'total_adjusted' | 'unknown';
  /** Origin of the row, for messages: file and line. */
  readonly source: string;
  /** The line as it stands in its file; absent: the provider has no files of its own. */
  readonly content?: string;
}

export interface ProvidedAdjustment {
  readonly ticker: string;
  readonly exDay: Day;
  readonly kind: AdjustmentKind;
  /** NaN where only the amount is given. */
  readonly factor: number;
  /** Per share. */
  readonly amount?: number;
  /** Whether the amount is on the share count of the newest day; absent: on that of its own. */
  readonly isAmountAdjusted?: boolean;
  readonly source: string;
  /** The line as it stands in its file; absent: the provider has no files of its own. */
  readonly content?: string;
}

/** A row that could not be parsed. */
export interface UnreadableRow {
  readonly source: string;
  readonly content: string;
  readonly reason: string;
}

/** The day of a row whose date cannot be read. */
export const NO_DAY: Day = FAR_PAST;

/** Daily bars as the provider has them, in columns; an invalid figure is NaN, an invalid day `NO_DAY`. */
export interface BarBatch {
  readonly count: number;
  readonly ticker: readonly string[];
  readonly day: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Origin and content of row `i`. */
  readonly describe: (i: number) => { source: string; content: string };
  /** Rows of this batch that could not be parsed. */
  readonly unreadable: readonly UnreadableRow[];
  /** Share of the unit that has been read, from 0 to 1. */
  readonly progress: number;
  /** The file of the rows, of whose lines every one is accounted for; absent: the provider has no files of its own. */
  readonly account?: FileAccount;
}

export interface SessionRange {
  readonly first: Day;
  readonly newest: Day;
}

/** A part of a load that commits at once: the days from `start` to `end`, with all their rows in `parts`. */
export interface LoadUnit {
  /** Identifies the unit within its job; the same in every attempt. */
  readonly key: string;
  readonly start: Day;
  readonly end: Day;
  /** Whether the load covers fewer days than the parts have. */
  readonly isClipped: boolean;
  /** Relative size of the unit, in bytes or days; above 0. */
  readonly weight: number;
  /** The data to read; only the provider interprets it. */
  readonly parts: readonly string[];
}

/** The amount of data that a load reads from a vendor. */
export interface ReadEstimate {
  readonly requests: number;
  /** Null: the vendor serves no files. */
  readonly files: number | null;
  readonly bytes: number;
}

/** The state of files as loads have read them last, by path. */
export type ReadFiles = ReadonlyMap<string, { readonly bytes: number; readonly modifiedMs: number }>;

/** The days of a unit, and whether one of its files is new or has changed. */
export interface ChangedUnit {
  readonly start: Day;
  readonly end: Day;
  readonly isChanged: boolean;
  /** Seconds since the newest of its files was written; Infinity: it has none. */
  readonly writtenAgoS: number;
}

/** Changes of a folder since it was read. */
export interface FolderState {
  /** Digests of the files that instruments (with columns) and events come from. */
  readonly symbols: string;
  readonly adjustments: string;
  /** Oldest first. */
  readonly units: ReadonlyMap<VenueBasis, readonly ChangedUnit[]>;
}

/** A file whose values everyone reads as a column. */
export interface ColumnFile {
  readonly name: string;
  /** Paths on disk: of the file, and of its settings (null: it has none). */
  readonly disk: string;
  readonly settings: string | null;
  readonly identity: FileIdentity;
  /** Why it is not loaded; null: it is. */
  readonly reason: string | null;
}

/** Minute bars of the primary venue. */
export interface MinuteSource {
  /** Days from `start` to `end` with minute bars from which loads rebuild sessions. */
  minuteDays(start: Day, end: Day): Promise<Day[]>;
  /** Tickers with minute bars on a day. */
  minuteTickers(day: Day): Promise<string[]>;
  /** Oldest first, extended hours included; null when there are none. */
  minuteBars(day: Day, ticker: string, book?: AccountBook): Promise<MinuteBar[] | null>;
  officialCloses(day: Day, book?: AccountBook): Promise<ReadonlyMap<string, number>>;
}

/** Whether loads rebuild sessions from its minutes. */
export function isMinuteSource(provider: Provider): provider is Provider & MinuteSource {
  return provider.minuteDays !== undefined;
}

/** A provider without minutes lacks the methods of `MinuteSource`; one that has them for single instruments has `minuteBars` alone. */
export interface Provider extends Partial<MinuteSource> {
  /** Its key in `PROVIDERS`. */
  readonly id: string;
  readonly isSynthetic: boolean;
  /** The source that the database records for a market loaded from this provider. */
  readonly source: MarketSource;

  /** Passes rows that cannot be parsed to `reject`. */
  instruments(
    reject: (row: UnreadableRow) => void,
    book?: AccountBook,
    onProgress?: (share: number) => Promise<void>,
  ): AsyncIterable<ProvidedInstrument>;
  adjustments(reject: (row: UnreadableRow) => void, book?: AccountBook): AsyncIterable<ProvidedAdjustment>;
  /** Whether every line of its files is accounted for in the book that a call is given. */
  readonly keepsAccounts?: boolean;
  /** Whether of several lines of a bar those of the newest file count, which is read first. */
  readonly takesNewestFile?: boolean;
  /** The files that no load reads, with the reasons. */
  unreadFiles?(): Promise<FileAccount[]>;
  /** The files of columns; absent: the provider has none. */
  columnFiles?(): Promise<ColumnFile[]>;
  /** The first session with consolidated bars; null or absent: the default. */
  consolidatedFrom?(): Promise<Day | null>;
  /** Finds what has changed since files were read; absent: the provider has no files of its own. */
  folderState?(read: ReadFiles): Promise<FolderState>;
  /** The files of the folder, those that no load reads included. */
  filePaths?(): Promise<string[]>;
  /** The files that may have lines of some tickers (null: of any). Throws while a file is still being written. */
  filesWith?(tickers: readonly string[] | null): Promise<ReadonlySet<string>>;

  /** The sessions published on a venue basis; null when the provider does not have it. */
  publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null>;
  /** Splits a load of the days from `start` to `end` into units, oldest first. */
  planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]>;
  /** Passes each file that has been read completely to `onSource`. */
  dailyBars(
    venueBasis: VenueBasis,
    unit: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
    book?: AccountBook,
  ): AsyncIterable<BarBatch>;

  /**
   * The sessions, oldest first, that were published again since they were read from these sources; absent: the provider has no
   * versions.
   */
  republishedSessions?(venueBasis: VenueBasis, read: ReadonlyMap<Day, readonly SourceFile[]>): Promise<readonly Day[]>;
  /** The amount of data that some units read from a vendor; absent: none. */
  estimateRead?(units: readonly LoadUnit[], venueBasis: VenueBasis): Promise<ReadEstimate>;
  /** The vendor's calls from which each list is read, for the dry run; absent: none. */
  readonly lists?: Readonly<Record<'symbols' | 'adjustments', readonly string[]>>;
  /** Throws if loads will fail although `publishedSessions` works: for example because the key of another service is refused. */
  check?(): Promise<void>;
  /** The price of a load in US dollars; absent: loads are free. */
  estimateCost?(venueBasis: VenueBasis, start: Day, end: Day): Promise<number>;
}

/** The provider refused or failed; operators read `message`. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Whether a retry may succeed without any change. */
  readonly isTransient: boolean;
  /** Whether only the part that was read is bad (a broken file), so that the rest can be loaded. */
  readonly isLocal: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { readonly isTransient?: boolean; readonly isLocal?: boolean } = {},
  ) {
    super(message, options);
    this.isTransient = options.isTransient ?? false;
    this.isLocal = options.isLocal ?? false;
  }
}

/** Names of listing venues by their operating MIC. */
const VENUES: Readonly<Record<string, string>> = {
  XNAS: 'NASDAQ',
  XNYS: 'NYSE',
  ARCX: 'NYSEARCA',
  XASE: 'NYSEAMERICAN',
  BATS: 'BATS',
};

/** The name of a listing venue; an unknown one keeps its MIC. */
export function venueOf(mic: string | null): string {
  return VENUES[mic ?? ''] ?? mic ?? 'US';
}
