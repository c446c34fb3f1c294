/** Four tasks of readers from the first page on: every click and choice is counted. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { addPerson, type Person } from '../support/accounts.ts';
import { openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
});
beforeEach(async () => {
  person = await addPerson(site.api, undefined, { plan: 'enterprise' });
});
afterAll(() => site.close());

/** Counts what the reader does with the mouse. */
class Hand {
  acts = 0;

  async click(what: Locator): Promise<void> {
    this.acts++;
    await what.click();
  }

  /** Chooses an entry of a list, or a day. */
  async choose(what: Locator, value: string): Promise<void> {
    this.acts++;
    await ((await what.evaluate(({ tagName }) => tagName)) === 'SELECT' ? what.selectOption(value) : what.fill(value));
  }
}

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name, exact: true });

it('holds the ten strongest ETFs, tells whether it was luck, and shares it, in six clicks', async () => {
  const { page, context, faults } = await site.open({}, person);
  const hand = new Hand();
  await page.goto('/');
  await hand.click(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Portfolio' }));
  await page.locator('portfolio-chart canvas').first().waitFor();
  await hand.choose(page.getByLabel('Universe'), 'etf');
  await hand.choose(page.getByLabel('Begin with'), 'half_year');
  await hand.click(page.getByRole('button', { name: 'Run the rotation' }));
  await page.locator('.head p', { hasText: 'Strongest over 6 months: the best 10' }).waitFor();
  await hand.click(page.getByRole('link', { name: 'Luck' }));
  const box = await page.locator('#sheet-chance, #luck').boundingBox();
  expect(box?.y).toBeLessThan(140);
  await hand.click(page.getByRole('button', { name: 'Share', exact: true }));
  const link = await page.getByRole('status').getByRole('link', { name: /\/p\// }).innerText();
  const shared = await (await fetch(`${site.url}${new URL(link).pathname}`)).text();
  expect(shared).toMatch(
    /<title>All ETFs, top\(.+\) · Strongest over 6 months: the best 10 · [+−-][\d.,]+% · Market Data &amp; Backtests/,
  );
  expect(shared).toMatch(/og:description" content="Strongest over 6 months: the best 10 on All ETFs, top/);
  expect(await page.title()).toMatch(
    /^All ETFs, top\(.+\) · Strongest over 6 months: the best 10 · Market Data & Backtests$/,
  );
  expect(hand.acts).toBeLessThanOrEqual(6);
  expect(faults).toEqual([]);
  await context.close();
});

it('screens as of a past day and holds what passed from the day after it, in three', async () => {
  const { page, context, faults } = await site.open({}, person);
  const hand = new Hand();
  await page.goto('/');
  await hand.click(place(page, 'Screener'));
  await page.locator('data-table table').first().waitFor();
  await hand.choose(page.getByLabel('As of'), '2026-03-02');
  await page.getByText('Screen at the close of Mar 2, 2026').waitFor();
  const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/v1/portfolio'));
  await hand.click(page.getByRole('link', { name: 'Backtest as a portfolio' }));
  const body = (await asked).postDataJSON();
  expect(body).toMatchObject({
    start: '2026-03-03',
    strategy: 'buy_hold',
    allocation: { max_positions: body.symbols.length },
  });
  await page.locator('portfolio-chart canvas').first().waitFor();
  expect(hand.acts).toBeLessThanOrEqual(3);
  expect(faults).toEqual([]);
  await context.close();
});

it('watches a signal, in three', async () => {
  const { page, context, faults } = await site.open({}, person);
  const hand = new Hand();
  await page.goto('/');
  await hand.click(place(page, 'Backtest'));
  await page.locator('run-chart canvas').first().waitFor();
  await hand.click(page.getByRole('button', { name: 'Watch', exact: true }));
  await hand.click(page.getByRole('status').getByRole('link', { name: 'Signals' }));
  await page
    .getByRole('table', { name: 'Watches' })
    .getByRole('cell', { name: /^ACRX · / })
    .waitFor();
  expect(hand.acts).toBeLessThanOrEqual(3);
  expect(faults).toEqual([]);
  await context.close();
});

it('watches own rules, which become a strategy of the account', async () => {
  const { page, context } = await site.open({}, person);
  await page.goto(
    '/backtest?symbol=LUMA.US&strategy=rules&rule.entry=close+%3E+sma(%24n)&rule.exit=close+%3C+sma(%24n)&p.n=50',
  );
  await page.locator('run-chart canvas').first().waitFor();
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByRole('status').getByText('LUMA · close > sma($n)').waitFor();
  const { body } = await site.api.get('/v1/my/strategies', person.program);
  expect(body.data.items).toEqual([
    expect.objectContaining({
      rules: { entry: 'close > sma($n)', exit: 'close < sma($n)' },
      parameters: { n: { default: 50 } },
    }),
  ]);
  await context.close();
});

it('says why the load of last night failed, in one', async () => {
  const { rows } = await site.database.pool.query(
    `insert into sync_jobs (job_type, status, request, requested_by, queue_job_id, error, queued_at, started_at, finished_at)
     values ('daily_bars', 'failed', $1, 'scheduler', $2, 'the provider refused the credentials', now(), now(), now())
     returning id`,
    [{ start: '2026-05-29', end: '2026-05-29', venue_mode: 'consolidated' }, randomUUID()],
  );
  const { page, context, faults } = await site.open({}, await addPerson(site.api, undefined, { isAdmin: true }));
  const hand = new Hand();
  await page.goto('/');
  await hand.click(place(page, 'On call'));
  const problem = page.locator('ops-status-line');
  await problem.getByText(`Load ${rows[0].id} failed`).waitFor();
  await problem.getByText('the provider refused the credentials').waitFor();
  expect(hand.acts).toBeLessThanOrEqual(1);
  expect(faults).toEqual([]);
  await context.close();
});

it('shows guests what signals look like', async () => {
  const { page, context, faults } = await site.open();
  await page.goto('/signals');
  const table = page.getByRole('table', { name: /^An example: what a watch of .+ on ACRX would have told$/ });
  await table.getByRole('cell', { name: /Entry/ }).first().waitFor();
  expect(await table.getByRole('row').count()).toBeGreaterThan(4);
  expect(faults).toEqual([]);
  await context.close();
});
