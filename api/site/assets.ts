/** Everything that pages load, under addresses that name the content, so that browsers may keep it for good. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { present } from '../../engine/present.ts';
import { recordOf } from '../../engine/record-of.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import { ASSETS, LIBRARIES, type ModuleGraph, readModules, resolveIn, TEXTS_MODULE } from './modules.ts';
import { SITE_TEXTS, textsOf } from './texts/catalogue.ts';

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
  /** The import map of a page in a language, as JSON. */
  readonly importMap: (module: string, locale: Locale) => string;
  /** Addresses of everything that a module of ours needs before it runs, itself first. */
  readonly neededBy: (module: string, locale: Locale) => readonly string[];
}

const PAGES = `${ASSETS}/pages/`;

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
  const pages = graph.modules.filter(({ address }) => address.startsWith(PAGES));
  const made = new Map(
    pages.map(({ address }) => {
      const keys = textsUsedBy(graph, address);
      const name = address.slice(PAGES.length, -'.ts'.length);
      const texts = recordOf(LOCALES, (locale) =>
        add(`${ASSETS}/texts/${name}.${locale}.js`, textsModule(locale, keys)),
      );
      return [address, { texts, maps: recordOf(LOCALES, (locale) => importMap(graph, urls, texts[locale])) }];
    }),
  );
  const pageOf = (module: string) => present(made.get(`${ASSETS}/${module}`), module);
  return {
    byUrl,
    stylesheet: add(`${ASSETS}/site.css`, readStyles()),
    icon: add(`${ASSETS}/icon.svg`, readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')),
    importMap: (module, locale) => pageOf(module).maps[locale],
    neededBy: (module, locale) => {
      const needed = closureOf(graph, `${ASSETS}/${module}`);
      return needed.map((address) =>
        address === TEXTS_MODULE ? pageOf(module).texts[locale] : present(urls.get(address), address),
      );
    },
  };
}

function textsModule(locale: Locale, keys: ReadonlySet<string>): string {
  const texts = Object.fromEntries(Object.entries(textsOf(locale)).filter(([key]) => keys.has(key)));
  return `export const locale = ${JSON.stringify(locale)};\nexport default ${JSON.stringify(texts)};\n`;
}

/** The texts that a page may show: those that its modules name, whole or by the beginning of a template. */
function textsUsedBy(graph: ModuleGraph, page: string): ReadonlySet<string> {
  const own = new Map(graph.modules.map(({ address, code }) => [address, code]));
  const named = closureOf(graph, page, true)
    .filter((address) => !address.startsWith(LIBRARIES))
    .map((address) => own.get(address) ?? '')
    .flatMap((code) =>
      [...code.matchAll(/'([\w.]+)'|`([\w.]+\.)\$\{/g)].map(([, whole, beginning]) => whole ?? beginning),
    );
  const names = new Set(named);
  const isUsed = (key: string) =>
    names.has(key) || [...key.matchAll(/\./g)].some(({ index }) => names.has(key.slice(0, index + 1)));
  return new Set(Object.keys(SITE_TEXTS).filter(isUsed));
}

function importMap({ bare }: ModuleGraph, urls: ReadonlyMap<string, string>, texts: string): string {
  const imports: Record<string, string> = { [TEXTS_MODULE]: texts };
  for (const [name, address] of bare) imports[name] = present(urls.get(address), address);
  for (const [address, url] of urls) imports[address] = url;
  return JSON.stringify({ imports });
}

/** A module and all that it imports, directly or not, each before those that it imports; `withLate`: at any time. */
function closureOf({ modules, bare }: ModuleGraph, start: string, withLate = false): string[] {
  const byAddress = new Map(modules.map((module) => [module.address, module]));
  const seen = new Set([start]);
  for (const address of seen) {
    const { imports = [], lateImports = [] } = byAddress.get(address) ?? {};
    for (const specifier of withLate ? [...imports, ...lateImports] : imports) {
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
