/** Runs Chromium on any machine, with fonts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

export const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

interface BrowserOptions {
  /** Whether it finds the fonts of the machine too, for languages that those of the package lack. Default: true. */
  readonly hasSystemFonts?: boolean;
}

/**
 * Path of the browser: CHROMIUM_PATH, or the one of the npm package, which unpacks it into `folder`. TMPDIR must be
 * `folder`.
 */
export async function chromiumPath(folder: string, { hasSystemFonts = true }: BrowserOptions = {}): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  // With this name the package also unpacks libraries that a minimal machine lacks. It reads the variable when it is imported.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  const fonts = [join(folder, 'fonts'), ...(hasSystemFonts ? ['/usr/share/fonts', '/usr/local/share/fonts'] : [])];
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
  writeFileSync(
    process.env.FONTCONFIG_FILE,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fonts
      .map((path) => `<dir>${path}</dir>`)
      .join('')}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return path;
}

/** Calls `work` with a new browser, and removes its files afterwards. */
export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
  process.env.TMPDIR = folder;
  const executablePath = await chromiumPath(folder);
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  try {
    return await work(browser);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}
