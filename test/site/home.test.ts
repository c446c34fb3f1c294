/** The first page: the market at a session. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { required } from '../../engine/util/values.ts';
import { keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const READY = 'dl[aria-busy="false"]';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

async function open(path = '/', view = {}) {
  const opened = await site.open(view);
  await opened.page.goto(path);
  await opened.page.waitForSelector(READY);
  return opened;
}

/** The figure under a heading. */
const figure = (page: Page, heading: string) =>
  page.locator('.home-figures > div', { hasText: heading }).locator('dd > span').textContent();
const cells = (page: Page) => page.locator('market-map .map a');
const placeOf = (cell: Locator) => cell.evaluate((element) => element.getAttribute('style'));
const overview = async (query = '') => (await site.api.get(`/v1/market/overview${query}`)).body.data;

describe('the market', () => {
  it('has the figures of the newest session', async () => {
    const { page, context, faults } = await open();
    const { figures, universe } = await overview();
    expect(await figure(page, 'Rising / falling')).toBe(`${figures.rising} / ${figures.falling}`);
    expect(await figure(page, 'New highs / lows')).toBe(`${figures.new_highs} / ${figures.new_lows}`);
    expect(await cells(page).count()).toBe(universe.length);
    expect(await page.locator('.head p').textContent()).toBe('Friday, May 29, 2026');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is colored by another period in the same places, which the address keeps', async () => {
    const { page, context } = await open();
    const first = cells(page).first();
    const [place, text] = [await placeOf(first), await first.textContent()];
    await page.locator('market-map .choice label', { hasText: '1Y' }).click();
    expect(await first.textContent()).not.toBe(text);
    expect(await placeOf(first)).toBe(place);
    expect(new URL(page.url()).search).toBe('?period=1y');
    await page.reload();
    await page.waitForSelector(READY);
    expect(await page.locator('market-map input:checked').evaluate((input) => input.parentElement?.textContent)).toBe(
      '1Y',
    );
    await context.close();
  });

  it('is walked through by the arrow keys, and opens the instrument', async () => {
    const { page, context } = await open();
    await cells(page).first().focus();
    await page.keyboard.press('ArrowRight');
    const focused = page.locator('market-map a:focus');
    const symbol = required(await focused.getAttribute('data-symbol'));
    expect(symbol).not.toBe(await cells(page).first().getAttribute('data-symbol'));
    expect(await page.locator('market-map a[tabindex="0"]').count()).toBe(1);
    expect(await page.locator('.map-pointed').textContent()).toContain(symbol.replace('.US', ''));
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/s/${symbol}`);
    await context.close();
  });

  it('tells the session under the cursor of the bars', async () => {
    const { page, context } = await open();
    const { days } = await overview();
    const bars = page.locator('up-down-bars .updown').first();
    await bars.press('Home');
    expect(await bars.getAttribute('aria-valuetext')).toContain(`${days[0].rising} rising, ${days[0].falling} falling`);
    await context.close();
  });

  it('shows movers by the measure that is chosen', async () => {
    const { page, context } = await open();
    await page.locator('market-movers .choice label', { hasText: 'Gap' }).click();
    const { movers } = await overview();
    const rows = page.locator('market-movers tbody').first().locator('th');
    expect(await rows.allTextContents()).toEqual(
      movers.gap.rising.map(({ symbol }: { symbol: string }) => symbol.replace('.US', '')),
    );
    await context.close();
  });

  it('shows the finished backtest, which opens with the same figures', async () => {
    const { page, context, faults } = await open();
    const study = page.locator('equity-study');
    await study.locator('path.own').waitFor();
    await keepPicture(page, 'home');
    const total = await study.locator('dd').first().textContent();
    const { result } = (await site.api.get('/v1/backtest/example')).body.data;
    expect(Number.parseFloat(required(total).replace('−', '-'))).toBeCloseTo(result.total_pnl_pct, 1);
    await study.getByRole('link', { name: 'Backtest' }).click();
    await page
      .locator('run-report .figures dd', { hasText: required(total) })
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the first hits of a screen, which opens with the same hits', async () => {
    const { page, context, faults } = await open();
    const study = page.locator('screen-study');
    await study.locator('tbody tr').first().waitFor();
    await keepPicture(page, 'home-studies');
    const { items, total } = (await site.api.get('/api/screener/examples/trend_breakout')).body.data;
    expect(await study.locator('h2').textContent()).toContain(`${total} pass`);
    expect(await study.locator('tbody th').allTextContents()).toEqual(
      items.slice(0, 6).map(({ symbol }: { symbol: string }) => symbol.replace('.US', '')),
    );
    await study.getByRole('link', { name: 'Screen' }).click();
    await page.waitForURL('**/screener?preset=trend_breakout');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('goes to the session before, and back to the newest', async () => {
    const { page, context } = await open();
    await page.getByRole('link', { name: 'May 28' }).click();
    await page.waitForURL('**/?as_of=2026-05-28');
    const { figures } = await overview('?as_of=2026-05-28');
    await page.locator('.head p', { hasText: 'Thursday, May 28' }).waitFor();
    expect(await figure(page, 'Rising / falling')).toBe(`${figures.rising} / ${figures.falling}`);
    await page.goBack();
    await page.locator('.head p', { hasText: 'Friday, May 29' }).waitFor();
    await context.close();
  });

  it('names the sessions that are not completely loaded', async () => {
    const { page, context } = await site.open();
    const answer = {
      ...(await overview()),
      missing_sessions: { count: 1, ranges: [{ start: '2026-05-28', end: '2026-05-28' }] },
    };
    await page.route('**/v1/market/overview*', (route) =>
      route.fulfill({ json: { code: 0, message: 'ok', data: answer } }),
    );
    await page.goto('/');
    await page.locator('.notice.warning', { hasText: '1 session is not completely loaded' }).waitFor();
    await context.close();
  });
});

describe('an empty market', () => {
  it('says that nothing is loaded yet', async () => {
    const empty = await openTestSite({ isLoaded: false });
    const { page, context } = await empty.open();
    await page.goto('/');
    await page.locator('.notice', { hasText: 'Nothing is loaded yet' }).waitFor();
    expect(await page.locator('market-map .map a').count()).toBe(0);
    await context.close();
    await empty.close();
  });
});
