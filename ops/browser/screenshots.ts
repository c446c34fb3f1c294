/**
 * `npm run screenshots`: takes the pictures of the README from the running service with the sample market; with `--sheet`, opens every
 * page in every language, theme, and width on a market of its own, and puts them on one sheet.
 */
import '../node-version.cjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { withChromium } from './chromium.ts';
import { writeContactSheet } from './contact-sheet.ts';

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
