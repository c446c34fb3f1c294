/** Every page in every language, theme and width: pairwise here, the full product where SITE_VIEWS is `all`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../api/http/language/locale.ts';
import { siteText } from '../../api/site/texts/catalogue.ts';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite, type View } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1440] as const;

/** Each pair of two values occurs in one of them. */
const PAIRWISE: readonly View[] = [
  { locale: 'en', theme: 'light', width: 1440 },
  { locale: 'en', theme: 'dark', width: 360 },
  { locale: 'zh-CN', theme: 'dark', width: 1440 },
  { locale: 'zh-CN', theme: 'light', width: 360 },
  { locale: 'zh-TW', theme: 'light', width: 1440 },
  { locale: 'zh-TW', theme: 'dark', width: 360 },
];
const ALL: readonly View[] = LOCALES.flatMap((locale) =>
  THEMES.flatMap((theme) => WIDTHS.map((width) => ({ locale, theme, width }))),
);
const VIEWS = process.env.SITE_VIEWS === 'all' ? ALL : PAIRWISE;

/** A page, and a heading that is there when everything is. */
const PAGES = [
  { path: '/', isReady: 'dl[aria-busy="false"]' },
  { path: '/s/TMRK', isReady: 'price-chart canvas' },
  { path: '/backtest', isReady: 'backtest-form button' },
  { path: '/backtest?symbol=MTMX.US&strategy=sma_cross&time_range=5Y&run=1', isReady: 'run-chart canvas' },
  { path: '/s/EMBR?period=week&adjust=none', isReady: 'price-chart canvas' },
] as const;

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('every page is whole, reachable for everybody, and asks nothing of another host', async () => {
    // A session of its own: the token that a browser begins with is replaced in it.
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open(view, person);
    for (const { path, isReady } of PAGES) {
      await page.goto(path);
      await page.waitForSelector(isReady);
      const name = `${path.replace(/^\//, '').replaceAll(/\W+/g, '-') || 'home'}.${view.locale}.${view.theme}.${view.width}`;
      expect([path, await findings(page)]).toEqual([path, []]);
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      expect(await page.getAttribute('html', 'lang')).toBe(view.locale);
      expect(await page.title()).toContain(siteText('site.name', view.locale));
      await keepPicture(page, name);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
