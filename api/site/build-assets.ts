/** Builds everything that pages load from the sources of the site and the libraries that it uses. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { present } from '../../engine/present.ts';
import { recordOf } from '../../engine/record-of.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import { ASSETS, LIBRARIES, TEXTS_MODULE } from './addresses.ts';
import type { Asset, BuiltAssets, PageAssets } from './assets.ts';
import { type ModuleGraph, readModules, resolveIn } from './modules.ts';
import { SITE_TEXTS, textsOf } from './texts/catalogue.ts';

const PAGES = `${ASSETS}/pages/`;

const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Takes some tenths of a second. */
export function buildAssets(): BuiltAssets {
  const files = new Map<string, Asset>();
  const add = (address: string, content: string): string => {
    const bytes = Buffer.from(content);
    const extension = extname(address);
    const named = address.slice(0, -extension.length);
    const url = `${named}.${hash('sha256', bytes, 'hex').slice(0, 12)}${extension === '.css' || extension === '.svg' ? extension : '.js'}`;
    files.set(url, { url, contentType: TYPES[extension], bytes });
    return url;
  };
  const graph = readModules();
  const urls = new Map(graph.modules.map(({ address, code }) => [address, add(address, code)]));
  const pageOf = (address: string): [string, Record<Locale, PageAssets>] => {
    const keys = textsUsedBy(graph, address);
    const needed = closureOf(graph, address);
    const name = address.slice(PAGES.length, -'.ts'.length);
    const page = recordOf(LOCALES, (locale) => {
      const texts = add(`${ASSETS}/texts/${name}.${locale}.js`, textsModule(locale, keys));
      const urlOf = (one: string) => (one === TEXTS_MODULE ? texts : present(urls.get(one), one));
      return { importMap: importMap(graph, urls, texts), needed: needed.map(urlOf) };
    });
    return [address.slice(ASSETS.length + 1), page];
  };
  const pages = graph.modules.filter(({ address }) => address.startsWith(PAGES));
  return {
    pages: Object.fromEntries(pages.map(({ address }) => pageOf(address))),
    stylesheet: add(`${ASSETS}/site.css`, readStyles()),
    icon: add(`${ASSETS}/icon.svg`, readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')),
    files: [...files.values()],
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

/** The files of the folder in the order of their names, without comments and indentation. */
function readStyles(): string {
  const folder = new URL('./styles/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n');
}
