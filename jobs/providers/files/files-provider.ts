/** A folder of CSV files as a provider; the layout is described in ops/docs/OPERATING.md. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { MarketSource } from '../../../db/market/market-source.ts';
import type { SourceFile } from '../../../db/queue/sync-units.ts';
import { ADJUSTMENT_KINDS } from '../../../engine/market/adjust.ts';
import { isTradingDay } from '../../../engine/market/bar-faults.ts';
import { type Day, formatDay, parseDay } from '../../../engine/market/dates.ts';
import type { MinuteBar } from '../../../engine/market/minute-bars.ts';
import { withoutMarket } from '../../../engine/market/symbols.ts';
import type { PreviousTicker } from '../../../engine/market/ticker-book.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import {
  type BarBatch,
  type LoadUnit,
  type ProvidedAdjustment,
  type ProvidedInstrument,
  type Provider,
  ProviderError,
  type SessionRange,
  type UnreadableRow,
} from '../provider.ts';
import { SourceDigest } from '../source-digest.ts';
import { readBarFile } from './bar-file.ts';
import { type CsvRecord, isReadable, readRecords } from './csv.ts';
import { dayOfFileName, FileIndex, type IndexedFile } from './file-index.ts';

const SYMBOL_COLUMNS = [
  'symbol',
  'name',
  'asset_type',
  'primary_venue',
  'currency',
  'listed_on',
  'delisted_on',
  'is_popular',
  'lot_size',
  'previous_symbols',
] as const;
type SymbolFields = CsvRecord<(typeof SYMBOL_COLUMNS)[number]>['fields'];

/** Assumed bytes of a day of minute files, because reading their sizes would take as long as reading them. */
const MINUTE_DAY_WEIGHT = 1_000_000;

export interface FilesProviderOptions {
  readonly folder: string;
  /** Cache of the days in each bar file. */
  readonly cacheFile: string;
  readonly now: () => number;
}

export class FilesProvider implements Provider {
  readonly id = 'files';
  readonly isSynthetic = false;
  readonly description: string;
  readonly source: MarketSource;
  private readonly folder: string;
  private readonly fileIndex: FileIndex;

  constructor({ folder, cacheFile, now }: FilesProviderOptions) {
    this.folder = folder;
    this.source = { provider: this.id, folder, sampleSymbols: null };
    this.description = 'Files in a local folder';
    this.fileIndex = new FileIndex(cacheFile, now);
  }

  async *instruments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedInstrument> {
    const keys = new Set<string>();
    for await (const { fields, source, content } of readRecords(this.file('symbols.csv'), SYMBOL_COLUMNS, ['symbol'])) {
      const faulty = (reason: string) => reject({ source, content, reason });
      const listedOn = optionalDay(fields.listed_on);
      const delistedOn = optionalDay(fields.delisted_on);
      const previousTickers = parsePreviousSymbols(fields.previous_symbols);
      const lotSize = fields.lot_size === '' ? 100 : Number(fields.lot_size);
      if (listedOn === undefined || delistedOn === undefined) faulty('bad_date');
      else if (previousTickers === null) faulty('bad_previous_symbols');
      else if (!Number.isInteger(lotSize) || lotSize < 1) faulty('bad_lot_size');
      else {
        const ticker = withoutMarket(fields.symbol);
        const key = uniqueKey(keys, previousTickers[0]?.ticker ?? ticker, fields);
        yield {
          key,
          ticker,
          listedOn,
          delistedOn,
          previousTickers,
          lotSize,
          source,
          name: fields.name || ticker,
          assetType: fields.asset_type || 'stock',
          primaryVenue: fields.primary_venue || 'US',
          currency: fields.currency || 'USD',
          isPopular: /^(true|1|yes)$/i.test(fields.is_popular),
        };
      }
    }
  }

  async *adjustments(reject: (row: UnreadableRow) => void): AsyncIterable<ProvidedAdjustment> {
    const path = join(this.folder, 'adjustments.csv');
    if (!(await isReadable(path))) return;
    const columns = ['symbol', 'ex_date', 'kind', 'factor'] as const;
    for await (const { fields, source, content } of readRecords(path, columns, columns)) {
      const exDay = parseDay(fields.ex_date);
      const kind = ADJUSTMENT_KINDS.find((known) => known === fields.kind);
      const factor = Number(fields.factor);
      if (exDay === null) reject({ source, content, reason: 'bad_date' });
      else if (kind === undefined) reject({ source, content, reason: 'bad_kind' });
      else if (!(factor > 0 && factor < Infinity)) reject({ source, content, reason: 'bad_factor' });
      else yield { ticker: withoutMarket(fields.symbol), exDay, kind, factor, source };
    }
  }

  async publishedSessions(venueBasis: VenueBasis): Promise<SessionRange | null> {
    const files = await this.indexedFiles(venueBasis);
    const days = files.flatMap((file) => file.days ?? []);
    if (venueBasis === 'primary_session') days.push(...(await this.minuteDays(-Infinity, Infinity)));
    const sessions = days.filter(isTradingDay);
    if (sessions.length === 0) return null;
    return { first: Math.min(...sessions), newest: Math.max(...sessions) };
  }

  /** Files with overlapping days are in one unit, because a day is committed as a whole. */
  async planUnits(venueBasis: VenueBasis, start: Day, end: Day): Promise<LoadUnit[]> {
    const files = await this.indexedFiles(venueBasis);
    const spans: { start: Day; end: Day; weight: number; parts: string[] }[] = [];
    for (const { path, days, bytes } of files) {
      if (days) spans.push({ start: days[0], end: days[1], weight: Math.max(1, bytes), parts: [path] });
    }
    if (venueBasis === 'primary_session') {
      for (const day of await this.minuteDays(start, end)) {
        spans.push({ start: day, end: day, weight: MINUTE_DAY_WEIGHT, parts: [] });
      }
    }
    const units: typeof spans = [];
    for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
      const last = units.at(-1);
      if (last && span.start <= last.end) {
        last.end = Math.max(last.end, span.end);
        last.weight += span.weight;
        last.parts.push(...span.parts);
      } else units.push(span);
    }
    return units
      .filter((unit) => unit.end >= start && unit.start <= end)
      .map((unit) => ({
        key: `${formatDay(unit.start)}..${formatDay(unit.end)}`,
        start: Math.max(start, unit.start),
        end: Math.min(end, unit.end),
        isClipped: unit.start < start || unit.end > end,
        weight: unit.weight,
        parts: unit.parts,
      }));
  }

  async *dailyBars(
    _venueBasis: VenueBasis,
    unit: LoadUnit,
    signal: AbortSignal,
    onSource?: (file: SourceFile) => void,
  ): AsyncIterable<BarBatch> {
    const sizes = await Promise.all(unit.parts.map(async (path) => (await stat(path)).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let done = 0;
    for (const [i, path] of unit.parts.entries()) {
      const onlyDay = dayOfFileName(path);
      const digest = new SourceDigest();
      for await (const batch of readBarFile(path, sizes[i], digest)) {
        signal.throwIfAborted();
        const progress = (done + batch.progress * sizes[i]) / total;
        yield onlyDay === null ? { ...batch, progress } : { ...withoutOtherDays(batch, onlyDay), progress };
      }
      done += sizes[i];
      onSource?.(digest.end(relative(this.folder, path)));
    }
  }

  async minuteDays(start: Day, end: Day): Promise<Day[]> {
    const names = await readdir(join(this.folder, 'minute')).catch(() => []);
    return names
      .map(parseDay)
      .filter((day): day is Day => day !== null && day >= start && day <= end && isTradingDay(day))
      .sort((a, b) => a - b);
  }

  async minuteTickers(day: Day): Promise<string[]> {
    const names = await readdir(join(this.folder, 'minute', formatDay(day))).catch(() => []);
    return names.filter((name) => /\.csv(\.gz)?$/.test(name)).map((name) => name.replace(/\.csv(\.gz)?$/, ''));
  }

  async minuteBars(day: Day, ticker: string): Promise<MinuteBar[] | null> {
    const base = join(this.folder, 'minute', formatDay(day), ticker);
    const path = (await isReadable(`${base}.csv`)) ? `${base}.csv` : `${base}.csv.gz`;
    if (!(await isReadable(path))) return null;
    const columns = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const;
    const bars: MinuteBar[] = [];
    for await (const { fields, source } of readRecords(path, columns, columns)) {
      const bar = {
        startMs: Date.parse(fields.ts),
        open: Number(fields.open),
        high: Number(fields.high),
        low: Number(fields.low),
        close: Number(fields.close),
        volume: Number(fields.volume),
      };
      if (Object.values(bar).some(Number.isNaN)) throw new ProviderError(`${source}: not a minute bar`);
      bars.push(bar);
    }
    return bars.sort((a, b) => a.startMs - b.startMs);
  }

  async officialCloses(day: Day): Promise<ReadonlyMap<string, number>> {
    const closes = new Map<string, number>();
    const path = join(this.folder, 'official_close.csv');
    if (!(await isReadable(path))) return closes;
    const columns = ['symbol', 'date', 'close'] as const;
    const wanted = formatDay(day);
    for await (const { fields, source } of readRecords(path, columns, columns)) {
      if (fields.date !== wanted) continue;
      const close = Number(fields.close);
      if (!(close > 0)) throw new ProviderError(`${source}: "${fields.close}" is not a price`);
      closes.set(withoutMarket(fields.symbol), close);
    }
    return closes;
  }

  private file(name: string): string {
    return join(this.folder, name);
  }

  private async indexedFiles(venueBasis: VenueBasis): Promise<IndexedFile[]> {
    await readdir(this.folder).catch((error) => {
      throw new ProviderError(`the provider folder ${this.folder} cannot be read: ${error.message}`, { cause: error });
    });
    const root = join(this.folder, 'daily', venueBasis);
    const names = await readdir(root, { recursive: true }).catch(() => []);
    const paths = names.filter((name) => /\.csv(\.gz)?$/.test(name) && !basename(name).startsWith('.')).sort();
    return this.fileIndex.index(paths.map((name) => join(root, name)));
  }
}

/** Null: the text is empty; undefined: it is not a day. */
function optionalDay(text: string): Day | null | undefined {
  return text === '' ? null : (parseDay(text) ?? undefined);
}

/** `OLD:YYYY-MM-DD|…`, oldest first; null when malformed. */
function parsePreviousSymbols(text: string): PreviousTicker[] | null {
  if (text === '') return [];
  const spans: PreviousTicker[] = [];
  for (const part of text.split('|')) {
    const at = part.lastIndexOf(':');
    const lastDay = parseDay(part.slice(at + 1).trim());
    if (at < 1 || lastDay === null) return null;
    spans.push({ ticker: withoutMarket(part.slice(0, at).trim()), lastDay });
  }
  return spans.sort((a, b) => a.lastDay - b.lastDay);
}

/**
 * Files have no ids of instruments, so the key of an instrument is its first ticker and its listing day. If two rows agree in both, the
 * key of the later one also has its delisting day.
 */
function uniqueKey(keys: Set<string>, firstTicker: string, fields: SymbolFields): string {
  const plain = `${firstTicker}@${fields.listed_on}`;
  let key = keys.has(plain) ? `${plain}~${fields.delisted_on}` : plain;
  while (keys.has(key)) key += '+';
  keys.add(key);
  return key;
}

/** A file named after a day may contain only that day: other rows are rejected. */
function withoutOtherDays(batch: BarBatch, onlyDay: Day): BarBatch {
  if (batch.day.subarray(0, batch.count).every((day) => day === onlyDay)) return batch;
  const refused: UnreadableRow[] = [];
  const kept: number[] = [];
  for (let i = 0; i < batch.count; i++) {
    if (batch.day[i] === onlyDay) kept.push(i);
    else refused.push({ ...batch.describe(i), reason: 'other_day_than_file' });
  }
  const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]);
  return {
    ...batch,
    count: kept.length,
    ticker: kept.map((i) => batch.ticker[i]),
    day: Int32Array.from(kept, (i) => batch.day[i]),
    open: pick(batch.open),
    high: pick(batch.high),
    low: pick(batch.low),
    close: pick(batch.close),
    volume: pick(batch.volume),
    describe: (i) => batch.describe(kept[i]),
    unreadable: [...batch.unreadable, ...refused],
  };
}
