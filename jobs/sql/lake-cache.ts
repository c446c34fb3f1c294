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
/** Earlier versions may still be read, or asked for again. */
const KEPT_VERSIONS = 4;
/** A query reads its version for a shorter time. */
const IN_USE_MS = 120_000;
/** A younger file that no version links may belong to one that is being made. */
const MIN_AGE_MS = 3_600_000;

export type CacheContext = Pick<JobContext, 'storage' | 'workFolder' | 'now' | 'signal'>;

/** The folder with the files of a state of the lake. */
export async function cacheLake(context: CacheContext, { files }: LakeState): Promise<string> {
  const { workFolder, now } = context;
  const root = join(workFolder, 'lake-cache');
  const folder = join(root, versionOf(files));
  const touch = () => utimes(folder, new Date(now()), new Date(now()));
  const isThere = await touch().then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(join(root, STORE), { recursive: true, mode: 0o755 });
  for (const file of files) await fetchFile(context, root, file);
  await makeVersion(root, folder, files);
  await touch();
  await removeOldVersions(root, now());
  return folder;
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
async function makeVersion(root: string, folder: string, files: readonly StateFile[]): Promise<void> {
  const temporary = join(root, `${randomUUID()}.part`);
  const folders = new Set([temporary]);
  for (const { path, sha256 } of files) {
    const target = join(temporary, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    for (let at = dirname(target); at.length > temporary.length; at = dirname(at)) folders.add(at);
    await link(stored(root, sha256), target);
  }
  try {
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
  for (const one of folders) await chmod(one.replace(temporary, folder), 0o555);
}

async function removeOldVersions(root: string, now: number): Promise<void> {
  const names = (await readdir(root)).filter((name) => name !== STORE && !name.endsWith('.part'));
  const versions = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(root, name))).mtimeMs })));
  const old = versions.sort((a, b) => b.at - a.at).slice(KEPT_VERSIONS);
  for (const { name } of old.filter(({ at }) => now - at > IN_USE_MS)) await removeFolder(join(root, name));
  for (const name of await readdir(join(root, STORE))) {
    const path = join(root, STORE, name);
    const file = await stat(path).catch(() => null);
    if (file?.nlink === 1 && now - file.ctimeMs > MIN_AGE_MS) await rm(path, { force: true });
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
