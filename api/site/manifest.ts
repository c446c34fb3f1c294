/** The built site: files under addresses with a hash of their content, so that browsers may cache them forever. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locale } from '../http/language/locale.ts';

/** Path below which the files are served. */
export const ASSETS = '/assets';
/** Root of the project. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Folder of the built files. */
export const SITE_FOLDER = join(ROOT, '.cache/site');
export const MANIFEST = join(SITE_FOLDER, 'manifest.json');

/** Inter in one file for each weight, as the drawing of previews needs it, in the folder of the built files. */
export const PICTURE_FONTS = [
  { name: 'preview-400.ttf', weight: 400 },
  { name: 'preview-600.ttf', weight: 600 },
] as const;

interface PageFiles {
  /** In the order in which they run. */
  readonly scripts: readonly string[];
  /**
   * All that they need before they can run, then what it begins to load. The largest come first: browsers fetch six files at a time, and
   * the small ones fit in beside them.
   */
  readonly preloads: Readonly<Record<Locale, readonly string[]>>;
}

/** Addresses of the built files. */
export interface Manifest {
  /** By page module (`pages/home.ts`). */
  readonly pages: Readonly<Record<string, PageFiles>>;
  readonly stylesheet: string;
  readonly icon: string;
  readonly font: string;
  /** Paths of the sources, from the root of the project. */
  readonly sources: readonly string[];
}
