/** Builds the outdated files of the lake on the local disk. */
import type { LakeFile } from '../../db/lake/lake-files.ts';
import { selectSessionRows } from '../../db/market/loaded-sessions.ts';
import { type Revision, selectRevisionsAfter } from '../../db/market/revisions.ts';
import { type AdjustMode, effectiveEvents } from '../../engine/market/adjust.ts';
import { formatDay, requireDay } from '../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../engine/market/symbols.ts';
import { LAKE_SCHEMA } from '../contracts/lake.ts';
import { ParquetFile } from '../parquet/parquet-file.ts';
import { barFile, type FilePiece, ROW_GROUP, runningFactors } from './bar-files.ts';
import { figureFiles } from './figure-files.ts';
import { type BuiltFile, LocalFile } from './local-file.ts';
import { columnsOf, type LakeSource, SourceDigests, splicedYears } from './source.ts';

export interface LakeBuild {
  /** New files, and those whose content has changed. */
  readonly changed: readonly BuiltFile[];
  readonly unchanged: readonly LakeFile[];
}

export interface Building {
  /** An empty folder for the files. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

type Pieces = Iterable<FilePiece> | AsyncIterable<FilePiece>;

/** `known`: the present files of the lake, by path. */
export async function buildLake(
  source: LakeSource,
  known: ReadonlyMap<string, LakeFile>,
  building: Building,
): Promise<LakeBuild> {
  const digests = new SourceDigests(source);
  const built: BuiltFile[] = [];
  const unchanged: LakeFile[] = [];
  for (const year of source.years) {
    const path = `daily_bars/venue_mode=${year.venueBasis}/year=${year.year}/part-0.parquet`;
    const digest = digests.ofBars(year);
    const current = known.get(path);
    if (isCurrent(current, digest)) unchanged.push(current);
    else built.push(await writeFile(building, path, digest, barFile(source, year)));
  }
  built.push(await writeFile(building, 'symbols.parquet', `${LAKE_SCHEMA}`, symbolFile(source)));
  built.push(await writeFile(building, 'events.parquet', `${LAKE_SCHEMA}`, eventFile(source)));
  built.push(await writeFile(building, 'sessions.parquet', `${LAKE_SCHEMA}`, sessionFile(source)));
  const digest = digests.ofRevisions();
  const current = known.get('revisions.parquet');
  if (isCurrent(current, digest)) unchanged.push(current);
  else built.push(await writeFile(building, 'revisions.parquet', digest, revisionFile(source)));
  const outdated = new Map<number, string>();
  for (const year of new Set(splicedYears(source.years).map((one) => one.year))) {
    const digest = digests.ofFigures(year);
    const current = known.get(figurePath(year));
    if (isCurrent(current, digest)) unchanged.push(current);
    else outdated.set(year, digest);
  }
  built.push(...(await writeFigures(source, outdated, building)));
  const changed: BuiltFile[] = [];
  for (const file of built) {
    const earlier = known.get(file.path);
    // The source may have changed although the content has not.
    if (earlier?.sha256 === file.sha256) unchanged.push({ ...earlier, source: file.source });
    else changed.push(file);
  }
  return { changed, unchanged };
}

const figurePath = (year: number) => `screener_daily/year=${year}/part-0.parquet`;

function isCurrent(file: LakeFile | undefined, digest: string): file is LakeFile {
  return file?.source === digest;
}

async function writeFile(
  { folder, signal }: Building,
  path: string,
  source: string,
  pieces: Pieces,
): Promise<BuiltFile> {
  const file = await LocalFile.create(folder, path, source);
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      await file.add(piece);
    }
  } catch (error) {
    await file.abandon();
    throw error;
  }
  return file.end();
}

/** Writes the files of `years`; the values are the digests of their sources. */
async function writeFigures(
  source: LakeSource,
  years: ReadonlyMap<number, string>,
  { folder, signal }: Building,
): Promise<BuiltFile[]> {
  if (years.size === 0) return [];
  const files = new Map<number, LocalFile>();
  for (const [year, digest] of years) files.set(year, await LocalFile.create(folder, figurePath(year), digest));
  try {
    for await (const piece of figureFiles(source, new Set(years.keys()))) {
      signal.throwIfAborted();
      await files.get(piece.year)?.add(piece);
    }
  } catch (error) {
    for (const file of files.values()) await file.abandon();
    throw error;
  }
  return Promise.all([...files.values()].map((file) => file.end()));
}

type Cell = string | number | bigint | Date | null;

/** Bars and events that loads changed after they had been served: oldest first, of days up to the newest that may be distributed. */
async function* revisionFile(source: LakeSource): AsyncGenerator<FilePiece> {
  const columns = columnsOf(source, 'revisions');
  const symbols = new Map(source.instruments.map(({ id, symbol }) => [id, qualifiedSymbol(symbol)]));
  const file = new ParquetFile('revisions', columns);
  for (let after = 0; ; ) {
    const page = await selectRevisionsAfter(source.connection, after, formatDay(source.through), ROW_GROUP);
    if (page.length === 0) break;
    const rows = page.map((revision) => rowOf(revision, symbols.get(revision.instrumentId) ?? ''));
    yield {
      bytes: file.group(
        columns.map((_, column) => rows.map((row) => row[column])),
        rows.length,
      ),
      rows: rows.length,
    };
    after = page[page.length - 1].id;
  }
  yield { bytes: file.finish(), rows: 0 };
}

function rowOf(revision: Revision, symbol: string): Cell[] {
  const { id, day, was, became, syncJobId, at } = revision;
  const venueBasis = 'venueBasis' in revision ? revision.venueBasis : null;
  const jobId = syncJobId === null ? null : BigInt(syncJobId);
  return [BigInt(id), symbol, requireDay(day), venueBasis, ...figuresOf(was), ...figuresOf(became), jobId, at];
}

/** Open, high, low, close, and volume of a bar, or kind and factor of an event. */
function figuresOf(value: Revision['was']): Cell[] {
  if (value === null) return [null, null, null, null, null, null, null];
  if ('factor' in value) return [null, null, null, null, null, value.kind, value.factor];
  const { open, high, low, close, volume } = value;
  return [open, high, low, close, BigInt(volume), null, null];
}

type Row = readonly (string | number | bigint | boolean | null)[];

/** A file of rows that are in memory. */
function* fileOf(source: LakeSource, name: string, rows: readonly Row[]): Generator<FilePiece> {
  const columns = columnsOf(source, name);
  const file = new ParquetFile(name, columns);
  for (let from = 0; from < rows.length; from += ROW_GROUP) {
    const group = rows.slice(from, from + ROW_GROUP);
    const data = columns.map((_, column) => group.map((row) => row[column]));
    yield { bytes: file.group(data, group.length), rows: group.length };
  }
  yield { bytes: file.finish(), rows: 0 };
}

/** All instruments, with the factors of the day whose share count their adjusted prices are on. */
export function symbolFile(source: LakeSource): Generator<FilePiece> {
  const rows = source.instruments.map(
    (one): Row => [
      qualifiedSymbol(one.symbol),
      one.ticker,
      one.name,
      one.assetType,
      one.primaryVenue,
      one.currency,
      one.listedOn,
      one.delistedOn,
      one.delistingReturnPct,
      one.lotSize,
      anchorFactor(source, one.id, 'split'),
      anchorFactor(source, one.id, 'total'),
    ],
  );
  return fileOf(source, 'symbols', rows);
}

function anchorFactor({ anchors, events }: LakeSource, id: number, mode: AdjustMode): number {
  const anchor = anchors.get(id);
  if (anchor === undefined) return 1;
  return runningFactors(Int32Array.of(anchor), effectiveEvents(events.get(id) ?? [], anchor, mode))[0];
}

/** Splits, dividends, and other events with an ex-date up to the newest day that may be distributed. */
export function eventFile(source: LakeSource): Generator<FilePiece> {
  const { instruments, events } = source;
  const rows = instruments.flatMap(({ id, symbol }) =>
    (events.get(id) ?? []).map(({ exDay, kind, factor }): Row => [qualifiedSymbol(symbol), exDay, kind, factor]),
  );
  return fileOf(source, 'events', rows);
}

/** The loaded sessions by venue basis and day. */
export async function* sessionFile(source: LakeSource): AsyncGenerator<FilePiece> {
  const { connection, through } = source;
  const sessions = await selectSessionRows(connection, formatDay(through));
  const rows = sessions.map(
    ({ venueBasis, day, rows: count, isComplete }): Row => [venueBasis, requireDay(day), BigInt(count), isComplete],
  );
  yield* fileOf(source, 'sessions', rows);
}
