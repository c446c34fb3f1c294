/** A reader with returns that were made elsewhere: from the file to the judgement of it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addPerson } from '../support/accounts.ts';
import { lehmer } from '../support/series.ts';
import { findings, isTooWide, keepPicture, openTestSite, type TestSite } from '../support/site.ts';

/** Enough for the probability of overfitting. */
const DAYS = 340;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
afterAll(() => site.close());

/** Weekdays with returns of some streams, of which the first has skill. */
function recordOf(streams: number): string {
  const random = lehmer(11);
  const lines = [`date,${Array.from({ length: streams }, (_, i) => `s${i}`).join(',')}`];
  for (let day = Date.UTC(2024, 0, 2); lines.length <= DAYS; day += 86_400_000) {
    if ([0, 6].includes(new Date(day).getUTCDay())) continue;
    const returns = Array.from({ length: streams }, (_, i) => 0.01 * (random() - 0.5) + (i === 0 ? 0.002 : 0));
    lines.push(`${new Date(day).toISOString().slice(0, 10)},${returns.map((one) => one.toFixed(6)).join(',')}`);
  }
  return lines.join('\n');
}

async function send(page: Page, name: string, content: string): Promise<void> {
  await page
    .getByLabel('File', { exact: false })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
}

describe('a record', () => {
  it('is not sent for a guest, who is asked for an account', async () => {
    const { page, context, faults } = await site.open();
    await page.goto('/judge');
    await page.getByRole('heading', { name: 'No record yet' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await send(page, 'mine.csv', recordOf(1));
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it('of many streams is judged beside a benchmark, and each is shown as a tear sheet', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'pro' });
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/judge');
    await page.getByLabel('Benchmark').fill('s1');
    await send(page, 'mine.csv', recordOf(25));
    await page.getByRole('heading', { level: 1, name: 'mine.csv' }).waitFor();
    const table = page.getByRole('table', { name: 'All streams' });
    await table.getByRole('row').nth(24).waitFor();
    await page.getByRole('heading', { level: 2, name: 's0', exact: true }).waitFor();
    const choice = page.locator('section', { has: page.getByRole('heading', { name: 'The best of them' }) });
    expect((await choice.locator('dd').allInnerTexts()).slice(0, 2)).toEqual(['s0', '24']);
    await choice.locator('step-bars svg').waitFor();
    const haircuts = choice.getByRole('region', { name: 'Sharpe ratio a year after 24 tests' });
    expect(await haircuts.getByRole('rowheader').allInnerTexts()).toEqual(['Bonferroni', 'Holm', 'BHY']);
    await page.locator('#sheet-series day-plot svg').first().waitFor();
    await page.locator('#sheet-chance').getByText('Histories that end with a loss').waitFor();
    expect(await page.locator('table.months tbody tr').count()).toBeGreaterThan(1);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, 'judge.en.light.1440');

    // Only the best have curves: another is computed on demand.
    await page.getByText('Only figures were computed of this stream.').waitFor({ state: 'detached' });
    for (const row of await table.getByRole('row').all()) {
      await row.click();
      if (await page.getByText('Only figures were computed of this stream.').isVisible()) break;
    }
    const name = await page.locator('#stream').innerText();
    await page.getByRole('button', { name: 'Compute them' }).click();
    await page.locator('#sheet-series day-plot svg').first().waitFor();
    expect(await page.locator('#stream').innerText()).toBe(name);
    for (const width of [1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await isTooWide(page)]).toEqual([width, false]);
      await keepPicture(page, `judge.en.light.${width}`);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it('of trades is shown with what they were like', async () => {
    const person = await addPerson(site.api);
    const { page, context, faults } = await site.open({}, person);
    await page.goto('/judge');
    await page.getByLabel('The columns are').selectOption('trades');
    const days = recordOf(1).split('\n').slice(1);
    const lines = days.map(
      (line, i) => `${line.slice(0, 10)},${line.slice(0, 10)},${i % 3 ? 80 : -50},${i % 3 ? 0.8 : -0.5}`,
    );
    await send(page, 'trades.csv', ['entry_date,exit_date,pnl,pnl_pct', ...lines].join('\n'));
    const trades = page.locator('#sheet-trades');
    await trades.getByRole('row', { name: /^Win rate 66\.\d+%/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('that cannot be read is refused with the reason, and several streams need the plan', async () => {
    const person = await addPerson(site.api, undefined, { plan: 'free' });
    const { page, context } = await site.open({}, person);
    await page.goto('/judge');
    await send(page, 'two.csv', recordOf(2));
    await page.getByText('Included in the Pro plan and above.').waitFor();
    await send(page, 'words.csv', 'when,what\nnever,nothing\n');
    await page.locator('.state', { hasText: /date/ }).waitFor();
    await send(page, 'one.csv', recordOf(1));
    await page.getByRole('heading', { level: 1, name: 'one.csv' }).waitFor();
    expect(await page.getByRole('heading', { name: 'The best of them' }).count()).toBe(0);
    await page.getByText('Without a benchmark nothing tells skill from a rising market.').waitFor();
    await context.close();
  });
});
