/** The library of runs: compared before they are kept, found by typing, and begun from the palette. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addPerson, type Person } from '../support/accounts.ts';
import { findings, isTooWide, keepPicture, openPalette, openTestSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let person: Person;
beforeAll(async () => {
  site = await openTestSite({ hasWorker: true });
  person = await addPerson(site.api, undefined, { plan: 'pro' });
  const keep = (strategy: object) =>
    site.api.post('/v1/backtest', { symbol: 'LUMA', time_range: '3Y', save: true, ...strategy }, person.program);
  await keep({ strategy: 'rsi_reversion' });
  await keep({ strategy: 'rules', rules: { entry: 'close > highest(55)', exit: 'close < lowest(20)' } });
  await keep({ strategy: 'buy_hold' });
});
afterAll(() => site.close());

it('compares three strategies on one symbol in four clicks, none of them kept', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/backtest?symbol=ACRX.US&strategy=donchian&time_range=5Y&run=1');
  await page.locator('run-report figure').first().waitFor();
  let clicks = 0;
  await page.exposeFunction('clicked', () => {
    clicks++;
  });
  await page.evaluate(`addEventListener('pointerdown', () => clicked(), true)`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add to compare' }).click();
  expect(await findings(page)).toEqual([]);
  await dialog.getByText('ACRX · MACD').click();
  await dialog.getByText(/^ACRX · RSI/).click();
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL('**/runs?runs=*');
  expect(clicks).toBe(4);
  await page.getByRole('heading', { name: '3 runs compared' }).waitFor();
  await page.locator('run-compare .side-by-side').waitFor();
  const names = await page.locator('.side-by-side thead th').allInnerTexts();
  expect(names.map((name) => name.trim().replace(/ [\d/]+$/, ''))).toEqual([
    'ACRX · Donchian breakout',
    'ACRX · RSI mean reversion',
    'ACRX · MACD crossover',
  ]);
  await page.locator('run-compare compare-chart').getByText('Holding').first().waitFor();
  await page.locator('run-compare').getByText('Drawdown', { exact: true }).first().click();
  const first = page.locator('.side-by-side tbody th[scope=row]').first();
  await page.locator('.table-scroll', { has: first }).evaluate((e) => e.scrollBy(400, 0));
  expect((await first.boundingBox())?.x).toBeGreaterThan(200);
  expect(await findings(page)).toEqual([]);
  const { rows } = await site.database.pool.query('select from backtests where user_id = $1', [person.id]);
  expect(rows).toHaveLength(3);
  // Runs put aside stay, and a fifth one is refused in words.
  await page.goto('/backtest?symbol=BRVA.US&strategy=donchian&time_range=5Y&run=1');
  await page.locator('run-report figure').first().waitFor();
  await page.getByRole('button', { name: 'Add to compare' }).click();
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(4);
  await dialog.getByText('BRVA · MACD').click();
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByText('At most 4 runs can be compared.').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('shows guests what they compare', async () => {
  const guest = await site.open({ width: 360 });
  const runs = ['sma_cross', 'macd'].map((strategy) => ({
    kind: 'backtest',
    name: strategy,
    body: { symbol: 'ACRX', strategy, time_range: '3Y' },
  }));
  await guest.page.goto(`/runs?${new URLSearchParams({ runs: JSON.stringify(runs) })}`);
  await guest.page.getByRole('heading', { name: '2 runs compared' }).waitFor();
  await guest.page.locator('run-compare .side-by-side').waitFor();
  expect(await isTooWide(guest.page)).toBe(false);
  await guest.page.goto('/runs?runs=%5B5%2C%7B%22kind%22%3A%22x%22%7D%5D');
  await guest.page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await guest.page.locator('run-compare').count()).toBe(0);
  await guest.context.close();
});

it('says on which prices benchmarks are where only some runs count dividends', async () => {
  const { page, context, faults } = await site.open({}, person);
  const runs = ['total', 'split'].map((adjust) => ({
    kind: 'backtest',
    name: adjust,
    body: { symbol: 'ACRX', strategy: 'sma_cross', time_range: '3Y', adjust },
  }));
  await page.goto(`/runs?${new URLSearchParams({ runs: JSON.stringify(runs) })}`);
  const field = page.getByRole('combobox', { name: 'Add a benchmark' });
  await field.fill('LUMA');
  await page.getByRole('option', { name: /LUMA/ }).first().click();
  await page.getByText('without dividends. Some of the runs count dividends, others do not.').waitFor();
  expect(await page.getByText('as those of the run are').count()).toBe(0);
  expect(await page.getByText('Rolling 1y', { exact: true }).count()).toBe(1);
  expect(await page.getByText(/which only a tear sheet has/).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('lists sweeps among the runs, by time, by the same words, and in the palette', async () => {
  const owner = await addPerson(site.api, undefined, { plan: 'pro' });
  const send = async (path: string, body: object) => {
    const { status, body: answer } = await site.api.post(path, { time_range: '3Y', ...body }, owner.program);
    expect(status).toBeLessThan(300);
    return answer.data;
  };
  const universe = { symbols: ['LUMA', 'BRVA'] };
  const older = await send('/v1/backtest', { symbol: 'LUMA', strategy: 'rsi_reversion', save: true });
  const { job_id } = await send('/v1/sweeps', { universe, runs: [{ strategy: 'rsi_reversion' }] });
  const newer = await send('/v1/portfolio', { symbols: ['ACRX', 'MTMX'], strategy: 'sma_cross', save: true });
  const sweep = `/sweeps?id=${job_id}`;
  // The clock of the service stands still.
  const { pool } = site.database;
  const later = `(select created_at from backtests where id = $2) + $3::interval where id = $1`;
  await pool.query(`update sweeps set created_at = ${later}`, [job_id, older.id, '1 second']);
  await pool.query(`update backtests set created_at = ${later}`, [newer.id, older.id, '2 seconds']);
  const [first, last] = [`/portfolio?id=${newer.id}`, `/backtest?id=${older.id}`];

  const { page, context, faults } = await site.open({}, owner);
  const links = page.locator('data-table tbody tr td a:not(.run-tag)');
  const listed = () => links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  const find = async (words: string, count: number) => {
    await page.getByLabel('Find by words').fill(words);
    await page.keyboard.press('Enter');
    await page.getByText(`${count} of ${count}`, { exact: true }).waitFor();
  };
  await page.goto('/runs');
  await page.getByText('3 of 3').waitFor();
  expect(await listed()).toEqual([first, sweep, last]);
  expect(await page.getByRole('heading', { name: 'Sweeps' }).count()).toBe(0);
  await page
    .getByText('Searches are not kept; open one from its form:')
    .getByRole('link', { name: 'Optimize' })
    .waitFor();
  for (const width of [390, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await isTooWide(page)]).toEqual([width, false]);
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, `library.${width}`);
  }
  await find('strategy:rsi luma', 2);
  expect(await listed()).toEqual([sweep, last]);
  await find('kind:portfolio', 1);
  expect(await listed()).toEqual([first]);
  await find('luma best', 2);
  expect(await listed()).toEqual([last, sweep]);
  await page.goto('/runs');
  await page.getByRole('link', { name: 'Sweep', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 of 1').waitFor();
  expect(await listed()).toEqual([sweep]);

  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: 'Kept runs' }).getByRole('option');
  await recent.nth(2).waitFor();
  expect((await recent.allInnerTexts()).map((text) => /Portfolio|Sweep|Backtest/.exec(text)?.[0])).toEqual([
    'Portfolio',
    'Sweep',
    'Backtest',
  ]);
  await page.keyboard.type('kind:sweep');
  await recent.filter({ hasText: 'rsi_reversion' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${sweep}`);
  await page.goto('/runs?q=kind:sweep');
  await page.getByRole('region').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByText('Its result and its file are deleted').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No run has these words' }).waitFor();
  const { items } = (await site.api.get('/v1/backtests?kind=all', owner.program)).body.data;
  expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['portfolio', 'backtest']);
  expect(faults).toEqual([]);
  await context.close();
});

it('finds the best run of a month by typing, with its luck and the idea of own rules', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/runs');
  const { items } = (await site.api.get('/v1/backtests', person.program)).body.data;
  const [best] = items.toSorted(
    (a: { total_pnl_pct: number }, b: { total_pnl_pct: number }) => b.total_pnl_pct - a.total_pnl_pct,
  );
  await page
    .getByRole('textbox')
    .first()
    .fill(`best ${best.created_at.slice(0, 7)}`);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/runs?q=best*');
  await page.locator(`data-table tbody tr:first-child a[href="/backtest?id=${best.id}"]`).waitFor();
  await page.getByRole('link', { name: 'LUMA · close > highest(55)' }).waitFor();
  await page.getByRole('columnheader', { name: 'Luck' }).waitFor();
  expect(await findings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('runs what the palette is told in three words, in any order', async () => {
  const { page, context, faults } = await site.open({}, person);
  await page.goto('/docs');
  const search = await openPalette(page);
  for (const typed of ['rsi luma 5y', '5y luma rsi']) {
    await search.fill(typed);
    await page.getByRole('option', { name: /^Run RSI.* on LUMA, 5Y/ }).waitFor();
  }
  await search.fill('luma');
  await page.getByRole('option', { name: /^LUMA/ }).first().waitFor();
  await search.fill('rsi luma 5y');
  await page.getByRole('option', { name: /^Run RSI/ }).click();
  await page.waitForURL('**/backtest?symbol=LUMA.US&strategy=rsi_reversion&time_range=5Y');
  await page.locator('run-report figure').first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
