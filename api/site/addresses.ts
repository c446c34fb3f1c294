/** Where pages find what they load. */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { present } from '../../engine/present.ts';

export const ASSETS = '/assets';
export const LIBRARIES = `${ASSETS}/lib/`;
/** Imported by this name: the texts of the page's language, which every page has of its own. */
export const TEXTS_MODULE = 'site/texts';

/** Returns the folder of a package; its exports for Node do not matter here. */
export function packageFolder(name: string): string {
  return dirname(present(findPackageJSON(name, import.meta.url), name));
}
