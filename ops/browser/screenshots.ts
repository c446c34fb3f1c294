/** `npm run screenshots`: takes the screenshots of the README from the running service with the sample market. */
import '../node-version.ts';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { withChromium } from './chromium.ts';

const PICTURES = fileURLToPath(new URL('../pictures/', import.meta.url));
const SIZE = { width: 1280, height: 900 };

interface Screenshot {
  readonly name: string;
  readonly path: string;
  /** Selector of an element that is visible when the page is complete. */
  readonly isReady: string;
  readonly theme: 'light' | 'dark';
}

const README: readonly Screenshot[] = [
  { name: 'symbol', path: '/s/HRZ.B.US?range=1y&adjust=total', isReady: 'price-chart canvas', theme: 'light' },
  {
    name: 'backtest',
    path: '/backtest?symbol=HRZ.B.US&strategy=donchian&time_range=5Y&adjust=total&execute_on=next_open&slippage_bps=5&run=1',
    isReady: 'run-chart canvas',
    theme: 'dark',
  },
];

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
    await page.waitForSelector(isReady);
    // The report is below its form.
    await page.evaluate(`document.querySelector('run-report .figures')?.scrollIntoView()`);
    const file = join(PICTURES, `${name}.png`);
    await page.screenshot({ path: file });
    process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1024)} KB\n`);
    await context.close();
  }
});
