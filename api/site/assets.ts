/** The built site of a process. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../engine/util/errors.ts';
import { MANIFEST, type Manifest, ROOT } from './manifest.ts';

let opened: Promise<Manifest> | undefined;

/** The built site, opened once a process. */
export function siteAssets(): Promise<Manifest> {
  opened ??= openAssets().catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Reads the built site; builds it first if there is none, or if a source is newer. */
async function openAssets(): Promise<Manifest> {
  const built = await readBuilt();
  if (built) return built;
  // An image has no bundler: its site is built before.
  const { buildSite } = await import('./build.ts').catch((cause) => {
    throw new Error('the site is not built: run "npm run build:site" with all packages', { cause });
  });
  await buildSite();
  return readManifest();
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(MANIFEST, 'utf8'));
}

/** Null: there is none, or a source is newer. */
async function readBuilt(): Promise<Manifest | null> {
  const builtAt = await modifiedAt(MANIFEST);
  if (builtAt === null) return null;
  const manifest = await readManifest();
  // A bundled library may have been uninstalled since.
  const times = await Promise.all(manifest.sources.map((path) => modifiedAt(join(ROOT, path))));
  return times.every((time) => time === null || time <= builtAt) ? manifest : null;
}

/** Milliseconds since 1970; null: there is no such file. */
async function modifiedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
