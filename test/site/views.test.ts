/** Every page in one view. */
import { afterAll, beforeAll, it } from '@jest/globals';
import { openTestSite, type TestSite } from '../support/site.ts';
import { expectSoundPages, VIEWS } from '../support/views.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

it('every page fits, is accessible, and requests nothing from other hosts', () => expectSoundPages(site, VIEWS[0]));
