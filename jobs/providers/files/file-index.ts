/** Finds the days of each bar file: from its name, or by a scan whose result is cached until the file changes. */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isTradingDay } from '../../../engine/market/bar-faults.ts';
import { type Day, newYorkDay, parseDay } from '../../../engine/market/dates.ts';
import { readText } from './csv.ts';

export interface IndexedFile {
  readonly path: string;
  readonly bytes: number;
  /** First and last trading day in the file; null when it has none. */
  readonly days: readonly [Day, Day] | null;
}

interface CachedDays {
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly days: readonly [Day, Day] | null;
}

/** The day that a file name such as `2026-11-20.csv.gz` names; null: none. */
export function dayOfFileName(path: string): Day | null {
  return parseDay(basename(path).replace(/\.csv(\.gz)?$/, ''));
}

export class FileIndex {
  private readonly cacheFile: string;
  private readonly now: () => number;
  private cached: Record<string, CachedDays> | null = null;

  constructor(cacheFile: string, now: () => number) {
    this.cacheFile = cacheFile;
    this.now = now;
  }

  async index(paths: readonly string[]): Promise<IndexedFile[]> {
    const known = await this.load();
    let isChanged = false;
    const files: IndexedFile[] = [];
    for (const path of paths) {
      const { size: bytes, mtimeMs } = await stat(path);
      const named = dayOfFileName(path);
      if (named !== null) {
        files.push({ path, bytes, days: [named, named] });
        continue;
      }
      let entry = known[path];
      if (!entry || entry.mtimeMs !== mtimeMs || entry.bytes !== bytes) {
        entry = { mtimeMs, bytes, days: await this.scan(path) };
        known[path] = entry;
        isChanged = true;
      }
      files.push({ path, bytes, days: entry.days });
    }
    if (isChanged) await this.save(known);
    return files;
  }

  /** The first and the last date in the text that is a trading day and not in the future. */
  private async scan(path: string): Promise<[Day, Day] | null> {
    const today = newYorkDay(this.now());
    const seen = new Set<string>();
    for await (const { text } of readText(path)) {
      for (const date of text.match(/\d{4}-\d\d-\d\d/g) ?? []) seen.add(date);
    }
    let first = Infinity;
    let last = -Infinity;
    for (const text of seen) {
      const day = parseDay(text);
      if (day === null || day > today || !isTradingDay(day)) continue;
      first = Math.min(first, day);
      last = Math.max(last, day);
    }
    return first <= last ? [first, last] : null;
  }

  private async load(): Promise<Record<string, CachedDays>> {
    const known = this.cached ?? (await readFile(this.cacheFile, 'utf8').then(JSON.parse, () => ({})));
    this.cached = known;
    return known;
  }

  private async save(known: Record<string, CachedDays>): Promise<void> {
    await mkdir(dirname(this.cacheFile), { recursive: true, mode: 0o700 });
    const temporary = `${this.cacheFile}.${process.pid}`;
    try {
      await writeFile(temporary, JSON.stringify(known), { mode: 0o600 });
      await rename(temporary, this.cacheFile);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}
