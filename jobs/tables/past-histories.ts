/** Histories of instruments as an earlier state of the lake has them. The rows of each of its files are sorted by symbol and date. */
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type DecodedArray, parquetMetadataAsync, parquetRead, type RowGroup } from 'hyparquet';
import { z } from 'zod';
import { ADJUSTMENT_KINDS, type Adjustment } from '../../engine/market/adjust.ts';
import { civilDate, type Day } from '../../engine/market/dates.ts';
import { allocateSeries, type BarSeries, joinSeries, sliceSeries, VALUE_COLUMNS } from '../../engine/market/series.ts';
import { SPLICE_YEAR, spliceSeries, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { required } from '../../engine/util/values.ts';
import { lakeDataKey } from '../../storage/keys.ts';
import type { ObjectStorage } from '../../storage/storage.ts';
import type { LakeState, StateFile } from './lake-at.ts';

export interface PastHistory {
  /** As it was served then: `<TICKER>.US`. */
  readonly symbol: string;
  /** Spliced, as traded. */
  readonly series: BarSeries;
  /** Oldest first. */
  readonly events: readonly Adjustment[];
}

const BARS = /^daily_bars\/venue_mode=(\w+)\/year=(\d+)\//;

/** Histories up to `through`, by symbol, one in memory at a time. `symbols`: only of these; null: of all. */
export async function* pastHistories(
  storage: ObjectStorage,
  { files }: LakeState,
  through: Day,
  symbols: ReadonlySet<string> | null = null,
): AsyncGenerator<PastHistory> {
  const fileOf = (name: string) =>
    required(
      files.find(({ path }) => path === name),
      name,
    );
  const events = await readEvents(storage, fileOf('events.parquet'));
  const listings = await readListings(storage, fileOf('symbols.parquet'), through);
  const last = civilDate(through).year;
  const filesOf = (venueBasis: VenueBasis, from: number, to: number) =>
    files.filter(({ path }) => {
      const [, mode, year] = BARS.exec(path) ?? [];
      return mode === venueBasis && Number(year) >= from && Number(year) <= to;
    });
  const sources = [
    ...filesOf('primary_session', 0, Math.min(last, SPLICE_YEAR)),
    ...filesOf('consolidated', SPLICE_YEAR, last),
  ];
  const isPrimary = sources.map(({ path }) => path.includes('primary_session'));
  const runs = sources.map((file) => symbolRuns(storage, file, symbols));
  const heads = await Promise.all(runs.map((run) => run.next()));
  for (;;) {
    const next = leastOf(heads.flatMap(({ done, value }) => (done ? [] : [value.symbol])));
    if (next === null) return;
    const parts: { readonly primary: BarSeries[]; readonly consolidated: BarSeries[] } = {
      primary: [],
      consolidated: [],
    };
    for (const [i, head] of heads.entries()) {
      if (head.done || head.value.symbol !== next) continue;
      parts[isPrimary[i] ? 'primary' : 'consolidated'].push(head.value.series);
      heads[i] = await runs[i].next();
    }
    const series = spliceSeries(joinSeries(parts.primary), joinSeries(parts.consolidated), through);
    yield { symbol: next, series: { ...series, ...listings.get(next) }, events: events.get(next) ?? [] };
  }
}

function leastOf(symbols: readonly string[]): string | null {
  return symbols.reduce<string | null>((least, one) => (least === null || one < least ? one : least), null);
}

interface SymbolRun {
  readonly symbol: string;
  readonly series: BarSeries;
}

/** The bars of each symbol in a file, whichever row groups they are in. */
async function* symbolRuns(
  storage: ObjectStorage,
  stored: StateFile,
  symbols: ReadonlySet<string> | null,
): AsyncGenerator<SymbolRun, undefined> {
  const wanted = symbols && [...symbols];
  let open: { symbol: string; parts: BarSeries[] } | null = null;
  const runOf = ({ symbol, parts }: NonNullable<typeof open>) => ({ symbol, series: joinSeries(parts) });
  for await (const group of groupsOf(storage, stored, wanted)) {
    const names = await group.texts('symbol');
    const series = await barsOf(group);
    for (let from = 0; from < names.length; ) {
      const symbol = names[from];
      let to = from + 1;
      while (to < names.length && names[to] === symbol) to++;
      if (open && open.symbol !== symbol) {
        yield runOf(open);
        open = null;
      }
      if (symbols === null || symbols.has(symbol)) {
        open ??= { symbol, parts: [] };
        open.parts.push(sliceSeries(series, from, to));
      }
      from = to;
    }
  }
  if (open) yield runOf(open);
}

async function barsOf(group: StoredGroup): Promise<BarSeries> {
  const series = allocateSeries(group.rows);
  series.day.set(await group.numbers('date'));
  for (const column of VALUE_COLUMNS) series[column].set(await group.numbers(column));
  return series;
}

const kindSchema = z.enum(ADJUSTMENT_KINDS);

/** By symbol. */
async function readEvents(storage: ObjectStorage, stored: StateFile): Promise<Map<string, Adjustment[]>> {
  const events = new Map<string, Adjustment[]>();
  for await (const group of groupsOf(storage, stored, null)) {
    const symbols = await group.texts('symbol');
    const days = await group.numbers('ex_date');
    const kinds = await group.texts('kind');
    const factors = await group.numbers('factor');
    for (const [i, symbol] of symbols.entries()) {
      const own = events.get(symbol) ?? [];
      own.push({ exDay: days[i], kind: kindSchema.parse(kinds[i]), factor: factors[i] });
      events.set(symbol, own);
    }
  }
  return events;
}

type Listing = Pick<BarSeries, 'listedOn' | 'delisting'>;

/** By symbol; delistings up to a day. */
async function readListings(storage: ObjectStorage, stored: StateFile, through: Day): Promise<Map<string, Listing>> {
  const listings = new Map<string, Listing>();
  for await (const group of groupsOf(storage, stored, null)) {
    const symbols = await group.texts('symbol');
    const venues = await group.texts('primary_venue');
    const listed = await group.optionalNumbers('listed_on');
    const days = await group.optionalNumbers('delisted_on');
    const returns = group.has('delisting_return_pct') ? await group.optionalNumbers('delisting_return_pct') : [];
    for (const [i, symbol] of symbols.entries()) {
      const day = days[i];
      const delisting = { returnPct: returns[i] ?? null, venue: venues[i] };
      const isDelisted = day !== null && day <= through;
      listings.set(symbol, { listedOn: listed[i] ?? undefined, delisting: isDelisted ? delisting : undefined });
    }
  }
  return listings;
}

/** Rows of a file that are read together. */
class StoredGroup {
  readonly rows: number;
  private readonly columns: ReadonlySet<string>;
  private readonly read: (name: string) => Promise<readonly DecodedArray[]>;

  constructor(rows: number, columns: ReadonlySet<string>, read: (name: string) => Promise<readonly DecodedArray[]>) {
    this.rows = rows;
    this.columns = columns;
    this.read = read;
  }

  /** Whether the file has a column; those of earlier versions lack some. */
  has(name: string): boolean {
    return this.columns.has(name);
  }

  async texts(name: string): Promise<string[]> {
    return (await this.read(name)).flatMap((part) => Array.from(part, String));
  }

  async optionalNumbers(name: string): Promise<(number | null)[]> {
    const parts = await this.read(name);
    return parts.flatMap((part) =>
      Array.from(part, (value) => (value === null || value === undefined ? null : Number(value))),
    );
  }

  async numbers(name: string): Promise<Float64Array> {
    const values = new Float64Array(this.rows);
    let at = 0;
    for (const part of await this.read(name)) {
      values.set(Float64Array.from(part, Number), at);
      at += part.length;
    }
    return values;
  }
}

const PARSERS = { dateFromDays: (days: number) => days };
const COMPRESSORS = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };

/** The row groups of a file, each read by one request. `symbols`: only groups that may have one of them. */
async function* groupsOf(
  storage: ObjectStorage,
  { path, sha256, bytes, content }: StateFile,
  symbols: readonly string[] | null,
): AsyncGenerator<StoredGroup> {
  const readRange = async (start: number, end: number) => {
    if (content) return content.subarray(start, end);
    const stored = await storage.get(lakeDataKey({ path, sha256 }), { start, end: end - 1 });
    return buffer(required(stored, `the stored ${path}`));
  };
  const bufferOf = (at: number, known: Buffer): AsyncBuffer => ({
    byteLength: bytes,
    slice: async (start, end = bytes) => {
      const isKnown = start >= at && end <= at + known.length;
      return arrayBufferOf(isKnown ? known.subarray(start - at, end - at) : await readRange(start, end));
    },
  });
  const metadata = await parquetMetadataAsync(bufferOf(0, Buffer.alloc(0)));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    const rowEnd = rowStart + rows;
    if (symbols === null || mayHave(group, symbols)) {
      const [from, to] = rangeOf(group);
      const file = bufferOf(from, await readRange(from, to));
      const options = { file, metadata, rowStart, rowEnd, parsers: PARSERS, compressors: COMPRESSORS };
      const columns = new Set(chunksOf(group).map(({ path_in_schema: [name] }) => name));
      yield new StoredGroup(rows, columns, async (name) => {
        const parts: DecodedArray[] = [];
        await parquetRead({ ...options, columns: [name], onChunk: ({ columnData }) => parts.push(columnData) });
        return parts;
      });
    }
    rowStart = rowEnd;
  }
}

const arrayBufferOf = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;

const chunksOf = ({ columns }: RowGroup) => columns.map(({ meta_data: meta }) => required(meta, 'a column chunk'));

/** The first byte of a row group, and the one after its last. */
function rangeOf(group: RowGroup): readonly [from: number, to: number] {
  const ranges = chunksOf(group).map((chunk) => {
    const from = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
    return [from, from + Number(chunk.total_compressed_size)];
  });
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}

function mayHave(group: RowGroup, symbols: readonly string[]): boolean {
  const { statistics } = required(
    chunksOf(group).find(({ path_in_schema: [name] }) => name === 'symbol'),
    'the symbols',
  );
  const [least, greatest] = [statistics?.min_value, statistics?.max_value];
  if (typeof least !== 'string' || typeof greatest !== 'string') return true;
  return symbols.some((symbol) => symbol >= least && symbol <= greatest);
}
