/**
 * The files of the lake on the local disk, for queries: checked by their SHA-256, and read-only. A version of the lake is a folder of
 * hard links to files that are named by their digest, so a new version costs only the files that have changed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../engine/util/errors.ts';
import { lakeDataKey } from '../../storage/keys.ts';
import type { JobContext } from '../contracts/job-context.ts';
import type { LakeState, StateFile } from '../tables/lake-at.ts';

const STORE = 'store';
/** Versions of the lake as it is that are kept: the last one may still be read. */
const KEPT_VERSIONS = 2;
/** A query reads its version for a shorter time. */
const IN_USE_MS = 120_000;

/** Bytes on the disk. */
export interface CacheLimits {
  /** The earlier loads that one account has asked for, next to the one that it asks for now. */
  readonly account: number;
  readonly all: number;
}

const CACHE_LIMITS: CacheLimits = { account: 2 * 2 ** 30, all: 8 * 2 ** 30 };

/** The versions that queries read now leave no room for another one. */
export class CacheFull extends Error {
  override readonly name = 'CacheFull';
}

export type CacheContext = Pick<JobContext, 'storage' | 'workFolder' | 'now' | 'signal'>;

/**
 * The folder with the files of a state of the lake. What was used least recently makes room for it; throws `CacheFull`.
 *
 * @param owner the account that asked for an earlier load; null: it is the lake as it is
 */
export async function cacheLake(
  context: CacheContext,
  { files }: LakeState,
  owner: number | null = null,
  limits = CACHE_LIMITS,
): Promise<string> {
  const { workFolder, now } = context;
  const root = join(workFolder, 'lake-cache');
  await mkdir(join(root, STORE), { recursive: true, mode: 0o755 });
  const version = versionOf(files);
  const known = (await versionsIn(root)).find((name) => name.startsWith(version));
  const folder = join(root, known ?? (owner === null ? version : `${version}.${owner}`));
  const touch = () => utimes(folder, new Date(now()), new Date(now()));
  if (known !== undefined) {
    const isThere = await touch().then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  await makeRoom(root, now(), files, owner, limits);
  await makeVersion(context, root, folder, files);
  await touch();
  return folder;
}

async function versionsIn(root: string): Promise<string[]> {
  return (await readdir(root)).filter((name) => name !== STORE && !name.endsWith('.part'));
}

function versionOf(files: readonly StateFile[]): string {
  const content = files.map(({ path, sha256 }) => `${path} ${sha256}`).join('\n');
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const stored = (root: string, sha256: string) => join(root, STORE, `${sha256}.parquet`);

async function fetchFile(
  { storage, signal }: CacheContext,
  root: string,
  { path, sha256, bytes, content: own }: StateFile,
): Promise<void> {
  const target = stored(root, sha256);
  if (await exists(target)) return;
  const content = own ? Readable.from([own]) : await storage.get(lakeDataKey({ path, sha256 }));
  if (!content) throw new Error(`the storage has no ${path}`);
  const temporary = join(root, STORE, `${randomUUID()}.part`);
  const hash = createHash('sha256');
  let length = 0;
  const measured = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      length += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(content, measured, createWriteStream(temporary), { signal });
    if (length !== bytes || hash.digest('hex') !== sha256) throw new Error(`${path} is not what the manifest says`);
    await chmod(temporary, 0o444);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes the folder of a version by a rename, because another process may make the same one at the same time. */
async function makeVersion(
  context: CacheContext,
  root: string,
  folder: string,
  files: readonly StateFile[],
): Promise<void> {
  const temporary = join(root, `${randomUUID()}.part`);
  const folders = new Set([temporary]);
  try {
    for (const file of files) {
      const target = join(temporary, file.path);
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      for (let at = dirname(target); at.length > temporary.length; at = dirname(at)) folders.add(at);
      await linkFile(context, root, file, target);
    }
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
  for (const one of folders) await chmod(one.replace(temporary, folder), 0o555);
}

async function linkFile(context: CacheContext, root: string, file: StateFile, target: string): Promise<void> {
  for (;;) {
    await fetchFile(context, root, file);
    try {
      return await link(stored(root, file.sha256), target);
    } catch (error) {
      // Another process has removed it as one that no version has.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

interface CachedVersion {
  readonly name: string;
  readonly owner: string | null;
  readonly usedAt: number;
  /** Bytes by file. Versions share files. */
  readonly files: ReadonlyMap<number, number>;
}

/** Null: another process has removed it. */
async function describeVersion(root: string, name: string): Promise<CachedVersion | null> {
  return readVersion(root, name).catch((error) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

async function readVersion(root: string, name: string): Promise<CachedVersion> {
  const folder = join(root, name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map((path) => stat(path)));
  const files = new Map(found.map(({ ino, size }) => [ino, size]));
  return { name, owner: name.split('.')[1] ?? null, usedAt: (await stat(folder)).mtimeMs, files };
}

function bytesOf(versions: readonly CachedVersion[], without: readonly CachedVersion[] = []): number {
  const files = new Map(versions.flatMap((version) => [...version.files]));
  for (const { files: shared } of without) for (const ino of shared.keys()) files.delete(ino);
  return [...files.values()].reduce((sum, size) => sum + size, 0);
}

/** Removes versions, those that were used least recently first, until the files that are to come keep the limits. */
async function makeRoom(
  root: string,
  now: number,
  files: readonly StateFile[],
  owner: number | null,
  limits: CacheLimits,
): Promise<void> {
  const found = await Promise.all((await versionsIn(root)).map((name) => describeVersion(root, name)));
  let versions = found.filter((one) => one !== null).sort((a, b) => a.usedAt - b.usedAt);
  const coming = await bytesToFetch(root, files);
  const isOwn = (version: CachedVersion) => owner !== null && version.owner === String(owner);
  const isCurrent = (version: CachedVersion) => version.owner === null;
  const next = (): CachedVersion | undefined => {
    const idle = versions.filter(({ usedAt }) => now - usedAt > IN_USE_MS);
    const own = versions.filter(isOwn);
    if (bytesOf(own, versions.filter(isCurrent)) + coming > limits.account && idle.some(isOwn)) return idle.find(isOwn);
    if (bytesOf(versions) + coming > limits.all) return idle[0];
    return versions.filter(isCurrent).length > KEPT_VERSIONS ? idle.find(isCurrent) : undefined;
  };
  for (let old = next(); old !== undefined; old = next()) {
    await removeFolder(join(root, old.name));
    versions = versions.filter((one) => one !== old);
  }
  if (bytesOf(versions) + coming > limits.all) throw new CacheFull('the files of queries fill the cache');
  await removeUnlinked(root);
}

async function bytesToFetch(root: string, files: readonly StateFile[]): Promise<number> {
  const isThere = await Promise.all(files.map(({ sha256 }) => exists(stored(root, sha256))));
  return files.reduce((sum, { bytes }, i) => sum + (isThere[i] ? 0 : bytes), 0);
}

/** Removes files that no version has. One that a version is being made of is fetched again. */
async function removeUnlinked(root: string): Promise<void> {
  for (const name of await readdir(join(root, STORE))) {
    const path = join(root, STORE, name);
    const file = await stat(path).catch(() => null);
    if (file?.nlink === 1 && name.endsWith('.parquet')) await rm(path, { force: true });
  }
}

/** Makes the read-only folders writable first. */
async function removeFolder(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await rm(folder, { recursive: true, force: true });
}
