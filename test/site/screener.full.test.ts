/** A screen in words: its conditions, its columns, and what is kept and watched of it. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { findings, isTooWide, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
  person = await addPerson(site.api, undefined, { plan: 'pro' });
});
afterAll(() => site.close());

const headsOf = (page: Page) => page.locator('.screen-table thead th').allInnerTexts();
const whereOf = (page: Page) => new URL(page.url()).searchParams.get('where');

it('stands in words, is edited in words, and shows its rules while Alt is held', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/screener?preset=pullback_entry');
  const words = page.locator('.condition-words');
  await words.nth(3).waitFor();
  expect(await words.allInnerTexts()).toEqual([
    'Dollar volume ≥ $1M',
    'Above the average 200',
    'Pullback from high 60 5% – 20%',
    'RSI 14 < 45',
  ]);
  await page.keyboard.down('Alt');
  expect(await page.getByLabel('Condition 4').inputValue()).toBe('rsi(14) < 45');
  await page.keyboard.up('Alt');
  await words.nth(3).click();
  expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('45');
  await page.getByLabel('Comparison').selectOption('greater than');
  await page.getByLabel('Period').fill('5');
  await page.getByLabel('Value', { exact: true }).fill('30');
  await page.keyboard.press('Enter');
  await eventually(
    async () => whereOf(page),
    (where) => where?.endsWith(' and rsi(5) > 30') ?? false,
  );
  await words.nth(1).click();
  await page.getByLabel('Field').selectOption('Change, %');
  await page.keyboard.press('Escape');
  expect(await page.locator('.condition-editor').count()).toBe(0);
  await page.getByRole('button', { name: 'in words' }).click();
  await page.getByLabel('Field').selectOption('New low');
  await page.getByLabel('Comparison').selectOption('is false');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Apply' }).click();
  await words.getByText('✕ New low 252').waitFor();
  expect(whereOf(page)).toMatch(/ and not \(low < lowest\(252\)\)$/);
  expect(faults).toEqual([]);
  await context.close();
});

it('has what its conditions compare as columns, and others that are found, ordered, and kept as sets', async () => {
  const { page, context, faults } = await site.open({}, person);
  const where = 'close > sma(50) and rsi(14) < 75 and sma(10) > 3';
  await page.goto(`/screener?${new URLSearchParams({ where })}`);
  await page.getByRole('cell', { name: /^Median of all/ }).waitFor();
  expect((await headsOf(page)).slice(3, 8)).toEqual(['Close', 'Day', 'sma(50)', 'RSI 14', 'Simple average 10']);
  const rows = await page.locator('.screen-table tbody tr').allInnerTexts();
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    const cells = row.split('\t').map((cell) => Number(cell.replaceAll(',', '')));
    expect(cells[5]).toBeLessThan(cells[3]);
    expect(cells[6]).toBeLessThan(75);
  }
  await page.getByRole('button', { name: 'Columns 10 of 38' }).click();
  const search = page.getByLabel('Find a column');
  await search.fill('volatility');
  const box = page.getByRole('checkbox', { name: 'Volatility', exact: true });
  await box.check();
  await search.fill('');
  await box.focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('Alt+ArrowUp');
  expect(await box.evaluate((e) => e.matches(':focus'))).toBe(true);
  const item = (name: string) => page.locator('column-picker li', { hasText: name });
  await item('1 year').dragTo(item('Close').first());
  expect(await findings(page)).toEqual([]);
  await page.getByLabel('Name of a set').fill('Calm');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'As at first' }).click();
  await page.getByRole('button', { name: 'Calm', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const wanted = ['Symbol', 'Name', '60 days', 'Volatility', '1 year', 'Close', 'Day', 'sma(50)'];
  // A figure that was not asked for before comes with the next answer.
  await page
    .locator('.screen-table td', { hasText: /^\d+\.\d%$/ })
    .first()
    .waitFor();
  expect((await headsOf(page)).slice(0, 8)).toEqual(wanted);
  await page.reload();
  await page.getByRole('cell', { name: /^Median of all/ }).waitFor();
  expect((await headsOf(page)).slice(0, 8)).toEqual(wanted);
  expect(faults).toEqual([]);
  await context.close();
});

it('is sorted as a whole where more pass than are shown', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.route('**/v1/screener', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, total: 400 } } });
  });
  await page.goto('/screener?where=rsi(14)+%3E+1');
  await page.locator('.screen-table tbody tr').first().waitFor();
  const asked = page.waitForRequest((one) => 'sort' in (one.postDataJSON() ?? {}));
  await page.getByRole('columnheader', { name: 'RSI 14' }).getByRole('button').click();
  expect((await asked).postDataJSON().sort).toEqual({ by: 'rsi(14)', order: 'desc' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(faults).toEqual([]);
  await context.close();
});

it('is saved, and watched by one dialog that closes when the newest session is evaluated', async () => {
  const { page, context, faults } = await site.open({ width: 360 }, person);
  await page.goto('/screener?preset=trend_breakout');
  const entered = page.locator('screen-rail section', { hasText: 'Entered since' }).getByRole('link');
  await entered.first().waitFor();
  const symbols = await entered.allInnerTexts();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('My breakouts');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const kept = page.getByRole('link', { name: 'My breakouts' });
  await kept.waitFor();
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Trend breakout');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const list = page.getByRole('status').filter({ hasText: 'is watched' });
  expect(await list.innerText()).toContain(`${symbols.length} newly in ${symbols.join(', ')}`);
  expect(await isTooWide(page)).toBe(false);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.keyboard.press('Enter');
  await dialog.getByText(/Trend breakout/).waitFor();
  expect((await dialog.getByRole('alert').innerText()).length).toBeGreaterThan(10);
  await page.keyboard.press('Escape');
  await kept.click();
  await page.waitForURL('**/screener?where=*');
  await page.locator('a[aria-current="true"]', { hasText: 'My breakouts' }).waitFor();
  expect(faults.filter((fault) => !/409/.test(fault))).toEqual([]);
  await context.close();
});
