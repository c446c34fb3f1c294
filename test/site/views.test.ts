/** Every page in every language, theme, and width: pairwise by default, every combination if SITE_VIEWS is `all`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { siteText } from '../../api/site/texts/catalogue.ts';
import { SHOWN_PAGES } from '../../ops/browser/shown-pages.ts';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';
import { pictureName, VIEWS } from '../support/views.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

describe.each(VIEWS)('in $locale, $theme, $width px wide', (view) => {
  it('every page fits, is accessible, and requests nothing from other hosts', async () => {
    // The views of a minute are more calls than an address may make in it.
    await site.database.pool.query('delete from rate_limits');
    // A login session per view: its first refresh replaces the token that the browser begins with.
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open(view, person);
    for (const { path, isReady } of SHOWN_PAGES) {
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
