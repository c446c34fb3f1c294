/**
 * Parts of pages look as they were accepted. After a wanted change, `npm run pictures -- --accept` replaces the pictures, which a
 * review then shows. The browser and its fonts are those of the packages, so that pictures are the same on every machine.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StartedBrowser, startBrowser, stopBrowser } from '../support/browser.ts';
import { removeTree } from '../support/folders.ts';
import { difference, leftOver, reasonToSkip, steadyPicture } from '../support/pictures.ts';
import { openTestSite, SITE_NOW, type TestSite, type View } from '../support/site.ts';

interface Shown {
  readonly path: string;
  /** Elements that are there once all parts are drawn. */
  readonly isReady: readonly string[];
  /** Parts by the name of their picture. */
  readonly parts: Readonly<Record<string, string>>;
}

const SHOWN: readonly Shown[] = [
  {
    path: '/',
    isReady: ['dl[aria-busy="false"]', 'market-map a', 'market-movers tbody tr'],
    parts: {
      navigation: '.side',
      'phone-bar': '.phone-bar',
      'home-head': '.head',
      'home-figures': '.home-figures',
      'home-map': '.home-map',
      'home-breadth': 'up-down-bars',
      'home-movers': 'market-movers',
    },
  },
  {
    path: '/s/TMRK',
    isReady: ['price-chart canvas', 'instrument-rail dl'],
    parts: {
      'instrument-quote': 'instrument-quote',
      'instrument-chart': 'price-chart',
      'instrument-controls': '.instrument .controls',
      'instrument-rail': 'instrument-rail',
    },
  },
  {
    path: '/backtest',
    isReady: ['run-chart canvas', '#sheet-chance svg', 'neighbor-bars'],
    parts: {
      'backtest-head': '.head',
      'backtest-words': '.run-words',
      'backtest-figures': '.figures',
      'backtest-chart': 'run-chart',
      'backtest-trades': 'run-report data-table',
      'backtest-months': '.months',
      'backtest-risk': '#sheet-returns',
      'backtest-chance': '#sheet-chance',
      'backtest-setup': 'backtest-form',
    },
  },
  {
    path: '/portfolio',
    isReady: ['portfolio-chart canvas', 'weights-chart svg'],
    parts: { 'portfolio-chart': 'portfolio-chart', 'portfolio-weights': 'weights-chart' },
  },
  {
    path: '/optimize',
    isReady: ['walk-chart canvas', '.heat'],
    parts: { 'optimize-heat': '.heat', 'optimize-walk': 'walk-chart', 'optimize-setup': 'search-form' },
  },
  {
    path: '/sweeps',
    isReady: ['histogram-bars svg'],
    parts: { 'sweeps-histogram': 'histogram-bars', 'sweeps-run': '.sweep-run' },
  },
  {
    path: '/screener',
    isReady: ['.screen-table tfoot'],
    parts: { 'screener-rail': 'screen-rail', 'screener-presets': '.presets' },
  },
  { path: '/styleguide', isReady: ['.guide tbody'], parts: { styleguide: '.guide' } },
  { path: '/account', isReady: ['main button'], parts: { 'sign-in': 'main' } },
  { path: '/nowhere', isReady: ['main h1'], parts: { 'not-found': 'main' } },
];

/** In dark and on phones, parts that have colors and places of their own there. */
const DARK = [
  ...['navigation', 'home-figures', 'home-map', 'home-movers', 'instrument-chart', 'backtest-chart', 'backtest-trades'],
  ...['optimize-heat', 'styleguide'],
];
const PHONE = [
  'phone-bar',
  'home-head',
  'home-figures',
  'instrument-quote',
  'instrument-chart',
  'backtest-head',
  'backtest-chart',
];

/** Chinese is left out: its fonts are those of the machine. */
const VIEWS: readonly (readonly [View, (name: string) => boolean])[] = [
  [{ locale: 'en', theme: 'light', width: 1440 }, (name) => name !== 'phone-bar'],
  [{ locale: 'en', theme: 'dark', width: 1440 }, (name) => DARK.includes(name)],
  [{ locale: 'en', theme: 'light', width: 360 }, (name) => PHONE.includes(name)],
];
const pictureOf = (name: string, { theme, width }: View) => `${name}.${width === 360 ? 'phone' : theme}`;
const CASES = VIEWS.flatMap(([view, isWanted]) =>
  SHOWN.flatMap((shown) => {
    const parts = Object.entries(shown.parts).filter(([name]) => isWanted(name));
    return parts.length === 0 ? [] : [{ ...shown, view, parts }];
  }),
);

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
let browser: StartedBrowser;
let site: TestSite;
let skipped: string | null;
beforeAll(async () => {
  browser = await startBrowser(join(folder, 'browser'), false);
  site = await openTestSite({ hasWorker: true, browserEndpoint: browser.endpoint });
  skipped = reasonToSkip(site.browserVersion);
  if (skipped !== null) process.stderr.write(`${skipped}\n`);
});
afterAll(async () => {
  await site.close();
  await stopBrowser(browser);
  removeTree(folder);
});

describe.each(CASES)('$path in $view.theme, $view.width px wide', ({ path, isReady, view, parts }) => {
  it('looks as accepted', async () => {
    if (skipped !== null) return;
    const { page, context } = await site.open(view);
    // For texts that say how long ago something was.
    await page.clock.setFixedTime(SITE_NOW);
    await page.goto(path);
    for (const selector of isReady) await page.locator(selector).first().waitFor({ state: 'attached' });
    await page.evaluate('document.fonts.ready');
    const differences: string[] = [];
    for (const [name, selector] of parts) {
      const found = difference(pictureOf(name, view), await steadyPicture(page, selector));
      if (found !== null) differences.push(found);
    }
    expect(differences).toEqual([]);
    await context.close();
  });
});

it('no accepted picture is of a part that is gone', () => {
  if (skipped !== null) return;
  const names = CASES.flatMap(({ view, parts }) => parts.map(([name]) => pictureOf(name, view)));
  expect(leftOver(names, site.browserVersion)).toEqual([]);
});
