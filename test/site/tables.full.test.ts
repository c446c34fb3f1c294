/** On laptops no figure of a table is cut off, on any page, in any language. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LOCALES } from '../../api/http/language/locale.ts';
import { SHOWN_PAGES } from '../../ops/browser/shown-pages.ts';
import { addAdmin, addPerson, type Person } from '../support/accounts.ts';
import { everyNth } from '../support/extent.ts';
import { openTestSite, type TestSite } from '../support/site.ts';

const WIDTHS = [1024, 1280, 1366, 1440];

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true, hasFiles: true });
});
afterAll(() => site.close());

/** Keeps a run of each kind. Returns the addresses of their pages. */
async function keepRuns({ program }: Person): Promise<readonly string[]> {
  const call = async (path: string, body: object) => (await site.api.post(path, body, program)).body.data;
  const shared = { time_range: '5Y', execute_on: 'next_open', adjust: 'total', cost: { slippage_bps: 5 } };
  const run = await call('/v1/backtest', { symbol: 'ACRX.US', strategy: 'donchian', ...shared, save: true });
  const symbols = ['ACRX.US', 'LUMA.US', 'TMRK.US', 'MTMX.US'];
  const portfolio = await call('/v1/portfolio', { symbols, strategy: 'donchian', ...shared, save: true });
  const universe = { symbols };
  await call('/v1/sweeps', { universe, runs: [{ strategy: 'sma_cross', grid: { fast_period: [5, 10] } }], ...shared });
  const factors = [
    { name: 'momentum', value: 'lag(roc(231), 21)' },
    { name: 'reversal', value: '-roc(21)' },
    { name: 'low volatility', value: '-volatility(63)' },
  ];
  const study = await call('/v1/factors', { universe: { all: true }, factors, every: 'week', time_range: '5Y' });
  const tearSheets = [`/tear-sheet?backtest=${run.id}`, `/tear-sheet?portfolio=${portfolio.id}`];
  return [
    `/backtest?id=${run.id}`,
    `/portfolio?id=${portfolio.id}`,
    '/runs',
    '/account',
    `/factors?id=${study.job_id}`,
    ...tearSheets,
  ];
}

/** The figures of tables that are not in sight whole: cut by what scrolls around them, or wider than their cells. */
const CUT = `[...document.querySelectorAll('.number')]
  .filter((cell) => cell.matches('td, th') && cell.checkVisibility() && cell.closest('query-table') === null)
  .flatMap((cell) => {
    const box = (cell.closest('.table-scroll') ?? document.documentElement).getBoundingClientRect();
    const own = cell.getBoundingClientRect();
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.data.trim() === '' || text.parentElement.closest('.visually-hidden')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right } = range.getBoundingClientRect();
      if (right > Math.min(box.right, innerWidth, own.right) + 1 || left < box.left - 1)
        return [cell.closest('table').caption?.textContent + ': ' + text.data.trim().slice(0, 30)];
    }
    return [];
  })`;

async function cutFigures(page: Page): Promise<string[]> {
  // A table that was resized is drawn in the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return page.evaluate(CUT);
}

it.each(everyNth(3, LOCALES))('in %s every figure of every table is in sight', async (locale) => {
  await site.database.pool.query('delete from rate_limits');
  const admin = await site.open({ locale }, await addAdmin(site.api));
  const person = await addPerson(site.api, undefined, { plan: 'enterprise' });
  const kept = await keepRuns(person);
  const reader = await site.open({ locale }, person);
  const found: string[] = [];
  const look = async (page: Page, path: string, isReady: string) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await page.waitForSelector(isReady, { state: 'attached' });
    const figures = page.locator('.number').first().waitFor({ state: 'attached', timeout: 3_000 });
    if (
      !(await figures.then(
        () => true,
        () => false,
      ))
    )
      return;
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      found.push(...(await cutFigures(page)).slice(0, 3).map((cell) => `${path} at ${width}: ${cell}`));
    }
  };
  for (const { path, isReady } of SHOWN_PAGES) await look(reader.page, path, isReady);
  for (const path of kept) await look(reader.page, path, path.startsWith('/factors') ? 'factor-report .heat' : 'table');
  for (const path of ['/admin', '/admin/ops', '/admin/users', '/admin/audit', '/admin/exports', '/admin/revisions'])
    await look(admin.page, path, 'main :is(data-table, .figures)');
  expect(found).toEqual([]);
  await reader.context.close();
  await admin.context.close();
});
