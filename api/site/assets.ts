/** Everything that pages load, under addresses that name the content, so that browsers may keep it for good. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { present } from '../../engine/present.ts';
import { recordOf } from '../../engine/record-of.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import { ASSETS, type ModuleGraph, readModules, resolveIn, TEXTS_MODULE } from './modules.ts';
import { textsOf } from './texts/catalogue.ts';

export interface Asset {
  /** `/assets/pages/home.1f0c9a3b52.js` */
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface Assets {
  readonly byUrl: ReadonlyMap<string, Asset>;
  readonly stylesheet: string;
  readonly icon: string;
  /** The import map of a language, as JSON. */
  readonly importMaps: Readonly<Record<Locale, string>>;
  /** Addresses of everything that a module of ours needs before it runs, itself first. */
  readonly neededBy: (module: string, locale: Locale) => readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Built once a process: the first call takes some tenths of a second. */
export function siteAssets(): Assets {
  built ??= buildAssets();
  return built;
}

let built: Assets | undefined;

function buildAssets(): Assets {
  const byUrl = new Map<string, Asset>();
  const add = (address: string, content: string): string => {
    const bytes = Buffer.from(content);
    const extension = extname(address);
    const named = address.slice(0, -extension.length);
    const url = `${named}.${hash('sha256', bytes, 'hex').slice(0, 12)}${extension === '.css' || extension === '.svg' ? extension : '.js'}`;
    byUrl.set(url, { url, contentType: TYPES[extension], bytes });
    return url;
  };
  const graph = readModules();
  const urls = new Map(graph.modules.map(({ address, code }) => [address, add(address, code)]));
  const textUrls = recordOf(LOCALES, (locale) => add(`${ASSETS}/texts.${locale}.js`, textsModule(locale)));
  return {
    byUrl,
    stylesheet: add(`${ASSETS}/site.css`, readStyles()),
    icon: add(`${ASSETS}/icon.svg`, readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')),
    importMaps: recordOf(LOCALES, (locale) => importMap(graph, urls, textUrls[locale])),
    neededBy: (module, locale) => {
      const needed = closureOf(graph, `${ASSETS}/${module}`);
      return needed.map((address) =>
        address === TEXTS_MODULE ? textUrls[locale] : present(urls.get(address), address),
      );
    },
  };
}

function textsModule(locale: Locale): string {
  return `export const locale = ${JSON.stringify(locale)};\nexport default ${JSON.stringify(textsOf(locale))};\n`;
}

function importMap({ bare }: ModuleGraph, urls: ReadonlyMap<string, string>, texts: string): string {
  const imports: Record<string, string> = { [TEXTS_MODULE]: texts };
  for (const [name, address] of bare) imports[name] = present(urls.get(address), address);
  for (const [address, url] of urls) imports[address] = url;
  return JSON.stringify({ imports });
}

/** A module and all that it imports, directly or not, each before those that it imports. */
function closureOf({ modules, bare }: ModuleGraph, start: string): string[] {
  const byAddress = new Map(modules.map((module) => [module.address, module]));
  const seen = new Set([start]);
  for (const address of seen) {
    for (const specifier of byAddress.get(address)?.imports ?? []) {
      const target = specifier.startsWith('.') ? resolveIn(address, specifier) : (bare.get(specifier) ?? specifier);
      seen.add(target);
    }
  }
  return [...seen];
}

/** The files of the folder in the order of their names. */
function readStyles(): string {
  const folder = new URL('./styles/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
