/** Every page in every language, theme, and width: pairwise by default, every combination if SITE_VIEWS is `all`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { siteText } from '../../api/site/texts/catalogue.ts';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

const QUERY =
  "select date, count(rsi_14) as known from screener_daily where date > '2026-01-01' group by date order by date";

/** A page, and an element that is there once it is loaded. */
const PAGES = [
  { path: '/', isReady: 'dl[aria-busy="false"]' },
  { path: '/s/TMRK', isReady: 'price-chart canvas' },
  { path: '/backtest', isReady: 'run-chart canvas' },
  { path: '/backtest?symbol=MTMX.US&strategy=sma_cross&time_range=5Y&run=1', isReady: 'run-chart canvas' },
  {
    path: '/optimize?symbol=ACRX.US&strategy=sma_cross&g.fast_period=10:30:5&g.slow_period=50:90:10',
    isReady: 'search-report .heat',
  },
  { path: '/optimize', isReady: 'walk-chart canvas' },
  { path: '/screener?preset=trend_breakout', isReady: 'data-table table, data-table .state' },
  { path: '/screener?where=close+%3E+sma(200)', isReady: 'data-table table, data-table .state' },
  { path: '/strategies', isReady: 'strategy-editor button' },
  { path: '/rules', isReady: '.prose table' },
  { path: '/clients', isReady: '.prose pre' },
  { path: '/truth', isReady: '.prose table' },
  { path: '/docs', isReady: 'guide-program button' },
  { path: '/docs/errors', isReady: 'guide-program button' },
  { path: '/docs/reference', isReady: '.references-rendered h1' },
  { path: '/styleguide', isReady: '.guide tbody' },
  { path: '/signals', isReady: '.state h2' },
  { path: '/runs', isReady: 'data-table' },
  { path: '/portfolio', isReady: 'portfolio-chart canvas' },
  { path: '/portfolio?symbols=ACRX+LUMA', isReady: 'portfolio-chart canvas' },
  { path: '/sweeps', isReady: 'histogram-bars svg' },
  { path: '/data', isReady: 'table-detail table' },
  { path: `/sql?query=${encodeURIComponent(QUERY)}`, isReady: 'query-chart svg' },
  { path: '/s/EMBR?period=week&adjust=none', isReady: 'price-chart canvas' },
] as const;

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('every page fits, is accessible, and requests nothing from other hosts', async () => {
    // The views of a minute are more calls than an address may make in it.
    await site.database.pool.query('delete from rate_limits');
    // A login session per view: its first refresh replaces the token that the browser begins with.
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open(view, person);
    for (const { path, isReady } of PAGES) {
      await page.goto(path);
      await page.waitForSelector(isReady);
      expect([path, await findings(page)]).toEqual([path, []]);
      expect([path, await isTooWide(page)]).toEqual([path, false]);
      expect(await page.getAttribute('html', 'lang')).toBe(view.locale);
      expect(await page.title()).toContain(siteText('site.name', view.locale));
      await keepPicture(page, pictureName(path, view));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
