/** Builds the files of the lake that are not what they should be, on the local disk. */
import type { LakeFile } from '../../db/lake/lake-files.ts';
import { LAKE_SCHEMA } from '../contracts/lake.ts';
import { barFile, type FilePiece } from './bar-files.ts';
import { figureFiles } from './figure-files.ts';
import { type BuiltFile, LocalFile } from './local-file.ts';
import { type LakeSource, SourceDigests, splicedYears } from './source.ts';
import { eventFile, sessionFile, symbolFile } from './table-files.ts';

export interface LakeBuild {
  /** New files, and those with another content than before. */
  readonly changed: readonly BuiltFile[];
  /** Files that stay as they are. */
  readonly kept: readonly LakeFile[];
}

export interface Building {
  /** An empty folder for the files. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

type Pieces = Iterable<FilePiece> | AsyncIterable<FilePiece>;

/** `known` are the files of the lake now, by path. */
export async function buildLake(
  source: LakeSource,
  known: ReadonlyMap<string, LakeFile>,
  building: Building,
): Promise<LakeBuild> {
  const digests = new SourceDigests(source);
  const built: BuiltFile[] = [];
  const kept: LakeFile[] = [];
  for (const year of source.years) {
    const path = `daily_bars/venue_mode=${year.venueBasis}/year=${year.year}/part-0.parquet`;
    const made = digests.ofBars(year);
    const current = known.get(path);
    if (isCurrent(current, made)) kept.push(current);
    else built.push(await written(building, path, made, barFile(source, year)));
  }
  built.push(await written(building, 'symbols.parquet', `${LAKE_SCHEMA}`, symbolFile(source)));
  built.push(await written(building, 'events.parquet', `${LAKE_SCHEMA}`, eventFile(source)));
  built.push(await written(building, 'sessions.parquet', `${LAKE_SCHEMA}`, sessionFile(source)));
  const outdated = new Map<number, string>();
  for (const year of new Set(splicedYears(source.years).map((one) => one.year))) {
    const made = digests.ofFigures(year);
    const current = known.get(figurePath(year));
    if (isCurrent(current, made)) kept.push(current);
    else outdated.set(year, made);
  }
  built.push(...(await figuresWritten(source, outdated, building)));
  const same = (file: BuiltFile) => known.get(file.path)?.sha256 === file.sha256;
  const isUntouched = (file: BuiltFile) => same(file) && known.get(file.path)?.isBeingReplaced === false;
  return {
    changed: built.filter((file) => !isUntouched(file)),
    kept: [...kept, ...built.filter(isUntouched).map((file) => ({ ...file, isBeingReplaced: false }))],
  };
}

const figurePath = (year: number) => `screener_daily/year=${year}/part-0.parquet`;

function isCurrent(file: LakeFile | undefined, made: string): file is LakeFile {
  return file?.source === made && !file.isBeingReplaced;
}

async function written({ folder, signal }: Building, path: string, source: string, pieces: Pieces): Promise<BuiltFile> {
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

/** The files of the years; the value is the digest of their source. */
async function figuresWritten(
  source: LakeSource,
  years: ReadonlyMap<number, string>,
  { folder, signal }: Building,
): Promise<BuiltFile[]> {
  if (years.size === 0) return [];
  const files = new Map<number, LocalFile>();
  for (const [year, made] of years) files.set(year, await LocalFile.create(folder, figurePath(year), made));
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
