/** Every page in every language, theme, and width: each once by default, every combination if SITE_VIEWS is `all`. */
import { afterAll, beforeAll, it } from '@jest/globals';
import { openTestSite, type TestSite } from '../support/site.ts';
import { expectSoundPages, VIEWS } from '../support/views.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

it.each(process.env.SITE_VIEWS === 'all' ? VIEWS : VIEWS.slice(1))(
  'in $locale, $theme, $width px wide every page fits, is accessible, and requests nothing from other hosts',
  (view) => expectSoundPages(site, view),
);
