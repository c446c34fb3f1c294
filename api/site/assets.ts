/** Everything that pages load, under addresses that name the content, so that browsers may keep it for good. */
import { present } from '../../engine/present.ts';
import type { Locale } from '../http/language/locale.ts';
import { madeInThread } from '../made-in-thread.ts';

export interface Asset {
  /** `/assets/pages/home.1f0c9a3b52.js` */
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The files that a page loads in one language. */
export interface PageAssets {
  /** The import map, as JSON. */
  readonly importMap: string;
  /** Addresses of everything that the page's module needs before it runs, itself first. */
  readonly needed: readonly string[];
}

export interface BuiltAssets {
  readonly files: readonly (Omit<Asset, 'bytes'> & { readonly bytes: Uint8Array })[];
  readonly stylesheet: string;
  readonly icon: string;
  /** By module and language. */
  readonly pages: Readonly<Record<string, Readonly<Record<Locale, PageAssets>>>>;
}

export interface Assets extends Pick<BuiltAssets, 'stylesheet' | 'icon'> {
  readonly byUrl: ReadonlyMap<string, Asset>;
  readonly ofPage: (module: string, locale: Locale) => PageAssets;
}

/** Built once a process. */
export function siteAssets(): Promise<Assets> {
  built ??= open().catch((error) => {
    built = undefined;
    throw error;
  });
  return built;
}

let built: Promise<Assets> | undefined;

/** Types are stripped by a compiler that takes half a second and 70 MB, so it runs in a thread of its own. */
async function open(): Promise<Assets> {
  const { files, stylesheet, icon, pages } = await madeInThread<BuiltAssets>(
    new URL('./assets-thread.ts', import.meta.url),
  );
  const assets = files.map(({ url, contentType, bytes }): Asset => {
    return { url, contentType, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  });
  return {
    byUrl: new Map(assets.map((asset) => [asset.url, asset])),
    stylesheet,
    icon,
    ofPage: (module, locale) => present(pages[module], module)[locale],
  };
}
