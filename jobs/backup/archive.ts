/**
 * The file of a backup: a gzipped tar.
 *
 * First `manifest.json`, which describes the backup, then the objects (`objects/KEY`), then the rows of each table in parts
 * (`tables/NAME/000001`), and last `end.json` with counts and digests, without which an archive is incomplete.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { codeOf, toError } from '../../engine/util/errors.ts';

export const ARCHIVE_FORMAT = 1;
/** Size of a part of rows, which is in memory until it is full, because a tar entry begins with its size. */
const PART_BYTES = 4 * 1024 * 1024;
const MANIFEST = 'manifest.json';
const END = 'end.json';

const manifestSchema = z.object({
  format: z.number(),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Null: the objects are in a bucket and not part of the backup. */
  objects: z.number().nullable(),
});
const tableTotalsSchema = z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() });
const endSchema = z.object({
  tables: z.record(z.string(), tableTotalsSchema),
  objects: z.object({ count: z.number(), bytes: z.number(), sha256: z.string() }),
  sequences: z.array(z.object({ table: z.string(), column: z.string(), lastValue: z.number(), isCalled: z.boolean() })),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ArchiveEnd = z.infer<typeof endSchema>;
export type TableTotals = z.infer<typeof tableTotalsSchema>;

/** The archive is truncated, damaged, or not one of this service, as its message says. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** Opens an archive at its beginning. */
export type ArchiveSource = () => Promise<Readable>;

export const fileSource =
  (path: string): ArchiveSource =>
  async () =>
    createReadStream(path);

/** A new file that only its owner can read. */
export const newArchiveFile = (path: string): Writable => createWriteStream(path, { mode: 0o600, flags: 'wx' });

/** Counts the rows and bytes of a table, and digests them. */
export class TableMeter {
  private readonly hash = createHash('sha256');
  private rows = 0;
  private bytes = 0;

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) this.rows++;
  }

  totals(): TableTotals {
    return { rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** Counts the objects and their bytes, and digests their keys and contents. */
class ObjectMeter {
  private readonly hash = createHash('sha256');
  private count = 0;
  private bytes = 0;

  begin(key: string): void {
    this.hash.update(`\n${key}\n`);
    this.count++;
  }

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
  }

  totals(): ArchiveEnd['objects'] {
    return { count: this.count, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** Writes an archive. Its methods must be called in the order of the file. */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly written: Promise<void>;
  private readonly tables: Record<string, TableTotals> = {};
  private readonly objects = new ObjectMeter();
  private failure: unknown = null;

  constructor(target: Writable) {
    this.written = pipeline(this.tar, createGzip({ level: 1 }), target);
    this.written.catch((error) => {
      this.failure = error;
    });
  }

  /** Waits for `work`; rejects with the error of the file when it cannot be written. */
  private async unlessBroken<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.written.then(() => work)]);
  }

  private async addPart(name: string, content: Buffer): Promise<void> {
    const added = new Promise<void>((done, failed) => {
      this.tar.entry({ name, mode: 0o600, size: content.length }, content, (error) => (error ? failed(error) : done()));
    });
    await this.unlessBroken(added);
  }

  async addManifest(manifest: Manifest): Promise<void> {
    await this.addPart(MANIFEST, Buffer.from(JSON.stringify(manifest, null, 1)));
  }

  /** An object of exactly `bytes` bytes. */
  async addObject(key: string, bytes: number, content: Readable): Promise<void> {
    this.objects.begin(key);
    const ended = Promise.withResolvers<void>();
    ended.promise.catch(() => {});
    const header = { name: `objects/${key}`, mode: 0o600, size: bytes };
    const entry = this.tar.entry(header, (error) => (error ? ended.reject(error) : ended.resolve()));
    for await (const chunk of content) {
      this.objects.add(chunk);
      if (!entry.write(chunk)) await this.unlessBroken(once(entry, 'drain'));
    }
    entry.end(undefined);
    await this.unlessBroken(ended.promise);
  }

  async addTable(name: string, rows: Readable, onBytes: (bytes: number) => void): Promise<TableTotals> {
    const meter = new TableMeter();
    let chunks: Buffer[] = [];
    let chunkBytes = 0;
    let part = 0;
    const flush = async () => {
      if (chunkBytes === 0) return;
      await this.addPart(`tables/${name}/${String(++part).padStart(6, '0')}`, Buffer.concat(chunks));
      chunks = [];
      chunkBytes = 0;
    };
    for await (const chunk of rows) {
      meter.add(chunk);
      chunks.push(chunk);
      chunkBytes += chunk.length;
      onBytes(chunk.length);
      if (chunkBytes >= PART_BYTES) await flush();
    }
    await flush();
    this.tables[name] = meter.totals();
    return this.tables[name];
  }

  /** Resolves when the archive is complete and written. */
  async finish(sequences: ArchiveEnd['sequences']): Promise<ArchiveEnd> {
    const end: ArchiveEnd = { tables: this.tables, objects: this.objects.totals(), sequences };
    await this.addPart(END, Buffer.from(JSON.stringify(end)));
    this.tar.finalize();
    await this.written;
    return end;
  }

  /** Stops writing; the caller removes what is written. Resolves with the error of the file, or null. */
  async abort(): Promise<unknown> {
    // The tar stream ends shortly before its file reports the error.
    await nextTurn();
    const { failure } = this;
    this.tar.destroy();
    await this.written.catch(() => {});
    return failure;
  }
}

export interface ArchiveVisitor {
  object?(key: string, content: Readable): Promise<void>;
  /** Receives a part of the rows of a table; the parts of a table are consecutive. */
  rows?(table: string, chunk: Buffer): Promise<void>;
}

interface Read {
  manifest: Manifest | null;
  end: ArchiveEnd | null;
}

/** Reads an archive from its beginning to its end. Throws an `ArchiveError`. */
export async function readArchive(
  open: ArchiveSource,
  visitor: ArchiveVisitor,
): Promise<{ manifest: Manifest; end: ArchiveEnd }> {
  const entries = extract();
  const fed = pipeline(await open(), createGunzip(), entries);
  let damage: unknown = null;
  fed.catch((error) => {
    damage = error;
  });
  const read: Read = { manifest: null, end: null };
  try {
    for await (const entry of entries) {
      if (read.end) throw new ArchiveError('something follows its end');
      await readEntry(entry.header.name, Readable.from(entry), read, visitor);
    }
    await fed;
  } catch (error) {
    // The file reports its error after the entry that is truncated.
    await nextTurn();
    entries.destroy();
    // When the visitor fails, the file is closed early, and the visitor's error is the cause.
    const isOfFile = damage !== null && codeOf(damage) !== 'ERR_STREAM_PREMATURE_CLOSE';
    throw toArchiveError(isOfFile ? damage : error);
  }
  if (!read.manifest || !read.end) throw new ArchiveError('it is cut off');
  return { manifest: read.manifest, end: read.end };
}

async function readEntry(name: string, content: Readable, read: Read, visitor: ArchiveVisitor): Promise<void> {
  const [room, ...rest] = name.split('/');
  if (name === MANIFEST) {
    read.manifest = manifestSchema.parse(JSON.parse((await contentOf(content)).toString()));
    const { format } = read.manifest;
    if (format !== ARCHIVE_FORMAT) throw new ArchiveError(`its format ${format} is not known to this version`);
    return;
  }
  if (!read.manifest) throw new ArchiveError('it does not begin with a manifest');
  if (name === END) read.end = endSchema.parse(JSON.parse((await contentOf(content)).toString()));
  else if (room === 'objects' && visitor.object) await visitor.object(rest.join('/'), content);
  else if (room === 'tables' && visitor.rows) {
    for await (const chunk of content) await visitor.rows(rest[0], chunk);
  }
  content.resume();
}

async function contentOf(entry: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Turns errors of libraries about a truncated or damaged file into an `ArchiveError`; returns other errors unchanged. */
function toArchiveError(error: unknown): unknown {
  const code = codeOf(error);
  const { message } = toError(error);
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new ArchiveError(`it cannot be read (${code})`);
  if (code === 'Z_BUF_ERROR' || /Unexpected end of data/.test(message)) return new ArchiveError('it is cut off');
  const isDamage = code?.startsWith('Z_') || /tar header|Invalid tar|checksum/i.test(message);
  if (isDamage || error instanceof SyntaxError || error instanceof z.ZodError) return new ArchiveError('it is damaged');
  return error;
}

/** Reads the whole archive and compares counts and digests, without changing anything. Throws an `ArchiveError`. */
export async function verifyArchive(open: ArchiveSource): Promise<{ manifest: Manifest; end: ArchiveEnd }> {
  const tables = new Map<string, TableMeter>();
  const objects = new ObjectMeter();
  const read = await readArchive(open, {
    object: async (key, content) => {
      objects.begin(key);
      for await (const chunk of content) objects.add(chunk);
    },
    rows: async (table, chunk) => {
      const meter = tables.get(table) ?? new TableMeter();
      tables.set(table, meter);
      meter.add(chunk);
    },
  });
  const isSame = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b);
  for (const { name } of read.manifest.tables) {
    const found = (tables.get(name) ?? new TableMeter()).totals();
    if (!isSame(found, read.end.tables[name] ?? {})) throw new ArchiveError(`rows of ${name} are missing or damaged`);
  }
  if (!isSame(objects.totals(), read.end.objects)) throw new ArchiveError('objects are missing or damaged');
  return read;
}
