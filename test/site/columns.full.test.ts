/** A researcher who brings columns: a file with its account, the column, and where it is chosen. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

const MEMBERS = `symbol,from,to
ACRX,2019-01-02,
LUMA,2021-06-01,2025-12-31
LUMA,2026-02-02,
TMRK,2022-01-03,
NOSUCH,2020-01-02,
MTMX,yesterday,
`;
const SECTORS = `symbol,date,known_at,value
ACRX,2020-01-02,2020-03-02,Tech
LUMA,2020-01-02,2020-01-02,Energy
TMRK,2020-01-02,2020-01-02,Tech
`;
const RATES = 'date,value\n2016-01-04,0.5\n2020-01-02,1.5\n2023-01-03,4.5\n2026-05-01,3.75\n';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
});
afterAll(() => site.close());

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** Sends a file of the person, and waits for its account. */
async function load(page: Page, name: string, text: string, fill: () => Promise<unknown> = async () => {}) {
  await page.goto('/columns');
  await page.getByLabel(/^Drop a file here/).setInputFiles(fileOf(name, text));
  await fill();
  await page.getByRole('button', { name: 'Load the column' }).click();
  await page.getByText(`${name.split('.')[0]}, version 1:`).waitFor();
}

describe('a file of a column', () => {
  it('is loaded with the account of its lines, and shown with its coverage and rows', async () => {
    const { page, context, faults } = await site.open({}, person);
    // Sent once its progress is in sight.
    await page.route('**/v1/my/columns/core?*', async (route) => {
      await page.getByRole('progressbar', { name: /^Sending, \d+%$/ }).waitFor();
      await route.continue();
    });
    await load(page, 'core.csv', MEMBERS, () => page.getByLabel('Lines are').selectOption('intervals'));
    const account = page.getByRole('status', { name: 'What became of the lines' });
    expect(await account.locator('dl').innerText()).toMatch(
      /Lines\s+7\s+Loaded\s+4\s+Repeated\s+0\s+Rejected\s+1\s+Left out\s+1/,
    );
    await account.getByText('1 unknown symbol: NOSUCH').waitFor();
    await account
      .getByRole('listitem')
      .filter({ hasText: 'MTMX,yesterday,' })
      .getByText(/^Line 7 · bad date/)
      .waitFor();
    await account.getByText(/^Backfilled: /).waitFor();
    await page.getByRole('row', { name: /^core Yours Numbers/ }).waitFor();
    const detail = page.getByRole('region', { name: 'core' });
    await detail.getByRole('figure', { name: 'Rows of core by year, 2019 to 2026' }).waitFor();
    expect(await detail.locator('.day-bars rect').count()).toBe(8);
    await detail.getByText('Show as a table').click();
    await detail.getByRole('row', { name: '2019 1 1' }).waitFor();
    await detail.getByRole('combobox', { name: 'Symbol' }).fill('LUMA');
    await detail.getByRole('button', { name: 'Show', exact: true }).click();
    await detail.getByRole('row', { name: /^2021-06-01 2021-06-01.* 2021-06-01 1$/ }).waitFor();
    await detail.getByRole('row', { name: /^2026-01-01 .* ends$/ }).waitFor();
    await keepPicture(page, 'columns.en.light.1440');
    expect([await findings(page), faults]).toEqual([[], []]);
    expect(new URL(page.url()).search).toBe('?name=core');
    await context.close();
    for (const theme of ['light', 'dark'] as const) {
      const phone = await site.open({ locale: theme === 'dark' ? 'zh-CN' : 'zh-TW', theme, width: 360 }, person);
      await phone.page.setViewportSize({ width: 390, height: 844 });
      await phone.page.goto('/columns?name=core');
      await phone.page.locator('.day-bars').waitFor();
      expect(await findings(phone.page)).toEqual([]);
      expect(await isTooWide(phone.page)).toBe(false);
      await keepPicture(phone.page, `columns.${theme}.390`);
      await phone.context.close();
    }
  });

  it('that cannot be one is refused at its place, and nothing of it is kept', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/columns');
    await page.getByLabel(/^Drop a file here/).setInputFiles(fileOf('close.csv', SECTORS));
    expect(await page.getByLabel('Name in rules').inputValue()).toBe('close');
    await page.getByRole('button', { name: 'Load the column' }).click();
    await page.getByRole('alert').filter({ hasText: 'close is a word of the language of rules' }).waitFor();
    await page.getByLabel('Name in rules').fill('broken');
    await page.getByLabel(/^Drop a file here/).setInputFiles(fileOf('broken.csv', 'symbol,value\nACRX,1\n'));
    await page.getByRole('button', { name: 'Load the column' }).click();
    await page.getByRole('alert').filter({ hasText: 'date' }).waitFor();
    expect(await page.getByRole('cell', { name: 'broken' }).count()).toBe(0);
    await context.close();
  });

  it('is explained to guests, who sign in first', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/columns');
    await page.getByText('symbol,date,known_at,value').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).last().waitFor();
    expect(await page.locator('column-form').count()).toBe(0);
    expect([await findings(page), faults]).toEqual([[], []]);
    await context.close();
  });
});

describe('a column', () => {
  it('is tried at once as a screen and as the universe of a rotation', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/columns?name=core');
    await page.getByRole('link', { name: 'Screen with it' }).click();
    await page.getByText('3 pass').waitFor();
    expect(await page.getByRole('combobox', { name: 'Universe' }).inputValue()).toBe('column');
    expect(await page.getByRole('combobox', { name: 'Column', exact: true }).inputValue()).toBe('core');
    await page.goto('/columns?name=core');
    await page.getByRole('link', { name: 'Rotate within it' }).click();
    await page.getByLabel('Hold the best').fill('2');
    expect(await page.getByRole('combobox', { name: 'Universe' }).inputValue()).toBe('column');
    await keepPicture(page, 'columns-rotation.en.light.1440');
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.getByRole('img', { name: /^Weights of/ }).waitFor();
    expect(runOf(page).universe).toEqual({ all: true, where: "my('core') = 1" });
    await context.close();
  });

  it('is chosen by a label in the universe of a screen, which its address keeps', async () => {
    const { page, context, faults } = await site.open({}, person);
    await load(page, 'sector.csv', SECTORS);
    await page.goto(`/screener?${new URLSearchParams({ where: 'close > 0 or close < 1' })}`);
    await page.getByText(/\d+ pass/).waitFor();
    await page.getByRole('combobox', { name: 'Universe' }).selectOption('column');
    await page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('sector');
    await page.getByRole('combobox', { name: 'Label' }).selectOption('Tech');
    await page.getByText('2 pass').waitFor();
    const where = "my('sector') = 'Tech' and (close > 0 or close < 1)";
    expect(new URL(page.url()).searchParams.get('where')).toBe(where);
    await page.reload();
    await page.getByText('2 pass').waitFor();
    expect(await page.getByRole('combobox', { name: 'Label' }).inputValue()).toBe('Tech');
    await keepPicture(page, 'columns-screen.en.light.1440');
    expect([await findings(page), faults]).toEqual([[], []]);
    await page.getByRole('combobox', { name: 'Universe' }).selectOption('stock');
    await page.waitForURL((url) => url.searchParams.get('universe') === 'stock');
    expect(new URL(page.url()).searchParams.get('where')).toBe('(close > 0 or close < 1)');
    await context.close();
  });

  it('of rates is chosen for cash and as the risk-free rate, and stays when the form is edited', async () => {
    const { page, context, faults } = await site.open({}, person);
    await load(page, 'tbill.csv', RATES, async () => {
      await page.getByLabel('Unit').fill('percent_per_year');
      await page.getByLabel('One value for the whole market').check();
    });
    await page.goto('/portfolio?symbols=ACRX+LUMA&kind=rotation');
    const inspector = page.getByRole('complementary', { name: 'Set-up' });
    await inspector.locator('summary', { hasText: 'Costs' }).click();
    expect(await page.locator('#rate-columns option').getAttribute('value')).toBe('tbill');
    await inspector.getByLabel('Interest on cash, % a year').fill('tbill');
    await inspector.getByLabel('Risk-free rate, a column').fill('tbill');
    await inspector.locator('summary', { hasText: 'cash at tbill, above tbill' }).waitFor();
    await keepPicture(page, 'columns-rates.en.light.1440');
    await page.getByLabel('Hold the best').fill('1');
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.getByRole('img', { name: /^Weights of/ }).waitFor();
    expect(runOf(page)).toMatchObject({ cash: { rate: 'tbill' }, risk_free: 'tbill' });
    await page.reload();
    await page.getByRole('img', { name: /^Weights of/ }).waitFor();
    await page.getByLabel('Hold the best').fill('2');
    await page.getByRole('button', { name: 'Run the rotation' }).click();
    await page.waitForURL((url) => (url.searchParams.get('run') ?? '').includes('"top":2'));
    expect(runOf(page)).toMatchObject({ cash: { rate: 'tbill' }, risk_free: 'tbill' });
    expect(faults).toEqual([]);
    await context.close();
  });

  it('is deleted after a question', async () => {
    const { page, context } = await site.open({}, person);
    await page.goto('/columns?name=sector');
    await page.getByRole('button', { name: 'Delete the column' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('cell', { name: 'sector' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('cell', { name: 'core' }).count()).toBe(1);
    await context.close();
  });
});

/** The call that the address of a page names. */
function runOf(page: Page) {
  return JSON.parse(new URL(page.url()).searchParams.get('run') ?? '{}');
}
