/** Weights to hold: the form, one portfolio that is kept, and three beside each other in one link. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

const postTo = (page: Page) =>
  page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/portfolio'));

async function openForm(width: 360 | 1440 = 1440) {
  const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const opened = await site.open({ width }, person);
  await opened.page.goto('/portfolio');
  await opened.page.locator('portfolio-chart canvas').first().waitFor();
  if (width === 360) await opened.page.getByRole('button', { name: 'Set-up' }).click();
  await opened.page.getByText('Hold weights').click();
  return { ...opened, person };
}

it('holds weights, says their sum, and keeps the run', async () => {
  const { page, context, faults, person } = await openForm();
  await page.getByText('Sum 100%').waitFor();
  const [first] = await page.getByLabel(/^Symbol \d/).all();
  await first.fill('mtmx');
  await first.press('Tab');
  await page.getByLabel('Weight of MTMX, %').fill('80');
  await page.getByText('Sum 120%: above 100%').waitFor();
  expect(await page.getByRole('button', { name: 'Run the portfolio' }).isDisabled()).toBe(true);
  await page.getByLabel('Weight of MTMX, %').fill('50');
  await page.getByText('Sum 90%, cash 10%').waitFor();
  await page.getByLabel('Money in').fill('-250');
  const asked = postTo(page);
  await page.getByRole('button', { name: 'Run the portfolio' }).click();
  expect((await asked).postDataJSON()).toMatchObject({
    allocation: {
      targets: [
        { symbol: 'MTMX', weight: 0.5 },
        { symbol: expect.any(String), weight: 0.4 },
      ],
      rebalance: 'year',
      flows: [{ amount: -250, every: 'month' }],
    },
    execute_on: 'next_open',
  });
  await page.getByText('Weights to hold', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByRole('button', { name: 'Kept' }).waitFor();
  const { data } = (await site.api.get('/v1/backtests?kind=portfolio', person.program)).body;
  const [{ id }] = data.items;
  await page.goto(`/portfolio?id=${id}`);
  await page.locator('portfolio-chart canvas').first().waitFor();
  await page.getByLabel('Weight of MTMX, %').waitFor();
  expect(await page.getByLabel('Weight of MTMX, %').inputValue()).toBe('50');
  expect(await page.getByLabel('Money in').inputValue()).toBe('-250');
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('puts three portfolios side by side, in one run and one link', async () => {
  const { page, context, faults } = await openForm();
  await page.getByRole('button', { name: '+ Compare with another portfolio' }).click();
  await page.getByRole('button', { name: '+ Compare with another portfolio' }).click();
  const portfolios = page.getByRole('group', { name: /^Portfolio [ABC]/ });
  await portfolios.nth(1).getByRole('button', { name: 'All-weather' }).click();
  await portfolios
    .nth(1)
    .getByLabel(/^Weight of/)
    .nth(4)
    .waitFor();
  await portfolios.nth(2).getByLabel('Rebalance').selectOption('band');
  await page.getByLabel('Money in').fill('500');
  const asked = postTo(page);
  await page.getByRole('button', { name: 'Compare the portfolios' }).click();
  const { compare } = (await asked).postDataJSON();
  expect(compare.map(({ name }: { name: string }) => name)).toEqual(['A', 'All-weather', 'C']);
  expect(compare[2].allocation).toMatchObject({ rebalance: { band_pct: 5 }, flows: [{ amount: 500, every: 'month' }] });
  await page.getByRole('figure', { name: /^Equity of 3 runs/ }).waitFor();
  const contributed = page.getByRole('row', { name: /^Contributed/ });
  expect(await contributed.getByRole('cell').allInnerTexts()).toEqual(Array(3).fill('129,500'));
  await page.getByText(/^Rolling 1y and Against benchmark need the returns without the money/).waitFor();
  await keepPicture(page, 'weights-compared');
  expect(await findings(page)).toEqual([]);
  await page.reload();
  await page.getByRole('row', { name: /^Money-weighted, a year/ }).waitFor();
  expect(await portfolios.count()).toBe(3);
  await page.getByRole('link', { name: 'All-weather' }).click();
  await page.locator('portfolio-chart canvas').first().waitFor();
  for (const view of ['Rolling 1y', 'Against benchmark']) await page.getByText(view, { exact: true }).waitFor();
  expect(await portfolios.count()).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

it('says which symbol is not known, of one portfolio and of several', async () => {
  const { page, context } = await openForm();
  const fill = async (symbol: string) => {
    await page.getByLabel('Symbol 1').first().fill(symbol);
    await page.getByLabel('Symbol 1').first().press('Tab');
  };
  await fill('NOSUCH');
  await page.getByRole('button', { name: 'Run the portfolio' }).click();
  await page.getByRole('alert').filter({ hasText: 'NOSUCH.US is not known' }).waitFor();
  await page.getByRole('button', { name: '+ Compare with another portfolio' }).click();
  await page.getByRole('button', { name: 'Compare the portfolios' }).click();
  const [first, second] = ['A', 'B'].map((letter) => page.getByRole('group', { name: `Portfolio ${letter}` }));
  await first.getByText('NOSUCH.US is not known').waitFor();
  await fill('ACRX');
  await second.getByRole('combobox', { name: 'Symbol 1' }).fill('BRVA');
  await second.getByRole('combobox', { name: 'Symbol 1' }).press('Tab');
  await page.getByRole('button', { name: 'Compare the portfolios' }).click();
  await page.getByRole('figure', { name: /^Equity of 2 runs/ }).waitFor();
  expect(await page.getByText('is not known').count()).toBe(0);
  await context.close();
});

it('fits a phone', async () => {
  const { page, context } = await openForm(360);
  await page.getByText('Sum 100%').waitFor();
  expect(await isTooWide(page)).toBe(false);
  await context.close();
});
