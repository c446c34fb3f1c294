/** One sheet of many pictures: a row for each page, a column for each view of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import escapeHtml from 'escape-html';
import type { Page } from 'playwright-core';
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
