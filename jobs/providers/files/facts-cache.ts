/** Keeps what was found out about files until they or `market.json` change. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileFacts } from './facts.ts';
import type { MarketJson } from './market-json.ts';

/** Raised when the facts of a file change their meaning. */
const VERSION = 1;

interface Stamp {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}
type Entry = Omit<Stamp, 'path'> & { readonly facts: FileFacts };

export class FactsCache {
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
