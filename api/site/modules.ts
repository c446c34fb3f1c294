/** Browser modules: ours without their types, and those of the libraries that they import. */

import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initSync, parse } from 'es-module-lexer';
import { present } from '../../engine/present.ts';
import { ASSETS, LIBRARIES, packageFolder, TEXTS_MODULE } from './addresses.ts';

/** A module under its plain address, which import maps replace by the one that names its content. */
export interface BrowserModule {
  /** `/assets/pages/home.ts`, `/assets/lib/lit-html/lit-html.js`. */
  readonly address: string;
  readonly code: string;
  /** Specifiers of its imports that are there as soon as it runs. */
  readonly imports: readonly string[];
  /** Specifiers of what it imports when that is needed. */
  readonly lateImports: readonly string[];
}

export interface ModuleGraph {
  readonly modules: readonly BrowserModule[];
  /** Names of libraries (`lit`) and the plain addresses of their modules. */
  readonly bare: ReadonlyMap<string, string>;
}

const BROWSER = fileURLToPath(new URL('./browser', import.meta.url));

/** Libraries whose whole content is one file, where the one for bundlers would import others. */
const SINGLE_FILES: Readonly<Record<string, string>> = {
  'lightweight-charts': 'dist/lightweight-charts.standalone.production.mjs',
};

export function readModules(): ModuleGraph {
  initSync();
  const own = readdirSync(BROWSER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => moduleOf(`${ASSETS}/${name.split(sep).join('/')}`, stripped(join(BROWSER, name))));
  const modules = new Map(own.map((module) => [module.address, module]));
  const bare = new Map<string, string>();
  for (const module of modules.values()) {
    for (const specifier of module.imports) {
      if (specifier === TEXTS_MODULE) continue;
      const file = specifier.startsWith('.')
        ? libraryFile(resolveIn(module.address, specifier))
        : libraryEntry(specifier, module.address);
      if (file === null) continue;
      if (!specifier.startsWith('.')) bare.set(specifier, file.address);
      if (modules.has(file.address)) continue;
      const code = readFileSync(file.path, 'utf8').replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
      modules.set(file.address, moduleOf(file.address, code));
    }
  }
  return { modules: [...modules.values()], bare };
}

function moduleOf(address: string, code: string): BrowserModule {
  const [found] = parse(code);
  return {
    address,
    code,
    imports: [...new Set(found.filter(({ d }) => d === -1).map(({ n }) => present(n)))],
    lateImports: found.filter(({ d }) => d >= 0).flatMap(({ n }) => n ?? []),
  };
}

/** The plain address that a relative specifier means. */
export function resolveIn(address: string, specifier: string): string {
  return new URL(specifier, `http://site${address}`).pathname;
}

interface LibraryFile {
  readonly address: string;
  readonly path: string;
}

/** The file behind the address of a library's module; null: the address is of a module of ours. */
function libraryFile(address: string): LibraryFile | null {
  if (!address.startsWith(LIBRARIES)) return null;
  const [, name, file] = present(/^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(address.slice(LIBRARIES.length)), address);
  return { address, path: join(packageFolder(name), file) };
}

/** The file that a name means in a browser; which one Node would take depends on other conditions. */
function libraryEntry(specifier: string, importer: string): LibraryFile {
  const [, name, rest] = present(/^((?:@[^/]+\/)?[^/]+)(\/.+)?$/.exec(specifier), specifier);
  const folder = packageFolder(name);
  const { exports }: { exports?: Readonly<Record<string, Exports>> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const file = SINGLE_FILES[specifier] ?? targetOf(exports?.[`.${rest ?? ''}`]);
  if (file === null) throw new Error(`${importer} imports ${specifier}, which has nothing for browsers`);
  const path = join(folder, file);
  return { address: `${LIBRARIES}${name}/${relative(folder, path).split(sep).join('/')}`, path };
}

type Exports = string | { readonly [condition: string]: Exports };

/** Resolves an export with the conditions of a browser in production. */
function targetOf(exports: Exports | undefined): string | null {
  if (exports === undefined || typeof exports === 'string') return exports ?? null;
  for (const condition of ['browser', 'import', 'default']) {
    const target = targetOf(exports[condition]);
    if (target !== null) return target;
  }
  return null;
}

/** Node says once that it may still change how it does this; that is nothing for operators to read at each start. */
function stripped(path: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // Not `strip`, which keeps the comments: a sixth of what a page would load.
    return stripTypeScriptTypes(readFileSync(path, 'utf8'), { mode: 'transform' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
