/**
 * `npm run screenshots`: takes the pictures of the README from the running service with the sample market; with `--sheet`, opens every
 * page in every language, theme, and width on a market of its own, and puts them on one sheet.
 */
import '../node-version.cjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import escapeHtml from 'escape-html';
import type { Page } from 'playwright-core';
import { readConfig } from '../config.ts';
import { withChromium } from './chromium.ts';

const HEIGHT = 240;
/** Width of the window over its height, by its width. */
const SHAPES: Readonly<Record<string, number>> = { '1440': 1440 / 900, '360': 360 / 740 };

/** A file `PAGE.LOCALE.THEME.WIDTH.png`; null: another file. */
function partsOf(path: string): { page: string; view: string; width: string } | null {
  const [, page, view, width] = /^(.+?)\.([\w-]+\.(?:light|dark)\.(\d+))\.png$/.exec(basename(path)) ?? [];
  return page !== undefined && view !== undefined && width !== undefined && width in SHAPES
    ? { page, view, width }
    : null;
}

/** The top of a picture as high as its window, small. Runs in the browser, one picture at a time, which are large. */
async function smallPicture(page: Page, path: string, width: number): Promise<string> {
  const address = `data:image/png;base64,${readFileSync(path, 'base64')}`;
  return page.evaluate(
    `(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(address)};
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${HEIGHT} });
      const pen = canvas.getContext('2d');
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(image, 0, 0, ${width}, (${width} * image.height) / image.width);
      return canvas.toDataURL('image/jpeg', 0.85);
    })()`,
  );
}

/** Draws the pictures of views on one sheet, as JPEG. */
export async function writeContactSheet(paths: readonly string[], sheet: string): Promise<void> {
  const pictures = paths.flatMap((path) => {
    const parts = partsOf(path);
    return parts ? [{ path, ...parts }] : [];
  });
  const views = [...new Set(pictures.map(({ view }) => view))].sort();
  await withChromium(async (browser) => {
    const page = await browser.newPage();
    const rows: string[] = [];
    for (const [name, ofPage] of Map.groupBy(pictures, ({ page: shown }) => shown)) {
      const cells: string[] = [];
      for (const view of views) {
        const shot = ofPage.find((one) => one.view === view);
        const width = shot ? Math.round(HEIGHT * SHAPES[shot.width]) : 0;
        cells.push(shot ? `<td><img src="${await smallPicture(page, shot.path, width)}"></td>` : '<td></td>');
      }
      rows.push(`<tr><th>${escapeHtml(name)}</th>${cells.join('')}</tr>`);
    }
    await page.setContent(`<style>body{margin:8px;font:12px sans-serif}th{text-align:left}tr>:first-child{min-width:160px;max-width:160px;overflow-wrap:anywhere}img{display:block;outline:1px solid #ccc}</style>
      <table><tr><th></th>${views.map((view) => `<th>${escapeHtml(view)}</th>`).join('')}</tr>${rows.join('')}</table>`);
    const box = await page.locator('table').boundingBox();
    await page.setViewportSize({ width: Math.ceil(box?.width ?? 0) + 16, height: 900 });
    writeFileSync(sheet, await page.screenshot({ fullPage: true, type: 'jpeg', quality: 85 }));
  });
}

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));
const SIZE = { width: 1440, height: 900 };

interface Screenshot {
  readonly name: string;
  readonly path: string;
  /** Selectors of elements that are visible when the page is complete. */
  readonly isReady: readonly string[];
  readonly theme: 'light' | 'dark';
}

const README: readonly Screenshot[] = [
  {
    name: 'backtest',
    path: '/backtest?symbol=HRZ.B.US&strategy=donchian&time_range=5Y&adjust=total&execute_on=next_open&slippage_bps=5&p.entry_period=40&p.exit_period=20&run=1',
    isReady: ['run-chart canvas', 'neighbor-bars svg'],
    theme: 'dark',
  },
  {
    name: 'home',
    path: '/',
    isReady: ['dl[aria-busy="false"]', 'market-map a', 'screen-study tbody tr'],
    theme: 'light',
  },
];

/** Where tests of pages put what they show. */
const SHOWN = fileURLToPath(new URL('../../.data/screenshots/', import.meta.url));

function drawSheet(): Promise<void> {
  rmSync(SHOWN, { recursive: true, force: true });
  const views = ['SITE_VIEWS=all', 'npm', 'run', 'test:full', '--', 'test/site/views'];
  const test = spawnSync('env', views, { stdio: 'inherit' });
  if (test.status !== 0) process.stderr.write('Some pages have faults: they may be missing.\n');
  const sheet = join(SHOWN, 'contact-sheet.jpg');
  const pictures = readdirSync(SHOWN).map((name) => join(SHOWN, name));
  return writeContactSheet(pictures, sheet).then(() => void process.stdout.write(`${sheet}\n`));
}

if (process.argv.includes('--sheet')) {
  await drawSheet();
  process.exit();
}

const { HOST, PORT } = readConfig();
const baseURL = `http://${HOST.includes(':') ? '127.0.0.1' : HOST}:${PORT}`;
await fetch(`${baseURL}/healthz`).catch(() => {
  process.stderr.write(`Nothing answers at ${baseURL}. Start the service with "npm start", then run this again.\n`);
  process.exit(1);
});
mkdirSync(PICTURES, { recursive: true });
await withChromium(async (browser) => {
  for (const { name, path, isReady, theme } of README) {
    const options = { baseURL, colorScheme: theme, viewport: SIZE, locale: 'en', reducedMotion: 'reduce' } as const;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(path);
    for (const selector of isReady) await page.waitForSelector(selector);
    await page.evaluate('document.fonts.ready');
    const file = join(PICTURES, `${name}.png`);
    await page.screenshot({ path: file });
    process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1024)} KB\n`);
    await context.close();
  }
});
