/** Finds out what each file of a folder is: its layout, its symbols, its days. The result is kept until the file changes. */

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, matchesGlob, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { isTradingDay } from '../../../engine/market/faults.ts';
import type { VenueBasis } from '../../../engine/market/venue-basis.ts';
import { codeOf, toError } from '../../../engine/util/errors.ts';
import type { FileIdentity } from '../file-account.ts';
import { ProviderError } from '../provider.ts';
import { dayOfName, examine, type Look } from './examine.ts';
import { columnFacts, type FileFacts, placeOf, unread } from './facts.ts';
import { MARKET_JSON, type MarketJson, readMarketJson } from './market-json.ts';
import { packingOf, readStart, readTogether } from './open-file.ts';
import type { SourcePath } from './source-path.ts';
import { readMembers } from './zip.ts';

/** Raised when the facts of a file change their meaning. */
const VERSION = 3;

interface Stamp {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}
type Entry = Omit<Stamp, 'path'> & { readonly facts: FileFacts };

class FactsCache {
  private readonly file: string;
  private readonly key: string;
  private readonly known: Readonly<Record<string, Entry>>;
  private readonly entries: Record<string, Entry> = {};
  private isChanged = false;

  private constructor(file: string, key: string, known: Readonly<Record<string, Entry>>) {
    this.file = file;
    this.key = key;
    this.known = known;
  }

  static async load(file: string, market: MarketJson): Promise<FactsCache> {
    const key = createHash('sha256')
      .update(JSON.stringify([VERSION, market]))
      .digest('hex');
    const stored = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
    return new FactsCache(file, key, stored.key === key ? stored.entries : {});
  }

  get({ path, bytes, modifiedMs }: Stamp): FileFacts | undefined {
    const entry = this.known[path];
    return entry?.bytes === bytes && entry.modifiedMs === modifiedMs ? entry.facts : undefined;
  }

  set({ path, bytes, modifiedMs }: Stamp, facts: FileFacts): void {
    this.isChanged ||= this.known[path]?.facts !== facts;
    this.entries[path] = { bytes, modifiedMs, facts };
  }

  async save(): Promise<void> {
    if (!this.isChanged) return;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const temporary = `${this.file}.${process.pid}.${Math.trunc(performance.now())}`;
    try {
      await writeFile(temporary, JSON.stringify({ key: this.key, entries: this.entries }), { mode: 0o600 });
      await rename(temporary, this.file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

/** A file of the folder with what is known of it. */
export interface SurveyedFile extends SourcePath {
  /** In milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly facts: FileFacts;
}

export interface Survey {
  readonly market: MarketJson;
  readonly files: readonly SurveyedFile[];
  /** Hidden files, which are not read. */
  readonly hidden: number;
  /** Files that are still being written. */
  readonly unsettled: readonly string[];
}

export interface SurveyOptions {
  readonly folder: string;
  /** Cache of what was found out about each file. */
  readonly cacheFile: string;
  readonly now: () => number;
  /** How long a file must have stood still before it is read. */
  readonly settleMs: number;
  /** The service's own folder, which may lie within the other one and is no part of it. */
  readonly dataFolder?: string;
}

interface FoundFile extends SourcePath {
  readonly modifiedMs: number;
  readonly changedMs: number;
}

export async function surveyFolder(options: SurveyOptions): Promise<Survey> {
  const { folder, settleMs } = options;
  const found = await findFiles(folder, options.dataFolder);
  const market = await readMarketJson(folder);
  const cache = await FactsCache.load(options.cacheFile, market);
  // A moment of the machine, as the times of its files are; not the time of the service.
  const wall = performance.timeOrigin + performance.now();
  const files: SurveyedFile[] = [];
  const unsettled: string[] = [];
  const hasList = found.files.some(({ path }) => path === 'symbols.csv');
  const settled = found.files.filter((file) => {
    const age = wall - Math.max(file.modifiedMs, file.changedMs);
    const isSettled = settleMs === 0 || age < 0 || age >= settleMs;
    if (!isSettled) unsettled.push(file.path);
    return isSettled;
  });
  const look = { market, now: options.now(), hasList };
  const known = async (file: FoundFile) => cache.get(file) ?? factsOf(file, look);
  for await (const [file, facts] of readTogether(settled, known)) {
    cache.set(file, facts);
    files.push({ ...file, facts });
  }
  await cache.save();
  return { market, files, hidden: found.hidden, unsettled };
}

/** Looks at one file. */
export async function factsOf(file: SourcePath, look: Look): Promise<FileFacts> {
  const { market } = look;
  const place = placeOf(file.path);
  if (market.ignore?.some((glob) => matchesGlob(file.path, glob))) return unread('ignored');
  if (file.path === MARKET_JSON) return unread('settings');
  if (place.isColumn) return columnFacts(file.path);
  const facts = await examine(file, place, look).catch((error) =>
    unread(error instanceof ProviderError ? error.message : `it cannot be read: ${toError(error).message}`),
  );
  const day = facts.kind === null && place.isOwn ? dayOfName(file.path) : null;
  // Its name tells a session, whose load fails by it: left out, it would be told by nobody.
  return day !== null && isTradingDay(day) ? { ...facts, kind: 'bars', days: [day, day] } : facts;
}

/** All files below the folder, by path, and how many hidden ones. Links are followed only within it. */
export async function findFiles(folder: string, dataFolder?: string): Promise<{ files: FoundFile[]; hidden: number }> {
  const root = await realpath(folder).catch((error) => {
    throw new ProviderError(`the provider folder ${folder} cannot be read: ${error.message}`, { cause: error });
  });
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((error) => {
    throw new ProviderError(`the provider folder ${folder} cannot be read: ${error.message}`, { cause: error });
  });
  const own = await ownFolders(root, dataFolder);
  const named = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ disk: join(entry.parentPath, entry.name), isLink: entry.isSymbolicLink() }))
    .filter(({ disk }) => !own.some((folder) => disk.startsWith(folder + sep)))
    .map((entry) => ({ ...entry, path: relative(root, entry.disk).split(sep).join('/') }));
  const shown = named.filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')));
  const files: FoundFile[] = [];
  for await (const [, found] of readTogether(shown, (file) => findFile(root, file))) files.push(...found);
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), hidden: named.length - shown.length };
}

/** Calls back: half the time of `fs/promises`, which counts where every ticker has a file of its own. */
const stat = promisify(fs.stat);

type NamedFile = Pick<FoundFile, 'disk' | 'path'> & { readonly isLink: boolean };

/** None if it is a link to another place, or gone. */
async function findFile(root: string, { disk, path, isLink }: NamedFile): Promise<FoundFile[]> {
  const real = isLink ? await realpath(disk).catch(() => null) : disk;
  if (!real?.startsWith(root + sep)) return [];
  try {
    const { size: bytes, mtimeMs: modifiedMs, ctimeMs: changedMs } = await stat(real);
    return await withMembers({ disk, path, bytes, modifiedMs, changedMs });
  } catch (error) {
    // It was removed after the folder was listed; any other fault is told by its reader.
    return codeOf(error) === 'ENOENT' ? [] : [{ disk, path, bytes: 0, modifiedMs: 0, changedMs: 0 }];
  }
}

/** Folders in DATA_DIR. */
const OWN_FOLDERS = ['cache', 'objects', 'postgres', 'work', 'outbox'] as const;

async function ownFolders(root: string, dataFolder: string | undefined): Promise<string[]> {
  if (dataFolder === undefined) return [];
  const real = await realpath(dataFolder).catch(() => dataFolder);
  if (real === root) return OWN_FOLDERS.map((name) => join(root, name));
  // A market may also lie in DATA_DIR.
  return real.startsWith(root + sep) ? [real] : [];
}

/** A file, or the members of an archive. */
async function withMembers(file: FoundFile): Promise<FoundFile[]> {
  if (!/\.zip$/i.test(file.path)) return [file];
  try {
    if (packingOf((await readStart(file)).bytes) !== 'zip') return [file];
    const members = await readMembers(file.disk);
    return members
      .filter(({ name }) => !name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX'))
      .map((member) => ({ ...file, path: `${file.path}!${member.name}`, bytes: member.bytes, member }));
  } catch {
    // It is told as a file that cannot be read.
    return [file];
  }
}

/** The identity of a file in its account. */
export function identityOf({ path, bytes, modifiedMs, facts }: SurveyedFile): FileIdentity {
  return { path, bytes, modifiedMs, layout: facts.layout, firstLine: facts.firstLine, told: facts.told };
}

/** Its files of bars on a venue basis. */
export function barFiles({ files }: Survey, venueBasis: VenueBasis): SurveyedFile[] {
  return files.filter(({ path, facts }) => facts.kind === 'bars' && placeOf(path).venueBasis === venueBasis);
}

/** The order in which files are read: where the newest file counts, it comes first. */
export function inOrder(files: readonly SurveyedFile[], { market }: Survey): SurveyedFile[] {
  if (market.conflicts !== 'newest_file') return [...files];
  return [...files].sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? 1 : -1));
}
