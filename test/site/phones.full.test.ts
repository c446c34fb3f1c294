/** Pages on a phone: nothing moves while they load, and every action is within reach. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { isTooWide, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

/** Adds up the layout shifts of a page. */
const WATCH_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Pages, and an element that is there once all of the first screen is. */
const PAGES = [
  ['/', 'dl[aria-busy="false"]'],
  ['/s/ACRX', 'price-chart canvas'],
  ['/backtest', 'run-chart canvas'],
  ['/screener', '.screen-table tfoot'],
  ['/portfolio', 'portfolio-chart canvas'],
  ['/optimize', 'walk-chart canvas'],
  ['/sweeps', 'histogram-bars svg'],
  ['/factors', 'factors-page .state'],
  ['/claims', 'claim-table table'],
] as const;

describe.each(PAGES)('%s', (path, isReady) => {
  it('keeps its place while it loads', async () => {
    const { page, context, faults } = await site.open({ width: 360 });
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto(path);
    await page.waitForSelector(isReady);
    expect(await page.evaluate<number>('globalThis.shifted')).toBeLessThan(0.05);
    expect(await isTooWide(page)).toBe(false);
    const rights = await page
      .locator('.head .actions > :visible')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(rights.filter((right) => right > 360)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('actions that do not fit', () => {
  it('are behind one button', async () => {
    const { page, context } = await site.open({ width: 360 });
    await page.goto('/backtest');
    await page.waitForSelector('run-chart canvas');
    const share = page.getByRole('main').getByRole('button', { name: 'Share' });
    expect(await share.count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'More' }).click();
    await share.waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Verify' }).click();
    await eventually(
      () => share.count(),
      (count) => count === 0,
    );
    await context.close();
  });
});

describe('the list of errors', () => {
  it.each([360, 1440] as const)('has room for its sentences at %s px', async (width) => {
    const { page, context } = await site.open({ width });
    await page.goto('/docs/errors');
    const cells = page.locator('tr[id^="error."] td:last-child');
    await cells.first().waitFor();
    const widths = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().width));
    expect(widths.length).toBeGreaterThan(50);
    expect(Math.min(...widths)).toBeGreaterThan(240);
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });
});
