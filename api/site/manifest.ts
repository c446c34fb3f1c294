/** The site as it was built: files under addresses that name their content, so that browsers may keep them for good. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locale } from '../http/language/locale.ts';

/** Path of the addresses. */
export const ASSETS = '/assets';
/** Root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Folder of the built files. */
export const SITE_FOLDER = join(ROOT, '.cache/site');
export const MANIFEST = join(SITE_FOLDER, 'manifest.json');

/** Addresses of the built files. */
export interface Manifest {
  /** By page module (`pages/home.ts`): its script, and all that it imports before it runs. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
  readonly texts: Readonly<Record<Locale, string>>;
  readonly stylesheet: string;
  readonly icon: string;
  /** Paths of the sources, from the root of the project. */
  readonly sources: readonly string[];
}
