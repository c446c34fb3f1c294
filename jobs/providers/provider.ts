/**
 * Where market data comes from. One interface for the seeded sample market, a folder of files, and vendors' APIs: a
 * provider names what it has published and streams it; it never writes, validates or resolves anything.
 *
 * Glossary: a *ticker* is the code of its own day and may be reused; a *provider key* identifies an instrument over
 * renames; a *session* is a trading day; a *unit* is a part of a load that is committed as a whole.
 */
import type { MarketSource } from '../../db/market/market-source.ts';
import type { AdjustmentKind } from '../../engine/market/adjust.ts';
import type { Day } from '../../engine/market/dates.ts';
import type { MinuteBar } from '../../engine/market/minute-bars.ts';
import type { TickerHistory } from '../../engine/market/ticker-book.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';

export interface ProvidedInstrument extends TickerHistory {
  readonly key: string;
  readonly name: string;
  readonly assetType: string;
  readonly primaryVenue: string;
  readonly currency: string;
  readonly isPopular: boolean;
  readonly lotSize: number;
  /** Where the row came from, for messages: file and line. */
  readonly source: string;
}

export interface ProvidedAdjustment {
  readonly ticker: string;
  readonly exDay: Day;
  readonly kind: AdjustmentKind;
  readonly factor: number;
  readonly source: string;
}

/** A row that could not even be read as what it should be. */
export interface UnreadableRow {
  readonly source: string;
  readonly content: string;
  readonly reason: string;
}

/** Daily bars as the provider has them, in columns; figures that are no number are NaN, days that are no day -1. */
export interface BarBatch {
  readonly count: number;
  readonly ticker: readonly string[];
  readonly day: Int32Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Where row `i` came from and what it said. */
  readonly describe: (i: number) => { source: string; content: string };
  /** Rows of this batch that were not even bars. */
  readonly unreadable: readonly UnreadableRow[];
  /** Share of the unit that has been read so far, 0 to 1. */
  readonly progress: number;
}

export interface SessionRange {
  readonly first: Day;
  readonly newest: Day;
}

/** A part of a load: the days from `start` to `end`, all rows of which lie in `parts`. */
export interface LoadUnit {
  /** Names the unit within its job, also in a later attempt. */
  readonly key: string;
  readonly start: Day;
  readonly end: Day;
  /** Whether the load was asked for fewer days than the parts hold. */
  readonly isClipped: boolean;
  /** How much of a load it is, compared with the provider's other units: bytes or days. Above 0. */
  readonly weight: number;
  /** The provider's own handle on what to read. */
  readonly parts: readonly string[];
}

export interface Provider {
  readonly id: 'sample' | 'files' | 'databento';
  /** What `/api/meta` and the log say of the data. */
  readonly description: string;
  readonly isSynthetic: boolean;
  /** What the database records of the market that it loads from here. */
  readonly source: MarketSource;

  /** Rows that are no instrument are handed to `reject`. */
  instruments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedInstrument>;
  adjustments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedAdjustment>;

  /** The sessions published on a basis; null when the provider does not have the basis. */
  publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null>;
  /** Cuts a load of the days from `start` to `end` into units, oldest first. */
  planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]>;
  dailyBars(venueBasis: VenueBasis, unit: LoadUnit, signal: AbortSignal): AsyncIterable<BarBatch>;

  /** What the provider asks for a load, in US dollars; absent: nothing. */
  estimateCost?(venueBasis: VenueBasis, start: Day, end: Day): Promise<number>;

  /** Days from `start` to `end` for which the primary venue's minute bars are there. */
  minuteDays(start: Day, end: Day): Promise<Day[]>;
  /** Tickers with minute bars on a day. */
  minuteTickers(day: Day): Promise<string[]>;
  /** Minute bars of the primary venue, oldest first, extended hours included; null when there are none. */
  minuteBars(day: Day, ticker: string): Promise<MinuteBar[] | null>;
  officialCloses(day: Day): Promise<ReadonlyMap<string, number>>;
}

/** The provider refused or failed: `message` says what and where, for operators. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Whether a later try may succeed without anybody changing anything. */
  readonly isTransient: boolean;
  /** Whether only what was being read is at fault (a broken file), so that the rest can still be loaded. */
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
