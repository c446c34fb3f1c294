/** A reader who seals a run, and one who looks at how it went on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addPerson } from '../support/accounts.ts';
import { sealEarlier } from '../support/forward-records.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const NOW = Date.parse('2026-06-01T16:00:00Z');

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

const member = () => addPerson(site.api, undefined, { plan: 'pro' });

describe('a sealed run', () => {
  it('is sealed from the page of a backtest, and asks a guest to sign in', async () => {
    const { page, context, faults } = await site.open({}, await member());
    await page.goto('/backtest?symbol=ACRX.US&strategy=sma_cross&time_range=1Y&run=1');
    await page.locator('run-chart canvas').first().waitFor();
    await page.getByRole('button', { name: 'Seal and go on' }).click();
    await page.waitForURL(/\/forward\?id=\d+/);
    await page.getByText('Nothing is told yet').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Live since' }).click();
    await page.getByRole('table', { name: 'Live since' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
    const guest = await site.open();
    await guest.page.goto('/forward');
    await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  });

  it('shows how it went on over its bands, is shared, and is stopped for good', async () => {
    const person = await member();
    const { body } = await site.api.post(
      '/v1/backtest',
      { symbol: 'ACRX', strategy: 'sma_cross', time_range: '5Y', params: { fast_period: 5, slow_period: 20 } },
      person.program,
    );
    const id = await sealEarlier({ pool: site.database.pool, now: () => NOW }, body.data.id, '2026-03-02');
    const { body: record } = await site.api.get(`/v1/my/forward/${id}`, person.program);
    const { sentences, live } = record.data;
    const { page, context, faults } = await site.open({}, person);
    await page.goto(`/forward?id=${id}`);
    await page.locator('forward-path svg').waitFor();
    expect(await page.locator('#summary p').allInnerTexts()).toEqual(sentences);
    expect(sentences[0]).toMatch(/^After 62 sessions it lies (inside|below|above) the 90% band, \d+\w\w of 100\.$/);
    const path = page.getByRole('slider', { name: 'Growth before and after the seal' });
    await path.focus();
    await page.keyboard.press('End');
    const last = `${(100 * (live.growth - 1)).toFixed(2).replace('-', '−')}%`;
    expect(await path.getAttribute('aria-valuetext')).toContain(last);
    expect(await findings(page)).toEqual([]);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await isTooWide(page)]).toEqual([width, false]);
      await keepPicture(page, `forward.en.light.${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Share' }).click();
    const link = page.getByRole('main').getByRole('link', { name: /\/f\// });
    const shared = new URL((await link.getAttribute('href')) ?? '').pathname;
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Its owner stopped it.').waitFor();
    await page.getByRole('button', { name: 'Seal anew' }).click();
    await page.getByText('Nothing is told yet').waitFor();
    expect(new URL(page.url()).searchParams.get('id')).not.toBe(String(id));
    expect(faults).toEqual([]);
    await context.close();
    const guest = await site.open({ width: 360, theme: 'dark', locale: 'zh-CN' });
    await guest.page.goto(shared);
    await guest.page.getByRole('heading', { name: 'Averages cross' }).waitFor();
    await guest.page.locator('forward-path svg').waitFor();
    expect(await isTooWide(guest.page)).toBe(false);
    expect(await findings(guest.page)).toEqual([]);
    await keepPicture(guest.page, 'forward.zh.dark.360');
    await guest.page.goto('/f/nothing-here');
    await guest.page.getByRole('heading', { name: '此记录未被分享' }).waitFor();
    await guest.context.close();
  });
});
