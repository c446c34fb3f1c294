/** The way through a report, the doors of plans, universes, and what somebody new is told. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
// A login session for each test: a reused refresh token would count as stolen.
beforeEach(async () => {
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
});
afterAll(() => site.close());

const topOf = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;

it('has its contents in sight, by keys and in its address', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/backtest?symbol=ACRX.US&strategy=donchian&time_range=MAX&p.entry_period=5&p.exit_period=3');
  await page.locator('run-chart canvas').first().waitFor();
  const bar = page.getByRole('navigation', { name: 'Contents' });
  const parts = await bar.getByRole('link').allInnerTexts();
  expect(parts).toEqual(['Summary', expect.stringMatching(/^Trades [\d,]+$/), 'Months', 'Risk', 'Luck', 'Code']);
  await page.keyboard.press('3');
  expect(new URL(page.url()).hash).toBe('#months');
  expect(await topOf(page, '#months')).toBeLessThan(140);
  expect(await bar.locator('[aria-current]').innerText()).toBe('Months');
  expect(await topOf(page, '.report-parts')).toBeLessThan(60);
  const count = await page.evaluate('document.querySelectorAll("[id=months]").length');
  expect(count).toBe(1);
  await page.goto(page.url().replace('#months', '#sheet-chance'));
  await page.reload();
  await page.locator('#sheet-chance svg').waitFor();
  await page.locator('#sheet-chance:focus').waitFor();
  // A field keeps its keys.
  await page.getByLabel('Entry channel, bars').press('2');
  expect(new URL(page.url()).hash).toBe('#sheet-chance');

  await page.reload();
  const trades = page.getByRole('region', { name: 'Trades' });
  await trades.waitFor();
  expect(await trades.locator('tbody tr').count()).toBe(10);
  const all = page.getByRole('button', { name: /^All [\d,]+$/ });
  const total = Number((await all.innerText()).replace(/\D/g, ''));
  await all.click();
  expect(await trades.locator('tbody tr').count()).toBe(Math.min(100, total));
  await page.getByRole('searchbox', { name: 'Filter' }).fill('2024-0');
  const shown = await trades.locator('tbody tr').allInnerTexts();
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.every((row) => row.includes('2024-0'))).toBe(true);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('tells the interest on cash, in the form too', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/backtest?symbol=ACRX.US&strategy=donchian&time_range=5Y&cash_rate=4.5&cash_spread_bps=25');
  await page.locator('run-chart canvas').first().waitFor();
  expect(await page.locator('#figure-interest-money').innerText()).toMatch(
    /^Interest on cash\s+\$[\d,]+ \(\+\d\.\d\d% a year\)$/,
  );
  const costs = page.locator('.fold', { hasText: 'cash at 4.5%' });
  await costs.locator('.fold-now').click();
  expect(await page.getByLabel('Interest on cash, % a year').inputValue()).toBe('4.5');
  expect(await page.getByLabel('Below that rate, bp').inputValue()).toBe('25');
  await keepPicture(page, 'interest-on-cash');
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  // Without a rate there is no interest. A rate may be a name, which is complete when its reader leaves it.
  await page.getByLabel('Interest on cash, % a year').fill('');
  await page.keyboard.press('Tab');
  await page.locator('#figure-interest-money').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('cash_rate')).toBe(false);
  await context.close();
});

it('says its verdict without underlines, the pair in bold, and the rule of a sentence under the pointer', async () => {
  const { page, context } = await site.open();
  await page.goto('/backtest');
  const sentence = page.locator('.run-words a').first();
  await sentence.waitFor();
  expect(await sentence.locator('b').count()).toBe(2);
  const line = `getComputedStyle(document.querySelector('.run-words a')).textDecorationLine`;
  expect(await page.evaluate(line)).toBe('none');
  await sentence.hover();
  expect(await sentence.getAttribute('data-rule')).toMatch(/total return/i);
  await context.close();
});

it('shows the five best and the five worst contributions, and all when asked', async () => {
  const { page, context } = await site.open();
  await page.goto('/portfolio');
  const contributions = page.getByRole('region', { name: 'Contributions' });
  await contributions.waitFor();
  const gains = contributions.locator('tbody td:nth-child(3)');
  expect((await gains.allInnerTexts()).map((text) => text.startsWith('−'))).toEqual([
    ...Array<boolean>(5).fill(false),
    ...Array<boolean>(5).fill(true),
  ]);
  await page
    .locator('data-table', { has: contributions })
    .getByRole('button', { name: /^All \d+$/ })
    .click();
  expect(await contributions.locator('tbody tr').count()).toBeGreaterThan(10);
  await context.close();
});

it('tells which plan a door needs, before it is tried, and what plans allow', async () => {
  const guest = await site.open();
  await guest.page.goto('/sweeps');
  expect(
    await guest.page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Sweeps' }).innerText(),
  ).toMatch(/Pro/);
  await guest.page.getByRole('button', { name: 'Start the sweep Pro' }).waitFor();
  await guest.page.goto('/plans');
  const row = guest.page.getByRole('row', { name: /^Cells per sweep/ });
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(
    expect.arrayContaining(['not included', '100,000', '20,000,000']),
  );
  expect(await findings(guest.page)).toEqual([]);
  await guest.context.close();
  const { page, context } = await site.open({ locale: 'zh-TW', width: 360 }, person);
  await page.goto('/plans');
  expect(await isTooWide(page)).toBe(false);
  await page.goto('/sweeps');
  await page.locator('sweep-form').waitFor({ state: 'attached' });
  await page.waitForResponse('**/api/account/plan').catch(() => null);
  expect(await page.locator('.run-foot small').count()).toBe(0);
  await context.close();
});

it('screens and rotates the kinds of instruments that its address names', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/screener?where=close+%3E+1');
  const counts = page.getByText(/^\d+ → \d+$/);
  const both = await counts.innerText();
  const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/screener'));
  await page.getByLabel('Universe').selectOption('etf');
  expect((await asked).postDataJSON()).toMatchObject({ asset_type: 'etf', where: 'close > 1' });
  expect(new URL(page.url()).searchParams.get('universe')).toBe('etf');
  await counts.filter({ hasNotText: both }).waitFor();
  const run = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/portfolio'));
  await page.getByRole('link', { name: /^Hold the top/ }).click();
  expect((await run).postDataJSON().universe).toEqual({ all: true, asset_type: 'etf', where: 'close > 1' });
  await page.locator('portfolio-chart canvas').first().waitFor();
  expect(await page.getByLabel('Universe').inputValue()).toBe('etf');
  expect(faults).toEqual([]);
  await context.close();
});

it('looks at a list of the reader and at the last screen, on the screener, the map, and in a watch', async () => {
  const { page, context, faults } = await site.open({}, person);
  const postTo = (path: string) => page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith(path));
  await page.goto('/screener?where=close+%3E+1');
  const counts = page.getByText(/^\d+ → \d+$/);
  const both = await counts.innerText();
  await page.getByLabel('Universe').selectOption('list');
  const listed = postTo('/v1/screener');
  await page.getByLabel('Symbols of my list').fill('acrx, BRVA LUMA');
  await page.keyboard.press('Enter');
  expect((await listed).postDataJSON()).toMatchObject({ symbols: ['ACRX', 'BRVA', 'LUMA'], where: 'close > 1' });
  await counts.filter({ hasNotText: both }).waitFor();
  expect(await counts.innerText()).toMatch(/^3 → \d$/);
  const [lists, links] = [page.locator('a[href*="symbols=ACRX"]'), ['/portfolio?kind=rotation', '/strategies?where']];
  for (const start of links) expect(await lists.and(page.locator(`[href^="${start}"]`)).count()).toBe(1);
  const onMap = postTo('/v1/screener');
  await page.goto('/?universe=last&symbols=ACRX.US,LUMA.US');
  expect((await onMap).postDataJSON()).toMatchObject({ symbols: ['ACRX.US', 'LUMA.US'] });
  const cells = page.locator('market-map .map a');
  await eventually(
    () => cells.count(),
    (count) => count === 2,
  );
  await page.getByLabel('Universe').selectOption('list');
  await eventually(
    () => cells.count(),
    (count) => count === 3,
  );
  expect(new URL(page.url()).searchParams.get('symbols')).toBe('ACRX,BRVA,LUMA');
  await page.goto('/strategies?where=close+%3E+1&universe=list&symbols=ACRX,LUMA');
  await page.getByText('Universe: My list').first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('tells somebody new what this is, and names symbols near one that is not known', async () => {
  const { page, context } = await site.open();
  await page.goto('/');
  await page.getByText('Test a trading idea on every US stock and ETF').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').waitFor();
  await page.goto('/runs');
  await page.getByRole('table', { name: 'An example of what you keep' }).getByRole('link', { name: 'ACRX' }).waitFor();
  await page.goto('/s/ACRQ');
  await page.getByRole('combobox', { name: 'Symbol' }).waitFor();
  await page.getByRole('link', { name: 'ACRX' }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.goto('/backtest?symbol=ACRQ.US');
  await page.locator('.refused').getByRole('link', { name: 'ACRX' }).click();
  await page.locator('run-chart canvas').first().waitFor();
  await context.close();
});

it('carries its idea, its address, and its receipt onto paper', async () => {
  const { page, context } = await site.open({}, person);
  await page.goto('/backtest?symbol=LUMA.US&strategy=rules&rule.entry=close+%3E+sma(50)&rule.exit=close+%3C+sma(50)');
  await page.locator('run-chart canvas').first().waitFor();
  expect(await page.title()).toBe('LUMA · close > sma(50) · Market Data & Backtests');
  const onPaper = page.locator('.paper-only');
  expect(await onPaper.first().isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await onPaper.first().innerText()).toMatch(/LUMA\s+Buy when\s+close > sma\(50\)/);
  const proof = await onPaper.last().innerText();
  expect(proof).toContain(`${site.url}/backtest?symbol=LUMA.US`);
  expect(proof).toMatch(/Receipt\s+([0-9a-f]{64} ){2}[0-9a-f]{64}/);
  expect(await page.getByRole('heading', { name: 'As a program' }).isVisible()).toBe(false);
  await context.close();
});
