/**
 * A vendor that answers with the history of one instrument at a time. Its answers are kept as files, a line for each record, which the
 * provider of files reads: so every record is accounted for, checked, and brought into our terms as a line of a file is.
 */
import { mkdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MarketSource } from '../../db/market/market-source.ts';
import type { SourceFile } from '../../db/queue/sync-units.ts';
import { sessionAtOrBefore, sessionsBetween } from '../../engine/market/calendar.ts';
import { type Day, formatDay, newYorkDay, newYorkTime, parseDay, requireDay } from '../../engine/market/dates.ts';
import type { VenueBasis } from '../../engine/market/venue-basis.ts';
import { AccountBook, type FileAccount } from './file-account.ts';
import { FilesProvider } from './files/files-provider.ts';
import { tickerOfText } from './files/symbol-text.ts';
import { type MirroredVendor, type MirrorListing, VENUES } from './mirrored-vendor.ts';
import {
  type BarBatch,
  type LoadUnit,
  NO_DAY,
  type ProvidedAdjustment,
  type ProvidedInstrument,
  type Provider,
  ProviderError,
  type SessionRange,
  type UnreadableRow,
} from './provider.ts';
import { quotedField } from './text-chunks.ts';

function dayOfLine(line: string | undefined): Day | null {
  return parseDay((line?.split(',')[1] ?? '').slice(0, 10));
}

/** A field of a line: what is neither text nor number is its JSON. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return quotedField(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Does the work for some items at a time; after a failure it begins no further one. `share`: of the items that have begun. */
export async function someAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, share: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < items.length) {
      const item = items[next++];
      try {
        await work(item, next / items.length);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, take));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

interface Listings {
  readonly all: readonly MirrorListing[];
  readonly unreadable: readonly unknown[];
}

export interface MirrorOptions {
  /** Only these; absent: all of the list. */
  readonly symbols?: readonly string[];
  readonly from: Day;
  readonly cacheDir: string;
  readonly now: () => number;
}

/** New York time at which the bars of a session count as published: vendors correct them until 20:00. */
const PUBLISHED = { hour: 20, minute: 10 } as const;
/** Days that are asked for again, for corrections. */
const OVERLAP_DAYS = 10;
/** Histories that are asked for at a time. */
const AT_ONCE = 4;
/** An instrument that trades in every session. */
const PROBE = 'SPY';
const PROBE_PAUSE_MS = 10 * 60_000;
const LIST = 'symbols.csv';
const LIST_HEADER = 'symbol,name,asset_type,primary_venue,currency,listed_on,delisted_on';

export class MirrorProvider implements Provider {
  readonly id: string;
  readonly isSynthetic = false;
  readonly keepsAccounts = true;
  readonly source: MarketSource;
  readonly lists: Provider['lists'];
  private readonly vendor: MirroredVendor;
  private readonly options: MirrorOptions;
  private readonly folder: string;
  private readonly files: FilesProvider;
  private listed: Listings | null = null;
  private probed: { readonly at: number; readonly newest: Day | null } | null = null;
  /** Files whose newest answer could not be read, with the reasons. */
  private readonly failures = new Map<string, string>();

  constructor(vendor: MirroredVendor, options: MirrorOptions) {
    this.id = vendor.id;
    this.lists = vendor.lists;
    this.source = { provider: vendor.id, folder: null, sampleSymbols: null };
    this.vendor = vendor;
    this.options = options;
    this.folder = join(options.cacheDir, vendor.id, formatDay(options.from));
    const cacheFile = join(options.cacheDir, vendor.id, 'files.json');
    this.files = new FilesProvider({ folder: this.folder, cacheFile, now: options.now });
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    if (venueBasis !== 'consolidated') return null;
    const newest = await this.newest();
    const first = newest === null ? undefined : sessionsBetween(this.options.from, newest).at(0);
    return newest === null || first === undefined ? null : { first, newest };
  }

  /** The newest session that the vendor has. It is asked only when there may be a newer one. */
  private async newest(): Promise<Day | null> {
    const now = this.options.now();
    const today = newYorkDay(now);
    const isOut = now >= newYorkTime(today, PUBLISHED.hour, PUBLISHED.minute);
    const session = sessionAtOrBefore(isOut ? today : today - 1);
    const known = this.probed;
    if (known && (known.newest === session || now - known.at < PROBE_PAUSE_MS)) return known.newest;
    const rows = await this.vendor.history(PROBE, session - OVERLAP_DAYS, session);
    if (rows === null) throw new ProviderError(`${this.id} does not know ${PROBE}`);
    const newest = parseDay(String(rows.at(-1)?.[0] ?? '').slice(0, 10));
    this.probed = { at: now, newest };
    return newest;
  }

  /** A folder that has no bars of primary sessions has consolidated ones from its first day on. */
  async consolidatedFrom(): Promise<Day | null> {
    return sessionsBetween(this.options.from, this.options.from + OVERLAP_DAYS).at(0) ?? null;
  }

  async *instruments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
    onProgress?: (share: number) => Promise<void>,
  ): AsyncIterable<ProvidedInstrument> {
    this.listed = null;
    const { all, unreadable } = await this.listings();
    const wanted = new Set(await this.refresh(onProgress));
    const lines = await this.listLines(wanted);
    await this.write(LIST, LIST_HEADER, lines);
    yield* this.files.instruments(reject, book);
    const account = book.get(LIST);
    if (!account) return;
    account.lines += all.length - lines.length + unreadable.length;
    if (lines.length < wanted.size) account.leaveOut('no_bars', wanted.size - lines.length);
    for (const listing of all) if (!wanted.has(listing)) account.leaveOut(listing.leftOut ?? 'not_requested');
    for (const record of unreadable) {
      const content = JSON.stringify(record);
      account.reject(0, content, 'unreadable');
      reject({ source: LIST, content, reason: 'unreadable' });
    }
    for (const symbol of this.unknownSymbols(all)) account.tell(`the vendor's list has no ${symbol}`);
  }

  async *adjustments(
    reject: (row: UnreadableRow) => void,
    book = new AccountBook(),
  ): AsyncIterable<ProvidedAdjustment> {
    await this.refresh();
    yield* this.files.adjustments(reject, book);
  }

  /** One unit, because the history of an instrument is one answer. */
  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const published = await this.publishedSessions(venueBasis);
    if (!published || start > end) return [];
    const key = `${formatDay(start)}..${formatDay(end)}`;
    return [{ key, start, end, isClipped: start > published.first, weight: end - start + 1, parts: [] }];
  }

  async *dailyBars(
    venueBasis: VenueBasis,
    unit: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
    book = new AccountBook(),
  ): AsyncIterable<BarBatch> {
    await this.refresh();
    const parts = (await this.files.survey()).files.flatMap(({ path, facts }) => (facts.kind === 'bars' ? [path] : []));
    yield* this.files.dailyBars(venueBasis, { ...unit, parts }, signal, onSource, book);
    for (const [path, reason] of this.failures) {
      const none = { path, layout: null, bytes: 0, modifiedMs: 0, firstLine: null, told: [] };
      (book.get(path) ?? book.open(none)).reason = reason;
    }
  }

  unreadFiles(): Promise<FileAccount[]> {
    return this.files.unreadFiles();
  }

  filePaths(): Promise<string[]> {
    return this.files.filePaths();
  }

  /** Asked for again with each load of the instruments, and by a process that has none. */
  private async listings(): Promise<Listings> {
    if (this.listed === null) {
      const unreadable: unknown[] = [];
      this.listed = { all: await this.vendor.listings((record) => unreadable.push(record)), unreadable };
    }
    return this.listed;
  }

  private isWanted({ symbol, ticker, leftOut }: MirrorListing): boolean {
    const { symbols } = this.options;
    if (leftOut !== undefined) return false;
    return symbols === undefined || symbols.includes(tickerOfText(ticker ?? symbol) ?? symbol);
  }

  private unknownSymbols(all: readonly MirrorListing[]): string[] {
    const listed = new Set(all.map(({ symbol, ticker }) => tickerOfText(ticker ?? symbol)));
    return (this.options.symbols ?? []).filter((symbol) => !listed.has(symbol));
  }

  /** Asks for what the files lack. Returns the instruments of the market. */
  private async refresh(onProgress?: (share: number) => Promise<void>): Promise<MirrorListing[]> {
    await mkdir(join(this.folder, 'bars'), { recursive: true });
    const newest = await this.newest();
    const wanted = (await this.listings()).all.filter((listing) => this.isWanted(listing));
    if (newest === null) return wanted;
    this.failures.clear();
    await someAtOnce(wanted, AT_ONCE, async (listing, share) => {
      try {
        await this.refreshOne(listing, newest);
      } catch (error) {
        if (!(error instanceof ProviderError && error.isLocal)) throw error;
        this.failures.set(pathOf(listing), error.message);
      }
      await onProgress?.(share);
    });
    return wanted;
  }

  /** A file that was written after the newest session was published has all that there is. */
  private async refreshOne(listing: MirrorListing, newest: Day): Promise<void> {
    const path = pathOf(listing);
    const written = await stat(join(this.folder, path)).catch(() => null);
    if (written && written.mtimeMs >= newYorkTime(newest, PUBLISHED.hour, PUBLISHED.minute)) return;
    const lines = written ? await this.linesOf(path) : [];
    const last = dayOfLine(lines.findLast((line) => dayOfLine(line) !== null));
    if (listing.isDelisted && last !== null && written && newYorkDay(written.mtimeMs) > last + OVERLAP_DAYS) return;
    const start = last === null ? this.options.from : Math.max(this.options.from, last - OVERLAP_DAYS);
    const rows = (await this.vendor.history(listing.symbol, start, newest)) ?? [];
    const ticker = listing.ticker ?? listing.symbol;
    const added = rows.map((row) => [ticker, ...row].map(cell).join(','));
    const isKept = (line: string) => !added.includes(line) && (dayOfLine(line) ?? -Infinity) < start;
    const kept = rows.length === 0 ? lines : lines.filter(isKept);
    await this.write(path, ['symbol', ...this.vendor.header].join(','), [...kept, ...added]);
  }

  private async linesOf(path: string): Promise<string[]> {
    const text = await readFile(join(this.folder, path), 'utf8').catch(() => '');
    return text.split('\n').slice(1, -1);
  }

  /** A symbol with two holders belongs to each on the days of its bars. What is delisted and has none is left out. */
  private async listLines(wanted: Iterable<MirrorListing>): Promise<string[]> {
    const holders = Map.groupBy(wanted, ({ ticker, symbol }) => ticker ?? symbol);
    const lines: string[] = [];
    for (const [text, listings] of holders) {
      for (const listing of listings) {
        const bars = await this.linesOf(pathOf(listing));
        const [first, last] = [dayOfLine(bars.at(0)), dayOfLine(bars.at(-1))];
        if (listing.isDelisted && last === null) continue;
        const listedOn = listings.length > 1 && first !== null ? formatDay(first) : '';
        const delistedOn = listing.isDelisted ? formatDay(last ?? NO_DAY) : '';
        const { name, type, venue, currency } = listing;
        const fields = [tickerOfText(text) ?? text, name, type, VENUES[venue] ?? venue, currency, listedOn, delistedOn];
        lines.push(fields.map(cell).join(','));
      }
    }
    return lines;
  }

  /** Replaces a file at once, with the time of the service. */
  private async write(path: string, header: string, lines: readonly string[]): Promise<void> {
    const [target, draft] = [join(this.folder, path), join(this.folder, `.${encodeURIComponent(path)}.${process.pid}`)];
    await writeFile(draft, `${[header, ...lines].join('\n')}\n`);
    const at = this.options.now() / 1000;
    await utimes(draft, at, at);
    await rename(draft, target);
  }
}

const pathOf = ({ symbol }: MirrorListing) => `bars/${encodeURIComponent(symbol)}.csv`;

export function openMirror(
  vendor: MirroredVendor,
  { from, ...options }: Omit<MirrorOptions, 'from'> & { readonly from: string },
): MirrorProvider {
  return new MirrorProvider(vendor, { ...options, from: requireDay(from) });
}
