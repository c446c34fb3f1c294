/** Bundles what pages load: scripts with their libraries, the texts of each language, and styles. */
import { readdirSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { build, type Metafile, type OnLoadResult, type Plugin, stop } from 'esbuild';
import subsetFont from 'subset-font';
import { codeOf } from '../../engine/util/errors.ts';
import { fromKeys } from '../../engine/util/values.ts';
import { LOCALES, type Locale } from '../http/language/locale.ts';
import { FORM_SOURCES, formSchemas } from './form-schemas.ts';
import { ASSETS, MANIFEST, type Manifest, PICTURE_FONTS, ROOT, SITE_FOLDER } from './manifest.ts';
import { PAGES as SITE_PAGES } from './pages.ts';
import { TEXT_MODULES, textsOf } from './texts/catalogue.ts';

const SITE = relative(ROOT, fileURLToPath(new URL('.', import.meta.url)));
const PAGES = `${SITE}/browser/pages`;
const FIRST_CALLS = SITE_PAGES.flatMap(({ calls }) => (calls === undefined ? [] : [`${SITE}/browser/${calls}`]));
const STYLESHEET = `${SITE}/styles/site.css`;
const ICON = `${SITE}/icon.svg`;
/**
 * Scalar's API reference as it is published for CDNs: a module and the chunks that it loads on demand. The `exports` of the package do
 * not name them.
 */
const REFERENCE = 'node_modules/@scalar/api-reference';
/** Compresses the 4 MB of the reference in a second; the best quality takes ten for a tenth less. */
const FAST_QUALITY = 9;
const REFERENCE_PARTS = ['standalone.esm.js', 'chunks'] as const;

const TEXT_FILES = TEXT_MODULES.flatMap((module) => LOCALES.map((locale) => ({ module, locale })));

/** Modules that the build makes, by what their paths begin with. */
function madeModules(name: string, load: (path: string) => OnLoadResult | Promise<OnLoadResult>): Plugin {
  return {
    name,
    setup: (bundler) => {
      bundler.onResolve({ filter: new RegExp(`^site/${name}`) }, ({ path }) => ({ path, namespace: name }));
      bundler.onLoad({ filter: /.*/, namespace: name }, ({ path }) => load(path));
    },
  };
}

/** One value: the loader of JSON would also export each member by its key, which is as long again. */
const valueModule = (value: object): OnLoadResult => ({
  contents: `export default ${JSON.stringify(value)}`,
  loader: 'js',
});

/** `site/texts/tools/en` is a module of texts in one language. */
const TEXTS = madeModules('texts', (path) => {
  const found = TEXT_FILES.find(({ module, locale }) => path.endsWith(`/${module}/${locale}`));
  return found ? valueModule(textsOf(found.module, found.locale)) : {};
});

/** `site/schemas` has the fields of forms. */
const SCHEMAS = madeModules('schemas', () => valueModule(formSchemas()));

/** Inter as it is published, in Latin and with every weight. */
const INTER = 'node_modules/@fontsource-variable/inter';
const INTER_FILE = `${INTER}/files/inter-latin-wght-normal.woff2`;
/** The characters of the site in Inter: those of keyboards, of Western names, and of figures; all others are the system's. */
const CHARACTERS = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCodePoint(0x20 + i)),
  ...'\u00a0·×÷±°–—−‘’“”…•€£¥©™áàâäãåçéèêëíìîïñóòôöõøúùûüßÁÀÂÄÃÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØÚÙÛÜ',
].join('');

/** `site/inter.woff2` is Inter with the characters and the weights that the site uses. */
const FONT = madeModules('inter', async () => ({
  contents: await subsetFont(await readFile(join(ROOT, INTER_FILE)), CHARACTERS, {
    targetFormat: 'woff2',
    variationAxes: { wght: { min: 400, max: 600 } },
  }),
  loader: 'file',
}));

/** Replaces what was built before. Takes about two seconds. */
export async function buildSite(): Promise<void> {
  const folder = `${SITE_FOLDER}-${process.pid}`;
  await mkdir(folder, { recursive: true });
  const reference = await copyReference(folder);
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...filesIn(PAGES), ...FIRST_CALLS, STYLESHEET, ICON],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    legalComments: 'none',
    loader: { '.svg': 'copy' },
    define: { API_REFERENCE: JSON.stringify(`${ASSETS}/${reference}/${REFERENCE_PARTS[0]}`) },
    external: [`${ASSETS}/*`],
    plugins: [TEXTS, SCHEMAS, FONT],
    metafile: true,
  });
  await stop();
  await writePictureFonts(folder);
  await compressAll(folder, zlib.BROTLI_MAX_QUALITY);
  await compressAll(join(folder, reference), FAST_QUALITY);
  await compressAll(join(folder, reference, 'chunks'), FAST_QUALITY);
  await writeFile(join(folder, basename(MANIFEST)), JSON.stringify(manifestOf(metafile, relative(ROOT, folder))));
  await replaceFolder(SITE_FOLDER, folder);
}

async function writePictureFonts(folder: string): Promise<void> {
  const inter = await readFile(join(ROOT, INTER_FILE));
  for (const { name, weight } of PICTURE_FONTS) {
    const options = { targetFormat: 'truetype', variationAxes: { wght: weight } } as const;
    await writeFile(join(folder, name), await subsetFont(inter, CHARACTERS, options));
  }
}

/** Returns the name of the folder, which changes with the version. */
async function copyReference(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, REFERENCE, 'package.json'), 'utf8'));
  const name = `api-reference-${version}`;
  for (const part of REFERENCE_PARTS) {
    await cp(join(ROOT, REFERENCE, 'dist/browser', part), join(folder, name, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  }
  return name;
}

async function replaceFolder(path: string, by: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  try {
    await rename(by, path);
  } catch (error) {
    // Another process has built the site at the same time.
    if (codeOf(error) !== 'ENOTEMPTY') throw error;
    await rm(by, { recursive: true });
  }
}

/** Compresses the files of a folder once, ahead of requests. */
async function compressAll(folder: string, quality: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  // A font for browsers is compressed already, and no other is sent.
  const files = entries.filter((one) => one.isFile() && !/\.(woff2|ttf)$/.test(one.name));
  await Promise.all(files.map(({ name }) => compress(join(folder, name), quality)));
}

async function compress(path: string, quality: number): Promise<void> {
  const bytes = await readFile(path);
  const small = { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } };
  await Promise.all([
    promisify(brotliCompress)(bytes, small).then((made) => writeFile(`${path}.br`, made)),
    promisify(gzip)(bytes, { level: zlib.Z_BEST_COMPRESSION }).then((made) => writeFile(`${path}.gz`, made)),
  ]);
}

function manifestOf({ inputs, outputs }: Metafile, folder: string): Manifest {
  const urlOf = (path: string) => `${ASSETS}/${relative(folder, path)}`;
  const made = Object.entries(outputs).map(([path, output]) => ({ path, ...output }));
  const outputOf = (input: string) => {
    const found = made.find(({ entryPoint, inputs }) => entryPoint === input || (!entryPoint && input in inputs));
    if (!found) throw new Error(`${input} was not bundled`);
    return found.path;
  };
  const closureOf = (entry: string) => {
    const paths = new Set([entry]);
    for (const path of paths) {
      for (const { kind, path: imported } of outputs[path].imports)
        if (kind === 'import-statement') paths.add(imported);
    }
    return [...paths];
  };
  const textsOfPage = (paths: readonly string[], locale: Locale) => {
    const imported = new Set(paths.flatMap((path) => outputs[path].imports.map((one) => one.path)));
    const texts = TEXT_MODULES.map((module) => outputOf(`texts:site/texts/${module}/${locale}`));
    return texts.filter((path) => imported.has(path));
  };
  const largestFirst = (paths: readonly string[]) =>
    paths.toSorted((one, other) => outputs[other].bytes - outputs[one].bytes);
  const pages = filesIn(PAGES).map((page) => {
    const module = page.slice(`${SITE}/browser/`.length);
    const { calls, begins } = SITE_PAGES.find((one) => one.module === module) ?? {};
    const [callsFirst, begun] = [calls, begins].map((path) =>
      path === undefined ? [] : closureOf(outputOf(`${SITE}/browser/${path}`)),
    );
    const script = outputOf(page);
    const needed = closureOf(script);
    const preloads = fromKeys(LOCALES, (locale) => {
      const own = largestFirst([...needed, ...textsOfPage(needed, locale)]);
      return [...new Set([...callsFirst, ...own, ...largestFirst(begun)])].map(urlOf);
    });
    return [module, { scripts: [...callsFirst.slice(0, 1), script].map(urlOf), preloads }];
  });
  return {
    pages: Object.fromEntries(pages),
    stylesheet: urlOf(outputOf(STYLESHEET)),
    icon: urlOf(outputOf(ICON)),
    font: urlOf(outputOf('inter:site/inter.woff2')),
    sources: [
      `${REFERENCE}/package.json`,
      `${INTER}/package.json`,
      ...Object.keys(inputs).filter((input) => !/^(texts|schemas|inter):/.test(input)),
      ...filesIn(`${SITE}/texts`),
      ...FORM_SOURCES,
    ],
  };
}

/** Paths from the root of the project. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
}
