/** Pictures of parts of pages, compared pixel by pixel with the accepted ones. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

const ACCEPTED = new URL('../site/pictures/', import.meta.url).pathname;
const VERSION_FILE = join(ACCEPTED, 'chromium-version.txt');
/** Pictures that differ are written here, with the pixels that differ in red. */
const REPORTED = new URL('../../.data/pictures/', import.meta.url).pathname;

/** Share of the range of colors by which a pixel may differ: processors round the last bit of a color in different ways. */
const COLOR_TOLERANCE = 0.01;
/** Pixels that may differ: the edge of a line falls on one side of a pixel or on the other. A changed color differs in many more. */
const STRAY_PIXELS = 8;
/** Tries until two pictures in a row are equal. */
const MAX_TRIES = 20;

const isAccepting = process.env.ACCEPT_PICTURES === '1';

/** Why pictures cannot be compared here; null: they can. Another version of Chromium draws another picture of the same page. */
export function reasonToSkip(version: string): string | null {
  if (isAccepting) return null;
  const accepted = readFileSync(VERSION_FILE, 'utf8').trim();
  const drawn = `${process.platform} ${version}`;
  if (drawn === accepted) return null;
  // The packaged browser changes with package.json only, and whoever changes it accepts its pictures.
  if (process.env.CHROMIUM_PATH === undefined && process.platform === 'linux') {
    throw new Error(`the pictures are of Chromium ${accepted}, not ${drawn}: look at them, and accept them`);
  }
  return `Pictures are not compared: they are of Chromium ${accepted}, and this is ${drawn}.`;
}

/** Draws a part of a page until it no longer changes. */
export async function steadyPicture(page: Page, selector: string): Promise<Buffer> {
  const part = page.locator(selector).first();
  await part.scrollIntoViewIfNeeded();
  const draw = () => part.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
  let before = await draw();
  for (let i = 0; i < MAX_TRIES; i++) {
    const now = await draw();
    if (now.equals(before)) return now;
    before = now;
  }
  throw new Error(`${selector} keeps changing`);
}

/** Returns how a picture differs from the accepted one; null: it does not. While pictures are accepted, it replaces that one. */
export function difference(name: string, drawn: Buffer): string | null {
  const path = join(ACCEPTED, `${name}.png`);
  const problem = existsSync(path) ? comparison(name, readFileSync(path), drawn) : 'is new';
  if (problem === null || !isAccepting) return problem && `${name} ${problem}`;
  mkdirSync(ACCEPTED, { recursive: true });
  writeFileSync(path, drawn);
  process.stdout.write(`${name} ${problem}: accepted\n`);
  return null;
}

function comparison(name: string, acceptedFile: Buffer, drawnFile: Buffer): string | null {
  if (acceptedFile.equals(drawnFile)) return null;
  const [accepted, drawn] = [PNG.sync.read(acceptedFile), PNG.sync.read(drawnFile)];
  const { width, height } = accepted;
  report(`${name}.drawn`, drawnFile);
  if (drawn.width !== width || drawn.height !== height) {
    return `is ${drawn.width} × ${drawn.height}, not ${width} × ${height}`;
  }
  const pixels = new PNG({ width, height });
  const count = pixelmatch(accepted.data, drawn.data, pixels.data, width, height, {
    threshold: COLOR_TOLERANCE,
    includeAA: true,
  });
  if (count <= STRAY_PIXELS) return null;
  report(`${name}.difference`, PNG.sync.write(pixels));
  return `differs in ${count} of ${width * height} pixels`;
}

function report(name: string, content: Buffer): void {
  mkdirSync(REPORTED, { recursive: true });
  writeFileSync(join(REPORTED, `${name}.png`), content);
}

/** Accepted pictures of nothing that is drawn; while pictures are accepted, they are removed. */
export function leftOver(names: readonly string[], version: string): string[] {
  const extra = readdirSync(ACCEPTED)
    .filter((file) => file.endsWith('.png') && !names.includes(file.slice(0, -'.png'.length)))
    .map((file) => file.slice(0, -'.png'.length));
  if (!isAccepting) return extra;
  for (const name of extra) rmSync(join(ACCEPTED, `${name}.png`));
  writeFileSync(VERSION_FILE, `${process.platform} ${version}\n`);
  return [];
}
