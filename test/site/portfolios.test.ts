/** A researcher with a list: from a screen to a portfolio, shared, and to a sweep with its cells. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

describe('a portfolio', () => {
  it('is run on the results of a screen, reported, shared, and read by anybody', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/screener?preset=trend_breakout');
    await page.getByRole('link', { name: 'Backtest as a portfolio' }).click();
    await page.waitForURL('**/portfolio?symbols=*');
    await page.getByRole('textbox', { name: /^Symbols ·/ }).fill('ACRX, LUMA TMRK\nMTMX');
    await page.getByText('Symbols · 4 symbols').waitFor();
    await page.locator('select[name=strategy]').selectOption('donchian');
    await page.getByLabel('Maximum positions').fill('2');
    await page.getByLabel('Rebalancing').selectOption('month');
    await page.getByLabel('Candidates ranked by').selectOption('roc_pct desc');
    await page.getByRole('button', { name: 'Run the portfolio' }).click();
    await page.getByRole('heading', { name: /^4 symbols · .* to May 29, 2026$/ }).waitFor();
    await page.getByRole('figure', { name: /^Equity of 4 symbols/ }).waitFor();
    await page.getByRole('region', { name: 'Contributions' }).getByText('ACRX.US').first().waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'portfolio-run.en.light.1440');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const link = page.getByRole('status').getByRole('link');
    const address = await link.getAttribute('href');
    await page.getByRole('button', { name: 'Verify' }).first().click();
    await page
      .getByText(/reproduced|Reproduced/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
    await context.close();

    const { pathname } = new URL(String(address));
    const head = await (await fetch(`${site.url}${pathname}`, { headers: { accept: 'text/html' } })).text();
    expect(head).toMatch(/<meta property="og:title" content="ACRX\.US, .* · \w+ · [+-][\d.]+%">/);
    expect((await fetch(`${site.url}/p/of-nobody`, { headers: { accept: 'text/html' } })).status).toBe(404);
    const reader = await site.open({ locale: 'zh-TW', theme: 'dark', width: 360 });
    await reader.page.goto(pathname);
    await reader.page.locator('portfolio-chart canvas').first().waitFor();
    expect(await findings(reader.page)).toEqual([]);
    expect(await isTooWide(reader.page)).toBe(false);
    await keepPicture(reader.page, 'portfolio-shared.zh-TW.dark.360');
    await reader.context.close();
  });
});

describe('a sweep', () => {
  it('is started from a form, followed to its end, and leads to the backtests of its cells', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/sweeps?symbols=ACRX+LUMA+TMRK');
    await page.locator('select[name=universe]').selectOption('screen');
    await page.getByLabel('Screening condition').fill('close > sma(20');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.locator('input[name=where][aria-invalid=true]').waitFor();
    faults.length = 0;
    await page.locator('select[name=universe]').selectOption('symbols');
    await page.getByLabel(/^Values of/).fill('fast_period=5,10 slow_period');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.getByText(/^Write name=value/).waitFor();
    await page.getByLabel(/^Values of/).fill('fast_period=5,10 slow_period=30..50/20');
    await page.getByRole('button', { name: 'Start the sweep' }).click();
    await page.getByRole('heading', { name: 'By strategy and values' }).waitFor();
    await page.getByRole('heading', { name: /^Moving-average crossover · 12 cells/ }).waitFor();
    await page
      .getByRole('region', { name: 'Best cells' })
      .getByText(/Fast average, bars 5 · Slow average, bars (30|50)/)
      .first()
      .waitFor();
    await page.getByRole('figure', { name: 'Cells by Sharpe ratio' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'sweep-done.en.light.1440');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'All cells as Parquet' }).click();
    expect((await saved).suggestedFilename()).toMatch(/cells\.parquet$/);
    await page.getByRole('region', { name: 'Best cells' }).getByRole('link').first().click();
    await page.waitForURL('**/backtest?*');
    await page.goBack();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Start the sweep' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
});
