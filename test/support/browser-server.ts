/** A real Chromium for all site tests of a run, in a process of its own: it tells where it listens and ends with its parent. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { present } from '../../engine/present.ts';

const folder = present(process.env.TMPDIR);

/** The browser that comes as a package, or one of the system where that has none for the machine. */
async function executable(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  // Named so, it unpacks the libraries that a bare machine lacks too. It reads this when it is imported.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  const fonts = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
  writeFileSync(
    process.env.FONTCONFIG_FILE,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${fonts
      .map((path) => `<dir>${path}</dir>`)
      .join('')}<cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  );
  return path;
}

const { chromium } = await import('playwright-core');
const server = await chromium.launchServer({
  executablePath: await executable(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
process.once('disconnect', () => server.kill().finally(() => process.exit()));
process.send?.(server.wsEndpoint());
